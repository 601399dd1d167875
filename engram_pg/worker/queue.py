"""The functions of the queue, on a connection that is made anew when it is lost."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, LiteralString

import psycopg

from engram_pg.embedders import Model
from engram_pg.embedders.vectors import as_text
from engram_pg.errors import UNKNOWN_NAME, EngramError, from_psycopg
from engram_pg.worker.state import Row

log = logging.getLogger("engram_pg.worker")

AGAIN = {"40001", "40P01", "55P03"}
"""Serialization failure, deadlock, lock not available: the same call may succeed."""
TRIES = 8


class Queue:
    """Calls for one worker; the database sees a worker a model, so that leases are given back a model at a
    time.
    """

    def __init__(
        self, connect: Callable[[], psycopg.Connection[Any]], worker: str, stopping: Callable[[], bool]
    ) -> None:
        self._connect, self._worker, self._stopping = connect, worker, stopping
        self._connection: psycopg.Connection[Any] | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def models(self) -> list[Model]:
        """The models, the active one first."""
        rows = self._rows(
            "select name, provider, dims, options from engram.embedding_model"
            " where provider <> 'static' order by active desc, model_id"
        )
        return [Model(*row) for row in rows]

    def claim(self, model: str, batch: int, lease: float) -> list[Row]:
        """Leased texts, of several tenants where one has too few for a batch.

        A lost answer gives back all that is leased of the model. What is being embedded then may be claimed
        and embedded again; it is stored once.
        """
        rows: list[Row] = []

        def start_over() -> None:
            rows.clear()
            self.release(model)

        while len(rows) < batch:
            came = self._rows(
                "select space_id, memory_id, content, content_hash, attempts"
                " from engram.claim_embeddings(%s, %s, make_interval(secs => %s), %s)",
                self._as(model),
                batch - len(rows),
                lease,
                model,
                lost=start_over,
            )
            rows += [Row(*row) for row in came]
            if not came:
                break
        return rows

    def complete(
        self, model: str, rows: Sequence[Row], vectors: Sequence[Sequence[float]]
    ) -> tuple[int, int, int]:
        """Stores vectors; returns how many were stored, were stale, and were settled by the gate."""
        try:
            [(stored, stale, settled)] = self._rows(
                "select stored, stale, settled from"
                " engram.complete_embeddings(%s, %s, %s::bigint[], %s::bigint[], %s::uuid[], %s::text[])",
                self._as(model),
                model,
                [row.space_id for row in rows],
                [row.memory_id for row in rows],
                [row.content_hash for row in rows],
                [as_text(vector) for vector in vectors],
            )
        except EngramError as error:
            if error.sqlstate != UNKNOWN_NAME:
                raise
            return 0, len(rows), 0  # the model was dropped meanwhile
        return stored, stale, settled

    def fail(self, model: str, rows: Sequence[Row], error: str, permanent: bool = False) -> None:
        """Gives rows back with the error that they failed with."""
        self._rows(
            "select engram.fail_embeddings(%s, %s, %s::bigint[], %s::bigint[], %s, %s)",
            self._as(model),
            model,
            [row.space_id for row in rows],
            [row.memory_id for row in rows],
            error.replace("\x00", ""),
            permanent,
        )

    def release(self, model: str) -> None:
        """Gives back what is claimed of a model, as if it had not been."""
        self._rows("select engram.release_embeddings(%s)", self._as(model))

    def left(self) -> list[tuple[str, int, int]]:
        """Models outside the database, with how many texts are queued and how many given up."""
        rows = self._rows(
            "select model, pending, failed from engram.embedding_progress"
            " where provider in ('sentence-transformers', 'openai')"
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def _as(self, model: str) -> str:
        return f"{self._worker} {model}"

    def _rows(
        self, statement: LiteralString, *values: Any, lost: Callable[[], None] = lambda: None
    ) -> list[tuple[Any, ...]]:
        """The rows of a statement, which is sent again after a lost connection or a deadlock. Raises
        EngramError.

        `lost` is called before it is sent again after a lost connection: the server may have carried it out,
        and only its answer was lost. What was leased so is known to nobody, and would wait for the lease to
        run out.
        """
        for attempt in range(TRIES):
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connect()
                return self._connection.execute(statement, values).fetchall()
            except (psycopg.Error, EngramError) as error:
                known = from_psycopg(error) if isinstance(error, psycopg.Error) else error
                gone = self._connection is None or self._connection.closed or self._connection.broken
                passing = gone or known.sqlstate in AGAIN
                if not passing or attempt == TRIES - 1 or (gone and self._stopping()):
                    raise known from error
                wait = min(0.2 * 2**attempt, 10) * random.uniform(0.5, 1)
                log.warning("database: %s; trying again in %.1f s", known.message, wait)
                time.sleep(wait)
                if gone:
                    lost()
        raise AssertionError
