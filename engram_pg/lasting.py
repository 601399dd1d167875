"""A connection that outlives a restart of the server."""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from engram_pg.errors import CONNECTION_FAILED, EngramError


class Lasting:
    """A connection that is made anew once the server has closed it.

    Only between calls, never after it was lost inside a transaction: what was begun on one connection is not
    continued on another. A call during which it is lost fails, since nobody knows whether it was done.
    Safe to share between threads.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._connection = connect()
        self._renewing = threading.Lock()
        self._lost = False

    def get(self) -> psycopg.Connection[Any]:
        """The connection. Costs a look at its socket. Raises EngramError if a new one cannot be made."""
        found = self._connection
        if self._lost or _hung_up(found):
            with self._renewing:
                if self._connection is found:
                    self._connection, self._lost = self._connect(), False
        return self._connection

    @contextmanager
    def watched(self) -> Iterator[psycopg.Connection[Any]]:
        """The connection for one call, after whose failure it may be made anew."""
        connection = self.get()
        if connection.closed:
            raise EngramError(
                CONNECTION_FAILED,
                "the connection was closed, or lost inside a transaction",
                hint="Make a new Engram; nothing of that transaction was stored.",
            )
        idle = connection.info.transaction_status == TransactionStatus.IDLE
        try:
            yield connection
        except psycopg.Error:
            self._lost = self._lost or (idle and connection.closed)
            raise

    def close(self) -> None:
        """Closes it for good."""
        self._connection.close()


def _hung_up(connection: psycopg.Connection[Any]) -> bool:
    """Whether the server has closed the connection since the last call."""
    if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
        return False
    socket = select.poll()
    socket.register(connection.fileno(), select.POLLIN)
    if not socket.poll(0):
        return False
    try:
        connection.execute("")  # takes in what came, which may be only a notice
    except psycopg.OperationalError:
        return True
    return False
