"""The MCP server over streamable HTTP: on loopback, or anywhere for who has a key."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from engram_pg.errors import ARGUMENT_INVALID, EngramError
from engram_pg.mcp.keys import KeyVerifier
from engram_pg.mcp.server import make_server
from engram_pg.mcp.toolsets import DEFAULT

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
HEALTH = "/health"
"""Says that the process serves; a database that is down is told by the tools."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_REQUESTS = 200
"""Open connections at a time; more are refused with 503."""


def serve_http(
    dsn: str,
    user: str = "default",
    tenant: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    keys: bool = False,
    allowed_hosts: Iterable[str] = (),
    tools: Sequence[str] = DEFAULT,
    only_user: bool = False,
    started: Callable[[str], None] = lambda url: None,
) -> None:
    """Serves until it is told to stop; `started` gets the URL. Port 0 takes a free one. Raises EngramError
    for an address that is not loopback and no keys, and for `only_user` where keys say who may.
    """
    refuse_open(host, keys, only_user)
    listening = _listening(host, port)
    app = make_app(
        dsn,
        user,
        tenant,
        host=host,
        keys=keys,
        allowed_hosts=allowed_hosts,
        tools=tools,
        only_user=only_user,
    )
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    shown = f"[{host}]" if ":" in host else host
    started(f"http://{shown}:{listening.getsockname()[1]}{PATH}")
    with listening:
        web_server(app).run(sockets=[listening])


def web_server(app: ASGIApp) -> uvicorn.Server:
    """What speaks HTTP for the application."""
    import uvicorn

    from engram_pg.mcp.prompt import PromptProtocol

    config = uvicorn.Config(
        app,
        http=PromptProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        limit_concurrency=MOST_REQUESTS,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    return uvicorn.Server(config)


def make_app(
    dsn: str,
    user: str = "default",
    tenant: str | None = None,
    *,
    host: str = "127.0.0.1",
    keys: bool = False,
    allowed_hosts: Iterable[str] = (),
    tools: Sequence[str] = DEFAULT,
    only_user: bool = False,
) -> Starlette:
    """The ASGI application. Each request stands alone, so several of these may share the work."""
    server = make_server(dsn, user, tenant, KeyVerifier() if keys else None, tools, only_user=only_user)
    server.custom_route(HEALTH, methods=["GET"], include_in_schema=False)(_alive)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        transport_security=security(host, allowed_hosts),
        host=host,
    )
    app.add_middleware(_NoStream)
    app.add_middleware(_NoAnswer)
    return app


class _NoAnswer:
    """Says 503 while the database does not answer and no key can be looked up: a client whose key is refused
    or who meets a fault may give it up for good.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except EngramError as error:
            answer = Response(f"{error.message}\n", status_code=503, headers={"retry-after": "5"})
            await answer(scope, receive, send)


class _NoStream:
    """Refuses the stream on which a server would call its clients, as the protocol allows: nothing ever comes
    on it here, and each client would keep a connection open for it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        listens = scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == PATH
        refusal = Response(status_code=405, headers={"allow": "POST"})
        await (refusal if listens else self._app)(scope, receive, send)


def refuse_open(host: str, keys: bool, only_user: bool = False) -> None:
    """Raises EngramError for a server that anybody in the network could use, and for two answers to whose
    memory it opens.
    """
    if keys and only_user:
        raise EngramError(
            ARGUMENT_INVALID,
            "--only-user is for a server without keys: a key says itself whose memory it opens",
            hint="Leave it out, and make the key with engram-pg key create … --user NAME.",
        )
    if not keys and not is_loopback(host):
        raise EngramError(
            ARGUMENT_INVALID,
            f"{host} is not a loopback address, and without keys anybody who reaches it reads the memory",
            hint="Add --keys, and make a key with engram-pg key create; or keep to 127.0.0.1.",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address. A name other than localhost could mean anything."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def security(host: str, allowed_hosts: Iterable[str] = ()) -> TransportSecuritySettings:
    """What the headers Host and Origin may say, so that no page of a browser reaches the server by a name of
    its own (DNS rebinding): loopback, the address itself, and what is allowed besides.
    """
    names = [*LOOPBACK, f"[{host}]" if ":" in host else host, *allowed_hosts]
    forms = [form for name in names for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=forms,
        allowed_origins=[f"{scheme}://{form}" for scheme in ("http", "https") for form in forms],
    )


async def _alive(_: Request) -> Response:
    return Response("ok\n", media_type="text/plain")


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise EngramError(
            ARGUMENT_INVALID, f"{host}:{port} cannot be served on: {error}", hint="Choose another --port."
        ) from error
