"""forecast, prune, consolidate: what fades, what goes, and what becomes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from engram_pg.cli._asking import DryRun
from engram_pg.cli._options import Json, MemoryId, Place, flag, on_memory


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Memory")(_COMMANDS[command])


@on_memory
def forecast(place: Place, memory_id: MemoryId, json: Json = False) -> None:
    """Say when a memory has faded so far that prune may archive it, if nobody recalls it before."""
    from engram_pg.cli._output import print_json

    with place.open() as engram:
        moment = engram.forecast(memory_id)
    if json:
        print_json({"memory_id": memory_id, "fades_at": moment})
    else:
        print("never" if moment is None else f"{moment:%Y-%m-%d %H:%M}")


@on_memory
def prune(place: Place, dry_run: DryRun = False, json: Json = False) -> None:
    """Archive what has faded, and show what stays all the same and why. Nothing is deleted; undo brings a
    memory back.
    """
    from engram_pg.cli._hints import show_undo
    from engram_pg.cli._output import print_json, show_table

    with place.open() as engram:
        rows = engram.prune(dry_run=dry_run)
    if json:
        print_json(rows)
        return
    goes = "would go" if dry_run else "archived"
    show_table(
        ("id", "", "strength", "memory"),
        [
            (
                str(row.memory_id),
                goes if row.gone else "stays",
                f"{row.strength:.3f}",
                f"{row.content}\n{row.reason}",
            )
            for row in rows
        ],
        wide="memory",
        empty="nothing has faded",
    )
    show_undo([row.decision_id for row in rows], place)


@on_memory
def consolidate(
    place: Place,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", help="Cosine from which two are near; else that of the active model."),
    ] = None,
    across_kinds: Annotated[
        bool, flag("--across-kinds", help="Also memories of different kinds together.")
    ] = False,
    again: Annotated[bool, flag("--again", help="Look at everything, not only at what changed.")] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Make one memory of those that say the same or add to each other. The others are archived; undo parts
    them again.
    """
    from engram_pg.cli._hints import show_undo
    from engram_pg.cli._output import print_json, show_table

    with place.open() as engram:
        rows = engram.consolidate(threshold, across_kinds=across_kinds, again=again, dry_run=dry_run)
    if json:
        print_json(rows)
        return
    show_table(
        ("would keep" if dry_run else "kept", "folded", "retired", "memory"),
        [(str(row.kept), _ids(row.folded), _ids(row.retired), row.content) for row in rows],
        wide="memory",
        empty="nothing lies so close together",
    )
    show_undo([row.decision_id for row in rows], place)


def _ids(memories: list[int]) -> str:
    return " ".join(map(str, memories))


_COMMANDS: dict[str, Callable[..., None]] = {
    "forecast": forecast,
    "prune": prune,
    "consolidate": consolidate,
}
