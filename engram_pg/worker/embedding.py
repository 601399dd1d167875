"""One batch through a model: what it refuses is told apart from what it fails on."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator, Sequence

from engram_pg.embedders import Embedder
from engram_pg.embedders.failures import EmbeddingFailed, Refused, Unavailable, told
from engram_pg.embedders.vectors import problem
from engram_pg.worker.state import Batch, Outcome, Row

HARMLESS = "ok"
"""A text that no model fails on: if it does, it is not the texts' fault."""


def parts_of(rows: Sequence[Row], size: int) -> list[Sequence[Row]]:
    """The rows in parts of at most `size`; those that failed before in smaller ones, down to a row by
    itself, and in chance order, so that a text that kills the worker takes few with it.
    """
    parts: list[Sequence[Row]] = []
    for attempts in sorted({row.attempts for row in rows}):
        alike = [row for row in rows if row.attempts == attempts]
        if attempts > 1:
            random.shuffle(alike)
        step = max(1, size >> 2 * (attempts - 1))
        parts += [alike[start : start + step] for start in range(0, len(alike), step)]
    return parts


def embedded(embedder: Embedder, batch: Batch, size: int) -> Iterator[Outcome]:
    """The outcomes of a batch, part by part. A part that fails is halved until the rows at fault are alone,
    unless the model fails on a harmless text as well: then the rest is not tried.
    """
    waiting = deque(parts_of(batch.rows, size))
    answers = False
    while waiting:
        rows = waiting.popleft()
        before = time.perf_counter()
        try:
            outcome = _tried(embedder, batch, rows)
        except EmbeddingFailed as error:
            blames_texts = isinstance(error, Refused) or (isinstance(error, Unavailable) and error.suspect)
            if blames_texts and not answers:
                answers = _answers(embedder)
            if not blames_texts or not answers:
                tried = rows if isinstance(error, Refused) else ()
                rest = [row for part in ([] if tried else [rows], waiting) for group in part for row in group]
                yield Outcome(batch, trouble=error, untouched=rest, rejected=tried)
                return
            if len(rows) > 1:
                waiting += [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
                continue
            outcome = Outcome(
                batch, poison=[(rows[0], error.message, isinstance(error, Refused) and error.final)]
            )
        outcome.seconds = time.perf_counter() - before
        yield outcome


def _tried(embedder: Embedder, batch: Batch, rows: Sequence[Row]) -> Outcome:
    try:
        vectors = embedder.embed_passages([row.content for row in rows])
    except EmbeddingFailed:
        raise
    except Exception as error:  # whatever a model raises on a text
        words = told(str(error), [row.content for row in rows])
        raise Refused(f"the model raised {type(error).__name__}: {words}", final=False) from error
    if len(vectors) != len(rows):
        raise Refused(f"the model returned {len(vectors)} vectors for {len(rows)} texts")
    problems = [problem(vector, batch.model.dims) for vector in vectors]
    wrong = [(row, found, True) for row, found in zip(rows, problems, strict=True) if found]
    if len(wrong) == len(rows):
        raise Refused(wrong[0][1])
    good = [place for place, found in enumerate(problems) if not found]
    return Outcome(batch, [rows[place] for place in good], [vectors[place] for place in good], wrong)


def _answers(embedder: Embedder) -> bool:
    try:
        [vector] = embedder.embed_passages([HARMLESS])
    except Exception:  # whatever a model raises
        return False
    return problem(vector, embedder.dims) is None
