"""up, down, status, psql: the embedded server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Annotated

import typer

from engram_pg.cli._options import DataDir, Dsn, Json, Place
from engram_pg.embedded import Server
from engram_pg.errors import INSTALLATION, EngramError

Postgres = Annotated[
    int | None,
    typer.Option("--postgres", envvar="ENGRAM_POSTGRES", help="Version of the embedded server: 18 or 16."),
]


QUIET = ("--set", "SHOW_CONTEXT=never")
"""Without the functions that an error came through. A ~/.psqlrc has the last word."""


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True} if command == "psql" else None
    app.command(command, rich_help_panel="Server", context_settings=settings)(_COMMANDS[command])


def up(data_dir: DataDir = None, postgres: Postgres = None, json: Json = False) -> None:
    """Start the embedded PostgreSQL, with the schema in it, and print its DSN."""
    from engram_pg import connecting
    from engram_pg.cli._output import installing, note, print_json

    server = Server.at(data_dir, postgres)
    with installing() as progress:
        connecting.embedded(server, note=note, progress=progress).close()
    if json:
        print_json({"dsn": server.dsn(), "data_dir": str(server.data_dir), "version": server.version})
    else:
        print(server.dsn())


def down(data_dir: DataDir = None, postgres: Postgres = None) -> None:
    """Stop the embedded PostgreSQL. The memories stay."""
    stopped = Server.at(data_dir, postgres).stop()
    print("stopped" if stopped else "was not running")


def status(data_dir: DataDir = None, postgres: Postgres = None, json: Json = False) -> None:
    """Say whether the embedded PostgreSQL runs, where its data is, and how to connect."""
    from engram_pg.cli._output import print_json, show_fields

    found = Server.at(data_dir, postgres).status()
    if json:
        print_json(found)
        return
    show_fields(
        {
            "server": f"PostgreSQL {found.version}, {'running' if found.running else 'not running'}",
            **({"pid": found.pid, "dsn": found.dsn} if found.running else {}),
            "data": found.data_dir,
            "size": f"{found.size / 2**20:.0f} MiB",
        }
    )


def psql(
    context: typer.Context,
    dsn: Dsn = None,
    data_dir: DataDir = None,
) -> None:
    """Open psql on the database. What follows `--` goes to psql."""
    from engram_pg import connecting

    given = connecting.given_dsn(dsn, data_dir)
    server = Server.at(data_dir)
    if given is None:
        Place(None, data_dir).open().close()
    target = connecting.plain(given) if given else server.dsn()
    program = (shutil.which("psql") if given else None) or str(server.binary("psql"))
    assert target is not None
    try:
        os.execv(program, ["psql", *QUIET, target, *context.args])
    except OSError as error:
        raise EngramError(
            INSTALLATION, f"psql could not be run: {error.strerror}", hint="Install psql."
        ) from error


_COMMANDS: dict[str, Callable[..., None]] = {"up": up, "down": down, "status": status, "psql": psql}
