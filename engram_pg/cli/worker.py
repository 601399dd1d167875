"""worker: embeds what waits for a vector, and does the upkeep that is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engram_pg.cli._options import DataDir, Dsn, flag

if TYPE_CHECKING:
    from engram_pg.judge import Judge
    from engram_pg.worker import Counts, Worker

SECONDS_A_LINE = 10.0


def register(app: typer.Typer, command: str) -> None:
    """Adds the command."""
    app.command(command, rich_help_panel="Server")(worker)


def worker(
    once: Annotated[
        bool,
        flag("--once", help="End when nothing is queued; exit code 1 if a text failed for good."),
    ] = False,
    model: Annotated[
        list[str] | None, typer.Option("--model", help="Only this one. May be given several times.")
    ] = None,
    batch: Annotated[int, typer.Option("--batch", help="Texts a call of the model.", min=1, max=10000)] = 64,
    lease: Annotated[
        float, typer.Option("--lease", help="Seconds after which another worker may take over.", min=1)
    ] = 120,
    maintain_every: Annotated[
        float,
        typer.Option("--maintain-every", help="Seconds between runs of the upkeep; 0 for never.", min=0),
    ] = 300,
    device: Annotated[
        str | None, typer.Option("--device", envvar="ENGRAM_DEVICE", help="cpu, cuda, … for local models.")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge", envvar="ENGRAM_JUDGE", help="Ask this chat model where the gate is in doubt."
        ),
    ] = None,
    judge_url: Annotated[
        str | None,
        typer.Option(
            "--judge-url", envvar="ENGRAM_JUDGE_URL", help="Of its server, like http://host:port/v1."
        ),
    ] = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
) -> None:
    """Embed what is queued, until SIGTERM or Ctrl-C. Run as many as you like, on as many machines."""
    from functools import partial

    from engram_pg import connecting, embedders
    from engram_pg.cli._output import note
    from engram_pg.worker import Worker

    connect = partial(connecting.connect, dsn, data_dir, note=note)
    with _reporting(once, connect) as report:
        running = Worker(
            connect,
            models=model,
            batch=batch,
            lease=lease,
            once=once,
            maintain_every=maintain_every or None,
            load=partial(embedders.load, device=device),
            judge=_judge(judge, judge_url),
            report=report,
        )
        with _stopped_by_signals(running):
            counts = running.run()
    note(_summary(counts))
    if not counts.clean:
        _explain(counts)
        raise typer.Exit(1)


def _summary(counts: Counts) -> str:
    parts = [f"{counts.stored} vectors"]
    for number, what in (
        (counts.settled, "memories settled by the gate"),
        (counts.judged, "decisions judged"),
        (counts.revised, "of them revised"),
        (counts.stale, "results outdated by a change"),
        (counts.failed_tries, "failed tries"),
        (counts.failed, "texts failed for good"),
        (counts.unjudged, "decisions given up"),
    ):
        if number:
            parts.append(f"{number} {what}")
    return ", ".join(parts)


def _explain(counts: Counts) -> None:
    from engram_pg.cli._output import complain, note

    for error in counts.broken.values():
        complain(error)
    if counts.failed:
        note("engram-pg model list shows the last error, engram-pg model retry NAME queues them again")
    if counts.unjudged:
        note("SELECT engram.retry_judgements(); queues them again")


def _judge(model: str | None, url: str | None) -> Judge | None:
    if model is None:
        return None
    from engram_pg.judge import ChatJudge

    return ChatJudge(model, url)


@contextmanager
def _stopped_by_signals(running: Worker) -> Iterator[None]:
    """The first SIGTERM or SIGINT ends it in good order, the second at once."""
    import os
    import signal

    from engram_pg.cli._output import note

    asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        if asked:
            os._exit(130)  # the leases run out by themselves
        asked = True
        note("stopping: what is not begun is given back")
        running.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _reporting(once: bool, connect: Callable[[], Any]) -> Iterator[Callable[[Counts], None]]:
    """Progress: a bar on a terminal for `--once`, whose end is known, else a line now and then."""
    import logging
    import sys
    import time

    from engram_pg.cli._output import note, progress_bar

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="· %(message)s")
    logging.getLogger("httpx").setLevel(logging.ERROR)
    if once and sys.stderr.isatty():
        from engram_pg import models

        with connect() as connection:
            total = sum(row["pending"] for row in models.progress(connection) if row["provider"] != "caller")
        with progress_bar("embedding") as advance:
            yield lambda counts: advance("embedding", counts.stored, max(total, counts.stored))
        return

    said, stored = time.monotonic(), 0

    def line(counts: Counts) -> None:
        nonlocal said, stored
        seconds = time.monotonic() - said
        if seconds >= SECONDS_A_LINE:
            note(f"{_summary(counts)}; {(counts.stored - stored) / seconds:.0f} a second")
            said, stored = time.monotonic(), counts.stored

    yield line
