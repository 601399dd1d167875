"""The model that a benchmark of retrieval runs with: the static one, or one that a worker fills."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from engram_pg import models
from engram_pg.bench.asking import Question, ask_all
from engram_pg.bench.scores import latency
from engram_pg.embedders import Embedder, Model
from engram_pg.errors import EngramError
from engram_pg.progress import Advance
from engram_pg.worker import Worker


@dataclass(frozen=True)
class Chosen:
    """A model and its embedder; neither for the static one, which needs no filling."""

    model: Model | None = None
    embedder: Embedder | None = None
    batch: int = 64

    def register(self, connection: psycopg.Connection[Any]) -> None:
        """Adds the model, before there is anything to embed."""
        if self.model is not None:
            models.register(connection, self.model)

    def fill(self, connection: psycopg.Connection[Any], advance: Advance) -> dict[str, Any]:
        """Lets a worker embed what is queued, measures the thresholds, and activates the model; returns how
        fast it went and what came out.
        """
        if self.model is None:
            return {"model": "static"}
        stored, seconds = self.embed(connection, advance)
        thresholds = models.calibrate(connection, self.model.name, self.embedder)
        models.activate(connection, self.model.name)
        return {
            "model": self.model.name,
            "embedded_per_second": stored / seconds,
            "thresholds": thresholds,
        }

    def embed(self, connection: psycopg.Connection[Any], advance: Advance) -> tuple[int, float]:
        """Lets a worker embed what is queued; returns how many texts, and in how many seconds."""
        if self.model is None or self.embedder is None:
            return 0, 0.0
        own = self.embedder
        [total] = [row["pending"] for row in models.progress(connection) if row["model"] == self.model.name]
        before = time.perf_counter()
        counts = Worker(
            lambda: psycopg.connect(
                connection.info.dsn, password=connection.info.password or None, autocommit=True
            ),
            models=[self.model.name],
            batch=self.batch,
            once=True,
            maintain_every=None,
            load=lambda _: own,
            report=lambda so_far: advance("embedding", so_far.stored, total),
        ).run()
        if not counts.clean:
            raise next(iter(counts.broken.values()), EngramError("EG009", f"{counts.failed} texts failed"))
        return counts.stored, time.perf_counter() - before

    def ask_all(
        self,
        connection: psycopg.Connection[Any],
        questions: Sequence[Question],
        keys: Mapping[int, Hashable],
        advance: Advance,
    ) -> dict[str, Any]:
        """Embeds the questions one by one, as recalls would, then asks them."""
        vectors, times = self.vectors(questions, advance)
        profiles = ask_all(connection, questions, keys, advance, vectors)
        return {**({} if vectors is None else {"query_embedding": latency(times)}), "profiles": profiles}

    def vectors(
        self, questions: Sequence[Question], advance: Advance
    ) -> tuple[list[list[float]] | None, list[float]]:
        """The vector of each question, made one by one, and the milliseconds that it took; no vectors where
        the database makes them.
        """
        if self.embedder is None:
            return None, []
        vectors: list[list[float]] = []
        times: list[float] = []
        self.embedder.embed_query("a first question, which is slower")
        for question in questions:
            before = time.perf_counter()
            vectors.append(self.embedder.embed_query(question.text))
            times.append((time.perf_counter() - before) * 1000)
            advance("embedding questions", len(vectors), len(questions))
        return vectors, times


STATIC = Chosen()


def choose(name: str, base_url: str | None = None, batch: int = 64) -> Chosen:
    """The model of a name as for `model add`, or `static`. Raises EngramError."""
    if name == "static":
        return STATIC
    model, embedder = models.described(name, base_url=base_url)
    if embedder is None:
        raise EngramError(
            "EG002", "nobody here can ask a caller model", hint="sentence-transformers:… or openai:…"
        )
    return Chosen(model, embedder, batch)
