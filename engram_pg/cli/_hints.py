"""What the database says to do, as commands where there are some: its hints are written in SQL."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engram_pg.cli._options import given
from engram_pg.hints import rewritten

if TYPE_CHECKING:
    from engram_pg.cli._options import Place

COMMANDS: dict[str, str] = {
    "activate_model": "model activate",
    "api_keys": "key list",
    "calibrate_model": "model calibrate",
    "consolidate": "consolidate",
    "context": "context",
    "create_api_key": "key create",
    "create_task": "task create",
    "doctor": "doctor",
    "drop_model": "model drop",
    "embedding_progress": "model list",
    "export": "export",
    "forecast": "forecast",
    "forget": "forget",
    "get": "show",
    "get_task": "task show",
    "history": "history",
    "import": "import",
    "job_status": "maintain --status",
    "last_handoff": "handoff",
    "list_failures": "failure",
    "list_features": "progress",
    "list_tasks": "task list",
    "maintain": "maintain",
    "prune": "prune",
    "recall": "recall",
    "register_model": "model add",
    "remember": "remember",
    "retry_embeddings": "model retry",
    "revise": "revise",
    "revoke_api_key": "key revoke",
    "schedule": "schedule set",
    "schedule_sql": "schedule set --sql",
    "schedules": "schedule show",
    "search": "recall --no-trace",
    "session_handoff": "handoff",
    "session_outcome": "outcome",
    "stats": "stats",
    "track_failure": "failure",
    "track_progress": "progress",
    "undo": "undo",
    "unschedule": "schedule drop",
    "update_task": "task update",
}
"""The functions and views of the schema that a command stands for."""

_GROUPS = ("bench", "key", "model", "schedule", "task")
"""Commands whose next word belongs to them."""

_EMBEDDED = ("down", "status", "up")
"""Commands for the embedded server alone, which take --data-dir only."""

_ANYWHERE = ("extension", "sql")
"""Commands that no database is for."""

_OPTIONS = {
    "dry_run": "--dry-run",
    "filter": "--filter",
    "force": "--force",
    "hard": "--hard",
    "importance": "--importance",
    "k": "-k",
    "scope": "--scope",
    "user_id": "--user",
    "users": "--user",
}
_OURS = re.compile(r"\bengram-pg (?P<name>[a-z]+)(?: [a-z]+)?")
_ARGUMENT = re.compile(r"\s*(?:(?P<name>\w+)\s*=>\s*)?(?P<value>(?:array\[[^\]]*\]|'(?:[^']|'')*'|[^,'])+)")
_TENANT = re.compile(r"SELECT set_config\('engram\.tenant', [^;]*; in the same transaction\.")
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_DAYS = re.compile(r"\s*now\(\)\s*\+\s*interval\s*'(\d+) days'\s*")


def here(text: str) -> str:
    """The text with --dsn and --data-dir of this command line in each command of ours, so that it means the
    same database. A DSN with a password in it is not shown.
    """
    return _OURS.sub(_here, text) if given else text


def _here(match: re.Match[str]) -> str:
    from engram_pg.cli._app import GROUPS

    if not any(match["name"] in commands for commands in GROUPS.values()) or match["name"] in _ANYWHERE:
        return match[0]
    names = ("data_dir",) if match["name"] in _EMBEDDED else ("dsn", "data_dir")
    options = [f"--{name.replace('_', '-')} {_shown(name, given[name])}" for name in names if name in given]
    words = match[0] if match["name"] in _GROUPS else f"engram-pg {match['name']}"
    return " ".join([words, *options]) + match[0][len(words) :]


def _shown(name: str, value: str) -> str:
    if name == "dsn":
        from engram_pg.connecting import SECRET, parts
        from engram_pg.errors import EngramError

        try:
            if parts(value).keys() & SECRET:
                return "…"
        except EngramError:
            return "…"
    return shlex.quote(value)


def undoing(decision_id: int, place: Place) -> str:
    """The command that takes a decision back, with what the environment does not say already."""
    named = ["engram-pg", "undo", str(decision_id)]
    if place.user != os.environ.get("ENGRAM_USER", "default"):
        named += ["--user", place.user]
    if place.tenant and place.tenant != os.environ.get("ENGRAM_TENANT"):
        named += ["--tenant", place.tenant]
    return here(shlex.join(named))


def show_undo(decision_ids: Sequence[int | None], place: Place) -> None:
    """Prints how to take the decisions back; nothing where there are none."""
    made = [decision for decision in decision_ids if decision is not None]
    if made:
        print(f"{undoing(made[0], place)} takes {'it' if len(made) == 1 else 'the first'} back")


def in_commands(text: str) -> str:
    """The text with each call of a function in SQL as the command that does the same. Where some SQL is left,
    it says where that goes, unless somebody else has to run it.
    """
    told = rewritten(_TENANT.sub("Name it with --tenant or ENGRAM_TENANT.", text), _command)
    ours = not any(somebody in told for somebody in ("superuser", "Ask the owner"))
    return here(f"{told} (engram-pg psql takes SQL)" if _is_sql(told) and ours else told)


def _command(function: str, arguments: str) -> str | None:
    command = COMMANDS.get(function)
    if command is None:
        return None
    try:
        words = list(_words(arguments))
    except ValueError:
        words = []
    return " ".join(["engram-pg", command, *words])


def _words(arguments: str) -> Iterator[str]:
    """The arguments as words of a shell. Raises ValueError for one that a command doesn't take."""
    for match in _ARGUMENT.finditer(arguments):
        name, value = match["name"], match["value"].strip()
        if name is None:
            yield from _values(value)
        elif name == "expires_at" and (days := _DAYS.fullmatch(value)):
            yield from ("--days", days[1])
        elif name not in _OPTIONS:
            raise ValueError(name)
        elif name == "user_id" and value == f"'{os.environ.get('ENGRAM_USER', 'default')}'":
            continue
        elif value == "true":
            yield _OPTIONS[name]
        else:
            for one in _values(value):
                yield from (_OPTIONS[name], one)


def _values(value: str) -> Iterator[str]:
    if texts := _TEXT.findall(value):
        yield from (shlex.quote(text.replace("''", "'")) for text in texts)
    elif re.fullmatch(r"\d+|…|[a-z_]+", value):
        yield "…" if not value.isdigit() else value
    elif value:
        raise ValueError(value)


def _is_sql(text: str) -> bool:
    return re.search(r"\b(SELECT|CALL|CREATE|DROP|GRANT|UPDATE|INSERT)\s|\bengram\.\w+\(", text) is not None
