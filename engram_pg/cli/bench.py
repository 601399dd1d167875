"""bench: measurements of quality and speed, each in a database of its own that is dropped afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engram_pg.cli._options import Json, Place, flag, on_database

if TYPE_CHECKING:
    import psycopg

    from engram_pg.progress import Advance

app = typer.Typer(
    help="Measure quality and speed, in a database of its own that is dropped afterwards.",
    no_args_is_help=True,
)

Data = Annotated[
    Path, typer.Option("--data", help="The file.", exists=True, dir_okay=False, show_default=False)
]
Model = Annotated[
    str, typer.Option("--model", help="static, sentence-transformers:NAME_OR_PATH or openai:NAME.")
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="Of the server of an openai: model.")]
Batch = Annotated[int, typer.Option("--batch", help="Texts a call of the model.", min=1)]


def register(parent: typer.Typer, command: str) -> None:
    """Adds the group."""
    parent.add_typer(app, name=command, rich_help_panel="Installation")


@app.command()
@on_database
def locomo(
    place: Place,
    data: Data,
    model: Model = "static",
    base_url: BaseUrl = None,
    exact_limit: Annotated[
        int | None, typer.Option(help="Answer spaces of more memories as large ones, by the indexes.", min=0)
    ] = None,
    whole_limit: Annotated[
        int | None, typer.Option(help="Score candidates in spaces of more memories.", min=0)
    ] = None,
    json: Json = False,
) -> None:
    """Retrieval from the conversations of LoCoMo, by category of question."""
    from engram_pg.bench import locomo as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_retrieval

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, data, advance, chosen, exact_limit, whole_limit)
    _show(result, json, show_retrieval)


@app.command()
@on_database
def retrieval(
    place: Place,
    memories: Annotated[Path, typer.Option("--memories", help='JSON lines of {"id", "text"}.', exists=True)],
    queries: Annotated[
        Path, typer.Option("--queries", help='JSON lines of {"query", "kind", "gold"}.', exists=True)
    ],
    model: Model = "static",
    base_url: BaseUrl = None,
    json: Json = False,
) -> None:
    """Retrieval from a set of memories of one user, by kind of question."""
    from engram_pg.bench import retrieval as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_retrieval

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, memories, queries, advance, chosen)
    _show(result, json, show_retrieval)


@app.command()
@on_database
def gate(
    place: Place,
    data: Data,
    together: Annotated[
        bool, flag("--together", help="All existing texts in one memory, each incoming among them.")
    ] = False,
    talks: Annotated[
        Path | None, typer.Option("--locomo", help="With --together: and the turns of LoCoMo.", exists=True)
    ] = None,
    judged: Annotated[
        int | None, typer.Option(help="With --together: in place of the setting gate.judged.", min=1)
    ] = None,
    model: Model = "static",
    base_url: BaseUrl = None,
    json: Json = False,
) -> None:
    """Right decisions, and information lost, of the write gate on labelled pairs of texts."""
    from engram_pg.bench import gate as bench
    from engram_pg.bench import gate_together
    from engram_pg.bench.chosen import choose

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        if together:
            result = gate_together.run(connection, data, talks, judged, advance, chosen)
        else:
            result = bench.run(connection, data, advance, chosen)
    _show(result, json, gate_together.show if together else bench.show)


@app.command()
@on_database
def consolidation(
    place: Place,
    data: Annotated[
        Path | None, typer.Option("--data", help="LoCoMo JSON; made-up notes without it.", exists=True)
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(help="A cosine in place of the model's own.", min=0.01, max=1)
    ] = None,
    model: Model = "static",
    base_url: BaseUrl = None,
    json: Json = False,
) -> None:
    """What is found before and after consolidation, what it puts together, and whether anything is lost."""
    from engram_pg.bench import consolidation as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_consolidation

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, data, threshold, advance, chosen)
    _show(result, json, show_consolidation)


@app.command()
@on_database
def reach(
    place: Place,
    data: Data,
    model: Model = "static",
    base_url: BaseUrl = None,
    json: Json = False,
) -> None:
    """Whether the model's thresholds tell questions with an answer from those without one."""
    from engram_pg.bench import reach as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_reach

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, data, advance, chosen)
    _show(result, json, show_reach)


@app.command()
@on_database
def isolation(
    place: Place,
    users: Annotated[int, typer.Option(help="How many.", min=1)] = 20,
    memories: Annotated[int, typer.Option(help="Of each user.", min=10)] = 1000,
    json: Json = False,
) -> None:
    """Rows and right rows for one user among many in one database."""
    from engram_pg.bench import isolation as bench
    from engram_pg.bench.report import show_isolation

    with _bench(place) as (connection, advance):
        result = bench.run(connection, users, memories, advance)
    _show(result, json, show_isolation)


@app.command()
@on_database
def speed(
    place: Place,
    data: Annotated[
        Path | None, typer.Option("--data", help="LoCoMo JSON; made-up sentences without it.", exists=True)
    ] = None,
    count: Annotated[int, typer.Option(help="How many texts at most.", min=1)] = 1000,
    json: Json = False,
) -> None:
    """Texts a second that remember takes on one connection, every stage on."""
    from engram_pg.bench import speed as bench
    from engram_pg.bench.report import show_speed

    with _bench(place) as (connection, advance):
        result = bench.run(connection, data, count, advance)
    _show(result, json, show_speed)


@app.command()
@on_database
def recall(
    place: Place,
    data: Annotated[
        Path | None, typer.Option("--data", help="LoCoMo JSON; made-up sentences without it.", exists=True)
    ] = None,
    model: Model = "static",
    base_url: BaseUrl = None,
    memories: Annotated[int, typer.Option(help="Of each user, at most.", min=1)] = 600,
    count: Annotated[int, typer.Option(help="How many questions at most.", min=1)] = 300,
    json: Json = False,
) -> None:
    """Times of a recall through the SDK, the question's vector and the way to the database included."""
    from engram_pg.bench import recall as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_recall

    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, data, memories, count, advance, chosen)
    _show(result, json, show_recall)


@app.command()
@on_database
def worker(
    place: Place,
    model: Model,
    base_url: BaseUrl = None,
    batch: Batch = 64,
    count: Annotated[int, typer.Option(help="How many texts.", min=1)] = 2000,
    json: Json = False,
) -> None:
    """Texts a second through the worker, against the bare model in batches of the same size."""
    from engram_pg.bench import worker as bench
    from engram_pg.bench.chosen import choose
    from engram_pg.bench.report import show_worker

    chosen = choose(model, base_url, batch)
    with _bench(place) as (connection, advance):
        result = bench.run(connection, chosen, count, advance)
    _show(result, json, show_worker)


@app.command()
@on_database
def peers(
    place: Place,
    peer: Annotated[str, typer.Option("--peer", help="mcp-engram.")],
    python: Annotated[
        str | None, typer.Option("--python", help="The Python that has the peer, if it is another.")
    ] = None,
    locomo: Annotated[
        Path | None, typer.Option("--locomo", help="LoCoMo JSON: Hit@5, and texts.", exists=True)
    ] = None,
    gate: Annotated[
        Path | None, typer.Option("--gate", help="Labelled pairs for the write gate.", exists=True)
    ] = None,
    quality: Annotated[bool, flag(help="Whether to measure Hit@5 of LoCoMo too.")] = True,
    sizes: Annotated[str, typer.Option(help="Memories of one user to measure times with.")] = "1000,20000",
    calls: Annotated[int, typer.Option(help="Of each kind at each size.", min=1)] = 100,
    turn: Annotated[int, typer.Option(help="Calls of one side in a row.", min=1)] = 10,
    writers: Annotated[int, typer.Option(help="Processes that write at once; 0: none.", min=0)] = 8,
    model: Model = "static",
    base_url: BaseUrl = None,
    json: Json = False,
) -> None:
    """This memory beside another system, on this machine with the same vectors: quality, times, writers."""
    import sys

    from engram_pg.bench.chosen import choose
    from engram_pg.bench.peers import run as bench
    from engram_pg.bench.peers.process import SCRIPTS
    from engram_pg.bench.report import show_peers

    if peer not in SCRIPTS:
        raise typer.BadParameter(f"{peer} is not known; known: {', '.join(SCRIPTS)}", param_hint="--peer")
    try:
        wanted = [int(size) for size in sizes.split(",") if size.strip()]
    except ValueError as error:
        raise typer.BadParameter(f"{sizes} is no list like 1000,20000", param_hint="--sizes") from error
    chosen = choose(model, base_url)
    with _bench(place) as (connection, advance):
        result = bench.run(
            connection,
            peer,
            python or sys.executable,
            talks=locomo,
            pairs=gate,
            quality=quality,
            sizes=wanted,
            calls=calls,
            turn=turn,
            writers=writers,
            chosen=chosen,
            advance=advance,
        )
    _show(result, json, show_peers)


@app.command()
@on_database
def install(
    place: Place,
    release: Annotated[
        Path | None,
        typer.Option(help="engram.sql of an earlier release, to come from.", exists=True, dir_okay=False),
    ] = None,
    memories: Annotated[int, typer.Option(help="In the database that is upgraded.", min=0)] = 100_000,
    json: Json = False,
) -> None:
    """Seconds to install, and to upgrade a database with many memories; whether a table was rewritten."""
    from engram_pg.bench import install as bench

    with _bench(place, empty=True) as (connection, advance):
        result = bench.run(connection, release, memories, advance)
    _show(result, json, bench.show)


@app.command()
def crash(
    rounds: Annotated[int, typer.Option(help="How often the server is killed.", min=1)] = 20,
    seconds: Annotated[float, typer.Option(help="Of writing before each, on average.", min=0.1)] = 2.0,
    writers: Annotated[int, typer.Option(help="Clients that write at once.", min=3)] = 6,
    json: Json = False,
) -> None:
    """Kill an embedded server of its own in a storm of writes (SIGKILL), and look what is there then."""
    from engram_pg.bench import crash as bench
    from engram_pg.bench.report import show_crash
    from engram_pg.cli._output import progress_bar

    with progress_bar("making a server") as advance, bench.embedded() as target:
        result = bench.run(target, rounds, seconds, writers, advance)
    _show(result, json, show_crash)


@contextmanager
def _bench(place: Place, *, empty: bool = False) -> Iterator[tuple[psycopg.Connection[Any], Advance]]:
    from engram_pg.bench.scratch import scratch_database
    from engram_pg.cli._output import note, progress_bar

    with (
        progress_bar("preparing a database") as advance,
        scratch_database(place.dsn, place.data_dir, note=note, progress=advance, empty=empty) as connection,
    ):
        yield connection, advance


def _show(result: Mapping[str, Any], json: bool, show: Callable[[Mapping[str, Any]], None]) -> None:
    from engram_pg.cli._output import print_json

    if json:
        print_json(result)
    else:
        show(result)
