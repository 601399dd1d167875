from __future__ import annotations

import psycopg
import pytest
from helpers import Db, remember


def test_the_same_text_twice_is_one_memory(db: Db) -> None:
    first = remember(db, "the deploy key lives in the vault")
    again = remember(db, "the deploy  key lives in the vault ")

    assert (first.action, again.action) == ("new", "reinforce")
    assert again.memory_id == first.memory_id
    assert db.execute("select count(*) from engram.memory").fetchone() == (1,)


def test_what_is_rolled_back_was_never_remembered(db: Db) -> None:
    with db.transaction(force_rollback=True):
        remember(db, "a thought that did not last")

    assert db.execute("select * from engram.recall('thought that did not last')").fetchall() == []


@pytest.mark.parametrize(
    ("arguments", "sqlstate"),
    [
        ({"content": ""}, "EG001"),
        ({"content": " \n\t\u3000\u200b"}, "EG001"),
        ({"content": "x" * 65537}, "EG001"),
        ({"content": None}, "EG001"),
        ({"content": "x", "importance": 1.5}, "EG002"),
        ({"content": "x", "importance": -0.1}, "EG002"),
        ({"content": "x", "importance": float("nan")}, "EG002"),
        ({"content": "x", "kind": "rumour"}, "EG003"),
        ({"content": "x", "kind": None}, "EG003"),
        ({"content": "x", "metadata": "[1]"}, "EG002"),
        ({"content": "x", "valid_from": "2026-02-01", "valid_until": "2026-01-01"}, "EG002"),
        ({"content": "x", "valid_from": "2026-02-01", "valid_until": "2026-02-01"}, "EG002"),
        ({"content": "x", "created_at": "infinity"}, "EG002"),
        ({"content": "x", "valid_until": "infinity"}, "EG002"),
        ({"content": "x", "tags": ["a", None]}, "EG002"),
        ({"content": "x", "user_id": ""}, "EG002"),
        ({"content": "x", "policy": "guess"}, "EG002"),
        ({"content": "x", "embedding": [0.1, 0.2]}, "EG005"),
        ({"content": "x", "embedding": [float("nan")] * 256}, "EG005"),
        ({"content": "x", "embedding": [0.0] * 256}, "EG005"),
        ({"content": "x", "embedding": []}, "EG005"),
    ],
)
def test_bad_input_gets_our_error_with_a_hint_and_writes_nothing(
    db: Db, arguments: dict[str, object], sqlstate: str
) -> None:
    content = arguments.pop("content")
    with pytest.raises(psycopg.Error) as error, db.transaction():
        remember(db, content, **arguments)  # type: ignore[arg-type]

    assert error.value.sqlstate == sqlstate
    assert error.value.diag.message_hint
    assert db.execute("select count(*) from engram.memory").fetchone() == (0,)
