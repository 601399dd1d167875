"""Failures: one for each error of a component, and they come along with what is about the component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import Db, at_once, call, error_of, recall, remember, remember_many, value


def failure(db: Db, user: str, error: str, component: str, **more: Any) -> Any:
    return call(db, "track_failure", error=error, component=component, user_id=user, **more)[0]


def get(db: Db, user: str, memory_id: int) -> Any:
    return call(db, "get", memory_id=memory_id, user_id=user)[0]


@pytest.mark.parametrize(("severity", "importance"), [("critical", 0.9), ("major", 0.7), ("minor", 0.5)])
def test_severity_gives_importance(db: Db, user: str, severity: str, importance: float) -> None:
    made = failure(db, user, "CSRF token missing", "payment", severity=severity)
    memory = get(db, user, made.memory_id)
    assert (memory.kind, memory.importance) == ("failure", importance)


def test_a_failure_says_what_it_knows(db: Db, user: str) -> None:
    made = failure(
        db,
        user,
        "CSRF token missing on checkout",
        "payment",
        root_cause="the middleware was not loaded",
        fix="load it",
        related_test_ids=["test_checkout_01"],
    )
    memory = get(db, user, made.memory_id)
    assert memory.content.splitlines() == [
        "Failure in payment: CSRF token missing on checkout",
        "Root cause: the middleware was not loaded",
        "Fix: load it",
        "Tests: test_checkout_01",
    ]
    assert memory.metadata["component"] == "payment"
    assert memory.metadata["related_test_ids"] == ["test_checkout_01"]
    assert memory.metadata["occurrences"] == 1


def test_failures_are_listed_last_seen_first(connect: Callable[[], Db], user: str) -> None:
    db = connect()
    first = failure(
        db, user, "CSRF token missing", "payment", severity="critical", related_test_ids=["a"]
    ).memory_id
    failure(db, user, "boom", "auth", severity="minor")
    failure(db, user, "csrf token missing", "Payment", root_cause="not loaded", fix="load it")
    payment, auth = call(db, "list_failures", user_id=user)
    assert (payment.memory_id, payment.component, payment.error) == (first, "payment", "CSRF token missing")
    assert (payment.severity, payment.occurrences, payment.related_test_ids) == ("critical", 2, ["a"])
    assert (payment.root_cause, payment.fix, payment.task_id) == ("not loaded", "load it", None)
    assert (auth.component, auth.occurrences) == ("auth", 1)
    assert call(db, "list_failures", component=" PAYMENT", user_id=user) == [payment]
    assert call(db, "list_failures", component="pay", user_id=user) == []
    assert call(db, "list_failures", user_id=f"{user}-other") == []
    call(db, "forget", memory_id=first, user_id=user)
    assert call(db, "list_failures", user_id=user) == [auth]


def test_the_same_failure_again_is_counted_and_takes_what_is_new(db: Db, user: str) -> None:
    first = failure(db, user, "CSRF token missing", "payment", severity="minor", related_test_ids=["b"])
    again = failure(
        db, user, " csrf token missing. ", "Payment", severity="major", fix="load it", related_test_ids=["a"]
    )
    assert (again.memory_id, again.action) == (first.memory_id, "reinforce")
    memory = get(db, user, first.memory_id)
    assert memory.metadata["occurrences"] == 2
    assert memory.metadata["fix"] == "load it"
    assert memory.metadata["severity"] == "major"
    assert memory.metadata["related_test_ids"] == ["a", "b"]
    assert memory.importance == 0.7
    failure(db, user, "CSRF token missing", "payment", severity="minor")
    assert get(db, user, first.memory_id).metadata["severity"] == "major"
    call(
        db,
        "undo",
        decision_id=value(
            db, "select max(decision_id) from engram.decision where memory_id = %s", first.memory_id
        ),
        user_id=user,
    )
    assert get(db, user, first.memory_id).metadata["occurrences"] == 2


def test_another_component_is_another_failure(db: Db, user: str) -> None:
    one = failure(db, user, "timeout", "payment")
    other = failure(db, user, "timeout", "auth")
    assert one.memory_id != other.memory_id
    stats = call(db, "stats", user_id=user)[0].stats["engineering"]["failures"]
    assert stats == {"total": 2, "by_component": {"payment": 1, "auth": 1}, "by_severity": {"major": 2}}


def test_recall_about_a_component_brings_its_failures_along(db: Db, user: str) -> None:
    remember_many(
        db,
        [{"content": f"The payment service of shop {n} runs on node {n}"} for n in range(30)]
        + [{"content": f"The kettle of room {n} is blue"} for n in range(30, 60)],
        user_id=user,
        policy="append",
    )
    wanted = failure(db, user, "CSRF token missing on checkout", "payment", severity="critical").memory_id
    other = failure(db, user, "the disk is full", "ci-pipeline").memory_id

    hits = recall(db, "on which node is the service of shop 7?", user_id=user, k=6)
    assert "shop 7 " in hits[0].content
    assert wanted in [hit.memory_id for hit in hits]
    assert other not in [hit.memory_id for hit in hits]

    hits = recall(db, "kettle of room 37", user_id=user, k=6)
    assert not {wanted, other} & {hit.memory_id for hit in hits}


def test_a_question_that_names_a_component_brings_its_failures_along(db: Db, user: str) -> None:
    remember_many(
        db,
        [{"content": f"The pipeline ran {n} times in week {n}"} for n in range(30)],
        user_id=user,
        policy="append",
    )
    wanted = failure(db, user, "the disk is full", "CI pipeline").memory_id
    hits = recall(db, "how often did the ci-pipeline run in week 7?", user_id=user, k=5)
    assert wanted in [hit.memory_id for hit in hits]


def test_the_worst_and_latest_failures_come_and_leave_room_for_answers(db: Db, user: str) -> None:
    remember_many(
        db,
        [{"content": f"The payment service of shop {n} runs on node {n}"} for n in range(30)],
        user_id=user,
        policy="append",
    )
    ids = {
        severity: failure(db, user, f"a {severity} thing broke", "payment", severity=severity).memory_id
        for severity in ("minor", "critical", "major")
    }
    for n in range(5):
        failure(db, user, f"small thing {n} broke", "payment", severity="minor")
    hits = recall(db, "node of shop 7", user_id=user, k=4)
    brought = [hit.memory_id for hit in hits if hit.legs == ["about"]]
    assert brought == [ids["critical"], ids["major"]]
    assert "shop 7 " in hits[0].content
    [answer] = recall(db, "node of shop 7", user_id=user, k=1)
    assert answer.memory_id == hits[0].memory_id


def test_a_forgotten_failure_comes_along_no_more(db: Db, user: str) -> None:
    remember_many(
        db,
        [{"content": f"The payment service of shop {n} runs on node {n}"} for n in range(30)],
        user_id=user,
        policy="append",
    )
    made = failure(db, user, "CSRF token missing", "payment").memory_id
    call(db, "forget", memory_id=made, user_id=user)
    assert made not in [hit.memory_id for hit in recall(db, "node of shop 7", user_id=user, k=6)]
    again = failure(db, user, "CSRF token missing", "payment")
    assert again.action == "new"


def test_a_failure_is_linked_to_what_it_is_about(db: Db, user: str) -> None:
    about = remember(db, "The payment checkout needs a CSRF token", user_id=user).memory_id
    made = failure(db, user, "CSRF token missing on checkout", "payment").memory_id
    edges = db.execute("select relation, dst from engram.edge where src = %s", [made]).fetchall()
    assert ("about", about) in edges


@pytest.mark.parametrize("name", ["支付模块", "Платёж", "a", "the", "C++", "x" * 500])
def test_any_name_of_a_component_works(db: Db, user: str, name: str) -> None:
    made = failure(db, user, "timeout", name)
    assert failure(db, user, "timeout", name).memory_id == made.memory_id
    assert recall(db, f"what is wrong with {name}?", user_id=user)[0].memory_id == made.memory_id
    remember(db, "unrelated", user_id=user)
    assert recall(db, "unrelated", user_id=user, k=2)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"error": "", "component": "x"}, "EG002"),
        ({"error": "x", "component": " "}, "EG002"),
        ({"error": "x", "component": "y", "severity": "fatal"}, "EG002"),
        ({"error": "x", "component": "y", "severity": None}, "EG002"),
        ({"error": "x", "component": "y", "task_id": 999999999}, "EG004"),
    ],
)
def test_a_bad_failure_is_refused_with_a_hint(
    db: Db, user: str, arguments: dict[str, Any], code: str
) -> None:
    error = error_of(db, lambda: call(db, "track_failure", user_id=user, **arguments))
    assert error.sqlstate == code
    assert error.diag.message_hint


def test_the_same_failure_at_once_is_one(connect: Any, user: str) -> None:
    sessions = [connect() for _ in range(4)]
    made = at_once([lambda s=s: failure(s, user, "boom", "payment") for s in sessions])
    assert len({row.memory_id for row in made}) == 1
    assert get(sessions[0], user, made[0].memory_id).metadata["occurrences"] == 4
