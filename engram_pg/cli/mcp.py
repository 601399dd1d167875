"""mcp: the memory as tools of an agent, over standard input and output or over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from engram_pg.cli._options import DataDir, Dsn, Tenant, User, flag

Tools = Annotated[
    str,
    typer.Option(
        "--tools",
        envvar="ENGRAM_TOOLS",
        help="Families of tools, with commas between: native, engineering, mcp-engram.",
        show_envvar=True,
    ),
]


def mcp(
    tools: Tools = "native",
    http: Annotated[bool, flag("--http", help="Serve streamable HTTP instead of stdio.")] = False,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on. Any but loopback takes --keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port to listen on; 0 for a free one.")] = 8765,
    keys: Annotated[
        bool,
        flag("--keys", help="Ask each request for an API key, which says the tenant and users."),
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Another name by which clients may reach it. Repeatable."),
    ] = None,
    only_user: Annotated[
        bool, flag("--only-user", help="Refuse calls that name another user than --user.")
    ] = False,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the memory to MCP clients over stdio or HTTP; init writes the configuration."""
    from engram_pg.cli._output import note
    from engram_pg.mcp.toolsets import known

    families = known(tools.split(","))
    if not http:
        from engram_pg.mcp.server import serve

        serve(_database(dsn, data_dir), user, tenant, families, only_user=only_user)
        return

    from engram_pg.mcp.http import refuse_open, serve_http

    refuse_open(host, keys, only_user)
    serve_http(
        _database(dsn, data_dir),
        user,
        tenant,
        host=host,
        port=port,
        keys=keys,
        allowed_hosts=allow_host or (),
        tools=families,
        only_user=only_user,
        started=lambda url: note(f"serving on {url}"),
    )


def _database(dsn: Dsn, data_dir: DataDir) -> str:
    """The DSN that is given, else that of the embedded server, which is started when needed."""
    from engram_pg import connecting
    from engram_pg.cli._output import note
    from engram_pg.embedded import Server

    wanted = connecting.given_dsn(dsn, data_dir)
    if wanted is None:
        server = Server.at(data_dir)
        connecting.embedded(server, note=note).close()
        wanted = server.dsn()
    assert wanted is not None
    return connecting.plain(wanted)
