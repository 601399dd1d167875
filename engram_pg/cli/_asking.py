"""Before something is gone for good: what would go, and the question."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer

from engram_pg.cli._options import flag
from engram_pg.client import Engram
from engram_pg.errors import ARGUMENT_INVALID, EngramError

Yes = Annotated[bool, flag("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[bool, flag("--dry-run", help="Change nothing; say what would be done.")]


def make_sure(what: str) -> None:
    """Asks whether to do `what`, which nothing undoes, and ends the command where the answer is no. Raises
    EngramError where nobody can be asked.
    """
    if not on_terminal():
        raise EngramError(
            ARGUMENT_INVALID,
            f"this would {what}, and there is no terminal to ask on",
            hint="Add --yes to do it unasked.",
        )
    if not typer.confirm(f"{what[0].upper()}{what[1:]}?", err=True):
        raise typer.Exit(1)


def on_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def tried(engram: Engram, dry_run: bool, keep: bool = False) -> AbstractContextManager[object]:
    """What is done inside comes to nothing in a dry run; `keep` leaves that to the block around."""
    return engram.connection.transaction(force_rollback=not keep) if dry_run else nullcontext()
