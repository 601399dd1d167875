"""JSON lines that `engram-pg export` wrote; what they mean is the database's business."""

from __future__ import annotations

from typing import Any

from engram_pg.importers.item import Item

MARK = "engram_export"


def is_one(entry: dict[str, Any]) -> bool:
    return MARK in entry


def parse(line: int, entry: dict[str, Any]) -> Item:
    if MARK not in entry:
        raise ValueError(f'"{MARK}" is missing, which every other line of the file has')
    user = entry.get("user_id")
    return Item(line, entry, user if isinstance(user, str) else None, exported=True)
