"""What remember() does with a repeat, a change and a fact that arrives late."""

from __future__ import annotations

import pytest
from helpers import Db, call, contents, recall, remember, remember_many, value


def states(db: Db, user: str) -> dict[str, str]:
    return dict(
        db.execute(
            "select content, state from engram.memory where space_id = engram.space_id(%s) order by 1",
            [user],
        ).fetchall()
    )


OLD, NEW = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."


def test_recall_returns_the_current_fact_after_a_contradiction(db: Db, user: str) -> None:
    old = remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    new = remember(db, NEW, user_id=user, created_at="2026-02-01Z")

    assert (new.action, new.related_id) == ("replace", old.memory_id)
    assert states(db, user) == {OLD: "retired", NEW: "active"}
    assert contents(recall(db, "API timeout", user_id=user)) == [NEW]


def test_an_older_contradiction_that_arrives_later_does_not_win(db: Db, user: str) -> None:
    new = remember(db, NEW, user_id=user, created_at="2026-02-01Z")
    old = remember(db, OLD, user_id=user, created_at="2026-01-01Z")

    assert old.action == "new"
    assert states(db, user) == {OLD: "retired", NEW: "active"}
    assert call(db, "get", memory_id=old.memory_id, user_id=user)[0].superseded_by == new.memory_id
    assert contents(recall(db, "API timeout", user_id=user)) == [NEW]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_as_of_gives_each_fact_in_its_time_whatever_the_order_of_arrival(
    db: Db, user: str, order: tuple[int, ...]
) -> None:
    facts = [f"The API timeout is {n} seconds." for n in (30, 60, 90)]
    for place in order:
        remember(db, facts[place], user_id=user, created_at=f"2026-0{place + 1}-01Z")

    seen = [contents(recall(db, "API timeout", user_id=user, as_of=f"2026-0{m}-15Z")) for m in (1, 2, 3)]
    assert seen == [[fact] for fact in facts]
    assert contents(recall(db, "API timeout", user_id=user)) == [facts[2]]
    assert recall(db, "API timeout", user_id=user, as_of="2025-12-31Z") == []


def test_facts_of_disjoint_times_are_both_kept(db: Db, user: str) -> None:
    for text, start, end in ((OLD, "2026-01-01Z", "2026-02-01Z"), (NEW, "2026-02-01Z", "2026-03-01Z")):
        memory = remember(db, text, user_id=user, valid_from=start, valid_until=end)
        assert memory.action == "new"
    assert states(db, user) == {OLD: "active", NEW: "active"}


@pytest.mark.parametrize("dates", [("2026-01-01Z", "2026-02-01Z"), ("2026-02-01Z", "2026-01-01Z")])
def test_a_second_import_doubles_nothing(db: Db, user: str, dates: tuple[str, str]) -> None:
    notes = [
        {"content": OLD, "created_at": dates[0]},
        {"content": NEW, "created_at": dates[1]},
        {"content": "metrics are served on port 9090", "created_at": "2026-01-03Z", "tags": ["ops"]},
        {"content": "Lena likes jasmine tea", "created_at": "2026-01-04Z", "session_id": "s"},
    ]
    remember_many(db, notes, user_id=user)
    first = states(db, user)
    again = remember_many(db, notes, user_id=user)

    assert {row.action for row in again} == {"reinforce"}
    assert states(db, user) == first
    assert value(db, "select count(*) from engram.memory where space_id = engram.space_id(%s)", user) == 4


def test_a_fact_that_returns_is_current_again(db: Db, user: str) -> None:
    for month, text in enumerate((OLD, NEW, OLD), 1):
        remember(db, text, user_id=user, created_at=f"2026-0{month}-01Z")
    assert contents(recall(db, "API timeout", user_id=user)) == [OLD]


def test_a_repeat_overwrites_no_label(db: Db, user: str) -> None:
    kept = remember(db, OLD, user_id=user, importance=0.9, tags=["ops"], metadata={"source": "runbook"})
    remember(
        db, OLD, user_id=user, importance=0.1, tags=["new", "ops"], metadata={"source": "chat", "seen": 2}
    )
    memory = call(db, "get", memory_id=kept.memory_id, user_id=user)[0]

    assert memory.importance == 0.9
    assert memory.tags == ["ops", "new"]
    assert memory.metadata == {"source": "runbook", "seen": 2}


def test_the_same_text_of_another_kind_or_collection_is_another_memory(db: Db, user: str) -> None:
    remember(db, OLD, user_id=user)
    assert remember(db, OLD, user_id=user, kind="assumption").action == "new"
    assert remember(db, OLD, user_id=user, collection="work").action == "new"


def test_append_keeps_repeats_and_contradictions(db: Db, user: str) -> None:
    rows = [remember(db, text, user_id=user, policy="append") for text in (OLD, OLD, NEW)]
    assert [row.action for row in rows] == ["new"] * 3
    assert {row.state for row in db.execute("select state from engram.memory")} == {"active"}


def test_unrelated_texts_stay_apart(db: Db, user: str) -> None:
    texts = ["Lena likes tea", "the build takes nine minutes", "Rome was warm in May", "用户喜欢咖啡"]
    assert [remember(db, text, user_id=user).action for text in texts] == ["new"] * 4


def test_what_is_true_for_a_while_retires_nothing_that_goes_on_after_it(db: Db, user: str) -> None:
    remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    passing = remember(db, NEW, user_id=user, created_at="2026-02-01Z", valid_until="2099-01-01Z")

    assert (passing.action, passing.evidence["passing"]) == ("new", True)
    assert states(db, user) == {OLD: "active", NEW: "active"}


def test_a_repeat_that_names_an_end_sets_it_and_undo_takes_it_back(db: Db, user: str) -> None:
    known = remember(db, OLD, user_id=user)
    again = remember(db, OLD, user_id=user, valid_until="2099-01-01Z")

    ends = "select valid_until::date::text from engram.memory where memory_id = %s"
    assert (again.action, value(db, ends, known.memory_id)) == ("reinforce", "2099-01-01")
    call(db, "undo", decision_id=again.decision_id, user_id=user)
    assert value(db, ends, known.memory_id) is None


def test_who_repeats_what_held_before_means_it_against_what_was_said_since(db: Db, user: str) -> None:
    first = remember(db, "Staging listens on port 7432 now.", user_id=user)
    other = remember(db, "The staging database listens on port 6432.", user_id=user)
    again = remember(db, "The staging database listens on port 7432.", user_id=user)
    assert (again.action, again.related_id) == ("replace", other.memory_id)
    assert {
        m.memory_id for m in db.execute("select memory_id from engram.memory where state = 'active'")
    } == {
        first.memory_id,
        again.memory_id,
    }
    # Nothing was said since, so a repeat is a repeat.
    once_more = remember(db, "The staging database listens on port 7432 !", user_id=user)
    assert once_more.action == "reinforce"
