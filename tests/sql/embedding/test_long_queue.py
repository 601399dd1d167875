"""A worker that began while its queue was short goes on by key when the queue has grown long."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from helpers import Db, remember_many
from psycopg.rows import namedtuple_row
from queues import claim, complete, fail, register

LONG = 1000
TABLES = ("embedding_job", "memory", "decision", "edge", "memory_claims")


def notes(db: Db, count: int, start: int = 0) -> None:
    remember_many(
        db, [{"content": f"Ship {n} left pier {n % 7}"} for n in range(start, start + count)], policy="append"
    )


def read_through(db: Db) -> dict[str, int]:
    """How many rows of each table were read by going through it, so far."""
    db.execute("select pg_stat_force_next_flush()")
    db.execute("select 1")
    query = "select relname, seq_tup_read from pg_stat_user_tables where schemaname = 'engram'"
    return {name: count for name, count in db.execute(query) if name in TABLES}


@pytest.fixture(scope="module")
def worker(module_url: str) -> Iterator[Db]:
    """A session whose plans are of a short queue, with a long one that the statistics know nothing of."""
    with psycopg.connect(module_url, autocommit=True, row_factory=namedtuple_row) as db:
        register(db)
        for table in TABLES:
            db.execute(f"alter table engram.{table} set (autovacuum_enabled = off)".encode())
        db.execute("vacuum analyze")
        for n in range(10):
            notes(db, 4, 4 * n)
            complete(db, claim(db, batch=2))
            fail(db, claim(db, batch=2), "busy")
        notes(db, LONG, 100)
        yield db


@pytest.mark.parametrize(
    "finish", [complete, lambda db, claims: fail(db, claims, "busy")], ids=["complete", "fail"]
)
def test_a_batch_goes_through_no_table(worker: Db, finish: Callable[[Db, list[object]], object]) -> None:
    before = read_through(worker)
    claims = claim(worker, batch=8)
    assert len(claims) == 8
    finish(worker, claims)
    after = read_through(worker)
    assert {name: after[name] - before[name] for name in after if after[name] - before[name] > 20} == {}
