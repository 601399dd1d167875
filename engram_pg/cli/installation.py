"""migrate, sql, extension, doctor: the schema in a database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from engram_pg.cli._options import DataDir, Dsn, Json, Place, flag, on_database


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Installation")(_COMMANDS[command])


def migrate(
    grant: Annotated[
        list[str] | None,
        typer.Option(
            "--grant",
            metavar="ROLE=LEVEL",
            help="Let a role use it afterwards, as a reader, writer, worker or admin; repeatable.",
            show_default=False,
        ),
    ] = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
) -> None:
    """Install the schema, or bring it up to date. Running it again changes nothing."""
    import time

    from engram_pg import connecting, schema
    from engram_pg.cli._output import note, progress_bar
    from engram_pg.errors import translated

    grants = [_grant(text) for text in grant or ()]
    with connecting.bare(dsn, data_dir, note=note) as connection:
        with translated():
            expected = schema.expectation(connection)
        if expected:
            connecting.refuse_unfit(connection)
        for line in expected:
            note(line)
        before = time.monotonic()
        with progress_bar("installing the schema") as progress:
            revision = connecting.install(connection, progress)
        if expected:
            note(f"done in {time.monotonic() - before:.1f} s")
        for role, level in grants:
            with translated():
                connection.execute("select engram.grant_usage(%s, %s)", [role, level])
            note(f"{role} may use it as {level}")
    print(f"schema engram is at revision {revision}")


def _grant(text: str) -> tuple[str, str]:
    role, _, level = text.rpartition("=")
    if not role:
        raise typer.BadParameter(f"{text!r} is not of the form ROLE=LEVEL", param_hint="--grant")
    return role, level


def sql(
    static: bool = typer.Option(
        True, help="With the vectors of the static model, which are most of the file."
    ),
) -> None:
    """Print the whole installer as one SQL file: engram-pg sql > engram.sql; psql -f engram.sql."""
    import sys

    from engram_pg import schema

    for part in schema.script(with_static_model=static):
        sys.stdout.write(part)


def extension(
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder to write, for `make install` there.", show_default=False),
    ] = None,
    pg_tle: Annotated[
        bool, flag("--pg-tle", help="Print the SQL that registers it with pg_tle instead.")
    ] = False,
) -> None:
    """Write the files of CREATE EXTENSION engram: control, script, Makefile for PGXS, META.json for PGXN."""
    import sys

    from engram_pg.schema import extension

    if (out is None) is not pg_tle:
        raise typer.BadParameter("give a folder with --out, or --pg-tle")
    if out is not None:
        for file in extension.write(out):
            print(file)
    else:
        for part in extension.pg_tle():
            sys.stdout.write(part)


@on_database
def doctor(
    place: Place,
    strict: Annotated[bool, flag("--strict", help="Exit with 1 on a warning, too.")] = False,
    json: Json = False,
) -> None:
    """Check the installation; a finding comes with what mends it. Exit code 1 when something is broken."""
    from engram_pg.cli._hints import in_commands
    from engram_pg.cli._output import print_json, show_table

    with place.open() as engram:
        checks = engram.doctor()
    if json:
        print_json(checks)
    else:
        rows = [(c.check, c.status, c.detail or "", in_commands(c.fix or "")) for c in checks]
        show_table(("check", "status", "detail", "fix"), rows)
    if any(check.status == "error" or (strict and check.status != "ok") for check in checks):
        raise typer.Exit(1)


_COMMANDS: dict[str, Callable[..., None]] = {
    "migrate": migrate,
    "sql": sql,
    "extension": extension,
    "doctor": doctor,
}
