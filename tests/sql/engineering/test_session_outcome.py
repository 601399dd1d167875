"""The outcome of a session weighs what was recalled in it, once."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, behind, call, configure, error_of, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def outcome(db: Db, user: str, session: str, word: str, **more: Any) -> list[Any]:
    return call(db, "session_outcome", session_id=session, outcome=word, user_id=user, **more)


def importance(db: Db, user: str, memory_id: int) -> float:
    return call(db, "get", memory_id=memory_id, user_id=user)[0].importance


@pytest.fixture
def kettle(db: Db, user: str) -> int:
    made: int = remember(db, "the kettle is blue", user_id=user, importance=0.5).memory_id
    remember(db, "Mei likes tea", user_id=user)
    recall(db, "kettle", user_id=user, k=1, session_id="s")
    return made


@pytest.mark.parametrize(("word", "factor"), [("success", 1.1), ("failure", 0.9)])
@pytest.mark.parametrize("folded", [False, True])
def test_what_a_session_recalled_is_weighed_by_its_outcome(
    db: Db, user: str, kettle: int, word: str, factor: float, folded: bool
) -> None:
    if folded:
        call(db, "fold_recalls")
    [row] = outcome(db, user, "s", word)
    assert row.memory_id == kettle
    assert row.recalls == 1
    assert row.quality_score == pytest.approx(0.5 * 1.1 * factor)
    assert row.importance == pytest.approx(0.5 * factor)
    assert importance(db, user, kettle) == row.importance


def test_a_session_is_weighed_once(db: Db, user: str, kettle: int) -> None:
    assert len(outcome(db, user, "s", "success")) == 1
    assert outcome(db, user, "s", "success") == []
    call(db, "fold_recalls")
    assert outcome(db, user, "s", "failure") == []


def test_another_session_is_not_weighed(db: Db, user: str, kettle: int) -> None:
    assert outcome(db, user, "t", "success") == []
    assert outcome(db, f"{user}-other", "s", "success") == []
    assert importance(db, user, kettle) == 0.5


def test_weighing_counts_no_recall_twice(db: Db, user: str, kettle: int) -> None:
    outcome(db, user, "s", "success")
    call(db, "fold_recalls")
    assert value(db, "select recalls from engram.memory_stat where memory_id = %s", kettle) == 1


def test_an_outcome_can_be_undone(db: Db, user: str, kettle: int) -> None:
    [row] = outcome(db, user, "s", "failure")
    entry = call(db, "history", memory_id=kettle, user_id=user)[-1]
    assert (entry.action, entry.evidence["outcome"], entry.evidence["session_id"]) == (
        "outcome",
        "failure",
        "s",
    )
    call(db, "undo", decision_id=row.decision_id, user_id=user)
    assert importance(db, user, kettle) == 0.5


def test_a_search_in_a_session_is_not_weighed(db: Db, user: str) -> None:
    remember(db, "the kettle is blue", user_id=user)
    recall(db, "kettle", user_id=user)
    assert outcome(db, user, "s", "success") == []


def test_notes_of_a_failure_are_remembered(db: Db, user: str, kettle: int) -> None:
    outcome(db, user, "s", "failure", notes="The migration needs a lock timeout")
    [row] = db.execute(
        "select content, session_id from engram.memory where space_id = engram.space_id(%s) and kind = %s",
        [user, "failure"],
    ).fetchall()
    assert row == ("The migration needs a lock timeout", "s")


def test_ranked_anew_counts_for_the_session_too(db: Db, user: str) -> None:
    made = remember(db, "the kettle is blue", user_id=user).memory_id
    call(db, "note_recall", memory_ids=[made], user_id=user, session_id="s")
    assert [row.memory_id for row in outcome(db, user, "s", "success")] == [made]


def test_recalls_that_nobody_weighed_go_after_a_while(db: Db, user: str, kettle: int) -> None:
    call(db, "fold_recalls")
    kept = "select count(*) from engram.session_recall where space_id = engram.space_id(%s)"
    assert value(db, kept, user) == 1
    configure(db, "session.kept_days", "0")
    db.execute("update engram.session_recall set recalled_at = recalled_at - interval '1 second'")
    call(db, "fold_recalls")
    assert value(db, kept, user) == 0


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(importance=st.floats(0, 1), recalls=st.integers(0, 10**6), factor=st.floats(0, 10))
def test_quality_score_is_the_formula(db: Db, importance: float, recalls: int, factor: float) -> None:
    expected = min(max(importance * (1 + min(0.1 * recalls, 0.5)) * factor, 0), 1)
    assert value(db, "select engram.quality_score(%s, %s, %s)", importance, recalls, factor) == pytest.approx(
        expected
    )


@pytest.mark.parametrize(
    ("session", "word"), [("s", "draw"), ("s", None), ("", "success"), (None, "success")]
)
def test_a_bad_outcome_is_refused_with_a_hint(
    db: Db, user: str, session: str | None, word: str | None
) -> None:
    error = error_of(db, lambda: call(db, "session_outcome", session_id=session, outcome=word, user_id=user))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint


def test_what_is_being_folded_meanwhile_is_weighed_too(connect: Any, user: str) -> None:
    folding, weighing = connect(), connect()
    made = remember(folding, "the kettle is blue", user_id=user).memory_id
    recall(folding, "kettle", user_id=user, session_id="s")
    found = behind(
        folding, lambda: call(folding, "fold_recalls"), lambda: outcome(weighing, user, "s", "success")
    )
    assert [row.memory_id for row in found] == [made]
    assert outcome(weighing, user, "s", "success") == []
