"""A write leaves its vector outside the HNSW index, and nobody notices."""

from __future__ import annotations

import pytest
from helpers import Db, call, configure, remember, remember_many, search, use_index, value

UNINDEXED = "select count(*) from engram.embedding_1 where not indexed"


@pytest.fixture
def large(db: Db, user: str) -> str:
    """A user with a large space, all of whose vectors are in the index."""
    notes = [{"content": f"shelf {n} holds jars"} for n in range(40)]
    remember_many(db, notes, user_id=user, policy="append")
    use_index(db, 20)
    assert value(db, UNINDEXED) == 0
    return user


def nearest(db: Db, user: str, question: str) -> int:
    return search(db, question, user_id=user, k=1, profile="vector")[0].memory_id


def test_what_was_just_written_is_found_by_its_meaning(db: Db, large: str) -> None:
    memory = remember(db, "The heron stood in the reeds.", user_id=large).memory_id
    assert value(db, UNINDEXED) == 1
    assert nearest(db, large, "a bird by the lake") == memory

    db.execute("call engram.maintain(array['index'])")
    assert value(db, UNINDEXED) == 0
    assert nearest(db, large, "a bird by the lake") == memory


def test_the_gate_compares_with_what_was_just_written(db: Db, large: str) -> None:
    first = remember(db, "The heron stood in the reeds.", user_id=large)
    again = remember(db, "the heron stood in the reeds", user_id=large)
    assert (again.action, again.memory_id) == ("reinforce", first.memory_id)


def test_a_filter_holds_for_it(db: Db, large: str) -> None:
    memory = remember(db, "The heron stood in the reeds.", user_id=large, collection="birds").memory_id
    call(db, "forget", memory_id=memory, user_id=large)
    hits = search(db, "a bird by the lake", user_id=large, k=40, profile="vector")
    assert memory not in {hit.memory_id for hit in hits}


def test_a_text_that_changes_is_found_by_what_it_says_now(db: Db, large: str) -> None:
    old = nearest(db, large, "shelf 7 holds jars")
    call(db, "revise", memory_id=old, user_id=large, content="The heron stood in the reeds.")
    assert nearest(db, large, "a bird by the lake") == old


def test_no_more_wait_than_a_setting_says(db: Db, large: str) -> None:
    configure(db, "recall.unindexed", "20")
    for start in range(0, 90, 30):
        notes = [{"content": f"drawer {n} holds pens"} for n in range(start, start + 30)]
        remember_many(db, notes, user_id=large, policy="append")
    assert value(db, UNINDEXED) <= 20 + 15
    assert nearest(db, large, "drawer 3 holds pens") != nearest(db, large, "shelf 3 holds jars")


def test_a_small_space_is_never_indexed(db: Db, user: str) -> None:
    configure(db, "recall.unindexed", "0")
    remember_many(db, [{"content": f"drawer {n}"} for n in range(40)], user_id=user, policy="append")
    assert value(db, "select count(*) from engram.embedding_1 where indexed") == 0
