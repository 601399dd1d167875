"""The MCP server: one pool of connections, the toolsets, and errors that a model can act on."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from types import ModuleType
from typing import Any

from mcp.server import MCPServer
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult
from psycopg_pool import AsyncConnectionPool
from pydantic import AnyHttpUrl, ValidationError

from engram_pg import __version__
from engram_pg.connecting import lively
from engram_pg.errors import EngramError
from engram_pg.hints import rewritten
from engram_pg.mcp import toolsets
from engram_pg.mcp.access import Access, granted
from engram_pg.mcp.answers import compacted
from engram_pg.mcp.keys import KeyVerifier
from engram_pg.mcp.memory import Memory
from engram_pg.mcp.turns import Turns
from engram_pg.querying import QueryVectors

CONNECTIONS = 4
"""To the database, at most."""
KEYED_CONNECTIONS = 8
"""The same where keys are asked for. One is left to looking them up."""
OF_ONE_KEY = 2
"""What the calls of one key use at a time."""

_log = logging.getLogger("engram_pg")

_ISSUER = AnyHttpUrl("http://localhost")
"""The SDK wants one. Keys come from the database, so it is shown nowhere."""


class EngramServer(MCPServer[Memory]):
    """An MCP server whose tool errors say what is wrong and what to do about it, never a trace. A call may
    touch what `access` says, or, where keys are asked for, what the key opens that came with it.
    """

    def __init__(
        self,
        access: Access,
        verifier: KeyVerifier | None = None,
        families: Sequence[ModuleType] = (),
        **settings: Any,
    ) -> None:
        super().__init__(
            token_verifier=verifier,
            auth=None if verifier is None else AuthSettings(issuer_url=_ISSUER, resource_server_url=None),
            **settings,
        )
        self._access, self._keyed, self._families = access, verifier is not None, families

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Memory, Any] | None = None
    ) -> Any:
        self._refuse_unknown(name, arguments)
        try:
            with granted(self._of_key(context) if self._keyed else self._access):
                result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(_explained(name, cause)) from None
            if isinstance(error, UnexpectedToolError) and isinstance(cause, EngramError):
                raise ToolError(str(self._in_tools(cause))) from None
            raise
        return compacted(result) if isinstance(result, CallToolResult) else result

    def _in_tools(self, error: EngramError) -> EngramError:
        """The error with a hint that names tools of this server instead of functions, where it has them."""
        names = {function: tool for family in self._families for function, tool in family.CALLS.items()}

        def say(function: str, _: str) -> str | None:
            name = names.get(function, function)
            return f"`{name}`" if self._tool_input_schema(name) is not None else None

        hint = rewritten(error.hint, say) if error.hint else None
        return EngramError(error.sqlstate, error.message, error.detail, hint)

    def _of_key(self, context: Context[Memory, Any] | None) -> Access | None:
        """What the key of the message opens; that of its session could be another one."""
        request = None if context is None else context.request_context.request
        user = None if request is None else request.scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            return None
        token = user.access_token
        return Access.of_key(token.client_id, token.claims or {}, token.scopes, self._access.user)

    def _refuse_unknown(self, name: str, arguments: dict[str, Any]) -> None:
        schema = self._tool_input_schema(name)
        known = list((schema or {}).get("properties", {}))
        unknown = [argument for argument in arguments if schema is not None and argument not in known]
        if unknown:
            raise ToolError(f"{name} has no argument {unknown[0]!r}.\nHint: It takes {', '.join(known)}.")


def make_server(
    dsn: str,
    user: str = "default",
    tenant: str | None = None,
    verifier: KeyVerifier | None = None,
    tools: Sequence[str] = toolsets.DEFAULT,
    *,
    only_user: bool = False,
) -> EngramServer:
    """A server over the database of `dsn` with the tools of these families; a tool call that names no user
    works on `user`, and with `only_user` one that names another is refused. With a verifier every request
    needs a key, which says the tenant and the users. Raises EngramError for a DSN that cannot be read and for
    a family that does not exist.
    """
    target = lively(dsn)
    access = Access(user, tenant, (user,) if only_user else None)
    families = toolsets.chosen(tools)

    @asynccontextmanager
    async def lifespan(_: MCPServer[Memory]) -> AsyncIterator[Memory]:
        pool = AsyncConnectionPool(
            target,
            min_size=1,
            max_size=CONNECTIONS if verifier is None else KEYED_CONNECTIONS,
            max_waiting=100,
            timeout=10,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs={"autocommit": True, "application_name": "engram-pg mcp", "prepare_threshold": None},
        )
        await pool.open()
        vectors = QueryVectors(answer_seconds=5, load_seconds=2, warn=_log.warning)
        memory = Memory(pool, vectors, Turns(KEYED_CONNECTIONS - 1, OF_ONE_KEY))
        if verifier is not None:
            verifier.memory = memory
        with suppress(EngramError), granted(access):  # a database that is not up is told to the first tool
            await memory.active_model()
        try:
            yield memory
        finally:
            await pool.close()

    server = EngramServer(
        access,
        verifier,
        families,
        name="engram",
        title="engram memory",
        version=__version__,
        instructions="\n\n".join(family.INSTRUCTIONS for family in families),
        lifespan=lifespan,
        log_level="WARNING",
    )
    for family in families:
        family.register(server)
    return server


def serve(
    dsn: str,
    user: str = "default",
    tenant: str | None = None,
    tools: Sequence[str] = toolsets.DEFAULT,
    *,
    only_user: bool = False,
) -> None:
    """Serves over standard input and output until the client leaves. Logs go to stderr, without memories."""
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    make_server(dsn, user, tenant, tools=tools, only_user=only_user).run("stdio")


def _explained(name: str, error: ValidationError) -> str:
    problems = [f"{'.'.join(map(str, part['loc'])) or 'arguments'}: {part['msg']}" for part in error.errors()]
    return "\n".join(
        [f"{name} was called with wrong arguments.", *problems, "Hint: See the description of the tool."]
    )
