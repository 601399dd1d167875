"""import, export: files of memories."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from engram_pg.cli._options import Json, Place, flag, on_memory
from engram_pg.errors import ARGUMENT_INVALID, CONTENT_INVALID, EngramError


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Files")(_COMMANDS[command])


@on_memory
def import_(
    place: Place,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE | mcp-engram DUCKDB [GRAPH]",
            help="The file, - for standard input; or mcp-engram and its memories.duckdb.",
            show_default=False,
        ),
    ],
    into: Annotated[
        str | None, typer.Option("--into", help="Put everything into this user's memory.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", help="resolve, reject, merge: through the gate; append: as it is."),
    ] = None,
    keep_going: Annotated[bool, flag("--keep-going", help="Skip bad lines instead of stopping.")] = False,
    time_zone: Annotated[
        str | None, typer.Option("--time-zone", help="Where mcp-engram ran, if not in this time zone.")
    ] = None,
    json: Json = False,
) -> None:
    """Read memories from JSON lines, a chat, LoCoMo JSON, an export, or mcp-engram. Doing it again doubles
    nothing.
    """
    if len(what) > 1:
        _from_mcp_engram(what, policy)
        from engram_pg.cli import _moving
        from engram_pg.importers import mcp_engram

        store, *graph = map(Path, what[1:])
        moving = mcp_engram.read(store, graph[0] if graph else None, time_zone)
        with place.open() as engram:
            _moving.move(engram, moving, into, keep_going, json)
        return

    from engram_pg import importers
    from engram_pg.cli._output import note, print_json, progress_bar, show_table

    file = Path(what[0])
    format, items = importers.read(_read(file), str(file))
    with place.open() as engram, progress_bar("importing") as advance:
        done = importers.load(engram, items, user=into, policy=policy, keep_going=keep_going, advance=advance)
    if json:
        users = {name: dict(counts) for name, counts in done.users.items()}
        print_json({"format": format, "users": users, "bad": done.bad})
    else:
        actions = sorted({action for counts in done.users.values() for action in counts})
        rows = [
            (name, *(str(counts[action]) for action in actions), str(counts.total()))
            for name, counts in done.users.items()
        ]
        show_table(("user", *actions, "lines"), rows)
        for bad in done.bad:
            note(f"left out line {bad.line}: {bad.reason}")
    if done.bad:
        raise typer.Exit(1)


def _from_mcp_engram(what: list[str], policy: str | None) -> None:
    if what[0] != "mcp-engram" or len(what) > 3:
        raise typer.BadParameter("one FILE at a time, or: mcp-engram memories.duckdb [graph.json]")
    if policy is not None:
        raise typer.BadParameter("--policy is for texts; mcp-engram has been through a gate of its own")


@on_memory
def export(
    place: Place,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; stdout without it.")
    ] = None,
) -> None:
    """Write a user's whole memory as JSON lines: states, history and links, for import into another
    database.
    """
    from engram_pg.cli._output import waiting
    from engram_pg.statements import to_json

    with place.open() as engram, waiting("exporting"):
        target = sys.stdout if file is None else file.open("w", encoding="utf-8")
        try:
            for entry in engram.export():
                target.write(to_json(entry) + "\n")
        finally:
            target.flush()
            if file is not None:
                target.close()


def _read(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        half = str(file) == "mcp-engram"
        raise EngramError(
            ARGUMENT_INVALID,
            f"{file} cannot be read: {error.strerror}",
            hint="Name its file: engram-pg import mcp-engram memories.duckdb" if half else "Check the path.",
        ) from error
    except UnicodeDecodeError as error:
        if data[8:12] == b"DUCK":
            raise EngramError(
                CONTENT_INVALID,
                f"{file} is a database of DuckDB",
                hint=f"If mcp-engram wrote it: engram-pg import mcp-engram {shlex.quote(str(file))}",
            ) from error
        line = data.count(b"\n", 0, error.start) + 1
        raise EngramError(
            CONTENT_INVALID, f"line {line}: not UTF-8", hint="Convert the file first, with iconv."
        ) from error


_COMMANDS: dict[str, Callable[..., None]] = {"import": import_, "export": export}
