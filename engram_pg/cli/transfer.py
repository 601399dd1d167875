"""import, export: files of memories."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, TextIO

import typer

from engram_pg.cli._asking import DryRun, tried
from engram_pg.cli._options import Json, Place, flag, on_memory
from engram_pg.errors import ARGUMENT_INVALID, CONTENT_INVALID, EngramError
from engram_pg.progress import silent


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
    dry_run: DryRun = False,
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
        with place.open() as engram, tried(engram, dry_run):
            _moving.move(engram, moving, into, keep_going, dry_run, json)
        return

    from engram_pg import importers
    from engram_pg.cli._output import note, print_json, progress_bar, show_table

    file = Path(what[0])
    with _opened(file) as (lines, total):
        format, items = importers.read_lines(lines, str(file))
        with place.open() as engram, tried(engram, dry_run), progress_bar("importing") as advance:
            done = importers.load(
                engram,
                items,
                user=into,
                policy=policy,
                keep_going=keep_going,
                total=total,
                advance=advance,
            )
    if json:
        users = {name: dict(counts) for name, counts in done.users.items()}
        print_json({"format": format, "users": users, "bad": done.bad, "dry_run": dry_run})
    else:
        actions = sorted({action for counts in done.users.values() for action in counts})
        rows = [
            (name, *(str(counts[action]) for action in actions), str(counts.total()))
            for name, counts in done.users.items()
        ]
        show_table(("user", *actions, "lines"), rows)
        for bad in done.bad:
            note(f"left out line {bad.line}: {bad.reason}")
        if dry_run:
            note("nothing was changed; this is what it would do")
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
    everybody: Annotated[bool, flag("--all", help="Of all users of the tenant.")] = False,
    json: Annotated[bool, flag("--json", help="With --output: print what was written, as JSON.")] = False,
) -> None:
    """Write a user's whole memory, or that of all users, as JSON lines: states, history and links, for import
    into another database.
    """
    from engram_pg.cli._output import note, print_json, progress_bar
    from engram_pg.statements import to_json

    if json and file is None:
        raise typer.BadParameter("--json takes --output; without it the export itself is what is printed")
    counts: Counter[str] = Counter()
    users: set[str] = set()
    shown = file is not None or not sys.stdout.isatty()
    with place.open() as engram, progress_bar("exporting") if shown else nullcontext(silent) as advance:
        target = sys.stdout if file is None else _writable(file)
        try:
            for entry in engram.export_all() if everybody else engram.export():
                target.write(to_json(entry) + "\n")
                counts[entry["type"]] += 1
                users.add(entry["user_id"])
                if not counts.total() % 1000:
                    advance(f"exporting {entry['user_id']}", counts.total(), 0)
        finally:
            target.flush()
            if file is not None:
                target.close()
    if json:
        print_json({"file": str(file), "users": len(users), "lines": dict(counts)})
    elif everybody or file is not None:
        note(f"{counts['memory']} memories of {len(users)} users, {counts.total()} lines")


def _writable(file: Path) -> TextIO:
    try:
        return file.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise EngramError(
            ARGUMENT_INVALID, f"{file} cannot be written: {error.strerror}", hint="Check the path."
        ) from error


@contextmanager
def _opened(file: Path) -> Iterator[tuple[Iterable[bytes], int]]:
    """The lines of a file, and how many there are; 0 of standard input, which can be read but once."""
    if str(file) == "-":
        yield sys.stdin.buffer, 0
        return
    try:
        opened = file.open("rb")
    except OSError as error:
        half = str(file) == "mcp-engram"
        raise EngramError(
            ARGUMENT_INVALID,
            f"{file} cannot be read: {error.strerror}",
            hint="Name its file: engram-pg import mcp-engram memories.duckdb" if half else "Check the path.",
        ) from error
    with opened:
        if opened.read(12)[8:] == b"DUCK":
            raise EngramError(
                CONTENT_INVALID,
                f"{file} is a database of DuckDB",
                hint=f"If mcp-engram wrote it: engram-pg import mcp-engram {shlex.quote(str(file))}",
            )
        opened.seek(0)
        total = sum(1 for _ in opened)
        opened.seek(0)
        yield opened, total


_COMMANDS: dict[str, Callable[..., None]] = {"import": import_, "export": export}
