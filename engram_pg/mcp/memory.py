"""What the tools work on: the pool, and whose memory it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from engram_pg.errors import CONNECTION_FAILED, EngramError, translated
from engram_pg.statements import call


@dataclass(frozen=True)
class Memory:
    """Calls SQL functions for the tools, each on a connection that is given back at once."""

    pool: AsyncConnectionPool[AsyncConnection[Any]]
    user: str
    tenant: str | None

    async def rows(
        self, function: LiteralString, user_id: str | None, **arguments: Any
    ) -> list[dict[str, Any]]:
        """The rows of a function for a user, or for the server's own. Raises EngramError."""
        statement, values = call(function, {"user_id": user_id or self.user, **arguments})
        try:
            with translated():
                async with (
                    self.pool.connection() as connection,
                    connection.cursor(row_factory=dict_row) as cursor,
                ):
                    if self.tenant is None:
                        await cursor.execute(statement, values)
                        return await cursor.fetchall()
                    async with connection.transaction():
                        await cursor.execute("select set_config('engram.tenant', %s, true)", [self.tenant])
                        await cursor.execute(statement, values)
                        return await cursor.fetchall()
        except EngramError as error:
            if isinstance(error.__cause__, PoolTimeout):
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
