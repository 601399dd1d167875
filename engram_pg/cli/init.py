"""init: sets up the client of an agent."""

from __future__ import annotations

import json as json_module
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engram_pg.cli._options import DataDir, Dsn, Tenant, User, flag

if TYPE_CHECKING:
    from engram_pg.agents.clients import Client
    from engram_pg.agents.editing import Edit
    from engram_pg.agents.server import Server


class Name(StrEnum):
    """A client."""

    claude_code = "claude-code"
    claude_desktop = "claude-desktop"
    cursor = "cursor"


class Scope(StrEnum):
    """For this project, or for all that this person does."""

    project = "project"
    user = "user"


class Language(StrEnum):
    """Of the rules."""

    en = "en"
    zh = "zh"


def init(
    client: Annotated[Name, typer.Argument(help="The client to set up.", show_default=False)],
    write: Annotated[bool, flag("--write", help="Write it, after asking.")] = False,
    yes: Annotated[bool, flag("--yes", "-y", help="Write it without asking.")] = False,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the rules.")] = Language.en,
    scope: Annotated[
        Scope | None,
        typer.Option("--scope", help="This project, or the whole user. By default the project, if it can."),
    ] = None,
    tools: Annotated[
        str | None, typer.Option("--tools", help="Toolsets, with commas between, instead of those that fit.")
    ] = None,
    folder: Annotated[Path, typer.Option("--folder", help="The project.")] = Path(),
    name: Annotated[str, typer.Option("--name", help="What the server is called there.")] = "engram",
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
) -> None:
    """Print the MCP configuration and the rules for a client, or write them. What is there stays."""
    from engram_pg import embedded
    from engram_pg.agents.clients import CLIENTS
    from engram_pg.agents.editing import server_in, with_block, with_server
    from engram_pg.agents.rules import rules
    from engram_pg.agents.server import server
    from engram_pg.cli._output import note
    from engram_pg.connecting import given_dsn
    from engram_pg.mcp.toolsets import known

    scopes = CLIENTS[client.value]
    if scope is not None and scope.value not in scopes:
        raise typer.BadParameter(f"{client.value} has only {', '.join(scopes)}", param_hint="--scope")
    chosen = scopes[scope.value] if scope is not None else next(iter(scopes.values()))
    families = known((tools or chosen.tools).split(","))
    made = server(",".join(families), chosen.variable, user, tenant, given_dsn(dsn, data_dir), data_dir)
    text = rules(lang.value, families)

    edits: list[Edit] = []
    if chosen.servers is not None:
        path = chosen.servers(folder, Path.home())
        edits.append(with_server(path, name, made.entry, made.keep))
        there = server_in(path, name)
        if there is not None and there.get("command") != made.entry["command"]:
            note(f"{path} has a server {name} already; its command is replaced")
    if chosen.rules is not None:
        edits.append(with_block(chosen.rules(folder, Path.home()), text, chosen.head))

    if not (write or yes):
        _show(chosen, folder, name, made, text)
    else:
        _write([edit for edit in edits if edit.changes], ask=not yes)
        _show_rest(chosen, name, made, text)
        note(chosen.then)
    if given_dsn(dsn, data_dir) is None and not embedded.Server.at(data_dir).made:
        note("engram-pg up makes the embedded server now; otherwise the agent waits for that the first time")
    for line in made.notes:
        note(line)


def _show(client: Client, folder: Path, name: str, made: Server, text: str) -> None:
    if client.servers is not None:
        print(f"{client.servers(folder, Path.home())}:\n")
        print(_json({"mcpServers": {name: made.entry}}) + "\n")
    if client.rules is not None:
        print(f"{client.rules(folder, Path.home())}:\n")
        print(text.strip() + "\n")
    _show_rest(client, name, made, text)


def _show_rest(client: Client, name: str, made: Server, text: str) -> None:
    """What no file holds."""
    from engram_pg.agents.server import command

    if client.servers is None:
        print("Run:\n")
        print(f"  {command(name, made.entry, '--scope', 'user')}\n")
    if client.rules is None:
        print(f"Paste into {client.paste}:\n")
        print(text.strip() + "\n")


def _write(edits: list[Edit], ask: bool) -> None:
    from engram_pg.cli._output import note

    if not edits:
        print("everything is set up already")
        return
    for edit in edits:
        print(f"{'new' if edit.before is None else 'changed'}: {edit.path}")
    if ask and not typer.confirm("Write this?"):
        raise typer.Exit(1)
    for edit in edits:
        kept = edit.write()
        if kept is not None:
            note(f"{edit.path} as it was: {kept}")


def _json(value: Any) -> str:
    return json_module.dumps(value, indent=2, ensure_ascii=False)
