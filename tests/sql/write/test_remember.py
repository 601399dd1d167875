from __future__ import annotations

import psycopg
import pytest
from helpers import Db, call, remember


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
        ({"content": "x", "tags": [["a"], ["b"]]}, "EG002"),
        ({"content": "x", "created_at": "0044-03-15 BC"}, "EG002"),
        ({"content": "x", "created_at": "294276-12-31"}, "EG002"),
        ({"content": "x", "valid_until": "10000-01-01"}, "EG002"),
        ({"content": "x", "session_id": "s" * 1001}, "EG002"),
        ({"content": "x", "collection": "s" * 1001}, "EG002"),
        ({"content": "x", "source_type": "s" * 1001}, "EG002"),
        ({"content": "x", "tags": ["s" * 65537]}, "EG002"),
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


def test_times_are_those_that_every_client_can_read(db: Db, user: str) -> None:
    for created_at in ("0001-01-02 00:00Z", "9999-12-30 00:00Z"):
        for zone in ("Pacific/Kiritimati", "America/Adak", "UTC"):
            remember(db, f"a note of {created_at}", user_id=user, created_at=created_at)
            db.execute("select set_config('timezone', %s, true)", [zone])
            assert len(call(db, "recall", query="note", user_id=user)) > 0


def test_a_time_to_live_ends_with_the_calendar(db: Db, user: str) -> None:
    db.execute("insert into engram.kind values ('vow', 0.1, '10000 years', 'for ever, nearly')")
    vow = remember(db, "to keep bees", user_id=user, kind="vow", created_at="9000-01-01Z")
    assert call(db, "get", memory_id=vow.memory_id, user_id=user)[0].expires_at.year == 9999


def test_repeats_do_not_let_labels_outgrow_their_limit(db: Db, user: str) -> None:
    for n in range(3):
        memory = remember(
            db, "the pager rings", user_id=user, metadata={f"k{n}": "x" * 40_000}, tags=[str(n) * 40_000]
        )
    revised = call(db, "revise", memory_id=memory.memory_id, importance=0.9, user_id=user)[0]
    assert revised.action == "revise"


def test_a_tenants_name_has_an_end(db: Db, user: str) -> None:
    db.execute("select set_config('engram.tenant', repeat('t', 1001), true)")
    with pytest.raises(psycopg.Error) as error, db.transaction():
        remember(db, "x", user_id=user)
    assert error.value.sqlstate == "EG002"
