"""How near in meaning counts, and what counts where nothing is near."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, call, remember, search


@pytest.fixture
def near(db: Db, user: str) -> dict[str, int]:
    """Memories at a cosine of 1, 0.6, 0.4 and 0.1 to the vector (1, 0)."""
    call(db, "register_model", name="caller:all-mpnet-base-v2", provider="caller", dims=2)
    call(db, "activate_model", name="caller:all-mpnet-base-v2")
    vectors = {"one": [1.0, 0.0], "six": [0.6, 0.8], "four": [0.4, 0.9165], "little": [0.1, 0.995]}
    return {
        name: remember(db, name, user_id=user, policy="append", embedding=vector).memory_id
        for name, vector in vectors.items()
    }


def found(db: Db, user: str, **arguments: Any) -> set[str]:
    rows = search(db, "kettle", user_id=user, profile="ebbinghaus", **{"embedding": [1.0, 0.0], **arguments})
    return {row.content for row in rows if row.semantic > 0}


def test_meaning_counts_from_the_models_threshold_on(db: Db, user: str, near: dict[str, int]) -> None:
    assert found(db, user) == {"one", "six"}


def test_where_nothing_is_near_the_lower_one_counts(db: Db, user: str, near: dict[str, int]) -> None:
    for name in ("one", "six"):
        call(db, "forget", memory_id=near[name], user_id=user)
    assert found(db, user) == {"four"}
    call(db, "forget", memory_id=near["four"], user_id=user)
    assert found(db, user) == set()


def test_the_thresholds_are_those_of_the_models_row(db: Db, user: str, near: dict[str, int]) -> None:
    db.execute("update engram.embedding_model set recall_at = 0.3, fallback_at = 0.05 where active")
    assert found(db, user) == {"one", "six", "four"}
    db.execute("update engram.embedding_model set recall_at = 1.5 where active")
    assert found(db, user) == {"one", "six", "four", "little"}


def test_other_profiles_have_no_threshold(db: Db, user: str, near: dict[str, int]) -> None:
    rows = search(db, "kettle", user_id=user, profile="vector", embedding=[1.0, 0.0])
    assert {row.content for row in rows if row.semantic > 0} == set(near)


def test_shipped_thresholds_are_those_of_mcp_engram_for_its_model(db: Db) -> None:
    rows = db.execute(
        "select recall_at, fallback_at from engram.model_default"
        " where pattern in ('%', '%all-mpnet-base-v2%')"
    ).fetchall()
    assert {(row.recall_at, row.fallback_at) for row in rows} == {(0.5, 0.2)}
