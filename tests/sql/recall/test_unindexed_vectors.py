"""A write leaves its vector outside the HNSW index, and nobody notices."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest
from helpers import Db, call, configure, remember, remember_many, search, use_index, value
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb

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


def waiting(db: Db, user: str) -> int:
    return int(value(db, f"{UNINDEXED} and space_id = engram.space_id(%s)", user))


def append(db: Db, user: str, count: int) -> None:
    texts = [{"content": f"drawer {n} holds pens"} for n in range(count)]
    remember_many(db, texts, user_id=user, policy="append")


def test_no_more_wait_than_a_setting_says(db: Db, large: str) -> None:
    configure(db, "recall.unindexed", "20")
    for _ in range(3):
        append(db, large, 30)
    assert waiting(db, large) == 20
    assert nearest(db, large, "drawer 3 holds pens") != nearest(db, large, "shelf 3 holds jars")


def test_nor_of_texts_that_change(db: Db, large: str) -> None:
    configure(db, "recall.unindexed", "20")
    ids = [hit.memory_id for hit in search(db, "shelf", user_id=large, k=40)]
    for n, memory in enumerate(ids):
        call(db, "revise", memory_id=memory, user_id=large, content=f"cupboard {n} holds tins")
    assert len(ids) == 40
    assert waiting(db, large) == 20


def test_nor_of_memories_that_come_from_elsewhere(db: Db, large: str, user: str) -> None:
    configure(db, "recall.unindexed", "20")
    append(db, f"{user} of old", 30)
    exported = value(db, "select jsonb_agg(e) from engram.export(%s) e", f"{user} of old")
    call(db, "erase_user", user_id=f"{user} of old")
    db.execute("select engram.import(%s, %s) as imported", [Jsonb(exported), large])
    assert waiting(db, large) == 20


def test_nor_where_sixteen_users_take_turns(db: Db, user: str) -> None:
    users = [f"{user} {n}" for n in range(16)]
    for one in users:
        append(db, one, 25)
    use_index(db, 20)
    configure(db, "recall.unindexed", "5")
    for n in range(8):
        for one in users:
            remember(db, f"the {n}th note", user_id=one, policy="append")
    assert {waiting(db, one) for one in users} == {5}


def test_a_setting_may_be_any_number(db: Db, large: str) -> None:
    for most in ("0", "0.5", "2147483647"):
        configure(db, "recall.unindexed", most)
        append(db, large, 40)
    assert waiting(db, large) == 40


def test_what_waits_for_a_model_outside_is_written_without_a_vector(db: Db, large: str) -> None:
    call(db, "register_model", name="words", provider="caller", dims=3)
    call(db, "activate_model", name="words", force=True)
    configure(db, "static.keep_filled", "0")
    configure(db, "recall.unindexed", "0")
    append(db, large, 40)
    assert waiting(db, large) == 0


def test_who_switches_to_the_static_model_waits_for_no_index(owned_url: str) -> None:
    """In no tenant; the owner sees one at a time."""
    with psycopg.connect(owned_url, row_factory=namedtuple_row) as db:
        call(db, "register_model", name="words", provider="caller", dims=3)
        call(db, "activate_model", name="words", force=True)
        configure(db, "static.keep_filled", "0")
        configure(db, "recall.unindexed", "0")
        db.execute("select engram.require_tenant()")
        for tenant in ("one", "other"):
            db.execute("select set_config('engram.tenant', %s, true)", [tenant])
            append(db, "ann", 40)
            use_index(db, 20)
        call(db, "activate_model", name="static")
        for tenant in ("one", "other"):
            db.execute("select set_config('engram.tenant', %s, true)", [tenant])
            assert value(db, UNINDEXED) == 40
            assert value(db, "select bool_or(indexed) from engram.space_stat") is False
            assert nearest(db, "ann", "drawer 3 holds pens")
        db.rollback()


def test_who_appends_holds_no_older_memory(connect: Callable[[], Db], user: str) -> None:
    """A transaction may go on for long after it, and wait for one who waits for such a memory."""
    one, other = connect(), connect()
    old = remember(one, "The heron stood in the reeds.", user_id=user).memory_id
    append(one, user, 40)
    space = value(one, "select engram.space_id(%s)", user)
    one.execute(
        "insert into engram.space_stat (space_id, tenant_id, memories, lexemes, indexed)"
        " select space_id, tenant_id, 41, 100, true from engram.space where space_id = %s",
        [space],
    )
    with one.transaction(force_rollback=True):
        configure(one, "recall.unindexed", "5")
        append(one, user, 40)
        with other.transaction(force_rollback=True):
            other.execute("set local lock_timeout = '2s'")
            receipt = call(other, "forget", "receipt", memory_id=old, user_id=user, hard=True)[0].receipt
        assert receipt["vectors"] == 1


def test_a_small_space_is_never_indexed(db: Db, user: str) -> None:
    configure(db, "recall.unindexed", "0")
    remember_many(db, [{"content": f"drawer {n}"} for n in range(40)], user_id=user, policy="append")
    assert value(db, "select count(*) from engram.embedding_1 where indexed") == 0
