from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import Db, call, contents, error_of, recall, remember

OLD, NEW = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."


def rows(db: Db, user: str) -> list[Any]:
    """The memories of a user without what says when the row was last written, and with what finds them."""
    return db.execute(
        """select to_jsonb(m) - 'updated_at' as memory, l.keys, l.counts, l.length,
                  e.embedding::text, e.content_hash
             from engram.memory m
             left join engram.lexeme_key l using (space_id, memory_id)
             left join engram.embedding_1 e using (space_id, memory_id)
            where m.space_id = engram.space_id(%s) order by m.memory_id""",
        [user],
    ).fetchall()


def undo(db: Db, user: str, decision_id: int) -> Any:
    return call(db, "undo", decision_id=decision_id, user_id=user)[0]


def first(db: Db, user: str) -> int:
    return db.execute(
        "select min(memory_id) from engram.memory where space_id = engram.space_id(%s)", [user]
    ).fetchone()[0]


ACTIONS: dict[str, Callable[[Db, str], Any]] = {
    "reinforce": lambda db, user: remember(
        db, OLD, user_id=user, importance=0.9, tags=["x"], metadata={"x": 1}, created_at="2025-01-01Z"
    ),
    "revise": lambda db, user: call(
        db, "revise", memory_id=first(db, user), content="something else", kind="strategy", importance=0.1,
        tags=["t"], metadata={"m": 1}, pinned=True, collection="c", valid_from="2020-01-01Z",
        valid_until="2030-01-01Z", user_id=user,
    )[0],
    "replace": lambda db, user: remember(db, NEW, user_id=user),
    "late": lambda db, user: remember(db, NEW, user_id=user, created_at="2025-01-01Z"),
    "new": lambda db, user: remember(db, "Lena likes tea", user_id=user),
    "append": lambda db, user: remember(db, OLD, user_id=user, policy="append"),
}  # fmt: skip


@pytest.mark.parametrize("action", ACTIONS)
def test_undo_leaves_the_other_memories_as_they_were(db: Db, user: str, action: str) -> None:
    kept = remember(db, OLD, user_id=user, created_at="2026-01-01Z").memory_id
    before = rows(db, user)
    decision = ACTIONS[action](db, user)
    assert rows(db, user) != before

    undo(db, user, decision.decision_id)
    assert rows(db, user)[:1] == before
    assert all(row.memory["state"] == "archived" for row in rows(db, user)[1:])
    assert [hit.memory_id for hit in recall(db, "API timeout", user_id=user)] == [kept]


@pytest.mark.parametrize("action", ACTIONS)
def test_undo_of_an_undo_does_it_again_and_so_on(db: Db, user: str, action: str) -> None:
    remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    before = rows(db, user)
    decision = ACTIONS[action](db, user)
    after = rows(db, user)

    undone = undo(db, user, decision.decision_id)
    without = rows(db, user)
    undo(db, user, undone.decision_id)
    assert rows(db, user) == after
    undo(db, user, decision.decision_id)
    assert rows(db, user) == without
    assert rows(db, user)[:1] == before


@pytest.mark.parametrize("action", ACTIONS)
def test_undo_says_what_is_in_force_again(db: Db, user: str, action: str) -> None:
    kept = remember(db, OLD, user_id=user, created_at="2026-01-01Z").memory_id
    decision = ACTIONS[action](db, user)
    written = decision.memory_id if action in ("replace", "new", "append") else kept

    undone = undo(db, user, decision.decision_id)
    changed = action in ("reinforce", "revise", "replace")
    assert undone.evidence == {
        "undone": decision.decision_id,
        "in_force": [{"memory_id": kept, "content": OLD}] if changed else [],
    }
    again = undo(db, user, undone.decision_id).evidence["in_force"]
    assert [memory["memory_id"] for memory in again] == ([written] if action != "late" else [])


def test_undo_of_forget_brings_it_back_in_every_leg(db: Db, user: str) -> None:
    memory = remember(db, OLD, user_id=user).memory_id
    before = rows(db, user)
    receipt = call(db, "forget", memory_id=memory, user_id=user)[0].forget
    undo(db, user, receipt["decision_ids"][0])
    assert rows(db, user) == before
    for profile in ("lexical", "vector"):
        assert recall(db, "API timeout", user_id=user, profile=profile)[0].score > 0


def test_undo_of_a_late_fact_gives_the_one_before_its_time_back(db: Db, user: str) -> None:
    for month, seconds in ((1, 30), (3, 90)):
        remember(db, f"The API timeout is {seconds} seconds.", user_id=user, created_at=f"2026-0{month}-01Z")
    before = rows(db, user)
    late = remember(db, "The API timeout is 60 seconds.", user_id=user, created_at="2026-02-01Z")
    undo(db, user, late.decision_id)
    assert rows(db, user)[:2] == before


def test_the_later_decision_is_undone_first(db: Db, user: str) -> None:
    memory = remember(db, OLD, user_id=user)
    later = call(db, "revise", memory_id=memory.memory_id, importance=0.9, user_id=user)[0]

    error = error_of(db, lambda: undo(db, user, memory.decision_id))
    assert error.sqlstate == "EG007"
    assert str(later.decision_id) in str(error.diag.message_hint)

    undo(db, user, later.decision_id)
    undo(db, user, memory.decision_id)
    assert recall(db, "API timeout", user_id=user) == []


def test_a_chain_is_undone_from_its_end(db: Db, user: str) -> None:
    facts = [remember(db, f"The API timeout is {n} seconds.", user_id=user, created_at=f"2026-0{m}-01Z")
             for m, n in enumerate((30, 60, 90), 1)]  # fmt: skip
    assert error_of(db, lambda: undo(db, user, facts[1].decision_id)).sqlstate == "EG007"
    for fact, current in ((facts[2], 60), (facts[1], 30)):
        undo(db, user, fact.decision_id)
        assert contents(recall(db, "API timeout", user_id=user)) == [f"The API timeout is {current} seconds."]


def test_what_is_undone_is_not_undone_again(db: Db, user: str) -> None:
    memory = remember(db, OLD, user_id=user)
    undo(db, user, memory.decision_id)
    assert error_of(db, lambda: undo(db, user, memory.decision_id)).sqlstate == "EG007"


def test_history_tells_every_decision_about_a_line_of_memories(db: Db, user: str) -> None:
    old = remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    new = remember(db, NEW, user_id=user, created_at="2026-02-01Z")
    remember(db, "Lena likes tea", user_id=user)
    call(db, "revise", memory_id=new.memory_id, importance=0.9, user_id=user)

    for memory_id in (old.memory_id, new.memory_id):
        story = call(db, "history", memory_id=memory_id, user_id=user)
        assert [(entry.action, entry.memory_id) for entry in story] == [
            ("new", old.memory_id),
            ("replace", new.memory_id),
            ("revise", new.memory_id),
        ]
    assert story[1].evidence["verdict"] == "contradiction"
    assert story[2].before[str(new.memory_id)]["importance"] == 0.5
    assert story[0].state == "retired"
    assert story[0].actor


def test_history_leaves_out_what_was_only_compared_with_it(db: Db, user: str) -> None:
    first = remember(db, "I can't eat peanuts, I'm allergic to them.", user_id=user)
    beside = remember(db, "I'm allergic to peanuts. Cashews and almonds are fine.", user_id=user)
    assert (beside.action, beside.related_id) == ("new", first.memory_id)
    for memory in (first, beside):
        story = call(db, "history", memory_id=memory.memory_id, user_id=user)
        assert [entry.memory_id for entry in story] == [memory.memory_id]


def test_an_undone_decision_says_when(db: Db, user: str) -> None:
    memory = remember(db, OLD, user_id=user)
    undo(db, user, memory.decision_id)
    story = call(db, "history", memory_id=memory.memory_id, user_id=user)
    assert [(entry.action, entry.undone_at is not None) for entry in story] == [
        ("new", True),
        ("undo", False),
    ]


@pytest.mark.parametrize(
    "before",
    [
        '{"state": "lost"}',
        '{"content": null}',
        '{"kind": "gone"}',
        '{"importance": 7}',
        '{"importance": "x"}',
        "[]",
    ],
)
def test_a_former_state_that_is_no_longer_possible_is_named(db: Db, user: str, before: str) -> None:
    memory = remember(db, OLD, user_id=user)
    db.execute(
        """update engram.decision set action = 'revise', before = jsonb_build_object(memory_id, %s::jsonb)
            where decision_id = %s""",
        [before, memory.decision_id],
    )
    error = error_of(db, lambda: undo(db, user, memory.decision_id))
    assert (error.sqlstate, bool(error.diag.message_detail)) == ("EG007", True)


def test_a_revision_of_a_kind_that_is_gone_since_is_not_undone(db: Db, user: str) -> None:
    db.execute("insert into engram.kind (kind, lambda, description) values ('whim', 1, 'passes')")
    memory = remember(db, OLD, user_id=user, kind="whim")
    revised = call(db, "revise", memory_id=memory.memory_id, kind="fact", user_id=user)[0]
    db.execute("delete from engram.kind where kind = 'whim'")
    assert error_of(db, lambda: undo(db, user, revised.decision_id)).sqlstate == "EG007"
