"""Retrieval from a set of memories of one user, given as JSON lines.

Memories: {"id", "text"}; questions: {"query", "kind", "gold": [ids]}. Memories are stored in a shuffled
order, always the same, so that neighbours in the file are no neighbours in time.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Hashable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench.asking import Question, analyze, store
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.progress import Advance, silent

OWNER = "retrieval"
SEED = 20260101
START = datetime(2026, 1, 1, tzinfo=UTC)


def run(
    connection: psycopg.Connection[Any],
    memories: Path,
    queries: Path,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
) -> dict[str, Any]:
    """Stores and asks; returns rates of model and ingest, scores by kind of question and times by profile."""
    texts = _lines(memories)
    random.Random(SEED).shuffle(texts)
    entries = [
        {"content": text["text"], "created_at": (START + timedelta(minutes=place)).isoformat()}
        for place, text in enumerate(texts)
    ]
    chosen.register(connection)
    before = time.perf_counter()
    ids = store(connection, OWNER, entries)
    seconds = time.perf_counter() - before
    filling = chosen.fill(connection, advance)
    analyze(connection)
    keys: dict[int, Hashable] = {id: text["id"] for id, text in zip(ids, texts, strict=True)}
    questions = [
        Question(line["query"], OWNER, str(line.get("kind", "question")), frozenset(line["gold"]))
        for line in _lines(queries)
        if line["gold"]
    ]
    asked = chosen.ask_all(connection, questions, keys, advance)
    return {
        "memories": len(texts),
        "users": 1,
        "ingest_per_second": len(texts) / seconds,
        **filling,
        **asked,
    }


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
