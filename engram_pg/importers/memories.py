"""JSON lines of memories: {"content": …} with any of the arguments of `engram.remember`, and `user_id`."""

from __future__ import annotations

from typing import Any

from engram_pg.importers.item import Item
from engram_pg.options import RememberOptions

KEYS = {"content", *RememberOptions.__annotations__} - {"policy"}


def is_one(entry: dict[str, Any]) -> bool:
    return "content" in entry


def parse(line: int, entry: dict[str, Any]) -> Item:
    """Raises ValueError for what would otherwise be dropped in silence."""
    if not isinstance(entry.get("content"), str):
        raise ValueError('"content" is missing or no text')
    unknown = sorted(entry.keys() - KEYS - {"user_id"})
    if unknown:
        raise ValueError(f'unknown key "{unknown[0]}"; what engram has no name for goes into "metadata"')
    user = entry.get("user_id")
    if user is not None and not isinstance(user, str):
        raise ValueError('"user_id" is no text')
    memory = {name: value for name, value in entry.items() if name != "user_id" and value is not None}
    return Item(line, memory, user)
