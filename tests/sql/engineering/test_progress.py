"""Progress and tasks: one current state each, with its history."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, at_once, call, error_of, value


def progress(db: Db, user: str, feature: str, status: str, **more: Any) -> Any:
    return call(db, "track_progress", feature=feature, status=status, user_id=user, **more)[0]


def task(db: Db, user: str, name: str, **more: Any) -> Any:
    return call(db, "create_task", name=name, user_id=user, **more)[0]


def get(db: Db, user: str, memory_id: int) -> Any:
    return call(db, "get", memory_id=memory_id, user_id=user)[0]


def engineering(db: Db, user: str) -> Any:
    return call(db, "stats", user_id=user)[0].stats["engineering"]


@pytest.mark.parametrize(
    ("status", "importance"),
    [("blocked", 0.9), ("in_progress", 0.8), ("review", 0.7), ("planning", 0.6), ("done", 0.5)],
)
def test_status_gives_importance(db: Db, user: str, status: str, importance: float) -> None:
    memory = get(db, user, progress(db, user, "login", status).memory_id)
    assert (memory.kind, memory.importance) == ("strategy", importance)


def test_a_feature_has_one_current_state_and_a_history(db: Db, user: str) -> None:
    first = progress(db, user, "login-flow", "in_progress", completion=40, blockers=["API design"])
    second = progress(db, user, "Login-Flow ", "done")
    other = progress(db, user, "logout-flow", "in_progress")
    assert (second.action, second.related_id, other.action) == ("replace", first.memory_id, "new")
    old = get(db, user, first.memory_id)
    assert (old.state, old.superseded_by) == ("retired", second.memory_id)
    assert get(db, user, second.memory_id).metadata["completion"] == 100
    assert engineering(db, user)["features"] == {
        "total": 2,
        "by_status": {"done": 1, "in_progress": 1},
        "active": {"logout-flow": {"status": "in_progress", "completion": 0}},
    }
    lines = call(db, "history", memory_id=second.memory_id, user_id=user)
    assert [line.action for line in lines] == ["new", "replace"]

    call(db, "undo", decision_id=second.decision_id, user_id=user)
    assert get(db, user, first.memory_id).state == "active"
    assert engineering(db, user)["features"]["active"]["login-flow"] == {
        "status": "in_progress",
        "completion": 40,
    }


def test_features_are_listed_as_they_stand(db: Db, user: str) -> None:
    hung = task(db, user, "login-refactor").task_id
    progress(db, user, "login form", "planning")
    made = progress(
        db,
        user,
        "login form",
        "blocked",
        completion=40,
        blockers=["keys", "review"],
        notes="waits",
        task_id=hung,
    )
    progress(db, user, "rate limit", "done", quality_score=0.9)
    done, login = call(db, "list_features", user_id=user)
    assert (done.feature, done.status, done.completion, done.quality_score) == (
        "rate limit",
        "done",
        100,
        0.9,
    )
    assert (login.status, login.completion, login.blockers, login.notes) == (
        "blocked", 40, ["keys", "review"], "waits",
    )  # fmt: skip
    assert (login.task_id, login.memory_id, done.task_id) == (hung, made.memory_id, None)
    assert call(db, "list_features", status="blocked", user_id=user) == [login]
    assert call(db, "list_features", feature=" Login Form.", user_id=user) == [login]
    assert call(db, "list_features", feature="login", user_id=user) == []
    assert call(db, "list_features", user_id=f"{user}-other") == []
    assert error_of(db, lambda: call(db, "list_features", status="nearly", user_id=user)).sqlstate == "EG002"


def test_completion_stays_until_it_is_told(db: Db, user: str) -> None:
    progress(db, user, "login", "in_progress", completion=60)
    made = progress(db, user, "login", "blocked", blockers=["keys"])
    assert get(db, user, made.memory_id).metadata["completion"] == 60


def test_the_same_state_twice_is_written_once(db: Db, user: str) -> None:
    first = progress(db, user, "login", "in_progress", completion=60, notes="ui pending")
    again = progress(db, user, "login", "in_progress", completion=60, notes="ui pending")
    assert (again.memory_id, again.action) == (first.memory_id, "reinforce")


@pytest.mark.parametrize(
    "arguments",
    [
        {"feature": " ", "status": "done"},
        {"feature": "x", "status": "nearly"},
        {"feature": "x", "status": None},
        {"feature": "x", "status": "done", "completion": 101},
        {"feature": "x", "status": "done", "completion": 40},
        {"feature": "x", "status": "done", "completion": float("nan")},
        {"feature": "x", "status": "done", "quality_score": -0.1},
    ],
)
def test_a_bad_progress_is_refused_with_a_hint(db: Db, user: str, arguments: dict[str, Any]) -> None:
    error = error_of(db, lambda: call(db, "track_progress", user_id=user, **arguments))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint


def test_states_at_once_leave_one_current(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(4)]
    at_once(
        [
            lambda s=s, n=n: progress(s, user, "login", "in_progress", completion=n)
            for n, s in enumerate(sessions)
        ]
    )
    current = "select count(*) from engram.memory where space_id = engram.space_id(%s) and state = 'active'"
    assert value(sessions[0], current, user) == 1


def test_what_is_rolled_back_was_never_tracked(db: Db, user: str) -> None:
    progress(db, user, "login", "in_progress", completion=10)
    db.execute("savepoint before")
    progress(db, user, "login", "done")
    db.execute("rollback to savepoint before")
    assert engineering(db, user)["features"]["active"] == {
        "login": {"status": "in_progress", "completion": 10}
    }


def test_a_task_holds_what_hangs_on_it(db: Db, user: str) -> None:
    made = task(db, user, "login-refactor", goal="Make the login safe", metadata={"branch": "login"})
    assert (made.status, made.goal, made.metadata) == ("planning", "Make the login safe", {"branch": "login"})
    id = made.task_id
    handed = call(db, "session_handoff", summary="half done", next_steps=["ship"], task_id=id, user_id=user)[
        0
    ]
    failed = call(db, "track_failure", error="boom", component="auth", task_id=id, user_id=user)[0]
    first = progress(db, user, "login form", "in_progress", task_id=id)
    moved = progress(db, user, "login form", "review")
    elsewhere = call(db, "session_handoff", summary="something else", user_id=user)[0]

    found = call(db, "get_task", task_id=id, user_id=user)[0].get_task
    assert found["task"]["name"] == "login-refactor"
    assert [entry["memory_id"] for entry in found["handoffs"]] == [handed.memory_id]
    assert [entry["memory_id"] for entry in found["failures"]] == [failed.memory_id]
    assert [entry["memory_id"] for entry in found["progress"]] == [moved.memory_id]
    assert first.memory_id != moved.memory_id
    assert found["last_handoff"]["memory_id"] == handed.memory_id != elsewhere.memory_id
    assert found["last_handoff"]["steps"] == [{"list": "next_steps", "step": "ship", "state": "open"}]
    assert found["memories"] == []


def test_an_open_task_is_not_made_twice(db: Db, user: str) -> None:
    first = task(db, user, "login-refactor", goal="one")
    again = task(db, user, "Login-Refactor", goal="two")
    assert (again.task_id, again.goal, again.status) == (first.task_id, "two", "planning")
    call(db, "update_task", task_id=first.task_id, status="done", user_id=user)
    assert task(db, user, "login-refactor").task_id != first.task_id


def test_a_task_changes_with_a_history(db: Db, user: str) -> None:
    made = task(db, user, "login-refactor", metadata={"branch": "a"})
    changed = call(
        db, "update_task", task_id=made.task_id, status="blocked", metadata={"branch": "b"}, user_id=user
    )[0]
    assert (changed.status, changed.metadata) == ("blocked", {"branch": "b"})
    assert get(db, user, made.task_id).importance == 0.9
    [_, revised] = call(db, "history", memory_id=made.task_id, user_id=user)
    call(db, "undo", decision_id=revised.decision_id, user_id=user)
    [back] = call(db, "list_tasks", user_id=user)
    assert (back.status, back.metadata) == ("planning", {"branch": "a"})


def test_an_open_task_does_not_fade_and_a_closed_one_may(db: Db, user: str) -> None:
    made = task(db, user, "login-refactor")
    assert get(db, user, made.task_id).pinned
    call(db, "update_task", task_id=made.task_id, status="cancelled", user_id=user)
    assert not get(db, user, made.task_id).pinned


def test_a_task_is_found_by_its_name_and_by_its_number(db: Db, user: str) -> None:
    def number(named: str | None, owner: str = user) -> Any:
        return call(db, "task_id", task=named, user_id=owner)[0].task_id

    made = task(db, user, "Login-Refactor").task_id
    assert number("login-refactor ") == number(str(made)) == made
    assert number(None) is None
    odd = task(db, user, str(made)).task_id
    assert number(str(made)) == made, "a number comes before a name"
    assert number(str(odd)) == odd
    for wrong, owner in (("login", user), ("", user), ("999999999", user), (str(made), f"{user}-other")):
        error = error_of(db, lambda wrong=wrong, owner=owner: number(wrong, owner))
        assert (error.sqlstate, bool(error.diag.message_hint)) == ("EG004", True)


def test_of_tasks_of_one_name_the_open_one_is_meant(db: Db, user: str) -> None:
    def number() -> Any:
        return call(db, "task_id", task="release", user_id=user)[0].task_id

    first = task(db, user, "release").task_id
    call(db, "update_task", task_id=first, status="done", user_id=user)
    assert number() == first
    second = task(db, user, "release").task_id
    assert number() == second
    call(db, "update_task", task_id=second, status="cancelled", user_id=user)
    assert number() == second, "the one that was changed last"


def test_tasks_are_listed_by_status(db: Db, user: str) -> None:
    one, two = task(db, user, "one"), task(db, user, "two", status="in_progress")
    assert {row.task_id for row in call(db, "list_tasks", user_id=user)} == {one.task_id, two.task_id}
    assert [row.name for row in call(db, "list_tasks", status="in_progress", user_id=user)] == ["two"]
    assert engineering(db, user)["tasks"] == {"total": 2, "by_status": {"planning": 1, "in_progress": 1}}


@pytest.mark.parametrize(
    ("function", "arguments", "code"),
    [
        ("create_task", {"name": ""}, "EG002"),
        ("create_task", {"name": "x", "status": "later"}, "EG002"),
        ("update_task", {"task_id": 999999999}, "EG004"),
        ("get_task", {"task_id": 999999999}, "EG004"),
        ("list_tasks", {"status": "later"}, "EG002"),
        ("task_id", {"task": "login"}, "EG004"),
    ],
)
def test_bad_calls_about_tasks_are_refused_with_a_hint(
    db: Db, user: str, function: str, arguments: dict[str, Any], code: str
) -> None:
    error = error_of(db, lambda: call(db, function, user_id=user, **arguments))
    assert error.sqlstate == code
    assert error.diag.message_hint


def test_the_task_of_another_user_is_none(db: Db, user: str) -> None:
    made = task(db, user, "login-refactor")
    error = error_of(db, lambda: call(db, "get_task", task_id=made.task_id, user_id=f"{user}-other"))
    assert error.sqlstate == "EG004"
    plain = call(db, "remember", content="the kettle is blue", user_id=user)[0].memory_id
    assert error_of(db, lambda: call(db, "get_task", task_id=plain, user_id=user)).sqlstate == "EG004"


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"type": "progress", "feature": "login", "completion": "half", "status": 3, "task_id": 999999999},
        {"component": "auth", "error": "boom", "occurrences": "two", "related_test_ids": {}, "severity": []},
        {
            "summary": 1,
            "next_steps": "ship",
            "blocked": {"a": 1},
            "completed": 5,
            "settles": {"handoff": "x"},
        },
        {"summary": "s", "next_steps": [1, {"a": 2}, None], "settles": [1, {"handoff": "x", "step": 4}]},
        {"name": "task", "status": "elsewhere", "metadata": []},
    ],
)
def test_records_that_came_from_elsewhere_break_nothing(db: Db, user: str, metadata: dict[str, Any]) -> None:
    for part in ("handoff", "failure", "progress", "task"):
        call(
            db,
            "remember",
            content=f"a {part} from elsewhere",
            collection=f"engineering/{part}",
            metadata=metadata,
            user_id=user,
        )
    call(db, "session_handoff", summary="went on", next_steps=["login"], user_id=user)
    ids = [row.memory_id for row in call(db, "recall", query="elsewhere", user_id=user)]
    for src in ids[1:]:
        call(db, "link", src=src, dst=ids[0], relation="settles", user_id=user)
        call(db, "link", src=ids[0], dst=src, relation="settles", user_id=user)
    progress(db, user, "login", "in_progress")
    call(db, "track_failure", error="boom", component="auth", user_id=user)
    made = task(db, user, "task")
    call(db, "update_task", task_id=made.task_id, status="done", user_id=user)
    assert call(db, "recall", query="where did we stop with auth?", user_id=user)
    assert call(db, "context", query="auth", user_id=user)[0].context
    assert call(db, "last_handoff", user_id=user)[0].last_handoff["steps"]
    assert call(db, "get_task", task_id=made.task_id, user_id=user)[0].get_task
    assert call(db, "list_tasks", user_id=user)
    assert "login" in {row.feature for row in call(db, "list_features", user_id=user)}
    assert "auth" in {row.component for row in call(db, "list_failures", user_id=user)}
    assert engineering(db, user)["handoffs"]["total"] == 2


def test_of_a_feature_that_came_several_times_the_newest_counts_and_all_make_way(db: Db, user: str) -> None:
    for day, status in (("2026-01-01", "planning"), ("2026-01-03", "blocked"), ("2026-01-02", "done")):
        call(
            db,
            "remember",
            content=f"login {status}",
            collection="engineering/progress",
            kind="strategy",
            metadata={"type": "progress", "feature": "login", "status": status, "completion": 50},
            created_at=day,
            policy="append",
            user_id=user,
        )
    assert engineering(db, user)["features"]["active"] == {"login": {"status": "blocked", "completion": 50}}
    assert [row.status for row in call(db, "list_features", user_id=user)] == ["blocked"]
    made = progress(db, user, "login", "done")
    assert engineering(db, user)["features"] == {"total": 1, "by_status": {"done": 1}, "active": {}}
    states = (
        "select array_agg(state order by memory_id) from engram.memory where space_id = engram.space_id(%s)"
    )
    assert value(db, states, user) == ["retired", "retired", "retired", "active"]
    call(db, "undo", decision_id=made.decision_id, user_id=user)
    assert value(db, states, user) == ["active", "active", "active", "archived"]
