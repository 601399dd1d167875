"""mcp: the memory as tools of an agent, over standard input and output."""

from __future__ import annotations

from engram_pg.cli._options import DataDir, Dsn, Tenant, User


def mcp(user: User = "default", tenant: Tenant = None, dsn: Dsn = None, data_dir: DataDir = None) -> None:
    """Serve the memory to an MCP client over stdio; the demo prints the configuration."""
    from engram_pg import connecting
    from engram_pg.cli._output import note
    from engram_pg.embedded import Server
    from engram_pg.mcp.server import serve

    wanted = connecting.given_dsn(dsn, data_dir)
    if wanted is None:
        server = Server.at(data_dir)
        connecting.embedded(server, note=note).close()
        wanted = server.dsn()
    assert wanted is not None
    serve(connecting.plain(wanted), user, tenant)
