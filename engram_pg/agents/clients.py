"""The clients: where each keeps its MCP servers and its rules, and how it refers to a variable."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

Place = Callable[[Path, Path], Path]
"""From the folder of the project and the home folder to a file."""

_RULE = """---
description: Long-term memory
alwaysApply: true
---
"""
"""What a rule of Cursor begins with, so that it holds in every chat."""


@dataclass(frozen=True)
class Client:
    """A client in one scope. Without `servers` its command line adds a server, without `rules` a person
    pastes them: `paste` says where.

    Args:
        tools: the toolsets that fit what it is used for.
        variable: how its configuration refers to a variable of the environment, or None if it cannot.
        then: what a person does once it is written.
    """

    name: str
    tools: str
    servers: Place | None
    rules: Place | None
    head: str = ""
    paste: str = ""
    variable: str | None = None
    then: str = ""


def _desktop(_: Path, home: Path) -> Path:
    if sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return base / "Claude" / "claude_desktop_config.json"


_CODE = {
    "name": "claude-code",
    "tools": "native,engineering",
    "variable": "${%s}",
    "then": "Start Claude Code anew in this project; it asks whether the server may run, and /mcp shows it.",
}
_CURSOR = {
    "name": "cursor",
    "tools": "native,engineering",
    "variable": "${env:%s}",
    "then": "Cursor shows the server in its settings, under MCP; switch it on there.",
}

CLIENTS: Mapping[str, Mapping[str, Client]] = {
    "claude-code": {
        "project": Client(
            **_CODE,
            servers=lambda folder, _: folder / ".mcp.json",
            rules=lambda folder, _: folder / "CLAUDE.md",
        ),
        "user": Client(**_CODE, servers=None, rules=lambda _, home: home / ".claude" / "CLAUDE.md"),
    },
    "claude-desktop": {
        "user": Client(
            "claude-desktop",
            "native",
            servers=_desktop,
            rules=None,
            paste="Settings, Profile, personal preferences; or the instructions of a project",
            then="Restart Claude Desktop; it reads its configuration when it starts.",
        ),
    },
    "cursor": {
        "project": Client(
            **_CURSOR,
            servers=lambda folder, _: folder / ".cursor" / "mcp.json",
            rules=lambda folder, _: folder / ".cursor" / "rules" / "engram.mdc",
            head=_RULE,
        ),
        "user": Client(
            **_CURSOR,
            servers=lambda _, home: home / ".cursor" / "mcp.json",
            rules=None,
            paste="Cursor Settings, Rules, User Rules",
        ),
    },
}
"""By name and scope; the first scope of a client is its default."""
