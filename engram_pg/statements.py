"""Calls of the SQL functions as statements: named arguments, explicit types, values always apart from the
text.

An argument that is None is left out, so that its default stays a matter of the database, unless it has none:
then the function says that it is null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, LiteralString

from engram_pg.embedders.vectors import as_array
from engram_pg.errors import CONTENT_INVALID, EngramError

_ARGUMENTS: Mapping[LiteralString, tuple[LiteralString, ...]] = {
    "text": (
        "collection",
        "component",
        "content",
        "error",
        "feature",
        "fix",
        "functions",
        "goal",
        "kind",
        "name",
        "notes",
        "outcome",
        "policy",
        "profile",
        "query",
        "relation",
        "root_cause",
        "secret",
        "session_id",
        "severity",
        "source",
        "source_type",
        "status",
        "summary",
        "task",
        "user_id",
    ),
    "text[]": (
        "blocked",
        "blockers",
        "collections",
        "completed",
        "in_progress",
        "kinds",
        "next_steps",
        "related_test_ids",
        "tags",
    ),
    "bigint": ("decision_id", "dst", "memory_id", "src", "task_id"),
    "bigint[]": ("memory_ids",),
    "integer": ("depth", "k", "max_tokens"),
    "double precision": ("completion", "importance", "min_score", "quality_score", "threshold", "weight"),
    "boolean": ("across_kinds", "again", "dry_run", "hard", "pinned"),
    "timestamptz": ("as_of", "client_time", "created_at", "since", "until", "valid_from", "valid_until"),
    "jsonb": ("entries", "filter", "memories", "metadata"),
    "double precision[]": ("embedding",),
}
_PLACES: dict[str, LiteralString] = {
    name: f"{name} => %({name})s::{kind}" for kind, names in _ARGUMENTS.items() for name in names
}
_JSON = frozenset(_ARGUMENTS["jsonb"])
_VECTORS = frozenset(_ARGUMENTS["double precision[]"])


REQUIRED: Mapping[str, tuple[str, ...]] = {
    "adopt": ("entries", "source"),
    "check_api_key": ("secret",),
    "context": ("query",),
    "create_task": ("name",),
    "erase_user": ("user_id",),
    "get": ("memory_id",),
    "get_task": ("task_id",),
    "history": ("memory_id",),
    "import": ("entries",),
    "link": ("src", "dst"),
    "neighbors": ("memory_id",),
    "note_recall": ("memory_ids",),
    "recall": ("query",),
    "remember": ("content",),
    "remember_many": ("memories",),
    "revise": ("memory_id",),
    "search": ("query",),
    "session_handoff": ("summary",),
    "session_outcome": ("session_id", "outcome"),
    "task_id": ("task",),
    "track_failure": ("error", "component"),
    "track_progress": ("feature", "status"),
    "undo": ("decision_id",),
    "unlink": ("src", "dst"),
    "update_task": ("task_id",),
}
"""The arguments of each function that have no default."""


def types_of_arguments() -> dict[str, str]:
    """The type in SQL of each argument, by its name."""
    return {name: kind for kind, names in _ARGUMENTS.items() for name in names}


def given(function: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments to pass: those that are not None, and those that the function cannot do without."""
    required = REQUIRED.get(function, ())
    return {name: value for name, value in arguments.items() if value is not None or name in required}


def call(function: LiteralString, arguments: Mapping[str, Any]) -> tuple[LiteralString, dict[str, Any]]:
    """The statement `select * from engram.function(name => value, …)` and its values."""
    passed = given(function, arguments)
    for name in passed:
        if name not in _PLACES:
            raise TypeError(f"{function}() has no argument {name!r}")
    places = ", ".join([_PLACES[name] for name in passed])
    return f"select * from engram.{function}({places})", {
        name: _value(name, value) for name, value in passed.items()
    }


def _value(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _JSON:
        return to_json(value)
    if name in _VECTORS:
        return as_array(value)
    return (
        list(value) if isinstance(value, tuple | set | frozenset) else value
    )  # a tuple would be sent as a record


def to_json(value: Any) -> str:
    """JSON that PostgreSQL reads, times as ISO 8601. Raises EngramError for NaN and for what JSON cannot
    hold.
    """
    try:
        return json.dumps(value, allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise EngramError(
            CONTENT_INVALID,
            f"the value cannot be written as JSON: {error}",
            hint="Use texts, finite numbers, lists and objects.",
        ) from error


def _plain(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} is no JSON value")
