"""What the tools work on: the pool, under the limits of the call."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout, TooManyRequests

from engram_pg.embedders import Model
from engram_pg.errors import CONNECTION_FAILED, NOT_ALLOWED, READ_ONLY, EngramError, translated
from engram_pg.mcp import access
from engram_pg.mcp.turns import Turns
from engram_pg.querying import QueryVectors
from engram_pg.statements import call

OWNERLESS = ("active_model",)
"""Functions that are about no user."""


@dataclass(frozen=True)
class Memory:
    """Calls SQL functions for the tools, each on a connection that is given back at once."""

    pool: AsyncConnectionPool[AsyncConnection[Any]]
    vectors: QueryVectors
    turns: Turns

    async def rows(
        self, function: LiteralString, user_id: str | None, **arguments: Any
    ) -> list[dict[str, Any]]:
        """The rows of a function for a user, or for whom the call is without one. Raises EngramError."""
        allowed = access.current()
        owner = {} if function in OWNERLESS else {"user_id": user_id or allowed.user}
        try:
            return await self._rows(allowed, function, {**owner, **arguments})
        except EngramError as error:
            if error.sqlstate == READ_ONLY and allowed.read_only:
                raise EngramError(
                    NOT_ALLOWED, "this key may only read", hint="Writing takes a key of scope write."
                ) from error
            raise

    async def key(self, secret: str) -> dict[str, Any] | None:
        """What a key opens, by its secret; None if it is not in force."""
        found = await self._rows(None, "check_api_key", {"secret": secret})
        return found[0] if found else None

    async def _rows(
        self, limits: access.Access | None, function: LiteralString, arguments: dict[str, Any]
    ) -> list[dict[str, Any]]:
        statement, values = call(function, arguments)
        key = None if limits is None else limits.key
        try:
            with translated():
                async with (
                    nullcontext() if key is None else self.turns.turn(key),
                    self.pool.connection() as connection,
                    connection.cursor(row_factory=dict_row) as cursor,
                ):
                    if limits is None or not limits.limited:
                        await cursor.execute(statement, values)
                        return await cursor.fetchall()
                    async with connection.transaction():
                        await limits.limit(connection)
                        await cursor.execute(statement, values)
                        return await cursor.fetchall()
        except EngramError as error:
            if isinstance(error.__cause__, PoolTimeout | TooManyRequests):
                raise EngramError(
                    CONNECTION_FAILED,
                    "the database does not answer",
                    hint="Try again; else tell the user to start it.",
                ) from error
            raise

    async def row(self, function: LiteralString, user_id: str | None, **arguments: Any) -> dict[str, Any]:
        """The first row."""
        return (await self.rows(function, user_id, **arguments))[0]

    async def value(self, function: LiteralString, user_id: str | None, **arguments: Any) -> Any:
        """The value of a function that returns one."""
        return next(iter((await self.row(function, user_id, **arguments)).values()))

    async def vector(self, query: str) -> list[float] | None:
        """The vector of a question under the active model, if that is one to be asked here. No connection is
        held while the model runs.
        """
        model = await self.active_model()
        return None if model is None else await self.vectors.vector_soon(model, query)

    async def active_model(self) -> Model | None:
        """The active model, being loaded by now, if it is one to be asked here."""
        if not self.vectors.needed():
            return None
        return self.vectors.prepare(await self.row("active_model", None))

    async def reranked(
        self, user_id: str | None, session_id: str | None, k: int | None, **arguments: Any
    ) -> list[dict[str, Any]]:
        """The rows of a recall in two stages. Neither connection nor event loop waits for the model."""
        from engram_pg import rerank

        wanted = rerank.kept(k)
        rows = await self.rows("search", user_id, k=rerank.read(wanted), **arguments)
        found = await asyncio.to_thread(rerank.reordered, arguments["query"], rows, wanted)
        noted = [row["memory_id"] for row in found]
        await self.rows("note_recall", user_id, memory_ids=noted, session_id=session_id)
        return found
