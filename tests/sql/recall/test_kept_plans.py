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
ONE = {
    "get": "select engram.get(:newest)",
    "history": "select engram.history(:newest)",
    "forecast": "select engram.forecast(:newest)",
    "neighbors": "select engram.neighbors(:newest, 2)",
    "note_recall": "select engram.note_recall(array[:newest])",
    "link": "select engram.link(:newest, :older)",
    "unlink": "select engram.unlink(:newest, :older)",
    "revise": "select engram.revise(:newest, importance => random())",
    "forget, undo": "select engram.undo((engram.forget(:newest) #>> '{decision_ids,0}')::bigint)",
    "create_task": "select engram.create_task('Move the piers', 'By day ' || :newest)",
    "update_task": "select engram.update_task(engram.task_id('Move the piers'), 'in_progress')",
    "get_task": "select engram.get_task(engram.task_id('Move the piers'))",
    "list_tasks": "select engram.list_tasks()",
    "track_failure": "select engram.track_failure('Pier ' || :newest % 5 || ' sank', 'piers')",
    "list_failures": "select engram.list_failures()",
    "track_progress": "select engram.track_progress('the piers', 'in_progress')",
    "list_features": "select engram.list_features()",
    "session_handoff": "select engram.session_handoff('Piers are built, ' || :newest)",
    "last_handoff": "select engram.last_handoff()",
    "session_outcome": "select engram.session_outcome('talk 2', 'success')",
    "forget hard": "select engram.forget(:newest, hard => true)",
}
"""What concerns a memory or a few."""
WHOLE = (
    "select count(*) from engram.import((select jsonb_agg(e) from engram.export() e), 'twin')",
    """select engram.adopt('[{"type": "memory", "id": "a", "content": "A boat"}]', 'elsewhere')""",
    "select count(*) from engram.consolidate()",
    "select count(*) from engram.prune()",
    "select engram.forget(user_id => 'twin', hard => true)",
    "call engram.maintain()",
)
"""What reads whole spaces, and shares functions with those."""


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
        remember_many(db, turns(12), policy="append")
        for statement in WHOLE * 8 + tuple(ONE.values()) * 8:
            db.execute(of_the_newest(db, statement))
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


def of_the_newest(db: Db, statement: str) -> str:
    ids = "select memory_id from engram.memory where state = 'active' order by 1 desc limit 2"
    newest, older = [row[0] for row in db.execute(ids)]
    return statement.replace(":newest", f"{newest}::bigint").replace(":older", f"{older}::bigint")


def went_through(db: Db, statement: str, *texts: str) -> dict[str, int]:
    """Of which tables, and indexes of edges, the statement reads how much more than it looks up by key."""
    edges = value(db, "select count(*) from engram.edge")
    assert edges > SIZE
    statement = of_the_newest(db, statement)
    for text in texts[:-1]:
        db.execute(statement, [text])
    before = rows_read(db)
    db.execute(statement, texts[-1:] or None)
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
    text = "In round 77 the 3rd boat left pier 5"
    assert went_through(old_session, statement, text, f"{text} again") == {}


@pytest.mark.parametrize("statement", ["select engram.recall(%s)", "select engram.remember(%s)"])
def test_a_session_makes_its_plans_at_its_first_call(
    old_session: Db, module_url: str, statement: str
) -> None:
    with psycopg.connect(module_url, autocommit=True) as fresh:
        plans: list[str] = []
        fresh.add_notice_handler(lambda notice: plans.append(notice.message_primary or ""))
        fresh.execute(statement, ["In round 78 the 4th boat left pier 6"])
        fresh.execute("set log_planner_stats = on; set client_min_messages = log")
        fresh.execute(statement, ["In round 79 the 5th boat left pier 7"])
    # PostgreSQL 18 keeps the plans of functions in SQL, too.
    assert plans.count("PLANNER STATISTICS") <= (8 if old_session.info.server_version >= 180000 else 26)


@pytest.mark.parametrize("statement", ONE.values(), ids=ONE.keys())
def test_what_concerns_one_memory_goes_through_no_table(old_session: Db, statement: str) -> None:
    assert went_through(old_session, statement) == {}
