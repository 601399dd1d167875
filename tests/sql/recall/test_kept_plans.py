"""A session keeps the plans that it made while its tables were empty, until their statistics are renewed.
What it looks up by key, it looks up by key for all that.
"""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from helpers import Db, remember, remember_many, search, value
from psycopg.rows import namedtuple_row

TABLES = ("memory", "edge", "memory_stat", "memory_claims", "decision", "lexeme_key", "space", "recall_event")
SIZE = 1200


def turns(count: int, start: int = 0) -> list[dict[str, str]]:
    return [
        {"content": f"In round {n} the {n % 7}th boat passed pier {n % 11}", "session_id": f"talk {n // 40}"}
        for n in range(start, start + count)
    ]


@pytest.fixture(scope="module")
def old_session(module_url: str) -> Iterator[Db]:
    """A session of a user whose space became a large one after all plans were made, while the statistics
    still say that there is nothing in it.
    """
    with psycopg.connect(module_url, autocommit=True, row_factory=namedtuple_row) as db:
        for table in TABLES:
            db.execute(f"alter table engram.{table} set (autovacuum_enabled = off)")
        db.execute("select engram.configure('recall.exact_limit', '500')")
        db.execute("select engram.configure('recall.whole_limit', '400')")
        db.execute("vacuum analyze")
        for turn in turns(12):
            remember(db, **turn)
            search(db, turn["content"])
            db.execute("select engram.recall(%s)", [turn["content"]])
        remember_many(db, turns(SIZE, 12), policy="append")
        db.execute("call engram.maintain(array['count', 'index', 'fold'])")
        for turn in turns(12, SIZE + 12):  # plans for large spaces
            remember(db, **turn)
            db.execute("select engram.recall(%s)", [turn["content"]])
        remember_many(db, turns(60, SIZE + 24))
        yield db


def rows_read(db: Db) -> dict[str, int]:
    """How many rows of each table, and entries of each index of edges, were read so far."""
    db.execute("select pg_stat_force_next_flush()")
    db.execute("select 1")
    rows = db.execute(
        "select relname, seq_tup_read from pg_stat_user_tables where schemaname = 'engram'"
        " union all select indexrelname, idx_tup_read from pg_stat_user_indexes where relname = 'edge'"
    ).fetchall()
    return {name: int(count) for name, count in rows}


def went_through(db: Db, statement: str, text: str) -> dict[str, int]:
    """Of which tables, and indexes of edges, the statement reads how much more than it looks up by key."""
    edges = value(db, "select count(*) from engram.edge")
    assert edges > SIZE
    newest = value(db, "select max(memory_id) from engram.memory")
    statement = statement.replace(":newest", str(newest))
    db.execute(statement, [text])
    before = rows_read(db)
    db.execute(statement, [f"{text} again"])
    after = rows_read(db)
    read = {name: after[name] - before[name] for name in after if name in TABLES or name.startswith("edge_")}
    return {name: count for name, count in read.items() if count > (20 if name in TABLES else 2 * edges)}


@pytest.mark.parametrize(
    "statement",
    [
        "select * from engram.recall(%s)",
        "select * from engram.search(%s)",
        "select engram.context(%s)",
        "select engram.remember(%s)",
        "select engram.remember(%s, session_id => 'talk 3')",
        "select engram.revise(:newest, %s)",
    ],
    ids=["recall", "search", "context", "remember", "remember in a session", "revise"],
)
def test_an_old_session_goes_through_no_table(old_session: Db, statement: str) -> None:
    assert went_through(old_session, statement, "In round 77 the 3rd boat left pier 5") == {}
