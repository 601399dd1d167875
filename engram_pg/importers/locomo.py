"""LoCoMo JSON (Maharana et al., ACL 2024): long conversations of two people in dated sessions.

A turn becomes a memory `[<session date>] <speaker>: <text>` of a user named like the conversation. Turns of
a session are a second apart, so that their order is that of their times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from engram_pg.importers.item import BadLine, Item

_SESSION = re.compile(r"session_([0-9]{1,9})")
_TURN = frozenset({"speaker", "text", "dia_id"})


def conversations(text: str) -> list[dict[str, Any]] | None:
    """The conversations in a text, or None when it is not LoCoMo JSON."""
    if '"conversation"' not in text:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = document if isinstance(document, list) else [document]
    if not found or not all(
        isinstance(entry, dict) and isinstance(entry.get("conversation"), dict) for entry in found
    ):
        return None
    return found


def parse(found: list[dict[str, Any]]) -> Iterator[Item | BadLine]:
    """The turns of all conversations. `line` counts turns, since the whole file is one document."""
    turn = 0
    for number, entry in enumerate(found, start=1):
        user = str(entry.get("sample_id") or f"conv-{number}")
        for session, said, date in _sessions(entry["conversation"]):
            start = _moment(date)
            for place, part in enumerate(said):
                turn += 1
                if not isinstance(part, dict) or not _TURN.issubset(part):
                    yield BadLine(turn, f"no turn of a conversation, which has {', '.join(sorted(_TURN))}")
                    continue
                memory: dict[str, Any] = {
                    "content": f"[{date}] {part['speaker']}: {part['text']}",
                    "session_id": session,
                    "source_type": "conversation",
                    "metadata": {"dia_id": part["dia_id"], "speaker": part["speaker"]},
                }
                if start is not None:
                    memory["created_at"] = (start + timedelta(seconds=place)).isoformat()
                yield Item(turn, memory, user)


def _sessions(conversation: dict[str, Any]) -> list[tuple[str, list[Any], str]]:
    names = [name for name in conversation if _SESSION.fullmatch(name)]
    names.sort(key=lambda name: int(name.removeprefix("session_")))
    return [
        (name, said if isinstance(said, list) else [said], str(conversation.get(f"{name}_date_time", "")))
        for name in names
        for said in [conversation[name]]
    ]


def _moment(date: str) -> datetime | None:
    for form in ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y"):
        try:
            return datetime.strptime(date, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
