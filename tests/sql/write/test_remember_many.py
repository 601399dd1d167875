from __future__ import annotations

from typing import Any

import psycopg
import pytest
from helpers import Db, call, error_of, remember, remember_many, value
from psycopg.types.json import Jsonb

GOOD = {"content": "the moon is far"}


def test_entries_come_back_in_order_with_their_place(db: Db, user: str) -> None:
    rows = remember_many(db, [GOOD, {"content": "the sun is hot"}, GOOD], user_id=user)
    assert [(row.position, row.action) for row in rows] == [(1, "new"), (2, "new"), (3, "reinforce")]
    assert rows[2].memory_id == rows[0].memory_id


@pytest.mark.parametrize(
    ("entry", "sqlstate"),
    [
        ({"content": ""}, "EG001"),
        ({}, "EG001"),
        ({"content": "x", "importance": 2}, "EG002"),
        ({"content": "x", "importance": "high"}, "EG002"),
        ({"content": "x", "created_at": "yesterdayish"}, "EG002"),
        ({"content": "x", "kind": "rumour"}, "EG003"),
        ({"content": "x", "embedding": [1, 2]}, "EG005"),
        ({"content": "x", "user_id": ""}, "EG002"),
        ({"content": "x", "importnace": 0.5}, "EG002"),
        ({"content": "x", "space_id": 7}, "EG002"),
        ({"content": "x", "tenant_id": 7}, "EG002"),
        ("x", "EG002"),
        (None, "EG002"),
    ],
)
def test_one_bad_entry_is_named_and_nothing_is_remembered(
    db: Db, user: str, entry: Any, sqlstate: str
) -> None:
    error = error_of(db, lambda: remember_many(db, [GOOD, entry, GOOD], user_id=user))

    assert error.sqlstate == sqlstate
    assert error.diag.message_primary is not None
    assert error.diag.message_primary.startswith("entry 2: ")
    assert error.diag.message_hint
    assert value(db, "select count(*) from engram.memory") == 0


def test_an_unknown_key_is_named(db: Db, user: str) -> None:
    error = error_of(db, lambda: remember_many(db, [{"content": "x", "importnace": 1}], user_id=user))
    assert "importnace" in str(error.diag.message_primary)


@pytest.mark.parametrize("memories", ['{"content": "x"}', '"x"', "null", None])
def test_what_is_no_array_is_refused(db: Db, memories: str | None) -> None:
    assert error_of(db, lambda: call(db, "remember_many", memories=memories)).sqlstate == "EG002"


def test_no_entries_are_nothing_to_do(db: Db) -> None:
    assert remember_many(db, []) == []


def test_an_entry_may_name_its_user(db: Db, user: str) -> None:
    remember_many(db, [{**GOOD, "user_id": f"{user}-other"}, GOOD], user_id=user)
    for name in (user, f"{user}-other"):
        assert call(db, "stats", user_id=name)[0].stats["total"] == 1


def test_an_error_that_asks_for_another_try_keeps_its_code(module_url: str, user: str) -> None:
    with psycopg.connect(module_url) as holder, psycopg.connect(module_url) as waiter:
        holder.execute("select engram.remember('held', %s)", [user])
        waiter.execute("set lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            waiter.execute("select * from engram.remember_many(%s, %s)", [Jsonb([GOOD]), user])


def test_metadata_cannot_change_the_owner(db: Db, user: str) -> None:
    memory = remember(
        db, "x y z", user_id=user, metadata={"user_id": "somebody", "space_id": 1, "tenant_id": 1}
    )
    space = value(db, "select space_id from engram.memory where memory_id = %s", memory.memory_id)
    assert space == value(db, "select engram.space_id(%s)", user)
