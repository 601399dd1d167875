"""Hand-offs: what they hold, where recall shows them, and what becomes of their steps."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import (
    Db,
    at_once,
    call,
    configure,
    contents,
    error_of,
    recall,
    remember,
    remember_many,
    search,
    value,
)
from psycopg.types.json import Jsonb


def handoff(db: Db, user: str, summary: str = "The login form is half done", **lists: Any) -> Any:
    return call(db, "session_handoff", summary=summary, user_id=user, **lists)[0]


def progress(db: Db, user: str, feature: str, status: str, **more: Any) -> Any:
    return call(db, "track_progress", feature=feature, status=status, user_id=user, **more)[0]


def last(db: Db, user: str, **more: Any) -> Any:
    return call(db, "last_handoff", user_id=user, **more)[0].last_handoff


def states(db: Db, user: str) -> dict[str, str]:
    return {step["step"]: step["state"] for step in last(db, user)["steps"]}


def test_a_handoff_keeps_its_lists(db: Db, user: str) -> None:
    made = handoff(
        db,
        user,
        completed=["draft the form", "  "],
        in_progress=["wire the form"],
        blocked=["API keys: waiting for Bob"],
        next_steps=["deploy to staging"],
        session_id="s1",
    )
    assert made.action == "new"
    found = last(db, user)
    assert found["memory_id"] == made.memory_id
    assert found["summary"] == "The login form is half done"
    assert found["completed"] == ["draft the form"]
    assert found["in_progress"] == ["wire the form"]
    assert found["blocked"] == ["API keys: waiting for Bob"]
    assert found["next_steps"] == ["deploy to staging"]
    assert found["session_id"] == "s1"
    assert [step["list"] for step in found["steps"]] == ["next_steps", "in_progress", "blocked"]
    memory = call(db, "get", memory_id=made.memory_id, user_id=user)[0]
    assert (memory.kind, memory.importance, memory.pinned) == ("strategy", 0.9, True)


def test_who_has_no_handoff_gets_none(db: Db, user: str) -> None:
    assert last(db, user) is None


def test_the_same_handoff_twice_is_written_once(db: Db, user: str) -> None:
    first = handoff(db, user, next_steps=["deploy"], session_id="s")
    second = handoff(db, user, next_steps=["deploy"], session_id="s")
    assert (second.memory_id, second.action) == (first.memory_id, "reinforce")
    assert call(db, "stats", user_id=user)[0].stats["engineering"]["handoffs"]["total"] == 1


@pytest.mark.parametrize(
    ("step", "later", "state"),
    [
        ("Add rate limiting to the login endpoint", "added rate limiting to the login endpoint.", "done"),
        ("Add rate limiting to the login endpoint", "Rate limiting added to login", "done"),
        ("Add rate limiting to the login endpoint", "Did not add rate limiting to the login", "open"),
        ("Write tests for the payment module", "Wrote the payment module tests", "done"),
        ("Write tests for the payment module", "Write tests for the auth module", "open"),
        ("Deploy to staging", "Deployed to staging", "done"),
        ("Deploy to staging", "Deployed to production", "open"),
        ("Upgrade Django to 5.2", "Upgraded Django to 5.2", "done"),
        ("Upgrade Django to 5.2", "Upgraded Django to 5.1", "open"),
        ("Fix issue #42", "Fixed issue #41", "open"),
        ("Migrate the users table", "Migrated the users table", "done"),
        ("Update README", "Updated the README with install steps", "done"),
        ("Update README", "Update CHANGELOG", "open"),
        ("Review the API design with Anna", "API design review done", "done"),
        ("Remove the old cache layer", "Added a new cache layer", "open"),
        ("修复登录页面的跨域问题", "已修复登录页面的跨域问题", "done"),
        ("给支付模块写测试", "给登录模块写测试", "open"),
        ("部署到测试环境", "还没有部署到测试环境", "open"),
    ],
)  # fmt: skip
def test_a_later_handoff_settles_the_steps_it_completed_and_no_others(
    db: Db, user: str, step: str, later: str, state: str
) -> None:
    first = handoff(db, user, next_steps=[step]).memory_id
    handoff(db, user, summary="went on", completed=[later])
    memory = call(db, "get", memory_id=first, user_id=user)[0]
    steps = value(
        db, "select engram._judged_steps(m) from engram.memory m where memory_id = %s", memory.memory_id
    )
    assert [s["state"] for s in steps] == [state]
    assert (state == "done") == ("rule" in steps[0])


@pytest.mark.parametrize(
    ("step", "feature"),
    [
        ("drop the users table", "users table"),
        ("revert the login form", "login form"),
        ("test the payment page", "payment page"),
        ("review the search index", "search index"),
    ],
)
def test_a_feature_that_is_done_leaves_open_what_was_to_be_done_to_it(
    db: Db, user: str, step: str, feature: str
) -> None:
    call(db, "session_handoff", summary="half way", next_steps=[step], user_id=user)
    progress(db, user, feature, "done")
    assert states(db, user) == {step: "open"}


def test_a_step_says_which_record_settled_it_and_why(db: Db, user: str) -> None:
    handoff(db, user, next_steps=["Refactor the login flow", "Deploy to staging"])
    done = progress(db, user, "login-flow-refactor", "done").memory_id
    [settled, left] = last(db, user)["steps"]
    assert settled["state"] == "done"
    assert settled["by"] == done
    assert settled["rule"] == "same_content"
    assert settled["item"] == "login-flow-refactor"
    assert left == {"list": "next_steps", "step": "Deploy to staging", "state": "open"}


def test_the_latest_word_on_a_step_holds(db: Db, user: str) -> None:
    handoff(db, user, next_steps=["payment tests"])
    progress(db, user, "payment tests", "in_progress", completion=40)
    assert states(db, user) == {"payment tests": "open"}
    done = progress(db, user, "payment tests", "done")
    assert states(db, user) == {"payment tests": "done"}
    call(db, "undo", decision_id=done.decision_id, user_id=user)
    assert states(db, user) == {"payment tests": "open"}
    progress(db, user, "Payment Tests", "done", notes="again")
    assert states(db, user) == {"payment tests": "done"}
    progress(db, user, "payment tests", "blocked")
    assert states(db, user) == {"payment tests": "open"}


def test_a_task_that_is_done_settles_the_step_that_means_it(db: Db, user: str) -> None:
    task = call(db, "create_task", name="rotate the API keys", user_id=user)[0].task_id
    handoff(db, user, next_steps=["Rotate the API keys"])
    assert states(db, user) == {"Rotate the API keys": "open"}
    call(db, "update_task", task_id=task, status="done", user_id=user)
    assert states(db, user) == {"Rotate the API keys": "done"}


def test_what_was_done_before_a_handoff_settles_none_of_its_steps(db: Db, user: str) -> None:
    progress(db, user, "payment tests", "done")
    handoff(db, user, next_steps=["payment tests"])
    assert states(db, user) == {"payment tests": "open"}


def test_recall_puts_the_handoff_first_when_asked_where_work_stopped(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"we did stop at station {n}"} for n in range(20)], user_id=user)
    handoff(db, user, summary="older", next_steps=["x"])
    newest = handoff(db, user, next_steps=["Deploy to staging"]).memory_id
    for question in (
        "where did we stop?",
        "What are the next steps?",
        "上次做到哪了?",
        "wo haben wir aufgehört",
    ):
        [hit] = recall(db, question, user_id=user, k=1)
        assert hit.memory_id == newest, question
        assert "pinned" in hit.legs
        assert [s["step"] for s in hit.metadata["steps"]] == ["Deploy to staging"]


def test_recall_always_has_the_newest_handoff_among_its_hits(db: Db, user: str) -> None:
    remember_many(
        db, [{"content": f"the kettle is blue in room {n}"} for n in range(30)], user_id=user, policy="append"
    )
    newest = handoff(db, user).memory_id
    hits = recall(db, "which colour has the kettle in room 7?", user_id=user, k=6)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5, 6]
    assert "room 7" in hits[0].content
    assert hits[-1].memory_id == newest
    assert hits[-1].legs == ["pinned"]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert newest not in [hit.memory_id for hit in recall(db, "room 7", user_id=user, k=1)]


@pytest.mark.parametrize(
    "limit",
    [
        {"kinds": ["fact"]},
        {"collections": ["default"]},
        {"tags": ["kitchen"]},
        {"metadata": {"room": 7}},
        {"until": "2001-01-01"},
        {"as_of": "2001-01-01"},
        {"min_score": 0.5},
    ],
)  # fmt: skip
def test_filters_hold_for_a_pinned_handoff_too(db: Db, user: str, limit: dict[str, Any]) -> None:
    remember(db, "the kettle is blue", user_id=user, tags=["kitchen"], metadata={"room": 7})
    handoff(db, user)
    assert "strategy" not in {hit.kind for hit in recall(db, "kettle", user_id=user, **limit)}


def test_records_of_work_have_a_curve_like_strategies_and_a_collection_of_their_own(
    db: Db, user: str
) -> None:
    remember(db, "Deploy on Tuesdays only", user_id=user, kind="strategy")
    handoff(db, user, next_steps=["deploy"])
    progress(db, user, "deploy", "in_progress")
    call(db, "create_task", name="deploy", user_id=user)
    found = recall(db, "deploy", user_id=user, kinds=["strategy"])
    assert len(found) == 4
    own = recall(db, "deploy", user_id=user, kinds=["strategy"], collections=["default"])
    assert [hit.content for hit in own] == ["Deploy on Tuesdays only"]


def test_being_pinned_is_no_recall(db: Db, user: str) -> None:
    remember_many(
        db, [{"content": f"the kettle is blue in room {n}"} for n in range(30)], user_id=user, policy="append"
    )
    newest = handoff(db, user).memory_id
    hits = recall(db, "kettle room 7", user_id=user, k=4)
    assert newest in [hit.memory_id for hit in hits]
    noted = db.execute(
        "select memory_id from engram.recall_event where space_id = engram.space_id(%s)", [user]
    ).fetchall()
    assert {row.memory_id for row in noted} == {hit.memory_id for hit in hits} - {newest}


def test_context_begins_with_the_handoff_and_the_state_of_its_steps(db: Db, user: str) -> None:
    remember(db, "the kettle is blue", user_id=user)
    handoff(db, user, completed=["draft"], next_steps=["payment tests", "deploy to staging"])
    done = progress(db, user, "payment tests", "done").memory_id
    lines = call(db, "context", query="kettle", user_id=user)[0].context.splitlines()
    assert lines[0].endswith("Hand-off: The login form is half done")
    assert lines[1:4] == [
        f"- next step, done by memory {done}: payment tests",
        "- next step, open: deploy to staging",
        "- completed: draft",
    ]
    assert lines[4].endswith("the kettle is blue")
    assert sum("login form" in line for line in lines) == 1


def test_a_handoff_takes_no_more_than_half_of_the_context(db: Db, user: str) -> None:
    remember(db, "the kettle is blue", user_id=user)
    handoff(db, user, next_steps=[f"step number {n} of a long list of steps" for n in range(50)])
    text = call(db, "context", query="kettle", user_id=user, max_tokens=100)[0].context
    assert "the kettle is blue" in text
    assert value(db, "select engram.estimate_tokens(%s)", text) <= 100


def test_only_the_newest_handoff_is_kept_from_fading(db: Db, user: str) -> None:
    first = handoff(db, user, summary="one")
    second = handoff(db, user, summary="two")
    pinned = "select array_agg(memory_id) from engram.memory where space_id = engram.space_id(%s) and pinned"
    assert value(db, pinned, user) == [second.memory_id]
    call(db, "undo", decision_id=second.decision_id, user_id=user)
    assert value(db, pinned + " and state = 'active'", user) == [first.memory_id]
    assert last(db, user)["summary"] == "one"


def test_a_forgotten_handoff_makes_way_for_the_one_before(db: Db, user: str) -> None:
    handoff(db, user, summary="one")
    second = handoff(db, user, summary="two")
    call(db, "forget", memory_id=second.memory_id, user_id=user)
    assert last(db, user)["summary"] == "one"


def test_the_gate_never_replaces_a_record(db: Db, user: str) -> None:
    progress(db, user, "the login flow", "done")
    remember(db, "Progress of the login flow: not done, 0%", user_id=user, kind="strategy")
    assert (
        value(
            db,
            "select state from engram.memory where space_id = engram.space_id(%s) order by memory_id",
            user,
        )
        == "active"
    )


def test_an_export_carries_handoffs_with_the_state_of_their_steps(db: Db, user: str) -> None:
    handoff(db, user, next_steps=["payment tests", "deploy to staging"])
    progress(db, user, "payment tests", "done")
    before = last(db, user)
    entries = [row.export for row in call(db, "export", user_id=user)]
    call(db, "import", "imported", entries=Jsonb(entries), user_id=f"{user}-copy")
    assert last(db, f"{user}-copy") == before


def test_erased_means_no_trace_of_a_handoff(db: Db, user: str) -> None:
    handoff(db, user, summary="the vault opens with 4711", next_steps=["payment tests"])
    progress(db, user, "payment tests", "done")
    recall(db, "vault", user_id=user, session_id="s")
    call(db, "fold_recalls")
    call(db, "forget", filter={"all": True}, hard=True, user_id=user)
    for table in ("memory", "edge", "session_recall", "recall_event", "memory_stat"):
        assert (
            value(db, f"select count(*) from engram.{table} where space_id = engram.space_id(%s)", user) == 0
        )


def test_two_users_have_their_own_handoffs(db: Db, user: str) -> None:
    handoff(db, user)
    other = f"{user}-other"
    remember(db, "the kettle is blue", user_id=other)
    assert last(db, other) is None
    assert contents(recall(db, "where did we stop?", user_id=other)) == ["the kettle is blue"]


def test_search_shows_the_same_and_leaves_no_trace(db: Db, user: str) -> None:
    handoff(db, user, next_steps=["x"])
    [one], [other] = search(db, "next steps", user_id=user), recall(db, "next steps", user_id=user)
    assert one == other


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"summary": "  "}, "EG002"),
        ({"summary": None}, "EG002"),
        ({"summary": "x", "task_id": 999999999}, "EG004"),
        ({"summary": "x" * 70000}, "EG001"),
    ],
)
def test_a_bad_handoff_is_refused_with_a_hint(
    db: Db, user: str, arguments: dict[str, Any], code: str
) -> None:
    error = error_of(db, lambda: call(db, "session_handoff", user_id=user, **arguments))
    assert error.sqlstate == code
    assert error.diag.message_hint
    assert value(db, "select count(*) from engram.memory where space_id = engram.space_id(%s)", user) == 0


def test_a_pattern_that_is_none_is_refused(db: Db) -> None:
    assert error_of(db, lambda: configure(db, "handoff.asked", "(")).sqlstate == "EG002"


def test_handoffs_at_once_leave_one_pinned(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(4)]
    at_once([lambda s=s, n=n: handoff(s, user, summary=f"hand-off {n}") for n, s in enumerate(sessions)])
    pinned = "select count(*) from engram.memory where space_id = engram.space_id(%s) and pinned"
    assert value(sessions[0], pinned, user) == 1


def test_a_space_without_records_is_looked_up_by_an_index(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"note {n}"} for n in range(300)], user_id=user, policy="append")
    db.execute("analyze engram.memory")  # to a planner that knows of none all indexes are the same
    plan = db.execute(
        """explain select from engram.memory m where m.space_id = engram.space_id(%s)
              and m.collection in ('engineering/handoff', 'engineering/failure') and m.state = 'active'""",
        [user],
    ).fetchall()
    assert "memory_engineering" in "\n".join(row[0] for row in plan)
