"""The typer application with all its commands."""

from __future__ import annotations

import typer

from engram_pg import __version__
from engram_pg.cli import bench, demo, installation, looking, mcp, server, transfer, writing

app = typer.Typer(
    name="engram-pg",
    help="Long-term memory for AI agents, inside PostgreSQL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    pass


for module in (server, installation, writing, looking, transfer, demo, mcp):
    module.register(app)
app.add_typer(bench.app, name="bench")
