from __future__ import annotations

import math

import pytest
from helpers import Db, call, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

relaxed = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

importances = st.floats(0, 1)
lambdas = st.floats(1e-6, 10)
days = st.floats(-1e4, 1e6)
recalls = st.integers(0, 10_000)


def strength(db: Db, importance: float, decay: float, age: float, recalled: int) -> float:
    return value(
        db, "select engram.ebbinghaus_strength(%s::float8, %s::float8, %s::float8, %s::int)",
        importance, decay, age, recalled,
    )  # fmt: skip


def formula(importance: float, decay: float, age: float, recalled: int) -> float:
    return importance * math.exp(-decay * (1 - 0.8 * importance) * max(age, 0)) * (1 + 0.2 * recalled)


@relaxed
@given(importances, lambdas, days, recalls)
def test_strength_is_the_formula(db: Db, importance: float, decay: float, age: float, recalled: int) -> None:
    assert strength(db, importance, decay, age, recalled) == pytest.approx(
        formula(importance, decay, age, recalled), rel=1e-12, abs=1e-90
    )


@relaxed
@given(importances, lambdas, days, days, recalls)
def test_strength_never_rises_with_time(
    db: Db, importance: float, decay: float, one: float, other: float, recalled: int
) -> None:
    sooner, later = sorted((one, other))
    assert strength(db, importance, decay, sooner, recalled) >= strength(
        db, importance, decay, later, recalled
    )


@relaxed
@given(importances, importances, lambdas, days, recalls)
def test_strength_never_falls_with_importance(
    db: Db, one: float, other: float, decay: float, age: float, recalled: int
) -> None:
    low, high = sorted((one, other))
    assert strength(db, low, decay, age, recalled) <= strength(db, high, decay, age, recalled)


@relaxed
@given(importances, lambdas, days, recalls, recalls)
def test_strength_never_falls_with_recalls(
    db: Db, importance: float, decay: float, age: float, one: int, other: int
) -> None:
    few, many = sorted((one, other))
    assert strength(db, importance, decay, age, few) <= strength(db, importance, decay, age, many)


@relaxed
@given(importances, lambdas, days, recalls)
def test_strength_is_never_negative(
    db: Db, importance: float, decay: float, age: float, recalled: int
) -> None:
    assert strength(db, importance, decay, age, recalled) >= 0


@pytest.mark.parametrize(
    ("importance", "decay", "age", "recalled", "expected"),
    [
        (0.5, 0.16, 0, 0, 0.5),
        (1, 0.1, -5, 0, 1),
        (1, 0.35, 1e300, 0, 0),
        (0, 0.16, 10, 100, 0),
        (1, 0.16, 0, 5, 2),
        (0.8, 0.10, 30, 2, 0.8 * math.exp(-0.1 * 0.36 * 30) * 1.4),
        (1, 1e308, 1e308, 0, 0),
        (1, 1e-320, 1e-320, 0, 1),
        (5e-324, 1, 1e6, 2**31 - 1, 0),
        (1, 0.16, math.inf, 0, 0),
        (1, 0.16, -math.inf, 0, 1),
        (1e308, 0.16, 1, 0, math.exp(-0.032)),
        (math.inf, 0.16, 0, 0, 1),
        (-1e308, 0.16, 1, 0, 0),
        (math.nan, 0.16, 0, 0, 1),
        (1, math.nan, 1, 0, 0),
        (1, 0.16, math.nan, 0, 0),
        (1, 0.16, 0, -9, 1),
    ],
)
def test_strength_at_the_extremes(
    db: Db, importance: float, decay: float, age: float, recalled: int, expected: float
) -> None:
    assert strength(db, importance, decay, age, recalled) == pytest.approx(expected, abs=1e-6)


def test_kinds_fade_as_they_ship(db: Db) -> None:
    assert dict(db.execute("select kind, lambda as decay from engram.kind")) == {
        "strategy": 0.10,
        "fact": 0.16,
        "assumption": 0.20,
        "failure": 0.35,
    }


def test_a_new_row_of_kind_is_a_new_kind(db: Db, user: str) -> None:
    db.execute("insert into engram.kind (kind, lambda, description) values ('rumour', 2, 'Hearsay.')")
    remember(db, "they say the office moves", user_id=user, kind="rumour")
    assert recall(db, "office moves", user_id=user)[0].kind == "rumour"


def test_the_strength_of_a_hit_counts_from_its_last_write(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user, importance=0.7)
    db.execute(
        "update engram.memory set reinforced_at = now() - interval '10 days' where memory_id = %s",
        [memory.memory_id],
    )
    faded = recall(db, "kettle", user_id=user)[0].strength
    assert faded == pytest.approx(formula(0.7, 0.16, 10, 0), rel=1e-6)

    remember(db, "the kettle is blue", user_id=user)
    assert recall(db, "kettle", user_id=user)[0].strength == pytest.approx(0.7, rel=1e-6)


def test_the_strength_of_a_hit_grows_with_folded_recalls(db: Db, user: str) -> None:
    remember(db, "the kettle is blue", user_id=user, importance=0.5)
    for _ in range(3):
        recall(db, "kettle", user_id=user)
    call(db, "fold_recalls")
    assert recall(db, "kettle", user_id=user)[0].strength == pytest.approx(0.5 * 1.6, rel=1e-6)


def test_a_write_dated_in_the_future_has_its_full_strength(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user, importance=0.5)
    db.execute(
        "update engram.memory set reinforced_at = now() + interval '10 days' where memory_id = %s",
        [memory.memory_id],
    )
    assert recall(db, "kettle", user_id=user)[0].strength == 0.5
