"""A memory that has lived a little, and what it answers."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.types.json import Jsonb

USER = "ann"
TEXTS = (
    "The staging database runs on db7",
    "Ann's flight to Lisbon leaves on Friday at 9:40",
    "Ann is allergic to peanuts",
    "Ann is allergic to shellfish",
    "The deploy script needs Python 3.12",
    "デプロイは金曜日にしない",
    "数据库的备份在凌晨四点开始",
    "Releases are tagged by Bob on Tuesdays",
)
QUESTIONS = (
    "where is staging?",
    "when does the flight leave?",
    "what must Ann not eat?",
    "which Python does the deploy need?",
    "デプロイはいつ",
    "备份几点开始",
    "who tags a release?",
)


def live(db: psycopg.Connection[Any]) -> None:
    """Memories kept, replaced, forgotten, linked, recalled and pinned, a second model, and a queue."""
    db.execute("select engram.register_model('by the caller', 'caller', 4)")
    ids = [
        db.execute(
            "select memory_id from engram.remember(%s, user_id => %s, tags => array['t'])", [text, USER]
        ).fetchone()[0]  # type: ignore[index]
        for text in TEXTS
    ]
    db.execute("select engram.remember('The staging database runs on db9', user_id => %s)", [USER])
    db.execute("select engram.remember('The cafeteria closes at two', user_id => %s)", [USER])
    db.execute("select engram.forget(filter => %s, user_id => %s)", [Jsonb({"tags": ["none"]}), USER])
    db.execute("select engram.forget(%s, user_id => %s)", [ids[4], USER])
    db.execute("select engram.link(%s, %s, 'caused_by', user_id => %s)", [ids[7], ids[0], USER])
    db.execute("select engram.revise(%s, pinned => true, user_id => %s)", [ids[2], USER])
    for question in QUESTIONS[:3]:
        db.execute("select from engram.recall(%s, user_id => %s)", [question, USER])
    db.execute("call engram.maintain()")


def answers(db: psycopg.Connection[Any]) -> list[Any]:
    """What it says: hits with the parts of their scores, memories, history, edges, counts."""
    found: list[Any] = []
    for question in QUESTIONS:
        rows = db.execute(
            "select memory_id, content, round(score::numeric, 4) as score,"
            " round(semantic::numeric, 4) as semantic, round(lexical::numeric, 4) as lexical"
            " from engram.search(%s, user_id => %s, k => 5)",
            [question, USER],
        ).fetchall()
        found.append((question, [tuple(row) for row in rows]))
    for query in (
        "select memory_id, content, kind, state, pinned, superseded_by, tags, created_at from engram.memory",
        "select src, dst, relation, weight from engram.edge",
        "select decision_id, action, memory_id, evidence from engram.decision",
        "select memory_id, recalls, last_recalled_at from engram.memory_stat",
        "select memory_id, model_id, attempts from engram.embedding_job",
    ):
        found.append((query, sorted(map(str, db.execute(query.encode()).fetchall()))))
    return found


def lives_on(db: psycopg.Connection[Any]) -> None:
    """It can still be written to: new ids, decisions that can be undone, upkeep."""
    row = db.execute(
        "select memory_id, action, decision_id from engram.remember(%s, user_id => %s)",
        ["The new office is in Porto", USER],
    ).fetchone()
    assert row is not None
    assert row[1] == "new"
    db.execute("select engram.undo(%s, user_id => %s)", [row[2], USER])
    db.execute("call engram.maintain()")
    broken = db.execute("select * from engram.doctor() where status = 'error'").fetchall()
    assert broken == []
