"""The loop of a worker: this thread talks to the database, another one runs the model."""

from __future__ import annotations

import logging
import os
import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any

import psycopg

from engram_pg import embedders
from engram_pg.embedders import COMPUTED, Embedder, Model
from engram_pg.embedders.failures import Unavailable
from engram_pg.errors import INSTALLATION, EngramError
from engram_pg.judge import Judge
from engram_pg.worker.embedding import embedded
from engram_pg.worker.judging import Judging
from engram_pg.worker.queue import Queue
from engram_pg.worker.state import Batch, Counts, Outcome, Pause, Row
from engram_pg.worker.upkeep import Upkeep

log = logging.getLogger("engram_pg.worker")

AHEAD = 3
"""Batches claimed at a time: one that the model works on, one that waits for it, one on its way back."""
GRACE_SECONDS = 30.0
OUTAGES = 5
"""Troubles in a row after which `once` gives a model up."""


_HOPELESS = ("08", "42", "57", INSTALLATION)
"""Errors of the connection, the role, the server or the installation, which no row is to blame for."""


class Worker:
    """Embeds what is queued, until it is stopped or, with `once`, until nothing is left.

    Args:
        connect: makes an autocommit connection; called again when one is lost.
        models: only these models; else all that are computed outside the database.
        batch: texts a call of the model.
        lease: seconds for which a claim keeps others off.
        once: end when nothing is queued any more; waits for what is to be tried again.
        maintain_every: seconds between runs of the upkeep; None for never.
        load: makes the embedder of a model.
        judge: is asked about decisions of the write gate that are in doubt.
        report: is called with the counts after each batch.
    """

    def __init__(
        self,
        connect: Callable[[], psycopg.Connection[Any]],
        *,
        models: Sequence[str] | None = None,
        batch: int = 64,
        lease: float = 120.0,
        once: bool = False,
        maintain_every: float | None = 300.0,
        poll: float = 1.0,
        name: str | None = None,
        load: Callable[[Model], Embedder] = embedders.load,
        judge: Judge | None = None,
        report: Callable[[Counts], None] = lambda _: None,
    ) -> None:
        self.name = name or f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"
        self.counts = Counts()
        self._only = set(models) if models is not None else None
        self._batch, self._lease, self._once, self._poll = batch, lease, once, poll
        self._load, self._report = load, report
        self._queue = Queue(connect, self.name, self._stopping)
        self._upkeep = Upkeep(connect, maintain_every)
        self._judging = None if judge is None else Judging(connect, judge, self.name, self.counts)
        self._stop = threading.Event()
        self._jobs: SimpleQueue[Batch | None] = SimpleQueue()
        self._outcomes: SimpleQueue[Outcome | None] = SimpleQueue()
        self._flying: dict[str, int] = {}
        self._tripped: dict[str, EngramError] = {}
        self._pauses: dict[str, Pause] = {}
        self._models: list[Model] = []
        self._slowest = 0.0

    def stop(self) -> None:
        """Asks the worker to end: what the model works on is finished, the rest given back. May be called
        from a signal handler, and from any thread.
        """
        self._stop.set()
        if self._judging is not None:
            self._judging.stop()
        self._outcomes.put(None)

    def run(self) -> Counts:
        """Works until the end. Raises EngramError if the database never answers or refuses the role."""
        threading.Thread(target=self._run_model, name="engram-model", daemon=True).start()
        if self._judging is not None and not self._once:
            self._judging.start()
        try:
            while not self._stop.is_set():
                claimed = self._claim()
                if self._once and self._drained():
                    break
                self._upkeep.tick()
                self._take(0.0 if claimed else self._poll * random.uniform(0.8, 1.2))
            self._land()
            if self._once and self._judging is not None:
                self._judging.drain()
            if self._once and not self._stop.is_set():
                self._upkeep.run_now()
        finally:
            self._jobs.put(None)
            self._give_back()
            if self._judging is not None:
                self._judging.close()
            self._upkeep.close()
            self._queue.close()
        return self.counts

    def _stopping(self) -> bool:
        return self._stop.is_set()

    def _drained(self) -> bool:
        """Whether nothing is in flight, and nothing queued for a model that is not given up."""
        if self._in_flight():
            return False
        pending, self.counts.failed = 0, 0
        for model, waits, failed in self._queue.left():
            if self._only is None or model in self._only:
                pending += 0 if model in self.counts.broken else waits
                self.counts.failed += failed
        return pending == 0

    def _claim(self) -> bool:
        """Claims until the model has enough to do; whether anything came."""
        came = False
        if self._in_flight() >= AHEAD:
            return False
        self._models = [model for model in self._queue.models() if self._wanted(model)]
        for model in self._models:
            while self._in_flight() < AHEAD and not self._stop.is_set():
                rows = self._queue.claim(model.name, self._batch, max(self._lease, 4 * self._slowest))
                if not rows:
                    break
                came = True
                self._tripped.pop(model.name, None)
                self._flying[model.name] = self._flying.get(model.name, 0) + 1
                self._jobs.put(Batch(model, rows))
        return came

    def _in_flight(self) -> int:
        return sum(self._flying.values())

    def _wanted(self, model: Model) -> bool:
        return (
            model.provider in COMPUTED
            and (self._only is None or model.name in self._only)
            and model.name not in self.counts.broken
            and self._pause(model).until <= time.monotonic()
            and (model.name not in self._tripped or not self._flying.get(model.name))
        )

    def _pause(self, model: Model) -> Pause:
        return self._pauses.setdefault(model.name, Pause())

    def _take(self, seconds: float) -> bool:
        """Takes one outcome to the database, after waiting for it while there is nothing to claim."""
        try:
            outcome = self._outcomes.get(timeout=seconds) if seconds else self._outcomes.get_nowait()
        except Empty:
            return False
        if outcome is not None:
            self._settle(outcome)
        return True

    def _settle(self, outcome: Outcome) -> None:
        model = outcome.batch.model
        if outcome.last:
            self._flying[model.name] -= 1
            self._slowest = max(outcome.seconds, 0.8 * self._slowest)
        if outcome.done:
            self._pause(model).reset()
            self._store(model, outcome.done, outcome.vectors)
            self.counts.model_seconds += outcome.seconds
        for row, error, permanent in outcome.poison:
            log.warning("model %s fails on memory %s: %s", model.name, row.memory_id, error)
            self._fail(model, [row], error, permanent)
        if outcome.trouble is not None:
            self._suffer(model, outcome, outcome.trouble)
        self._report(self.counts)

    def _store(self, model: Model, rows: Sequence[Row], vectors: Sequence[Sequence[float]]) -> None:
        """Brings vectors to the database. What it refuses is halved until the rows at fault are alone."""
        try:
            stored, stale, settled = self._queue.complete(model.name, rows, vectors)
        except EngramError as error:
            if error.sqlstate.startswith(_HOPELESS):
                raise
            if len(rows) == 1:
                self._fail(model, rows, error.message)
                return
            half = len(rows) // 2
            self._store(model, rows[:half], vectors[:half])
            self._store(model, rows[half:], vectors[half:])
            return
        self.counts.stored += stored
        self.counts.stale += stale
        self.counts.settled += settled

    def _fail(self, model: Model, rows: Sequence[Row], error: str, permanent: bool = False) -> None:
        self.counts.failed_tries += len(rows)
        self._queue.fail(model.name, rows, error, permanent)

    def _suffer(self, model: Model, outcome: Outcome, trouble: EngramError) -> None:
        """The model as a whole is in trouble: gives its rows back, and leaves it alone for a while."""
        if outcome.rejected:
            self._fail(model, outcome.rejected, trouble.message)
        if outcome.untouched:
            self._queue.release(model.name)
        pause = self._pause(model)
        if pause.until > time.monotonic():  # of a batch that was claimed before the trouble
            return
        asked = trouble.retry_after if isinstance(trouble, Unavailable) else None
        lasting = not isinstance(trouble, Unavailable)
        if self._once and (lasting or pause.troubles + 1 >= OUTAGES):
            self.counts.broken[model.name] = trouble
            log.error("model %s is given up: %s", model.name, trouble.message)
            return
        wait = pause.extend(time.monotonic(), asked)
        log.warning("model %s: %s; trying again in %.0f s", model.name, trouble.message, wait)

    def _land(self) -> None:
        """Waits a while for what is in flight."""
        deadline = time.monotonic() + GRACE_SECONDS
        while self._stop.is_set() and (batch := self._not_begun()):
            self._flying[batch.model.name] -= 1
        while self._in_flight() and time.monotonic() < deadline:
            self._take(0.2)

    def _not_begun(self) -> Batch | None:
        try:
            return self._jobs.get_nowait()
        except Empty:
            return None

    def _give_back(self) -> None:
        for model in self._flying:
            try:
                self._queue.release(model)
            except EngramError as error:  # the leases run out by themselves
                log.warning("leases could not be given back: %s", error.message)
                return

    def _run_model(self) -> None:
        loaded: dict[str, tuple[Model, Embedder]] = {}
        while (batch := self._jobs.get()) is not None:
            began = time.perf_counter()
            for outcome in self._outcomes_of(batch, loaded):
                if outcome.trouble is not None:
                    self._tripped[batch.model.name] = outcome.trouble
                self._outcomes.put(outcome)
            self._outcomes.put(Outcome(batch, last=True, seconds=time.perf_counter() - began))

    def _outcomes_of(self, batch: Batch, loaded: dict[str, tuple[Model, Embedder]]) -> Iterator[Outcome]:
        model = batch.model
        try:
            if model.name in self._tripped:
                yield Outcome(batch, trouble=self._tripped[model.name], untouched=batch.rows)
                return
            if model.name not in loaded or loaded[model.name][0] != model:
                loaded[model.name] = (model, self._load(model))
            yield from embedded(loaded[model.name][1], batch, self._batch)
        except Unavailable as error:
            yield Outcome(batch, trouble=error, untouched=batch.rows)
        except EngramError as error:
            yield Outcome(batch, trouble=error, rejected=batch.rows)
