"""demo, init and mcp: what a newcomer begins with."""

from __future__ import annotations

from importlib import import_module

import typer


def register(app: typer.Typer, command: str) -> None:
    """Adds a command, which is a module of its name."""
    module = import_module(f"engram_pg.cli.{command}")
    app.command(command, rich_help_panel="Start here")(getattr(module, command))
