"""A transaction that keeps its snapshot, beside one that commits meanwhile: it fails, or leaves what fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from helpers import Db, call, remember, value

LEVELS = pytest.mark.parametrize("level", ["repeatable read", "serializable"])
STALE = "select count(*) from engram.memory m join engram.{} e using (space_id, memory_id) where {}"


@pytest.fixture
def sessions(connect: Any, user: str) -> Iterator[tuple[Db, Db]]:
    one, other = connect(), connect()
    yield one, other
    call(one, "forget", filter={"all": True}, user_id=user, hard=True)


def keep_snapshot(db: Db, level: str) -> None:
    db.execute(f"begin isolation level {level}")
    db.execute("select count(*) from engram.memory")


def revise_and_commit(db: Db, memory_id: int, content: str, user: str) -> None:
    """Or not, where the level refuses it."""
    try:
        call(db, "revise", memory_id=memory_id, content=content, user_id=user)
        db.execute("commit")
    except psycopg.errors.SerializationFailure:
        db.execute("rollback")


def read_otherwise(db: Db) -> int:
    """Of how many memories the gate keeps something else than their texts say."""
    query = STALE.format("memory_claims", "e.claims is distinct from engram._claims(m.content)")
    return int(value(db, query))


@LEVELS
def test_no_vector_of_an_older_text_outlives_a_revision(
    sessions: tuple[Db, Db], user: str, level: str
) -> None:
    one, other = sessions
    model = value(one, "select engram.register_model('caller:kept', 'caller', 2)")
    try:
        made = remember(one, "The ferry leaves at nine", user_id=user).memory_id
        keep_snapshot(one, level)
        other.execute(
            "select engram.complete_embeddings('w', c.model, array[c.space_id], array[c.memory_id],"
            " array[c.content_hash], array['[1,0]'])"
            " from engram.claim_embeddings('w', model => 'caller:kept') c"
        )
        revise_and_commit(one, made, "The ferry leaves at ten", user)
        assert value(one, STALE.format(f"embedding_{model}", "e.content_hash <> m.content_hash")) == 0
    finally:
        call(one, "drop_model", name="caller:kept")


@LEVELS
def test_the_gate_never_judges_by_what_an_older_text_said(
    sessions: tuple[Db, Db], user: str, level: str
) -> None:
    one, other = sessions
    made = remember(one, "The ferry leaves at nine", user_id=user, policy="append").memory_id
    keep_snapshot(one, level)
    remember(other, "The ferry leaves from pier 4", user_id=user)  # reads the first one
    revise_and_commit(one, made, "The bakery opens at ten", user)
    assert read_otherwise(other) == 0


@LEVELS
def test_a_gate_with_an_older_snapshot_keeps_nothing_of_it(
    sessions: tuple[Db, Db], user: str, level: str
) -> None:
    one, other = sessions
    made = remember(one, "The ferry leaves at nine", user_id=user, policy="append").memory_id
    keep_snapshot(other, level)
    call(one, "revise", memory_id=made, content="The bakery opens at ten", user_id=user)
    try:
        remember(other, "The ferry leaves from pier 4", user_id=user)
        other.execute("commit")
    except psycopg.errors.SerializationFailure:
        other.execute("rollback")
    assert read_otherwise(one) == 0
