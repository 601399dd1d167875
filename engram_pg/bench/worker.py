"""Texts a second through the worker, against the bare model in batches of the same size."""

from __future__ import annotations

import time
from typing import Any

import psycopg

from engram_pg.bench.asking import store
from engram_pg.bench.chosen import Chosen
from engram_pg.bench.texts import sentences
from engram_pg.errors import ARGUMENT_INVALID, EngramError
from engram_pg.progress import Advance, silent

OWNER = "worker"


def run(
    connection: psycopg.Connection[Any],
    chosen: Chosen,
    count: int = 2000,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Embeds the same made-up sentences both ways, the bare model before and after the worker, so that a
    machine that gets slower or faster meanwhile favours neither.
    """
    if chosen.embedder is None:
        raise EngramError(
            ARGUMENT_INVALID,
            "the static model runs inside the database and has no worker",
            hint="--model sentence-transformers:NAME_OR_PATH or --model openai:NAME --base-url URL",
        )
    texts = sentences(count, seed=2)
    chosen.embedder.embed_passages(texts[: chosen.batch])  # what is slow the first time is not timed
    first = _bare(chosen, texts, advance)
    chosen.register(connection)
    store(connection, OWNER, [{"content": text} for text in texts])
    filled = chosen.fill(connection, advance)
    second = _bare(chosen, texts, advance)
    bare = 2 * len(texts) / (first + second)
    through = filled["embedded_per_second"]
    return {
        "model": filled["model"],
        "texts": len(texts),
        "batch": chosen.batch,
        "bare_per_second": bare,
        "worker_per_second": through,
        "share": through / bare,
    }


def _bare(chosen: Chosen, texts: list[str], advance: Advance) -> float:
    assert chosen.embedder is not None
    before = time.perf_counter()
    for start in range(0, len(texts), chosen.batch):
        chosen.embedder.embed_passages(texts[start : start + chosen.batch])
        advance("embedding without the worker", start, len(texts))
    return time.perf_counter() - before
