"""The typer application. Building every command takes longer than a recall does, so only the one that is
called is built, and all of them for the help.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import cleandoc

import typer

from engram_pg import __version__

GROUPS: dict[str, tuple[str, ...]] = {
    "start": ("demo", "init", "mcp"),
    "looking": ("recall", "context", "show", "history", "stats"),
    "writing": ("remember", "revise", "forget", "undo"),
    "fading": ("forecast", "prune", "consolidate"),
    "working": ("handoff", "failure", "progress", "outcome"),
    "task": ("task",),
    "transfer": ("import", "export"),
    "server": ("up", "down", "status", "psql"),
    "key": ("key",),
    "installation": ("migrate", "doctor", "sql", "extension"),
    "maintain": ("maintain",),
    "schedule": ("schedule",),
    "model": ("model",),
    "worker": ("worker",),
    "bench": ("bench",),
}
"""The commands of each module beside this one."""


def build(arguments: Sequence[str]) -> typer.Typer:
    """The application with the command that the arguments begin with, or with every command."""
    wanted = [group for group, commands in GROUPS.items() if arguments and arguments[0] in commands]
    app = typer.Typer(
        name="engram-pg",
        help="Long-term memory for AI agents, inside PostgreSQL.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_main)
    for group in wanted or GROUPS:
        module = import_module(f"engram_pg.cli.{group}")
        for command in GROUPS[group]:
            if not wanted or command == arguments[0]:
                module.register(app, command)
    _fill_lines(app)
    return app


def _fill_lines(app: typer.Typer) -> None:
    """Has the help break its lines where the terminal does, and not where the docstrings do."""
    for command in app.registered_commands:
        if command.callback is not None:
            text = cleandoc(command.callback.__doc__ or "")
            command.help = "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
    for group in app.registered_groups:
        if group.typer_instance is not None:
            _fill_lines(group.typer_instance)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


def _main(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass
