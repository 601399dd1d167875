from __future__ import annotations

from functools import partial
from typing import Any

import psycopg
import pytest
from helpers import at_once, behind, call, remember, search, value
from psycopg.types.json import Jsonb


def test_the_same_text_at_the_same_moment_is_one_memory(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(8)]
    rows = at_once([partial(remember, db, "the pager rings at nine", user_id=user) for db in sessions])

    assert sorted(row.action for row in rows) == ["new"] + ["reinforce"] * 7
    assert len({row.memory_id for row in rows}) == 1
    count = "select count(*) from engram.memory where space_id = engram.space_id(%s)"
    assert value(sessions[0], count, user) == 1


def test_near_repeats_at_the_same_moment_are_one_memory(connect: Any, user: str) -> None:
    texts = ["The limit is 60 seconds.", "The limit is 60 s.", "the limit is 60 seconds"]
    rows = at_once([partial(remember, connect(), text, user_id=user) for text in texts])
    assert len({row.memory_id for row in rows}) == 1


def test_contradictions_at_the_same_moment_leave_one_current(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(6)]
    at_once(
        [
            partial(remember, db, f"The API timeout is {n} seconds.", user_id=user)
            for n, db in enumerate(sessions, 30)
        ]
    )
    states = sessions[0].execute(
        "select state, count(*) from engram.memory where space_id = engram.space_id(%s) group by 1", [user]
    )
    assert dict(states.fetchall()) == {"active": 1, "retired": 5}


def test_writers_of_one_space_do_not_deadlock(connect: Any, user: str) -> None:
    def write(db: psycopg.Connection[Any], name: int) -> int:
        for n in range(5):
            with db.transaction():
                remember(db, f"note {n} of writer {name} about topic {n}", user_id=user)
                remember(db, f"shared note {(n + name) % 5}", user_id=user)
        return name

    assert at_once([partial(write, connect(), n) for n in range(4)]) == [0, 1, 2, 3]


def test_bulk_writes_to_several_users_in_any_order_do_not_deadlock(connect: Any, user: str) -> None:
    users = [f"{user}-{n}" for n in range(6)]

    def write(db: psycopg.Connection[Any], names: list[str], policy: str) -> int:
        notes = [{"content": f"a note of {name}", "user_id": name} for name in names]
        rows = db.execute(
            "select * from engram.remember_many(%s, policy => %s)", [Jsonb(notes), policy]
        ).fetchall()
        return len(rows)

    for policy in ("resolve", "append"):
        acts = [
            partial(write, connect(), [f"{policy}-{name}" for name in names], policy)
            for names in (users, users[::-1], users[3:] + users[:3], users[::2] + users[1::2])
        ]
        assert at_once(acts) == [6] * 4


def test_writers_of_different_users_do_not_wait(connect: Any, user: str) -> None:
    one, other = connect(), connect()
    for name in ("a", "b"):
        remember(one, "warm up", user_id=f"{user}-{name}")
    with one.transaction():
        remember(one, "still open", user_id=f"{user}-a")
        other.execute("set statement_timeout = '5s'")
        assert remember(other, "not waiting", user_id=f"{user}-b").action == "new"


def test_append_does_not_wait_for_a_writer_of_the_same_user(connect: Any, user: str) -> None:
    one, other = connect(), connect()
    remember(one, "warm up", user_id=user)
    with one.transaction():
        remember(one, "still open", user_id=user)
        other.execute("set statement_timeout = '5s'")
        assert remember(other, "not waiting", user_id=user, policy="append").action == "new"


def test_an_append_to_a_session_that_is_being_erased_is_kept(connect: Any, user: str) -> None:
    eraser, writer = connect(), connect()
    first = remember(writer, "the first turn", user_id=user, session_id="s", policy="append")
    gone = remember(writer, "the second turn", user_id=user, session_id="s", policy="append")
    last = behind(
        eraser,
        partial(call, eraser, "forget", memory_id=gone.memory_id, user_id=user, hard=True),
        partial(remember, writer, "the third turn", user_id=user, session_id="s", policy="append"),
    )
    edges = "select src, dst from engram.edge where space_id = engram.space_id(%s) and relation = 'next'"
    assert writer.execute(edges.encode(), [user]).fetchall() == [(first.memory_id, last.memory_id)]


def _expiring(db: psycopg.Connection[Any], user: str) -> int:
    memory_id: int = remember(db, "the milk is open", user_id=user).memory_id
    db.execute("update engram.memory set expires_at = now() where memory_id = %s", [memory_id])
    return memory_id


def test_a_repeat_of_what_is_expiring_is_kept(connect: Any, user: str) -> None:
    keeper, writer = connect(), connect()
    _expiring(writer, user)
    said = partial(remember, writer, "the milk is open", user_id=user)
    again = behind(keeper, partial(call, keeper, "expire"), said)
    assert [hit.content for hit in search(writer, "milk", user_id=user)] == ["the milk is open"]

    call(writer, "undo", decision_id=again.decision_id, user_id=user)
    assert search(writer, "milk", user_id=user) == []


def test_undoing_a_revision_does_not_bring_back_what_expired_meanwhile(connect: Any, user: str) -> None:
    keeper, writer = connect(), connect()
    memory_id = _expiring(writer, user)
    change = partial(call, writer, "revise", memory_id=memory_id, importance=0.9, user_id=user)
    [revised] = behind(keeper, partial(call, keeper, "expire"), change)
    assert "state" not in revised.evidence
    call(writer, "undo", decision_id=revised.decision_id, user_id=user)
    assert value(writer, "select state from engram.memory where memory_id = %s", memory_id) == "archived"


def test_a_link_to_what_is_being_erased_finds_no_memory(connect: Any, user: str) -> None:
    eraser, writer = connect(), connect()
    one, other = (remember(writer, text, user_id=user).memory_id for text in ("a kettle", "a lake"))
    with pytest.raises(psycopg.Error, match=f"memory {other} does not exist"):
        behind(
            eraser,
            partial(call, eraser, "forget", memory_id=other, user_id=user, hard=True),
            partial(call, writer, "link", src=one, dst=other, user_id=user),
        )
