"""The options that many commands share, and how they become a connection."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from engram_pg.client import Engram


def flag(*names: str, **settings: Any) -> Any:
    """An option without a value; some releases of typer would name its type."""
    return typer.Option(*names, metavar="", **settings)


Dsn = Annotated[
    str | None,
    typer.Option(
        "--dsn", envvar="ENGRAM_DSN", help="Database to use instead of the embedded server.", show_envvar=True
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", envvar="ENGRAM_DATA_DIR", help="Folder of the embedded server.", show_envvar=True
    ),
]
User = Annotated[
    str, typer.Option("--user", "-u", envvar="ENGRAM_USER", help="Whose memory.", show_envvar=True)
]
Tenant = Annotated[
    str | None,
    typer.Option("--tenant", envvar="ENGRAM_TENANT", help="Tenant, in multi-tenant mode.", show_envvar=True),
]
Json = Annotated[bool, flag("--json", help="Print JSON, for scripts.")]
MemoryId = Annotated[int, typer.Argument(help="The number that recall shows.", show_default=False)]


def open_engram(
    dsn: str | None, data_dir: Path | None, user: str = "default", tenant: str | None = None
) -> Engram:
    """The memory that the options name; the embedded server is started, with words on stderr, when it is
    needed.
    """
    from engram_pg import connecting
    from engram_pg.cli._output import installing, note

    with installing() as progress:
        connection = connecting.connect(dsn, data_dir, note=note, progress=progress)
    return Engram(user=user, tenant=tenant, connection=connection)
