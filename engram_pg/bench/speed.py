"""How many texts a second `remember` takes on one connection, each in a transaction of its own, every stage
on.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench import locomo
from engram_pg.bench.scores import latency
from engram_pg.bench.texts import sentences
from engram_pg.progress import Advance, silent

OWNER = "speed"


def run(
    connection: psycopg.Connection[Any],
    data: Path | None = None,
    count: int = 1000,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Remembers the turns of the LoCoMo conversations in `data`, or `count` made-up sentences, one call a
    text.
    """
    texts = [(OWNER, text) for text in sentences(count, seed=1)] if data is None else _turns(data)[:count]
    statement = "select action from engram.remember(%s::text, user_id => %s::text)"
    connection.execute(statement, ["a first text, so that plans are made", "warm-up"])
    times: list[float] = []
    actions: Counter[str] = Counter()
    for done, (owner, text) in enumerate(texts, start=1):
        before = time.perf_counter()
        row = connection.execute(statement, [text, owner]).fetchone()
        times.append((time.perf_counter() - before) * 1000)
        assert row is not None
        actions[row[0]] += 1
        if done % 20 == 0:
            advance("remembering", done, len(texts))
    return {
        "texts": len(texts),
        "per_second": len(texts) / sum(times) * 1000,
        "actions": dict(actions),
        "remember": latency(times),
    }


def _turns(data: Path) -> list[tuple[str, str]]:
    _, owned = locomo.read(data)
    return [(owner, memory["content"]) for owner, memories in owned.items() for memory in memories]
