"""The MCP server: one pool of connections, the toolsets, and errors that a model can act on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from psycopg_pool import AsyncConnectionPool
from pydantic import ValidationError

from engram_pg import __version__
from engram_pg.errors import EngramError
from engram_pg.mcp.memory import Memory
from engram_pg.mcp.toolsets import TOOLSETS
from engram_pg.querying import QueryVectors

_log = logging.getLogger("engram_pg")

INSTRUCTIONS = """Long-term memory that lasts between conversations. Before you answer something that may
depend on earlier talk, call `recall` (or `context` for ready text). When the user tells you something worth
keeping, such as a preference, a decision, a fact about them or their work, call `remember` with one
self-contained sentence. Contradictions are settled by the memory itself: just remember what is true now."""


class EngramServer(MCPServer[Memory]):
    """An MCP server whose tool errors say what is wrong and what to do about it, never a trace."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Memory, Any] | None = None
    ) -> Any:
        self._refuse_unknown(name, arguments)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_explained(name, cause)) from None
            if isinstance(error, UnexpectedToolError) and isinstance(cause, EngramError):
                raise ToolError(str(cause)) from None
            raise

    def _refuse_unknown(self, name: str, arguments: dict[str, Any]) -> None:
        schema = self._tool_input_schema(name)
        known = list((schema or {}).get("properties", {}))
        unknown = [argument for argument in arguments if schema is not None and argument not in known]
        if unknown:
            raise ToolError(f"{name} has no argument {unknown[0]!r}.\nHint: It takes {', '.join(known)}.")


def make_server(dsn: str, user: str = "default", tenant: str | None = None) -> EngramServer:
    """A server over the database of `dsn`; a tool call that names no user works on `user`."""

    @asynccontextmanager
    async def lifespan(_: MCPServer[Memory]) -> AsyncIterator[Memory]:
        pool = AsyncConnectionPool(
            dsn,
            min_size=1,
            max_size=4,
            timeout=10,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "application_name": "engram-pg mcp", "prepare_threshold": None},
        )
        await pool.open()
        memory = Memory(pool, user, tenant, QueryVectors(answer_seconds=5, load_seconds=2, warn=_log.warning))
        with suppress(EngramError):  # a database that is not up yet is told to the first tool that needs it
            await memory.active_model()
        try:
            yield memory
        finally:
            await pool.close()

    server = EngramServer(
        name="engram",
        title="engram memory",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        log_level="WARNING",
    )
    for register in TOOLSETS:
        register(server)
    return server


def serve(dsn: str, user: str = "default", tenant: str | None = None) -> None:
    """Serves over standard input and output until the client leaves. Logs go to stderr, without memories."""
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    make_server(dsn, user, tenant).run("stdio")


def _explained(name: str, error: ValidationError) -> str:
    problems = [f"{'.'.join(map(str, part['loc'])) or 'arguments'}: {part['msg']}" for part in error.errors()]
    return "\n".join(
        [f"{name} was called with wrong arguments.", *problems, "Hint: See the description of the tool."]
    )
