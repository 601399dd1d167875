from __future__ import annotations

from functools import partial
from typing import Any

import psycopg
import pytest
from helpers import (
    Db,
    at_once,
    behind,
    call,
    configure,
    contents,
    recall,
    remember,
    remember_many,
    search,
    value,
)  # fmt: skip
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb


def recalls(db: Db, memory_id: int) -> int:
    return value(
        db, "select coalesce(sum(recalls), 0)::int from engram.memory_stat where memory_id = %s", memory_id
    )


def overdue(db: Db, user: str, content: str = "the milk is open") -> int:
    memory_id = remember(db, content, user_id=user).memory_id
    db.execute(
        "update engram.memory set expires_at = now() - interval '1 second' where memory_id = %s", [memory_id]
    )
    return memory_id


def state(db: Db, memory_id: int) -> str:
    return value(db, "select state from engram.memory where memory_id = %s", memory_id)


def expire(db: Db) -> int:
    return call(db, "expire")[0].expire


def test_each_recall_counts_once(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user).memory_id
    for _ in range(3):
        recall(db, "kettle", user_id=user)
    assert [call(db, "fold_recalls")[0].fold_recalls for _ in range(2)] == [3, 0]
    recall(db, "kettle", user_id=user)
    call(db, "fold_recalls")
    assert recalls(db, memory) == 4


def test_a_count_of_recalls_that_is_full_stops_nothing(db: Db, user: str) -> None:
    texts = ["the kettle is blue", "the kettle in the kitchen is blue"]
    full = [{"type": "memory", "id": text, "content": text, "recalls": 2**31 - 1} for text in texts]
    for source in ("one", "another"):
        call(db, "adopt", entries=Jsonb(full), source=source, user_id=user)
    assert len(recall(db, "kettle", user_id=user, session_id="s")) == 2
    exported = [row.export for row in call(db, "export", user_id=user)]
    value(db, "select engram.import(%s, %s) as done", Jsonb(exported), f"{user} again")
    for name in (user, f"{user} again"):
        call(db, "fold_recalls")
        ids = [row.memory_id for row in recall(db, "kettle", user_id=name, session_id="s")]
        counted = (
            "select min(s.recalls) from engram.memory_stat s join engram.space using (space_id)"
            " where user_id = %s"
        )
        assert value(db, counted, name) == 2**31 - 1
        assert call(db, "forecast", memory_id=ids[0], user_id=name)
        [cluster] = call(db, "consolidate", threshold=0.5, user_id=name)
        call(db, "undo", decision_id=cluster.decision_id, user_id=name)
        assert call(db, "session_outcome", session_id="s", outcome="success", user_id=name)
        assert call(db, "stats", user_id=name)


def test_a_fold_takes_no_more_than_its_batch(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user).memory_id
    for _ in range(5):
        recall(db, "kettle", user_id=user)
    folded = [call(db, "fold_recalls", batch=2)[0].fold_recalls for _ in range(4)]
    assert folded == [2, 2, 1, 0]
    assert recalls(db, memory) == 5


def test_recalls_of_what_is_erased_since_are_dropped(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user).memory_id
    recall(db, "kettle", user_id=user)
    db.execute("delete from engram.memory where memory_id = %s", [memory])
    assert call(db, "fold_recalls")[0].fold_recalls == 1
    assert recalls(db, memory) == 0


def test_folds_side_by_side_count_each_recall_once(connect: Any, user: str) -> None:
    db = connect()
    remember_many(db, [{"content": f"kettle {n}"} for n in range(10)], user_id=user, policy="append")
    for _ in range(20):
        recall(db, "kettle", user_id=user)
    folded = [
        rows[0].fold_recalls
        for rows in at_once([partial(call, connect(), "fold_recalls", batch=40) for _ in range(6)])
    ]
    while rest := call(db, "fold_recalls")[0].fold_recalls:
        folded.append(rest)

    assert sum(folded) == 200
    counts = db.execute(
        "select distinct recalls from engram.memory_stat where space_id = engram.space_id(%s)", [user]
    ).fetchall()
    assert counts == [(20,)]


def test_what_has_expired_is_archived_and_only_that(db: Db, user: str) -> None:
    gone, kept = overdue(db, user), remember(db, "the kettle is blue", user_id=user).memory_id
    assert [expire(db), expire(db)] == [1, 0]
    assert (state(db, gone), state(db, kept)) == ("archived", "active")


def test_what_has_expired_is_not_recalled_even_before_the_upkeep(db: Db, user: str) -> None:
    overdue(db, user)
    assert recall(db, "milk", user_id=user) == []


def test_what_is_pinned_does_not_expire(db: Db, user: str) -> None:
    memory = overdue(db, user)
    call(db, "revise", memory_id=memory, pinned=True, user_id=user)
    assert expire(db) == 0
    assert contents(recall(db, "milk", user_id=user)) == ["the milk is open"]


def test_what_had_expired_and_is_undone_stays(db: Db, user: str) -> None:
    memory = overdue(db, user)
    expire(db)
    decision = value(
        db, "select decision_id from engram.decision where action = 'expire' and memory_id = %s", memory
    )
    call(db, "undo", decision_id=decision, user_id=user)

    assert contents(recall(db, "milk", user_id=user)) == ["the milk is open"]
    assert expire(db) == 0
    assert state(db, memory) == "active"


def test_a_time_to_live_counts_from_when_it_was_said(db: Db, user: str) -> None:
    db.execute("update engram.kind set time_to_live = '7 days' where kind = 'failure'")
    old = remember(db, "the build broke", user_id=user, kind="failure", created_at="2020-01-01Z").memory_id
    new = remember(db, "the tests broke", user_id=user, kind="failure").memory_id
    assert expire(db) == 1
    assert (state(db, old), state(db, new)) == ("archived", "active")


def test_maintain_does_all_that_is_due_and_says_so(connect: Any, user: str) -> None:
    db = connect()
    memory, gone = remember(db, "the kettle is blue", user_id=user).memory_id, overdue(db, user)
    recall(db, "kettle", user_id=user)
    db.execute("call engram.maintain()")

    assert recalls(db, memory) == 1
    assert state(db, gone) == "archived"
    assert {"fold", "expire", "maintain"} <= {row.job for row in db.execute("select job from engram.job_run")}
    assert call(db, "stats", user_id=user)[0].stats["last_maintenance"]


def test_maintain_looks_after_every_tenant_and_leaves_the_session_in_its_own(connect: Any, user: str) -> None:
    db = connect()
    memories = {}
    for tenant in ("acme", "globex"):
        db.execute("select set_config('engram.tenant', %s, false)", [tenant])
        memories[tenant] = overdue(db, user)
    db.execute("select set_config('engram.tenant', 'initech', false)")
    db.execute("call engram.maintain()")

    assert value(db, "show engram.tenant") == "initech"
    assert {state(db, memory) for memory in memories.values()} == {"archived"}


def test_a_second_maintain_returns_at_once(module_url: str, user: str) -> None:
    with psycopg.connect(module_url) as first, psycopg.connect(module_url, autocommit=True) as second:
        first.execute("call engram.maintain()")
        notices: list[str] = []
        second.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
        second.execute("set statement_timeout = '5s'")
        second.execute("call engram.maintain()")
    assert any("another maintain() is running" in notice for notice in notices)


def test_large_spaces_are_counted(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"kettle {n}"} for n in range(30)], user_id=user, policy="append")
    db.execute("select engram.configure('recall.exact_limit', '20')")
    db.execute("call engram.maintain()")
    counted = db.execute("select memories, lexemes from engram.space_stat").fetchall()
    assert counted == [(30, 60)]


def test_each_large_space_of_any_tenant_is_counted_and_indexed_once(database_url: str, user: str) -> None:
    with psycopg.connect(database_url, autocommit=True, row_factory=namedtuple_row) as db:
        configure(db, "recall.exact_limit", "2")
        for tenant in ("acme", "globex", "initech"):
            db.execute("select set_config('engram.tenant', %s, false)", [tenant])
            remember_many(db, [{"content": f"kettle {n}"} for n in range(3)], user_id=user, policy="append")
        db.execute("reset engram.tenant")
        db.execute("call engram.maintain(array['count', 'index'])")
        runs = db.execute("select job, rows from engram.job_run where job in ('count', 'index')").fetchall()
        assert dict(runs) == {"count": 3, "index": 9}
        assert value(db, "select count(*) from engram.space_stat where indexed") == 3


@pytest.mark.parametrize("function", ["fold_recalls", "expire", "count_spaces", "embed_missing"])
def test_upkeep_without_work_does_nothing(db: Db, function: str) -> None:
    assert call(db, function)[0][0] == 0


def test_recall_does_not_wait_for_a_writer_of_what_it_finds(connect: Any, user: str) -> None:
    db, writer = connect(), connect()
    memory = remember(db, "the kettle is blue", user_id=user).memory_id
    with writer.transaction():
        writer.execute("select engram.revise(%s, importance => 0.9, user_id => %s)", [memory, user])
        db.execute("set statement_timeout = '5s'")
        assert len(recall(db, "kettle", user_id=user)) == 1
        assert len(search(db, "kettle", user_id=user)) == 1


def test_what_is_pinned_by_hand_is_not_archived(db: Db, user: str) -> None:
    memory = overdue(db, user)
    db.execute("update engram.memory set pinned = true where memory_id = %s", [memory])
    assert expire(db) == 0
    assert state(db, memory) == "active"


def test_another_kind_brings_its_own_time_to_live(db: Db, user: str) -> None:
    db.execute("update engram.kind set time_to_live = '7 days' where kind = 'failure'")
    memory = remember(db, "the build broke", user_id=user, kind="failure").memory_id
    left = "select expires_at - created_at from engram.memory where memory_id = %s"
    assert value(db, left, memory).days == 7
    for change in ({"kind": "fact"}, {"kind": "failure"}, {"pinned": True}, {"pinned": False}):
        call(db, "revise", memory_id=memory, user_id=user, **change)
        lasts = change in ({"kind": "fact"}, {"pinned": True})
        assert (value(db, left, memory) is None) == lasts


def test_the_upkeep_passes_over_what_is_being_erased(connect: Any, user: str) -> None:
    eraser, keeper = connect(), connect()
    gone, kept = (remember(keeper, text, user_id=user).memory_id for text in ("a kettle", "a lake"))

    def erase() -> None:
        call(eraser, "forget", memory_id=gone, user_id=user, hard=True)
        # Recalls go on until the erasure commits.
        recall(keeper, "kettle lakes", user_id=user)

    behind(eraser, erase, partial(keeper.execute, "call engram.maintain()"))
    assert (recalls(keeper, gone), recalls(keeper, kept)) == (0, 1)


def test_the_upkeep_ends_however_small_its_batch(database_url: str, user: str) -> None:
    with psycopg.connect(database_url, autocommit=True, row_factory=namedtuple_row) as db:
        db.execute("set statement_timeout = '20s'")
        configure(db, "maintain.batch", "0")
        gone = overdue(db, user)
        db.execute("call engram.maintain()")
        assert state(db, gone) == "archived"


@pytest.mark.parametrize("function", ["expire", "fold_recalls", "index_spaces", "embed_missing"])
def test_a_batch_below_zero_takes_nothing(db: Db, user: str, function: str) -> None:
    memory_id = overdue(db, user)
    call(db, "note_recall", memory_ids=[memory_id], user_id=user)
    db.execute(
        """insert into engram.space_stat (space_id, tenant_id, memories, lexemes)
           select m.space_id, m.tenant_id, 1, 1 from engram.memory m where m.memory_id = %s""",
        [memory_id],
    )
    assert value(db, f"select engram.{function}(-1)") == 0
    assert state(db, memory_id) == "active"


@pytest.mark.parametrize("required", [False, True])
def test_what_counts_the_recalls_of_one_does_not_read_those_of_all(
    database_url: str, user: str, required: bool
) -> None:
    """With many tenants, users and events each would read them all, again and again."""
    with psycopg.connect(database_url, row_factory=namedtuple_row) as db:
        for tenant in ("busy", "quiet"):
            db.execute("select set_config('engram.tenant', %s, true)", [tenant])
            for content in ("a kettle", "a lake"):
                remember(db, content, user_id=user, policy="append")
            recall(db, "kettle", user_id=user, session_id="s")
        db.execute(
            """insert into engram.recall_event (space_id, memory_id, tenant_id)
               select m.space_id, m.memory_id, m.tenant_id from engram.memory m, generate_series(1, 10000)
                where m.tenant_id = engram.tenant_id('busy')"""
        )
        db.execute("analyze engram.recall_event")
        db.execute("select engram.require_tenant(%s)", [required])
        db.execute("create role counting_worker")
        db.execute("select engram.grant_usage('counting_worker', 'worker')")
        db.execute("set local role counting_worker")

        def read() -> int:
            return value(db, "select pg_stat_get_xact_tuples_returned('engram.recall_event'::regclass)")

        before = read()
        first, second = ids_of(db, user)
        call(db, "prune", user_id=user)
        call(db, "export", user_id=user)
        call(db, "session_outcome", session_id="s", outcome="success", user_id=user)
        call(db, "forget", memory_id=second, user_id=user, hard=True)
        assert call(db, "fold_recalls")[0].fold_recalls >= 1
        assert read() - before < 100
        assert recalls(db, first) == 1
        db.rollback()


def ids_of(db: Db, user: str) -> list[int]:
    rows = db.execute(
        "select memory_id from engram.memory where space_id = engram.space_id(%s, 'quiet') order by 1", [user]
    )
    return [row.memory_id for row in rows]
