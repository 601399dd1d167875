"""How the commands show things: tables for people, JSON for programs, everything else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from engram_pg.errors import EngramError
from engram_pg.progress import Advance

if TYPE_CHECKING:
    from rich.console import Console

    from engram_pg.results import Change, Hit


WIDE = 130
"""Columns of a terminal from which the parts of a score get columns of their own."""

BESIDE = {
    "pinned": "(pinned: the newest hand-off)",
    "about": "(comes along: a failure of a component that is in question)",
}
"""The legs of hits that are there for what they are, and what to say of them."""

PARTS = ("semantic", "lexical", "strength", "graph")


def console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False)


def note(text: str) -> None:
    """A word on what takes a while; on stderr, so that output can be piped. Commands in it are for here."""
    from engram_pg.cli._hints import here

    print(f"· {here(text)}", file=sys.stderr, flush=True)


def complain(error: EngramError) -> None:
    """The error with its hint, on stderr; the hint in commands."""
    from engram_pg.cli._hints import in_commands

    print(f"error: {error.message} ({error.sqlstate})", file=sys.stderr)
    for label, text in (("detail", error.detail), ("hint", in_commands(error.hint or ""))):
        if text:
            print(f"{label}: {text}", file=sys.stderr)


def print_json(value: Any) -> None:
    """One JSON document on a line."""
    print(json.dumps(value, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


@contextmanager
def progress_bar(what: str) -> Iterator[Advance]:
    """A bar on stderr that shows itself once something is reported, and is gone afterwards."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("· {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(what, total=None)

        def advance(doing: str, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total or None, description=doing)

        yield advance


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """What is being done and for how long, on a terminal, while nothing can say how far it is."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("· {task.description}"), SpinnerColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=None)
        yield


@contextmanager
def installing() -> Iterator[Advance]:
    """A progress bar that is only made if something is installed, so that it costs nothing otherwise."""
    with _Lazy("installing the schema") as lazy:
        yield lazy.advance


class _Lazy:
    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None
        self._advance: Advance | None = None

    def __enter__(self) -> _Lazy:
        return self

    def advance(self, doing: str, done: int, total: int) -> None:
        if self._advance is None:
            self._bar = progress_bar(self._what)
            self._advance = self._bar.__enter__()
        self._advance(doing, done, total)

    def __exit__(self, *details: object) -> None:
        if self._bar is not None:
            self._bar.__exit__(*details)


def show_hits(hits: Sequence[Hit]) -> None:
    """Hits as a table, with the parts of their scores: in columns where there is room, or below."""
    if not hits:
        note("nothing is remembered about that")
        return
    if all(hit.score <= 0 for hit in hits):
        note("no memory fits; these are what there is")
    if console().width >= WIDE:
        rows = [(_id(hit), _number(hit.score), _told(hit), *_parts(hit).values(), _day(hit)) for hit in hits]
        show_table(("id", "score", "memory", *_parts(hits[0]), "created"), rows, wide="memory")
    else:
        rows = [(_id(hit), _number(hit.score), f"{_told(hit)}\n{_below(hit)}") for hit in hits]
        show_table(("id", "score", "memory"), rows, wide="memory")


def _told(hit: Hit) -> str:
    """Its text, and why it is there if that is no matter of its score."""
    return "\n".join([hit.content, *(why for leg, why in BESIDE.items() if leg in (hit.legs or ()))])


def _id(hit: Hit) -> str:
    return str(hit.memory_id)


def _parts(hit: Hit) -> dict[str, str]:
    return {name: _number(getattr(hit, name)) for name in PARTS}


def _below(hit: Hit) -> str:
    parts = [f"{name} {getattr(hit, name):.2f}" for name in PARTS if getattr(hit, name) is not None]
    return " ".join([*parts, _day(hit)])


def _day(hit: Hit) -> str:
    return f"{hit.created_at:%Y-%m-%d}"


def show_changes(changes: Sequence[Change]) -> None:
    """The history of a memory: each decision with its number, and why it was made."""
    rows = [
        (
            str(change.decision_id),
            f"{change.decided_at:%Y-%m-%d %H:%M}",
            change.action + (" (undone)" if change.undone_at else ""),
            str(change.memory_id),
            "\n".join(line for line in (change.content or "", _why(change)) if line),
        )
        for change in changes
    ]
    show_table(("decision", "when", "action", "memory", "content"), rows, wide="content")


def _why(change: Change) -> str:
    if change.action == "new":  # what it was compared with and is kept beside
        return ""
    rule = (change.evidence or {}).get("rule")
    similarity = None if change.similarity is None else f"similarity {change.similarity:.2f}"
    related = None if change.related_id is None else f"to {change.related_id}"
    return " ".join(str(part) for part in (rule and f"why: {rule}", similarity, related) if part)


def show_table(
    headers: Sequence[str], rows: Sequence[tuple[str, ...]], wide: str = "", empty: str = ""
) -> None:
    """A plain table; the column `wide` takes what room is left, numbers stand right. Without rows, the word
    `empty` on stderr says so.
    """
    if not rows and empty:
        note(empty)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=bool(wide))
    for place, header in enumerate(headers):
        numeric = bool(rows) and all(row[place] in {"", "-"} or _is_number(row[place]) for row in rows)
        table.add_column(
            header,
            justify="right" if numeric else "left",
            ratio=1 if header == wide else None,
            no_wrap=header != wide and wide != "",
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def show_fields(values: dict[str, Any]) -> None:
    """Names and values, one on a line; a long value goes on below itself."""
    from rich.text import Text

    target = console()
    width = max((len(name) for name in values), default=0)
    for name, value in values.items():
        shown = (
            json.dumps(value, ensure_ascii=False, default=_plain)
            if isinstance(value, dict | list)
            else str(value)
        )
        lines = Text(shown).wrap(target, max(target.width - width - 2, 20), overflow="fold")
        for label, line in zip_longest((name,), lines, fillvalue=""):
            target.print(Text(f"{label:<{width}}  {line}".rstrip()), soft_wrap=True)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("%", "", 1).replace(",", "").lstrip("-").isdigit()
