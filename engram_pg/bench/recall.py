"""How long a recall takes for who calls the SDK: the vector of the question, the way to the database and
back, and the recall itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench import locomo
from engram_pg.bench.asking import analyze, store
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.bench.scores import latency
from engram_pg.bench.texts import questions, sentences
from engram_pg.client import Engram
from engram_pg.progress import Advance, silent

USERS = 5


def run(
    connection: psycopg.Connection[Any],
    data: Path | None = None,
    memories: int = 600,
    count: int = 300,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
) -> dict[str, Any]:
    """Asks `count` different questions one after the other, then each once more, when its vector is in the
    cache. Each user has up to `memories` turns of a conversation in `data`, or as many made-up sentences.
    """
    owned, asked = _made_up(memories, count) if data is None else _conversations(data, memories, count)
    chosen.register(connection)
    for place, (owner, texts) in enumerate(owned.items(), start=1):
        store(connection, owner, texts)
        advance("ingesting", place, len(owned))
    filled = chosen.fill(connection, advance)
    analyze(connection)

    own = psycopg.connect(connection.info.dsn, password=connection.info.password or None, autocommit=True)
    own.prepare_threshold = None  # as the SDK's own connections are
    load = os.getloadavg()[0]
    with own, Engram(connection=own, embedder=chosen.embedder or "auto") as engram:
        _asked(engram, [(asked[0][0], "a first question, for which plans are made")] * 3)
        first = _asked(engram, asked, lambda done: advance("asking", done, len(asked)))
        again = _asked(engram, asked, lambda done: advance("asking again", done, len(asked)))
    return {
        "model": filled["model"],
        "users": len(owned),
        "memories": sum(map(len, owned.values())),
        "questions": len(asked),
        "recall": latency(first),
        "recall_again": latency(again),
        "load_average": [load, os.getloadavg()[0]],
        "processors": os.cpu_count(),
    }


def _asked(
    engram: Engram, asked: list[tuple[str, str]], done: Callable[[int], None] = lambda _: None
) -> list[float]:
    times = []
    for owner, question in asked:
        engram.user = owner
        before = time.perf_counter()
        engram.recall(question)
        times.append((time.perf_counter() - before) * 1000)
        done(len(times))
    return times


def _made_up(memories: int, count: int) -> tuple[dict[str, list[dict[str, Any]]], list[tuple[str, str]]]:
    owned = {
        f"user-{user}": [{"content": text} for text in sentences(memories, seed=user)]
        for user in range(USERS)
    }
    texts = list(dict.fromkeys(questions(5 * count, seed=3)))[:count]
    return owned, [(f"user-{place % USERS}", text) for place, text in enumerate(texts)]


def _conversations(
    data: Path, memories: int, count: int
) -> tuple[dict[str, list[dict[str, Any]]], list[tuple[str, str]]]:
    conversations, owned = locomo.read(data)
    asked = [question for entry in conversations for question in locomo.questions(entry, owned)]
    taken = asked[:: max(1, len(asked) // count)][:count]
    return (
        {owner: texts[:memories] for owner, texts in owned.items()},
        [(question.owner, question.text) for question in taken],
    )
