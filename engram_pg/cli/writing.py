"""remember, revise, forget, undo: what changes the memory."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable
from typing import Annotated, Any

import typer

from engram_pg.cli._asking import DryRun, Yes, make_sure, tried
from engram_pg.cli._hints import show_undo
from engram_pg.cli._options import Json, MemoryId, Place, flag, on_memory
from engram_pg.cli._output import print_json
from engram_pg.errors import CONTENT_INVALID, EngramError
from engram_pg.results import Remembered

Kind = Annotated[str | None, typer.Option("--kind", help="Its forgetting curve: fact, strategy, …")]
Importance = Annotated[float | None, typer.Option("--importance", "-i", help="From 0 to 1.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", help="May be given several times.")]
Collection = Annotated[str | None, typer.Option("--collection", help="A named part of the memory.")]
Metadata = Annotated[str | None, typer.Option("--metadata", help="A JSON object.")]


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Memory")(_COMMANDS[command])


@on_memory
def remember(
    place: Place,
    content: Annotated[
        list[str],
        typer.Argument(
            metavar="CONTENT", help="The text; - reads it from standard input.", show_default=False
        ),
    ],
    kind: Kind = None,
    importance: Importance = None,
    tag: Tags = None,
    collection: Collection = None,
    metadata: Metadata = None,
    session: Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")] = None,
    created_at: Annotated[
        str | None, typer.Option("--created-at", help="When it was said, ISO 8601; it fades from now on.")
    ] = None,
    valid_from: Annotated[str | None, typer.Option("--valid-from", help="From when it is true.")] = None,
    valid_until: Annotated[str | None, typer.Option("--valid-until", help="Until when it is true.")] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", help="resolve, reject, merge or append; else that of its kind.")
    ] = None,
    json: Json = False,
) -> None:
    """Store a text, unless it is known already; say which, and why."""
    with place.open() as engram:
        result = engram.remember(
            _text(" ".join(content)),
            kind=kind,
            importance=importance,
            tags=tag,
            collection=collection,
            metadata=json_object(metadata, "--metadata"),
            session_id=session,
            created_at=created_at,
            valid_from=valid_from,
            valid_until=valid_until,
            policy=policy,
        )
    if json:
        print_json(result)
        return
    related = "" if result.related_id is None else f" of {result.related_id}"
    similarity = "" if result.similarity is None else f", similarity {result.similarity:.3f}"
    if result.action == "new":
        beside = related and f", kept beside {result.related_id}{similarity}"
        print(f"new: memory {result.memory_id}{beside}")
    else:
        print(f"{result.action}{related}: memory {result.memory_id}{similarity}")
    if result.action not in ("new", "reject"):
        show_undo([result.decision_id], place)


@on_memory
def revise(
    place: Place,
    memory_id: MemoryId,
    content: Annotated[str | None, typer.Argument(help="The new text.", show_default=False)] = None,
    kind: Kind = None,
    importance: Importance = None,
    tag: Tags = None,
    collection: Collection = None,
    metadata: Metadata = None,
    json: Json = False,
) -> None:
    """Change a memory; what it was stays in its history."""
    with place.open() as engram:
        result = engram.revise(
            memory_id,
            None if content is None else _text(content),
            kind=kind,
            importance=importance,
            tags=tag,
            collection=collection,
            metadata=json_object(metadata, "--metadata"),
        )
    _show_decision(result, "revised", json)


@on_memory
def forget(
    place: Place,
    memory_id: Annotated[
        int | None, typer.Argument(help="The number that recall shows.", show_default=False)
    ] = None,
    filter: Annotated[
        str | None, typer.Option("--filter", help='A JSON object, like {"tags": ["old"]}.')
    ] = None,
    everything: Annotated[
        bool, flag("--all", help="All of this user; with --hard the history and the name too.")
    ] = False,
    hard: Annotated[bool, flag("--hard", help="Erase for good; undo cannot help then.")] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Forget one memory, or those that a filter names. It asks before it erases a user or what a filter names
    for good.
    """
    if [memory_id is not None, filter is not None, everything].count(True) != 1:
        raise typer.BadParameter("give the number of a memory, --filter or --all")
    if everything and hard and place.named is None:
        raise typer.BadParameter("to erase a user, name whom: --user default, or another one")
    wanted = {"all": True} if everything else json_object(filter, "--filter")

    def act() -> dict[str, Any]:
        if everything and hard:
            return engram.erase()
        return engram.forget(memory_id, filter=wanted, hard=hard)

    def counted() -> dict[str, Any]:
        with tried(engram, dry_run=True):
            receipt = act()
        receipt.pop("decision_ids", None)
        return {**receipt, "dry_run": True}

    with place.open() as engram:
        if hard and memory_id is None and not (dry_run or yes):
            count = engram.stats()["total"] if everything else counted()["memories"]
            whose = f" with the history and the name of user {place.user}" if everything else ""
            make_sure(f"erase {_counted(count)}{whose}, for good")
        receipt = counted() if dry_run else act()
    if json:
        print_json(receipt)
        return
    verb = "erased" if hard else "forgotten"
    print(f"{f'would be {verb}' if dry_run else verb}: {_counted(receipt['memories'])}")
    show_undo(receipt.get("decision_ids", []), place)


def _counted(memories: int) -> str:
    return f"{memories} {'memory' if memories == 1 else 'memories'}"


@on_memory
def undo(
    place: Place,
    decision_id: Annotated[int, typer.Argument(help="The number that history shows.", show_default=False)],
    json: Json = False,
) -> None:
    """Take a decision back, the gate's or your own."""
    with place.open() as engram:
        result = engram.undo(decision_id)
    _show_decision(result, "undone", json)


def json_object(text: str | None, option: str) -> dict[str, Any] | None:
    """The JSON object of an option."""
    if text is None:
        return None
    try:
        value = json_module.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"no JSON: {error}", param_hint=option) from error
    if not isinstance(value, dict):
        raise typer.BadParameter("not a JSON object", param_hint=option)
    return value


def _text(content: str) -> str:
    if content != "-":
        return content
    import sys

    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise EngramError(
            CONTENT_INVALID, "standard input is not UTF-8", hint="Convert it first, with iconv."
        ) from error


def _show_decision(result: Remembered, verb: str, json: bool) -> None:
    if json:
        print_json(result)
    else:
        print(f"{verb}: memory {result.memory_id}")


_COMMANDS: dict[str, Callable[..., None]] = {
    "remember": remember,
    "revise": revise,
    "forget": forget,
    "undo": undo,
}
