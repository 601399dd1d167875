from __future__ import annotations

import pytest
from helpers import Db, call, error_of, remember, remember_many, value


def context(db: Db, query: str, **arguments: object) -> str:
    return str(call(db, "context", query=query, **arguments)[0].context)


@pytest.mark.parametrize("budget", [1, 5, 20, 60, 200, 1000])
def test_the_context_stays_in_its_budget(db: Db, user: str, budget: int) -> None:
    remember_many(
        db,
        [{"content": f"note {n} on tea: " + "茶 leaf " * (n % 40)} for n in range(120)],
        user_id=user,
        policy="append",
    )
    text = context(db, "tea", user_id=user, max_tokens=budget)
    assert value(db, "select engram.estimate_tokens(%s)", text) <= budget
    assert (text != "") == (budget >= 20)


def test_a_line_is_a_memory_with_its_date(db: Db, user: str) -> None:
    remember(db, "Lena\nlikes   tea", user_id=user, created_at="2026-03-04 12:00Z")
    assert context(db, "tea", user_id=user) == "- [2026-03-04] Lena likes tea\n"


def test_what_is_too_long_gives_way_to_what_fits(db: Db, user: str) -> None:
    remember(db, "tea " * 400, user_id=user, policy="append")
    remember(db, "Lena likes tea", user_id=user, policy="append")
    assert context(db, "tea tea tea", user_id=user, max_tokens=30).endswith("Lena likes tea\n")


def test_the_context_of_nothing_is_empty(db: Db, user: str) -> None:
    assert context(db, "tea", user_id=user) == ""


@pytest.mark.parametrize("budget", [0, -1, None, 1_000_001])
def test_a_budget_out_of_range_is_refused(db: Db, user: str, budget: int | None) -> None:
    assert error_of(db, lambda: context(db, "tea", user_id=user, max_tokens=budget)).sqlstate == "EG002"
