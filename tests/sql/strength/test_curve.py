"""The forgetting curve against values worked out by hand and against what is published about it."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from helpers import Db, call, configure, error_of, remember, value

LAMBDAS = {"strategy": 0.10, "fact": 0.16, "assumption": 0.20, "failure": 0.35}

BY_HAND = [
    ("fact", 0.5, 0, 0, 0.5),
    ("fact", 0.5, 0, 7, 0.255343),
    ("fact", 0.5, 0, 30, 0.028067),
    ("fact", 0.5, 1, 30, 0.033681),
    ("fact", 0.8, 0, 7, 0.534543),
    ("fact", 0.8, 0, 12.0338, 0.4),
    ("fact", 0.8, 5, 30, 0.284222),
    ("fact", 1.0, 0, 7, 0.799315),
    ("fact", 1.0, 0, 90, 0.056135),
    ("fact", 1.0, 10, 90, 0.168404),
    ("fact", 0.1, 0, 1, 0.086312),
    ("strategy", 0.5, 0, 7, 0.328523),
    ("strategy", 0.5, 0, 38.3764, 0.05),
    ("strategy", 0.75, 0, 17.3287, 0.375),
    ("strategy", 0.8, 0, 19.2541, 0.4),
    ("strategy", 0.8, 2, 30, 0.380347),
    ("strategy", 0.9, 0, 90, 0.072414),
    ("strategy", 0.9, 3, 90, 0.115862),
    ("strategy", 1.0, 0, 365, 0.000676),
    ("assumption", 0.5, 0, 1, 0.44346),
    ("assumption", 0.5, 0, 7, 0.215855),
    ("assumption", 0.75, 0, 8.6643, 0.375001),
    ("assumption", 0.8, 0, 9.6270, 0.400001),
    ("assumption", 0.8, 4, 14, 0.525525),
    ("assumption", 0.3, 0, 14, 0.035723),
    ("failure", 0.5, 0, 7, 0.114963),
    ("failure", 0.5, 0, 10.9647, 0.05),
    ("failure", 0.75, 0, 4.9511, 0.374997),
    ("failure", 0.8, 1, 5.5012, 0.479998),
    ("failure", 0.9, 0, 30, 0.047579),
    ("failure", 0.0, 9, 3, 0.0),
    ("failure", 0.2, 50, 14, 0.035881),
]


@pytest.mark.parametrize(("kind", "importance", "recalls", "day", "expected"), BY_HAND)
def test_the_curve_at_values_worked_out_by_hand(
    db: Db, kind: str, importance: float, recalls: int, day: float, expected: float
) -> None:
    [point] = call(db, "strength_curve", kind=kind, importance=importance, recalls=recalls, days=[float(day)])
    assert (point.day, point.strength) == (day, pytest.approx(expected, abs=1e-6))


PUBLISHED = {"strategy": 38, "fact": 24, "assumption": 19, "failure": 11}
"""Lifetimes in days that mcp-engram publishes for its kinds. By its own formula they are the days in which a
memory of importance 0.8 passes two half-lives, and one of 0.5 falls to 0.05."""


@pytest.mark.parametrize(("kind", "days"), PUBLISHED.items())
def test_kinds_live_as_long_as_is_published(db: Db, kind: str, days: int) -> None:
    def strength(importance: float, day: float) -> float:
        [point] = call(db, "strength_curve", kind=kind, importance=importance, days=[day])
        return point.strength

    assert strength(0.8, days + 1) <= 0.8 / 4 <= strength(0.8, days - 1)
    assert strength(0.75, days / 2 + 0.5) <= 0.75 / 2
    assert strength(0.8, days / 2 - 0.5) >= 0.8 / 2
    assert strength(0.5, days + 1) <= 0.05 <= strength(0.5, days - 1)


def test_half_lives_at_high_importance(db: Db) -> None:
    for kind, decay in LAMBDAS.items():
        for importance in (0.75, 0.8):
            half = math.log(2) / (decay * (1 - 0.8 * importance))
            [start, end] = call(db, "strength_curve", kind=kind, importance=importance, days=[0.0, half])
            assert end.strength == pytest.approx(start.strength / 2, rel=1e-12)


def test_a_curve_comes_in_the_order_that_was_asked_for(db: Db) -> None:
    assert [point.day for point in call(db, "strength_curve", days=[30.0, 0.0, 7.0])] == [30, 0, 7]
    assert [round(point.strength, 3) for point in call(db, "strength_curve")][:4] == [
        0.5,
        0.454,
        0.375,
        0.255,
    ]


def test_a_kind_of_ones_own_has_its_own_curve_at_once(db: Db) -> None:
    db.execute("insert into engram.kind (kind, lambda, description) values ('rumour', 2, 'Hearsay.')")
    [point] = call(db, "strength_curve", kind="rumour", days=[1.0])
    assert point.strength == pytest.approx(0.5 * math.exp(-1.2))
    db.execute("update engram.kind set lambda = 0.5 where kind = 'rumour'")
    [point] = call(db, "strength_curve", kind="rumour", days=[1.0])
    assert point.strength == pytest.approx(0.5 * math.exp(-0.3))


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("EG003", {"kind": "whim"}),
        ("EG002", {"importance": 1.1}),
        ("EG002", {"importance": -0.1}),
        ("EG002", {"recalls": -1}),
        ("EG002", {"days": [None, 1.0]}),
        ("EG002", {"days": [float("nan")]}),
        ("EG002", {"days": [[1.0], [2.0]]}),
    ],
)
def test_a_curve_of_nonsense_is_refused(db: Db, code: str, arguments: dict[str, object]) -> None:
    error = error_of(db, lambda: call(db, "strength_curve", **arguments))
    assert (error.sqlstate, bool(error.diag.message_hint)) == (code, True)


@pytest.mark.parametrize(
    ("kind", "importance", "recalled"),
    [("fact", 0.5, 0), ("strategy", 0.9, 3), ("failure", 0.3, 0), ("assumption", 1, 40)],
)
def test_a_forecast_is_where_the_curve_meets_the_line(
    db: Db, user: str, kind: str, importance: float, recalled: int
) -> None:
    memory = remember(db, "the roof leaks", user_id=user, kind=kind, importance=importance).memory_id
    if recalled:
        db.execute(
            """insert into engram.memory_stat (space_id, memory_id, tenant_id, recalls, last_recalled_at)
               select space_id, memory_id, tenant_id, %s, now() + interval '2 days'
                 from engram.memory where memory_id = %s""",
            [recalled, memory],
        )
    falls = value(db, "select engram.forecast(%s, %s)", memory, user)
    start = value(
        db,
        """select greatest(m.reinforced_at, s.last_recalled_at) from engram.memory m
             left join engram.memory_stat s using (space_id, memory_id) where m.memory_id = %s""",
        memory,
    )
    days = (falls - start) / timedelta(days=1)
    [point] = call(
        db, "strength_curve", kind=kind, importance=float(importance), recalls=recalled, days=[days]
    )
    assert point.strength == pytest.approx(0.05, rel=1e-6)


def test_what_is_below_the_line_has_fallen_when_it_was_written(db: Db, user: str) -> None:
    memory = remember(db, "the roof leaks", user_id=user, importance=0.01).memory_id
    assert value(db, "select engram.forecast(%s, %s) = now()", memory, user)


def test_what_never_falls_has_no_forecast(db: Db, user: str) -> None:
    pinned, gone, slow = (
        remember(db, text, user_id=user).memory_id
        for text in ("the roof leaks", "a kettle", "my name is Ada")
    )
    call(db, "revise", memory_id=pinned, pinned=True, user_id=user)
    call(db, "forget", memory_id=gone, user_id=user)
    db.execute("insert into engram.kind (kind, lambda, description) values ('law', 1e-300, 'Stays.')")
    call(db, "revise", memory_id=slow, kind="law", user_id=user)
    for memory in (pinned, gone, slow):
        assert value(db, "select engram.forecast(%s, %s)", memory, user) is None
    kept = remember(db, "the milk is open", user_id=user).memory_id
    configure(db, "prune.below", "0")
    assert value(db, "select engram.forecast(%s, %s)", kept, user) is None


def test_a_line_next_to_nothing_is_met_late(db: Db, user: str) -> None:
    kept = remember(db, "the milk is open", user_id=user).memory_id
    configure(db, "prune.below", "5e-324")
    assert value(db, "select engram.forecast(%s, %s) > now() + interval '10 years'", kept, user)


def test_a_forecast_of_somebody_elses_memory_is_refused(db: Db, user: str) -> None:
    memory = remember(db, "the roof leaks", user_id=user).memory_id
    error = error_of(db, lambda: value(db, "select engram.forecast(%s, 'nobody')", memory))
    assert error.sqlstate == "EG004"
