"""maintain: the upkeep that is due."""

from __future__ import annotations

from typing import Annotated

import typer

from engram_pg.cli._asking import tried
from engram_pg.cli._options import Json, Place, flag, on_database
from engram_pg.errors import UNKNOWN_NAME, EngramError
from engram_pg.results import Job


def register(app: typer.Typer, command: str) -> None:
    """Adds the command."""
    app.command(command, rich_help_panel="Installation")(maintain)


@on_database
def maintain(
    place: Place,
    jobs: Annotated[
        list[str] | None,
        typer.Argument(help="Only these, due or not: fold, expire, prune, …", show_default=False),
    ] = None,
    status: Annotated[bool, flag("--status", help="Do nothing; only show it.")] = False,
    dry_run: Annotated[
        bool, flag("--dry-run", help="Show what it would do: does it in a transaction that is rolled back.")
    ] = False,
    json: Json = False,
) -> None:
    """Do what upkeep is due, and show what each job did last. Exit code 1 when one failed."""
    from engram_pg.cli._output import complain, note, print_json, show_table, waiting

    if status and dry_run:
        raise typer.BadParameter("either --status or --dry-run")
    failure = None
    with place.open() as engram, tried(engram, dry_run):
        engram.connection.add_notice_handler(lambda notice: note(str(notice.message_primary)))
        try:
            if not status:
                with waiting("doing the upkeep"), tried(engram, dry_run, keep=True):
                    engram.maintain(jobs)
        except EngramError as error:
            failure = error
        every = engram.jobs()
    wanted = set(jobs or (job.job for job in every))
    if not wanted <= {job.job for job in every}:  # then nothing was done
        raise failure or EngramError(
            UNKNOWN_NAME,
            f"no job is called {', '.join(sorted(wanted - {job.job for job in every}))}",
            hint="engram-pg maintain --status shows the jobs.",
        )
    shown = [job for job in every if job.job in wanted]
    if json:
        print_json(shown)
    else:
        if dry_run:
            note("nothing was changed; this is what it would do now")
            note("engram-pg prune --dry-run and engram-pg consolidate --dry-run show a user's memories")
        show_table(("job", "last run", "seconds", "rows", "outcome", "due"), [_row(job) for job in shown])
        for job in shown:
            if job.last_outcome == "failed" and failure is None:
                note(f"{job.job} failed: {job.last_error}")
    if failure is not None:
        complain(failure)
        raise typer.Exit(1)


def _row(job: Job) -> tuple[str, ...]:
    return (
        job.job,
        f"{job.last_started_at:%Y-%m-%d %H:%M}" if job.last_started_at else "",
        f"{job.last_seconds:.1f}" if job.last_seconds is not None else "",
        str(job.last_rows if job.last_rows is not None else ""),
        job.last_outcome or ("running" if job.running else ""),
        "off" if not job.enabled else f"{job.next_due_at:%Y-%m-%d %H:%M}" if job.next_due_at else "now",
    )
