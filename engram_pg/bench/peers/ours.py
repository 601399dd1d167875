"""This memory, by the calls that a program makes. Times are the client's, commit included."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import psycopg

from engram_pg.bench.asking import BATCH, analyze, store
from engram_pg.bench.chosen import Chosen
from engram_pg.bench.peers.sides import Found, Stored
from engram_pg.embedders.vectors import as_array
from engram_pg.progress import Advance, silent

_STORE = """
select memory_id, action, related_id
  from engram.remember(%s::text, user_id => %s::text, embedding => %s::double precision[])"""

_RECALL = """
select memory_id
  from engram.recall(%s::text, user_id => %s::text, k => %s, embedding => %s::double precision[])
 order by rank"""

_EMBED = """
select engram.embed(t.text)::vector::real[]
  from unnest(%s::text[]) with ordinality t (text, place)
 order by t.place"""


class Ours:
    """The static model makes its vectors inside the database, and the times here contain that; another
    model's are passed.
    """

    def __init__(self, connection: psycopg.Connection[Any], chosen: Chosen) -> None:
        self._connection = connection
        self._chosen = chosen
        self._passed: dict[str, list[float]] = {}
        self.vectors: dict[str, list[float]] = {}
        """Of every text that was prepared; the other side gets the same."""
        if chosen.model is not None:
            chosen.register(connection)
            chosen.fill(connection, silent)

    def prepare(self, texts: Sequence[str], advance: Advance) -> None:
        missing = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            self.vectors.update(zip(batch, self._embed(batch), strict=True))
            advance("making the vectors", start + len(batch), len(missing))

    def compose(self, texts: Mapping[str, Sequence[str]], advance: Advance) -> None:
        """Makes the vectors of texts that are put together of parts. A model outside is asked for the parts
        only, and the vector of a whole is their mean: a model on this machine would take longer over tens of
        thousands of texts than everything that is measured.
        """
        if self._chosen.embedder is None:
            self.prepare(list(texts), advance)
            return
        self.prepare([part for parts in texts.values() for part in parts], advance)
        for text, parts in texts.items():
            if text not in self.vectors:
                total = [sum(values) for values in zip(*(self.vectors[part] for part in parts), strict=True)]
                length = math.hypot(*total) or 1.0
                self.vectors[text] = self._passed[text] = [value / length for value in total]

    def vector(self, text: str) -> list[float]:
        """The vector of one text, made now if it was not prepared."""
        if text not in self.vectors:
            self.prepare([text], silent)
        return self.vectors[text]

    def _embed(self, texts: list[str]) -> list[list[float]]:
        if self._chosen.embedder is not None:
            made = self._chosen.embedder.embed_passages(texts)
            self._passed.update(zip(texts, made, strict=True))
            return made
        rows = self._connection.execute(_EMBED, [texts])
        return [row[0] for row in rows]

    def fill(self, user: str, texts: Sequence[str], advance: Advance) -> None:
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            entries = [{"content": text, "embedding": self._passed.get(text)} for text in batch]
            store(self._connection, user, [{k: v for k, v in e.items() if v is not None} for e in entries])
            advance("filling this memory", start + len(batch), len(texts))
        self._connection.execute("call engram.maintain()")
        analyze(self._connection)

    def store(self, user: str, text: str) -> Stored:
        before = time.perf_counter()
        row = self._connection.execute(_STORE, [text, user, _given(self._passed, text)]).fetchone()
        took = (time.perf_counter() - before) * 1000
        assert row is not None
        return Stored(row[0], row[1], row[2], took)

    def recall(self, user: str, question: str, k: int) -> Found:
        before = time.perf_counter()
        rows = self._connection.execute(
            _RECALL, [question, user, k, _given(self._passed, question)]
        ).fetchall()
        return Found([row[0] for row in rows], (time.perf_counter() - before) * 1000)

    def write_at_once(self, user: str, parts: Sequence[Sequence[str]]) -> Mapping[str, Any]:
        info = self._connection.info
        with ProcessPoolExecutor(len(parts), mp_context=get_context("spawn")) as pool:
            jobs = [
                pool.submit(_write, info.dsn, info.password or None, user, list(part), self._passed)
                for part in parts
            ]
            answers = [job.result() for job in jobs]
        new = [text for answer in answers for text, action in answer if action != "reinforce"]
        row = self._connection.execute(
            "select count(*) from unnest(%s::text[]) t (text) where not exists (select from engram.memory m"
            " where m.space_id = engram.space_id(%s::text) and position(t.text in m.content) > 0)",
            [new, user],
        ).fetchone()
        assert row is not None
        acknowledged = sum(map(len, answers))
        return {
            "texts": sum(map(len, parts)),
            "acknowledged": acknowledged,
            "refused": sum(map(len, parts)) - acknowledged,
            "lost": row[0],
        }


def _given(vectors: Mapping[str, list[float]], text: str) -> str | None:
    """The vector of a text as the SDK sends it, or None where the database makes it."""
    return as_array(vectors[text]) if text in vectors else None


def _write(
    dsn: str, password: str | None, user: str, texts: list[str], vectors: Mapping[str, list[float]]
) -> list[tuple[str, str]]:
    done = []
    with psycopg.connect(dsn, password=password, autocommit=True) as connection:
        for text in texts:
            row = connection.execute(_STORE, [text, user, _given(vectors, text)]).fetchone()
            assert row is not None
            done.append((text, row[1]))
    return done
