"""recall, context, show, history, stats: what only looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from engram_pg.cli._options import Json, MemoryId, Place, flag, on_memory
from engram_pg.cli._output import print_json, show_changes, show_fields, show_hits

Query = Annotated[
    list[str],
    typer.Argument(metavar="QUERY", help="A question, or some words; quoted or not.", show_default=False),
]
Profile = Annotated[
    str | None, typer.Option("--profile", "-p", help="How the parts of the score are weighed.")
]


NONE = ("none", "0")
"""What a line says that counts nothing; inside of a part it is left out."""


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Memory")(_COMMANDS[command])


@on_memory
def recall(
    place: Place,
    query: Query,
    k: Annotated[int | None, typer.Option("-k", help="How many hits, 1 to 1000; 10 unless given.")] = None,
    profile: Profile = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only of these kinds.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", "-t", help="Only with these tags.")] = None,
    collection: Annotated[list[str] | None, typer.Option("--collection", help="Only of these.")] = None,
    metadata: Annotated[
        str | None, typer.Option("--metadata", help="Only with this JSON object in it.")
    ] = None,
    since: Annotated[str | None, typer.Option("--since", help="Created at or after, ISO 8601.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Created before.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What was current at that moment.")] = None,
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", help="Leave out what scores less; scales differ by question."),
    ] = None,
    rerank: Annotated[
        bool,
        flag("--rerank", help="Read the 50 best again with the cross-encoder of ENGRAM_RERANKER."),
    ] = False,
    session: Annotated[
        str | None, typer.Option("--session", help="The session that asks, for outcome.")
    ] = None,
    no_trace: Annotated[bool, flag("--no-trace", help="Do not count it as a recall.")] = False,
    json: Json = False,
) -> None:
    """Find memories by meaning, by words and by what is linked to them."""
    from engram_pg.cli.writing import json_object

    with place.open() as engram:
        find = engram.search if no_trace else engram.recall
        hits = find(
            " ".join(query),
            k=k,
            profile=profile,
            kinds=kind or None,
            tags=tag or None,
            collections=collection or None,
            metadata=json_object(metadata, "--metadata"),
            since=since,
            until=until,
            as_of=as_of,
            min_score=min_score,
            rerank=rerank,
            session_id=session,
        )
    if json:
        print_json(hits)
    else:
        show_hits(hits)


@on_memory
def context(
    place: Place,
    query: Query,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", "-m", help="Budget of the text.")] = None,
    profile: Profile = None,
) -> None:
    """Print what is known about a question as text for a prompt."""
    with place.open() as engram:
        print(engram.context(" ".join(query), max_tokens, profile))


@on_memory
def show(
    place: Place,
    memory_id: MemoryId,
    json: Json = False,
) -> None:
    """Show one memory with all that is known of it."""
    from dataclasses import asdict

    with place.open() as engram:
        memory = engram.get(memory_id)
    if json:
        print_json(memory)
    else:
        show_fields({name: value for name, value in asdict(memory).items() if value not in (None, [], {})})


@on_memory
def history(
    place: Place,
    memory_id: MemoryId,
    json: Json = False,
) -> None:
    """Show what happened to a memory, and why; each decision has a number for undo."""
    with place.open() as engram:
        changes = engram.history(memory_id)
    if json:
        print_json(changes)
    else:
        show_changes(changes)


@on_memory
def stats(
    place: Place,
    json: Json = False,
) -> None:
    """Count what is remembered."""
    with place.open() as engram:
        counts = engram.stats()
    if json:
        print_json(counts)
    else:
        first = ("user_id", "total", "states", "kinds", "collections")
        lines = dict(_flat({**{name: counts[name] for name in first}, **counts}))
        show_fields({name: line for name, line in lines.items() if ":" not in name or line not in NONE})


def _flat(counts: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Counts as lines: what holds other counts in it has a line for each."""
    for name, value in counts.items():
        label = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, dict) and any(isinstance(part, dict) for part in value.values()):
            yield from _flat(value, f"{label}: ")
        elif isinstance(value, dict):
            counted = (f"{part} {count}" for part, count in value.items() if count not in (None, 0))
            yield label, ", ".join(counted) or "none"
        else:
            yield label, "-" if value is None else str(value)


_COMMANDS: dict[str, Callable[..., None]] = {
    "recall": recall,
    "context": context,
    "show": show,
    "history": history,
    "stats": stats,
}
