"""import mcp-engram: moves in, and says what came over and what did not."""

from __future__ import annotations

import typer

from engram_pg.cli._output import note, print_json, progress_bar, show_table
from engram_pg.client import Engram
from engram_pg.importers import mcp_engram
from engram_pg.importers.adopt import adopt
from engram_pg.importers.mcp_engram import Moving

COLUMNS = {
    "new": "new",
    "known": "known",
    "same_text": "same text",
    "revised": "revised",
    "conflict": "conflicts",
    "edge": "edges",
    "known_edge": "known edges",
    "edge_without_memory": "edges left out",
}
"""What can become of an entry, and what its column is called."""


def move(
    engram: Engram, moving: Moving, into: str | None, keep_going: bool, dry_run: bool, json: bool
) -> None:
    """Imports what the files of mcp-engram hold. Exit code 1 if some memories could not be imported."""
    with progress_bar("importing") as advance:
        done = adopt(engram, moving, mcp_engram.NAME, user=into, keep_going=keep_going, advance=advance)
    if json:
        users = {name: dict(counts) for name, counts in done.users.items()}
        print_json(
            {
                "format": mcp_engram.NAME,
                "users": users,
                "left": dict(moving.left),
                "conflicts": done.conflicts,
                "bad": done.bad,
                "dry_run": dry_run,
            }
        )
    else:
        shown = [name for name in COLUMNS if any(counts[name] for counts in done.users.values())]
        show_table(
            ("user", *(COLUMNS[name] for name in shown)),
            [(user, *(str(counts[name]) for name in shown)) for user, counts in done.users.items()],
        )
        for what, count in moving.left.items():
            note(f"stayed behind: {count} {what}")
        note("vectors are made anew, by the models of this database")
        for number in done.conflicts:
            note(f"memory {number} changed there and here, and stays as it is here")
        for bad in done.bad:
            note(f"left out memory {bad.line}: {bad.reason}")
        if dry_run:
            note("nothing was changed; this is what it would do")
    if done.bad:
        raise typer.Exit(1)
