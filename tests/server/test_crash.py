"""kill -9 of the container in a storm of writes, three times, or ENGRAM_CRASH_ROUNDS."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from engram_pg.bench import crash


class Target:
    """A container that may be killed."""

    def __init__(self, server: Any) -> None:
        self.server = server

    def dsn(self, superuser: bool = False) -> str:
        return str(self.server.url("postgres" if superuser else "engram"))

    def kill(self) -> None:
        self.server.kill()

    def start(self) -> None:
        self.server.restart()


@pytest.fixture(scope="module")
def target(image: str) -> Iterator[Target]:
    from containers import Server

    with Server() as server:
        yield Target(server)


def test_what_was_acknowledged_survives_a_kill_and_nothing_is_half_there(target: Target) -> None:
    found = crash.run(target, rounds=int(os.environ.get("ENGRAM_CRASH_ROUNDS", "3")), seconds=1.5, writers=6)
    print(found)
    assert found["acknowledged"] > 30
    assert found["indexes_checked"] > 100


FAULTS = {
    "that no word finds": "delete from engram.lexeme_key",
    "without a vector": "delete from engram.embedding_1",
    "hash is of another text": "update engram.memory set content = content || '!'",
    "words are of another text": "update engram.memory set lexemes = 'x:1'",
    "that no decision made": "delete from engram.decision",
    "successor is not there": "update engram.memory set superseded_by = -1",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_would_be_seen(target: Target, fault: str) -> None:
    with psycopg.connect(target.dsn()) as db:
        db.execute("select engram.remember('Something is there', user_id => 'fault')")
        assert crash.half_written(db) == []
        db.execute(FAULTS[fault].encode())
        assert any(fault in line for line in crash.half_written(db))
        db.rollback()


def test_a_loss_would_be_seen(target: Target) -> None:
    writer = crash.Writer("loss", 1)
    with psycopg.connect(target.dsn()) as db:
        for text in ("The first one", "A second thing", "The number three"):
            row = db.execute(
                "select memory_id from engram.remember(%s, user_id => 'loss', policy => 'append')", [text]
            ).fetchone()
            assert row is not None
            writer.known[row[0]] = text
        assert writer.lost(db) == []
        db.execute("delete from engram.memory where content = 'The first one'")
        assert "is gone" in writer.lost(db)[0]
        writer.forgotten, writer.known = set(writer.known), {}
        assert len(writer.lost(db)) == 3
        db.rollback()
