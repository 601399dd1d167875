"""maintain() beside the embedding, on a connection of its own."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg

from engram_pg.errors import EngramError, from_psycopg

log = logging.getLogger("engram_pg.worker")

GRACE_SECONDS = 5.0


class Upkeep:
    """Runs the upkeep every so many seconds, in a thread while it lasts."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], every: float | None) -> None:
        self._connect, self._every = connect, every
        self._due = time.monotonic() + (every or 0) * random.random()
        self._thread: threading.Thread | None = None
        self._connection: psycopg.Connection[Any] | None = None

    def tick(self) -> None:
        """Starts a run if one is due and none is under way."""
        if self._every is None or time.monotonic() < self._due:
            return
        if self._thread is None or not self._thread.is_alive():
            self._due = time.monotonic() + self._every
            self._thread = threading.Thread(target=self.run_now, name="engram-upkeep", daemon=True)
            self._thread.start()

    def run_now(self) -> None:
        """Runs it in this thread; a failure is logged, and the next run tries again."""
        if self._every is None:
            return
        try:
            with self._connect() as self._connection:
                self._connection.execute("call engram.maintain()", prepare=False)
        except (psycopg.Error, EngramError) as error:
            known = from_psycopg(error) if isinstance(error, psycopg.Error) else error
            log.warning("upkeep: %s", known.message)

    def close(self) -> None:
        """Waits a little for a run that is under way, then cuts it short: it has committed all but its last
        step, and the next one goes on.
        """
        if self._thread is None:
            return
        self._thread.join(GRACE_SECONDS)
        if self._thread.is_alive() and self._connection is not None:
            self._connection.cancel_safe(timeout=GRACE_SECONDS)
            self._thread.join(GRACE_SECONDS)
