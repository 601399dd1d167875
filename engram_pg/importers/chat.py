"""JSON lines of a chat: {"role": …, "content": …, "ts": …}, the time as ISO 8601 or seconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from engram_pg.importers.item import Item

MILLISECONDS_FROM = 1e11  # as seconds that would be the year 5138


def is_one(entry: dict[str, Any]) -> bool:
    return "role" in entry and "content" in entry


def parse(line: int, entry: dict[str, Any]) -> Item:
    """The message as it was said; the role, and whatever else the line holds, becomes metadata."""
    content, role = entry.get("content"), entry.get("role")
    if not isinstance(content, str):
        raise ValueError('"content" is missing or no text')
    if not isinstance(role, str):
        raise ValueError('"role" is missing or no text')
    user = entry.get("user_id")
    if user is not None and not isinstance(user, str):
        raise ValueError('"user_id" is no text')
    rest = {name: value for name, value in entry.items() if name not in _READ}
    memory: dict[str, Any] = {"content": content, "source_type": "chat", "metadata": {"role": role, **rest}}
    if entry.get("ts") is not None:
        memory["created_at"] = _moment(entry["ts"])
    if entry.get("session_id") is not None:
        memory["session_id"] = str(entry["session_id"])
    return Item(line, memory, user)


_READ = frozenset({"role", "content", "ts", "session_id", "user_id"})


def _moment(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError('"ts" is neither a text nor a number')
    try:
        seconds = value / 1000 if value >= MILLISECONDS_FROM else value
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (OverflowError, OSError, ValueError) as error:
        raise ValueError('"ts" is no moment of the years 1 to 9999') from error
