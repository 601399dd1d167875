"""Calls of the SQL functions from Python: on which connection, for which tenant, within which time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, LiteralString, Self

import psycopg
from psycopg.rows import dict_row

from engram_pg.errors import translated
from engram_pg.lasting import Lasting
from engram_pg.statements import call


class Calls:
    """Calls functions for one user, on a connection that is given, or on one of its own that `connect` makes.

    `statement_timeout` is in seconds, and counts only on a connection of its own. Every call raises
    EngramError.
    """

    def __init__(
        self,
        user: str,
        tenant: str | None,
        connection: psycopg.Connection[Any] | None,
        connect: Callable[[], psycopg.Connection[Any]],
        statement_timeout: float | None,
    ) -> None:
        self.user = user
        self.tenant = tenant
        self._given = connection
        self._timeout = None if connection is not None else statement_timeout
        self._own = None if connection is not None else Lasting(connect)

    @property
    def connection(self) -> psycopg.Connection[Any]:
        """What it works on: yours, or its own, which is made anew after the server was restarted."""
        if self._own is not None:
            return self._own.get()
        assert self._given is not None
        return self._given

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection, unless it is yours."""
        if self._own is not None:
            self._own.close()

    def _rows(self, function: LiteralString, **arguments: Any) -> list[dict[str, Any]]:
        statement, values = call(function, arguments)
        with (
            translated(),
            self._watched() as connection,
            self._scope(connection),
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            self._set_up(connection)
            return cursor.execute(statement, values).fetchall()

    def _row(self, function: LiteralString, **arguments: Any) -> dict[str, Any]:
        return self._rows(function, **arguments)[0]

    def _value(self, function: LiteralString, **arguments: Any) -> Any:
        """The value of a function that returns one."""
        return next(iter(self._row(function, **arguments).values()))

    def _watched(self) -> AbstractContextManager[psycopg.Connection[Any]]:
        """The connection for one call."""
        return nullcontext(self.connection) if self._own is None else self._own.watched()

    def _scope(self, connection: psycopg.Connection[Any]) -> AbstractContextManager[Any]:
        """With a tenant or a timeout a transaction, to which the setting is limited: safe behind a pooler,
        and on your connection.
        """
        plain = self.tenant is None and self._timeout is None
        return nullcontext() if plain else connection.transaction()

    def _set_up(self, connection: psycopg.Connection[Any]) -> None:
        """Sets tenant and timeout for the transaction of the call."""
        if self.tenant is not None:
            connection.execute("select set_config('engram.tenant', %s, true)", [self.tenant])
        if self._timeout is not None:
            milliseconds = str(round(self._timeout * 1000))
            connection.execute("select set_config('statement_timeout', %s, true)", [milliseconds])
