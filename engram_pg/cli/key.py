"""key: the API keys of a database."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import typer

from engram_pg.cli._options import Json, Place, Tenant, on_database

app = typer.Typer(help="Make, list and revoke API keys for MCP over HTTP.", no_args_is_help=True)


def register(parent: typer.Typer, command: str) -> None:
    """Adds the group."""
    parent.add_typer(app, name=command, rich_help_panel="Server")


@app.command()
@on_database
def create(
    place: Place,
    name: Annotated[str, typer.Argument(help="What it is for, like 'laptop of Mei'.", show_default=False)],
    user: Annotated[
        list[str] | None,
        typer.Option("--user", "-u", help="Whose memory it opens; repeatable. Without: everybody's."),
    ] = None,
    scope: Annotated[str, typer.Option("--scope", help="read, write or admin.")] = "write",
    days: Annotated[
        int | None, typer.Option("--days", help="How long it is in force; without: until revoked.", min=1)
    ] = None,
    tenant: Tenant = None,
    json: Json = False,
) -> None:
    """Make a key. Its secret is printed this once, alone on standard output."""
    from engram_pg import keys
    from engram_pg.cli._output import note, print_json

    with place.open() as engram:
        made = keys.create(engram.connection, name, tenant=tenant, users=user, scope=scope, days=days)
    if json:
        print_json(made)
        return
    note(f"key {made['key_id']}, {name!r}: keep the secret, it is not shown again")
    print(made["secret"])


@app.command("list")
@on_database
def list_(place: Place, json: Json = False) -> None:
    """List the keys: whom each opens, its scope, whether it is in force."""
    from engram_pg import keys
    from engram_pg.cli._output import print_json, show_table

    with place.open() as engram:
        rows = keys.listed(engram.connection)
    if json:
        print_json(rows)
        return
    headers = ("id", "name", "tenant", "users", "scope", "state", "until")
    show_table(headers, [_listed(row) for row in rows], wide="name")


@app.command()
@on_database
def revoke(
    place: Place,
    key: Annotated[str, typer.Argument(help="Its name or number.", show_default=False)],
    json: Json = False,
) -> None:
    """End a key at once."""
    from engram_pg import keys
    from engram_pg.cli._output import print_json

    with place.open() as engram:
        revoked = keys.revoke(engram.connection, key)
    if json:
        print_json({**revoked, "state": "revoked"})
        return
    print(f"key {revoked['key_id']}, {revoked['name']!r}, is revoked")


def _listed(row: dict[str, Any]) -> tuple[str, ...]:
    until: datetime | None = row["expires_at"]
    return (
        str(row["key_id"]),
        row["name"],
        row["tenant"],
        "all" if row["users"] is None else ", ".join(row["users"]),
        row["scope"],
        row["state"],
        "" if until is None else f"{until:%Y-%m-%d}",
    )
