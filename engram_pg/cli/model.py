"""model: the embedding models of a database."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from engram_pg.cli._asking import DryRun, tried
from engram_pg.cli._hints import here
from engram_pg.cli._options import Json, Place, flag, on_database

app = typer.Typer(help="Add, fill, measure, switch and drop embedding models.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The model, as `model list` shows it.", show_default=False)]
THRESHOLDS = ("floor", "link_at", "relation_at", "consolidate_at", "reinforce_at")


def register(parent: typer.Typer, command: str) -> None:
    """Adds the group."""
    parent.add_typer(app, name=command, rich_help_panel="Installation")


@app.command()
@on_database
def add(
    place: Place,
    name: Annotated[
        str,
        typer.Argument(
            help="sentence-transformers:NAME_OR_PATH, openai:NAME or caller:NAME.", show_default=False
        ),
    ],
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Of the server, for openai: http://127.0.0.1:8000/v1")
    ] = None,
    dims: Annotated[
        int | None, typer.Option("--dims", help="Dimensions; found out, but for caller.", min=1)
    ] = None,
    json: Json = False,
) -> None:
    """Add a model, and queue every memory for it. The key of a server comes from ENGRAM_EMBEDDING_KEY, else
    OPENAI_API_KEY.
    """
    from engram_pg import models
    from engram_pg.cli._output import note, print_json

    with place.open() as engram:
        if not name.startswith("caller:"):
            note(f"asking {name} for its dimensions")
        model, _ = models.described(name, base_url=base_url, dims=dims)
        models.register(engram.connection, model)
        [row] = [row for row in models.progress(engram.connection) if row["model"] == model.name]
    if json:
        print_json(row)
        return
    print(f"{model.name}: {model.dims} dimensions, {row['pending']} memories to embed")
    if model.provider != "caller":
        print(here("engram-pg worker --once embeds them; model calibrate and model activate come after that"))


@app.command("list")
@on_database
def list_(place: Place, json: Json = False) -> None:
    """List the models: how far each is, its size on disk, its thresholds."""
    from engram_pg import models
    from engram_pg.cli._output import note, print_json, show_table

    with place.open() as engram:
        rows = models.progress(engram.connection)
    if json:
        print_json(rows)
        return
    headers = ("model", "", "dims", "done", "pending", "failed", "size")
    show_table(headers, [_listed(row) for row in rows], wide="model")
    for row in rows:
        if row["last_error"]:
            note(f"{row['model']}, last error: {row['last_error']}")
        if row["failed"]:
            note(f"engram-pg model retry {row['model']} queues the {row['failed']} failed ones again")


@app.command()
@on_database
def activate(
    place: Place,
    name: Name,
    force: Annotated[bool, flag("--force", help="Even while memories lack its vectors.")] = False,
) -> None:
    """Make a model the one that writes and recalls use. Switching back is instant."""
    from engram_pg import models
    from engram_pg.cli._output import waiting

    with place.open() as engram, waiting(f"switching to {name}"):
        active = models.activate(engram.connection, name, force)
    print(f"{active} is active")


@app.command()
@on_database
def drop(place: Place, name: Name, dry_run: DryRun = False, json: Json = False) -> None:
    """Remove a model, its vectors and its queue. The active one stays."""
    from engram_pg import models
    from engram_pg.cli._output import print_json

    with place.open() as engram, tried(engram, dry_run):
        vectors = models.drop(engram.connection, name)
    if json:
        print_json({"name": name, "vectors": vectors, "dry_run": dry_run})
    else:
        print(f"{name} {'would be' if dry_run else 'is'} dropped, with {vectors} vectors")


@app.command()
@on_database
def calibrate(place: Place, name: Name, json: Json = False) -> None:
    """Measure the thresholds of a model by its own vectors and by labelled pairs of texts."""
    from engram_pg import models
    from engram_pg.cli._output import print_json, show_fields, waiting

    with place.open() as engram, waiting(f"measuring {name}"):
        found = models.calibrate(engram.connection, name)
    if json:
        print_json(found)
    else:
        show_fields({key: _rounded(value) for key, value in found.items()})


@app.command()
@on_database
def retry(place: Place, name: Name) -> None:
    """Queue the texts once more that a model failed on too often."""
    from engram_pg import models

    with place.open() as engram:
        print(f"{models.retry(engram.connection, name)} texts of {name} are queued again")


def _listed(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{row['model']}\n{_thresholds(row)}",
        "active" if row["active"] else "",
        *(str(row[column]) for column in ("dims", "done", "pending", "failed")),
        f"{row['bytes'] / 2**20:.1f} MiB",
    )


def _thresholds(row: dict[str, Any]) -> str:
    return ", ".join(f"{name.removesuffix('_at')} {row[name]:.2f}" for name in THRESHOLDS)


def _rounded(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value
