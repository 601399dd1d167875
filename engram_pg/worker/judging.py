"""Decisions of the write gate that are in doubt, taken to a language model and back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg

from engram_pg.embedders.failures import EmbeddingFailed, Refused, Unavailable
from engram_pg.errors import EngramError
from engram_pg.judge import Judge
from engram_pg.worker.queue import Queue
from engram_pg.worker.state import Counts, Pause

log = logging.getLogger("engram_pg.worker")

BATCH = 4
OUTAGES = 5
"""Troubles in a row after which a run that is to end gives the judge up."""
OF_THE_TEXTS = {400, 413, 422}
"""Answers that may be the fault of two texts. Any other refusal is about the server, the model or the key."""


@dataclass(frozen=True, slots=True)
class Case:
    """A leased decision, as the two texts it is about."""

    space_id: int
    decision_id: int
    existing: str
    incoming: str
    attempts: int


class Docket(Queue):
    """The functions of the queue of judgements, for one worker."""

    def cases(self, batch: int, lease: float) -> list[Case]:
        rows = self._rows(
            "select space_id, decision_id, existing, incoming, attempts"
            " from engram.claim_judgements(%s, %s, make_interval(secs => %s))",
            self._worker,
            batch,
            lease,
            lost=self.hand_back,
        )
        return [Case(*row) for row in rows]

    def decide(self, case: Case, verdict: str, confidence: float, reason: str, judge: str) -> str:
        """What became of a verdict: revised, confirmed, kept or stale."""
        [(became,)] = self._rows(
            "select engram.complete_judgement(%s, %s, %s, %s, %s, %s, %s)",
            self._worker,
            case.space_id,
            case.decision_id,
            verdict,
            confidence,
            reason,
            judge,
        )
        return str(became)

    def give_up(self, case: Case, error: str) -> None:
        self._rows(
            "select engram.fail_judgement(%s, %s, %s, %s)",
            self._worker,
            case.space_id,
            case.decision_id,
            error,
        )

    def hand_back(self) -> None:
        self._rows("select engram.release_judgements(%s)", self._worker)

    def waiting(self) -> tuple[int, int]:
        """How many are queued, and how many given up."""
        [(pending, failed)] = self._rows("select pending, failed from engram.judgement_progress")
        return pending, failed


class Judging:
    """Asks a judge about what is in doubt. No transaction is open while it thinks, and nothing that is logged
    holds a text.
    """

    def __init__(
        self,
        connect: Callable[[], psycopg.Connection[Any]],
        judge: Judge,
        worker: str,
        counts: Counts,
        *,
        lease: float = 300.0,
        poll: float = 2.0,
    ) -> None:
        self._judge, self._counts, self._lease, self._poll = judge, counts, lease, poll
        self._stop = threading.Event()
        self._docket = Docket(connect, f"{worker} judge", self._stop.is_set)
        self._pause = Pause()
        self._thread = threading.Thread(target=self._run, name="engram-judge", daemon=True)

    def start(self) -> None:
        """Works in a thread until it is closed."""
        self._thread.start()

    def drain(self) -> None:
        """Works in this thread until nothing is queued any more, or the judge is given up."""
        while not self._stop.is_set() and self._pause.troubles < OUTAGES:
            if not self._round():
                pending, self._counts.unjudged = self._docket.waiting()
                if not pending:
                    return
                self._stop.wait(min(self._poll, 0.2))

    def stop(self) -> None:
        self._stop.set()

    def close(self) -> None:
        """Waits a little for the case that is being judged, and gives the others back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5)
        try:
            self._docket.hand_back()
        except EngramError as error:  # the leases run out by themselves
            log.warning("leases could not be given back: %s", error.message)
        self._docket.close()
        self._judge.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                worked = self._round()
            except EngramError as error:
                log.error("judge: %s", error.message)
                self._pause.extend(time.monotonic())
                worked = False
            if not worked:
                self._stop.wait(self._poll)

    def _round(self) -> bool:
        """Judges some cases; whether there were any."""
        if self._pause.until > time.monotonic():
            self._stop.wait(min(self._pause.until - time.monotonic(), self._poll))
            return True
        cases = self._docket.cases(BATCH, self._lease)
        for case in cases:
            if self._stop.is_set() or not self._judged(case):
                self._docket.hand_back()
                break
        return bool(cases)

    def _judged(self, case: Case) -> bool:
        """Judges one; false when the judge itself is in trouble."""
        try:
            said = self._judge.judge(case.existing, case.incoming)
        except EmbeddingFailed as error:
            mild = isinstance(error, Refused) and (error.status is None or error.status in OF_THE_TEXTS)
            if mild or (isinstance(error, Unavailable) and error.suspect):
                self._counts.failed_tries += 1
                self._docket.give_up(case, error.message)
            if mild:
                log.warning("judge: no verdict on decision %s: %s", case.decision_id, error.message)
                return True
            asked = error.retry_after if isinstance(error, Unavailable) else None
            wait = self._pause.extend(time.monotonic(), asked)
            if self._pause.troubles >= OUTAGES:
                self._counts.broken[f"judge {self._judge.name}"] = error
            log.warning("judge: %s; trying again in %.0f s", error.message, wait)
            return False
        self._pause.reset()
        self._counts.broken.pop(f"judge {self._judge.name}", None)
        became = self._docket.decide(case, said.verdict, said.confidence, said.reason, self._judge.name)
        self._counts.judged += 1
        self._counts.revised += became == "revised"
        return True
