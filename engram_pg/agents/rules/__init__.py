"""The rules for an agent, in the words of the tools that it has."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

LANGUAGES = ("en", "zh")

_NAMES = {
    "native": {"recall": "recall", "store": "remember", "handoff": "last_handoff"},
    "mcp-engram": {"recall": "recall_memory", "store": "store_memory", "handoff": "last_handoff"},
}


def rules(language: str, tools: Sequence[str]) -> str:
    """Markdown for CLAUDE.md or the rules of another client; `tools` are the toolsets that the agent has."""
    names = _NAMES["mcp-engram" if "mcp-engram" in tools and "native" not in tools else "native"]
    parts = ["memory"] if {"native", "mcp-engram"} & set(tools) else []
    parts += ["work"] if {"engineering", "mcp-engram"} & set(tools) else []
    folder = files(__name__) / language
    texts = [(folder / f"{part}.md").read_text(encoding="utf-8").format_map(names) for part in parts]
    return "\n".join(texts)
