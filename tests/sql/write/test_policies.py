"""What remember() does by the policy of the call, of the kind, and of all kinds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import sleep
from typing import Any

import pytest
from helpers import Db, at_once, call, contents, error_of, recall, remember, remember_many, value

OLD, NEW = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."
SAME = "the api timeout is 30 s"
PORT = "The billing service listens on port 7443."


def memories(db: Db, user: str) -> list[Any]:
    """Everything that is kept of a user's memories, decisions apart."""
    return db.execute(
        """select to_jsonb(m) as memory, l.keys, e.embedding::text
             from engram.memory m
             left join engram.lexeme_key l using (space_id, memory_id)
             left join engram.embedding_1 e using (space_id, memory_id)
            where m.space_id = engram.space_id(%s) order by m.memory_id""",
        [user],
    ).fetchall()


def set_policy(db: Db, kind: str, policy: str) -> None:
    db.execute(
        """insert into engram.write_policy (kind, policy) values (%s, %s)
           on conflict (kind) do update set policy = excluded.policy""",
        [kind, policy],
    )


@pytest.mark.parametrize("text", [OLD, SAME])
def test_a_duplicate_is_refused_and_the_one_that_is_there_returned_untouched(
    db: Db, user: str, text: str
) -> None:
    kept = remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    before = memories(db, user)
    refused = remember(db, text, user_id=user, policy="reject", importance=0.9, tags=["x"], metadata={"x": 1})

    assert (refused.action, refused.memory_id, refused.related_id) == ("reject", kept.memory_id, None)
    assert memories(db, user) == before
    last = call(db, "history", memory_id=kept.memory_id, user_id=user)[-1]
    assert (last.action, last.decision_id) == ("reject", refused.decision_id)
    assert last.evidence["incoming"] == text
    assert (
        error_of(db, lambda: call(db, "undo", decision_id=refused.decision_id, user_id=user)).sqlstate
        == "EG007"
    )


def test_reject_settles_what_is_no_duplicate_as_resolve_does(db: Db, user: str) -> None:
    old = remember(db, OLD, user_id=user, policy="reject", created_at="2026-01-01Z")
    new = remember(db, NEW, user_id=user, policy="reject")
    assert (old.action, new.action, new.related_id) == ("new", "replace", old.memory_id)


def test_a_kind_has_its_policy_and_a_call_overrides_it(db: Db, user: str) -> None:
    set_policy(db, "fact", "append")
    set_policy(db, "*", "reject")

    assert [remember(db, OLD, user_id=user).action for _ in range(2)] == ["new", "new"]
    assert [remember(db, OLD, user_id=user, kind="strategy").action for _ in range(2)] == ["new", "reject"]
    assert remember(db, OLD, user_id=user, policy="resolve").action == "reinforce"
    notes = [{"content": PORT}, {"content": PORT}, {"content": PORT, "kind": "strategy"}] * 2
    assert [row.action for row in remember_many(db, notes, user_id=user)] == [
        *("new", "new", "new"),
        *("new", "new", "reject"),
    ]
    again = remember_many(db, notes, user_id=user, policy="resolve")
    assert {row.action for row in again} == {"reinforce"}


def test_without_any_row_the_policy_is_resolve(db: Db, user: str) -> None:
    db.execute("delete from engram.write_policy")
    assert [remember(db, OLD, user_id=user).action for _ in range(2)] == ["new", "reinforce"]


def test_a_policy_belongs_to_a_kind_that_exists(db: Db) -> None:
    assert error_of(db, lambda: set_policy(db, "wish", "reject")).sqlstate == "23503"
    assert error_of(db, lambda: set_policy(db, "fact", "guess")).sqlstate == "23514"
    db.execute("insert into engram.kind (kind, lambda, description) values ('wish', 0.2, 'What is wanted.')")
    set_policy(db, "wish", "reject")
    db.execute("delete from engram.kind where kind = 'wish'")
    assert value(db, "select count(*) from engram.write_policy where kind = 'wish'") == 0


def test_of_many_at_the_same_moment_all_but_one_are_refused(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(6)]
    rows = at_once(
        [
            partial(remember, db, text, user_id=user, policy="reject")
            for db, text in zip(sessions, [OLD, SAME] * 3, strict=True)
        ]
    )
    assert sorted(row.action for row in rows) == ["new"] + ["reject"] * 5
    assert len({row.memory_id for row in rows}) == 1
    assert len(memories(sessions[0], user)) == 1


def test_a_refusal_waits_for_the_writer_before_it_and_counts_nothing_that_rolls_back(
    connect: Any, user: str
) -> None:
    first, second = connect(), connect()
    with ThreadPoolExecutor(1) as pool:
        with first.transaction(force_rollback=True):
            remember(first, OLD, user_id=user)
            later = pool.submit(remember, second, OLD, user_id=user, policy="reject")
            sleep(0.3)
            assert not later.done()
        assert later.result(timeout=30).action == "new"


def test_a_kind_that_appends_takes_no_lock(connect: Any, user: str) -> None:
    holder, other = connect(), connect()
    set_policy(holder, "failure", "append")
    remember(holder, OLD, user_id=user)
    with holder.transaction():
        remember(holder, OLD, user_id=user)
        other.execute("set lock_timeout = '3s'")
        assert remember(other, OLD, user_id=user, kind="failure").action == "new"
        rows = remember_many(other, [{"content": OLD, "kind": "failure"}], user_id=user)
        assert [row.action for row in rows] == ["new"]


# A text, what is said later, and what both are together.
FOLDED = [
    (PORT, f"{PORT} It requires mutual TLS.", f"{PORT} It requires mutual TLS."),
    (f"{PORT} Oslo hosts it.", f"Oslo hosts it. {PORT} Ana runs it.", f"{PORT} Ana runs it. Oslo hosts it."),
    ("备份保留三十天。", "备份保留三十天。备份存放在法兰克福。", "备份保留三十天。备份存放在法兰克福。"),
    ("会費は五百円です", "会費は五百円です。集合場所は駅前です。", "会費は五百円です。集合場所は駅前です。"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "both"), FOLDED)
def test_a_text_that_only_adds_clauses_is_folded_in(db: Db, user: str, old: str, new: str, both: str) -> None:
    first = remember(
        db, old, user_id=user, importance=0.8, tags=["a"], metadata={"a": 1}, created_at="2026-01-01Z"
    )
    before = memories(db, user)
    merged = remember(
        db, new, user_id=user, policy="merge", tags=["b"], metadata={"b": 2}, created_at="2026-02-01Z"
    )

    assert (merged.action, merged.related_id) == ("merge", first.memory_id)
    memory = call(db, "get", memory_id=merged.memory_id, user_id=user)[0]
    assert (memory.content, memory.importance) == (both, 0.8)
    assert (memory.tags, memory.metadata) == (["a", "b"], {"a": 1, "b": 2})
    assert contents(recall(db, new, user_id=user)) == [both]
    assert contents(recall(db, new, user_id=user, as_of="2026-01-15Z")) == [old]
    kept = call(db, "history", memory_id=merged.memory_id, user_id=user)
    assert kept[0].content == old
    assert kept[-1].evidence["incoming"] == new

    call(db, "undo", decision_id=merged.decision_id, user_id=user)
    after = memories(db, user)
    assert [{**row.memory, "updated_at": 0} for row in after[:1]] == [{**before[0].memory, "updated_at": 0}]
    assert after[0][1:] == before[0][1:]
    assert contents(recall(db, new, user_id=user)) == [old]


@pytest.mark.parametrize(
    "incoming",
    [
        {"content": "The billing service requires mutual TLS."},
        {"content": "The billing service listens on port 7443 and requires mutual TLS."},
        {"content": f"{PORT} It requires mutual TLS.", "valid_until": "2030-01-01Z"},
        {"content": f"{PORT} It requires mutual TLS.", "created_at": "2025-01-01Z"},
        {"content": f"{PORT} It requires mutual TLS.", "policy": "resolve"},
    ],
)
def test_what_does_not_repeat_every_clause_or_holds_at_another_time_stays_apart(
    db: Db, user: str, incoming: dict[str, Any]
) -> None:
    remember(db, PORT, user_id=user, created_at="2026-01-01Z")
    row = remember(db, user_id=user, **{"policy": "merge", **incoming})
    assert row.action == "new"
    assert {memory.memory["state"] for memory in memories(db, user)} == {"active"}


def test_a_contradiction_is_never_folded_in(db: Db, user: str) -> None:
    old = remember(db, OLD, user_id=user, policy="merge", created_at="2026-01-01Z")
    new = remember(db, NEW, user_id=user, policy="merge")
    assert (new.action, new.related_id) == ("replace", old.memory_id)


def test_folding_ends_at_the_limit_and_nothing_is_cut(db: Db, user: str) -> None:
    lines = [f"The {name} service runs in Oslo." for name in ("billing", "mail", "search", "login")]
    db.execute("select engram.configure('content.max_bytes', '120')")
    remember(db, " ".join(lines[:2]), user_id=user, policy="merge")
    said = f"{lines[0]} {lines[1]} {lines[2]}"
    remember(db, said, user_id=user, policy="merge")
    db.execute("select engram.configure('content.max_bytes', '130')")
    remember(db, f"{lines[0]} {lines[3]}", user_id=user, policy="merge")

    text = " ".join(row.memory["content"] for row in memories(db, user) if row.memory["state"] == "active")
    assert all(line in text for line in lines)
    assert max(len(row.memory["content"]) for row in memories(db, user)) <= 130


def test_a_second_import_with_folding_doubles_nothing(db: Db, user: str) -> None:
    notes = [
        {"content": PORT, "created_at": "2026-01-01Z"},
        {"content": f"{PORT} It requires mutual TLS.", "created_at": "2026-01-02Z"},
        {"content": f"{PORT} It requires mutual TLS. Ana runs it.", "created_at": "2026-01-03Z"},
    ]
    assert [row.action for row in remember_many(db, notes, user_id=user, policy="merge")] == [
        "new",
        "merge",
        "merge",
    ]
    first = [(row.memory["content"], row.memory["state"]) for row in memories(db, user)]
    again = remember_many(db, notes, user_id=user, policy="merge")
    assert {row.action for row in again} == {"reinforce"}
    assert [(row.memory["content"], row.memory["state"]) for row in memories(db, user)] == first


def test_a_writer_may_use_every_policy_and_change_none(connect: Any, user: str) -> None:
    owner, writer = connect(), connect()
    role = user.replace("-", "_")
    owner.execute(f"create role {role}".encode())
    try:
        owner.execute("select engram.grant_usage(%s)", [role])
        writer.execute(f"set role {role}".encode())
        rows = [
            remember(writer, text, user_id=user, policy=policy)
            for text, policy in (
                (PORT, "resolve"),
                (f"{PORT} Oslo hosts it.", "merge"),
                (f"{PORT} Oslo hosts it.", "reject"),
                (PORT, "append"),
            )
        ]
        assert [row.action for row in rows] == ["new", "merge", "reject", "new"]
        assert error_of(writer, lambda: set_policy(writer, "*", "append")).sqlstate == "42501"
    finally:
        owner.execute(f"drop owned by {role}; drop role {role}".encode())
