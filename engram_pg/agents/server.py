"""The entry of the memory in a client's configuration. It never holds a password."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo

from engram_pg.connecting import SECRET, parts


@dataclass
class Server:
    """What a client starts. `notes` say what is left to do; `keep` names variables that stay as they are."""

    entry: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)


def server(
    tools: str, variable: str | None, user: str, tenant: str | None, dsn: str | None, data_dir: Path | None
) -> Server:
    """The server with these toolsets. `variable` is how the client refers to a variable, if it can. Raises
    EngramError for a DSN that cannot be read.
    """
    env: dict[str, str] = {}
    made = Server({"command": program(), "args": ["mcp", "--tools", tools]})
    if dsn:
        env["ENGRAM_DSN"] = _dsn(dsn, variable, made)
    elif data_dir:
        env["ENGRAM_DATA_DIR"] = str(data_dir.absolute())
    if user != "default":
        env["ENGRAM_USER"] = user
    if tenant:
        env["ENGRAM_TENANT"] = tenant
    if env:
        made.entry["env"] = env
    return made


def command(name: str, entry: Mapping[str, Any], *options: str) -> str:
    """The command line by which Claude Code adds an entry."""
    env = [part for pair in entry.get("env", {}).items() for part in ("--env", "=".join(pair))]
    words = ["claude", "mcp", "add", name, *options, *env, "--", entry["command"], *entry["args"]]
    return shlex.join(words)


def program() -> str:
    """The path of `engram-pg`: a client does not know the virtual environment."""
    called = Path(sys.argv[0])
    beside = Path(sys.executable).with_name("engram-pg")
    if called.stem == "engram-pg" and called.exists():
        return str(called.absolute())
    return str(beside) if beside.exists() else shutil.which("engram-pg") or "engram-pg"


def _dsn(dsn: str, variable: str | None, made: Server) -> str:
    said = parts(dsn)
    if not any(said.get(name) for name in SECRET):
        return dsn
    made.keep.append("ENGRAM_DSN")
    if variable is not None:
        made.notes.append(
            "The DSN has a password, so the configuration refers to the variable ENGRAM_DSN: "
            "set it where you start the client."
        )
        return variable % "ENGRAM_DSN"
    made.notes.append("The DSN has a password, which is left out: put it into ~/.pgpass.")
    return make_conninfo("", **{name: value for name, value in said.items() if name not in SECRET})
