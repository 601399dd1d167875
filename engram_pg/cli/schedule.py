"""schedule: the upkeep as jobs of pg_cron."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from engram_pg.cli._options import Json, Place, on_database

app = typer.Typer(help="Have pg_cron do the upkeep.", no_args_is_help=True)


def register(parent: typer.Typer, command: str) -> None:
    """Adds the group."""
    parent.add_typer(app, name=command, rich_help_panel="Installation")


@app.command("set")
@on_database
def set_(
    place: Place,
    maintain_every: Annotated[
        str | None, typer.Option("--maintain-every", help="Everything that is due. [default: 12 hours]")
    ] = None,
    fold_every: Annotated[
        str | None, typer.Option("--fold-every", help="Count recalls into strength. [default: 1 minute]")
    ] = None,
    expire_every: Annotated[
        str | None, typer.Option("--expire-every", help="Archive what expired. [default: 10 minutes]")
    ] = None,
    sweep_every: Annotated[
        str | None, typer.Option("--sweep-every", help="Give up what no worker embeds. [default: 5 minutes]")
    ] = None,
    index_every: Annotated[
        str | None, typer.Option("--index-every", help="Bring vectors into the index. [default: 10 minutes]")
    ] = None,
    keep_history: Annotated[
        str | None, typer.Option("--keep-history", help="Of pg_cron about these jobs. [default: 7 days]")
    ] = None,
    sql: Annotated[
        bool, typer.Option("--sql", help="Print the SQL to run in the database that has pg_cron instead.")
    ] = False,
    json: Json = False,
) -> None:
    """Register the jobs, or change them; never a second set. Exit code 1 where pg_cron is missing."""
    from engram_pg import scheduling
    from engram_pg.cli._output import print_json, show_table

    intervals = {
        "maintain_every": maintain_every,
        "fold_every": fold_every,
        "expire_every": expire_every,
        "sweep_every": sweep_every,
        "index_every": index_every,
        "keep_history": keep_history,
    }
    with place.open() as engram:
        if sql:
            print(scheduling.statements(engram.connection, intervals))
            return
        rows = scheduling.register(engram.connection, intervals)
    if json:
        print_json(rows)
    else:
        show_table(("job", "schedule", "command"), [tuple(row.values()) for row in rows], wide="command")


@app.command()
@on_database
def show(place: Place, json: Json = False) -> None:
    """Show the jobs and how their last runs went. Exit code 1 where one failed or pg_cron is missing."""
    from engram_pg import scheduling
    from engram_pg.cli._output import note, print_json, show_table

    with place.open() as engram:
        rows = scheduling.listed(engram.connection)
    if json:
        print_json(rows)
    elif rows:
        show_table(("job", "schedule", "as", "last run", "status"), [_listed(row) for row in rows])
        for row in rows:
            if row["last_status"] == "failed":
                print(f"{row['name']}: {(row['last_message'] or '').strip()}")
    else:
        note("no job is registered; engram-pg schedule set registers them")
    if any(row["last_status"] == "failed" for row in rows):
        raise typer.Exit(1)


@app.command()
@on_database
def drop(place: Place, json: Json = False) -> None:
    """Take the jobs off pg_cron."""
    from engram_pg import scheduling
    from engram_pg.cli._output import print_json

    with place.open() as engram:
        dropped = scheduling.drop(engram.connection)
    if json:
        print_json({"jobs": dropped})
    else:
        print(f"{dropped} jobs are taken off")


def _listed(row: dict[str, Any]) -> tuple[str, ...]:
    started = row["last_started"]
    return (
        row["name"],
        row["schedule"],
        row["role"] if row["active"] else f"{row['role']}, off",
        "" if started is None else f"{started:%Y-%m-%d %H:%M}",
        row["last_status"] or "",
    )
