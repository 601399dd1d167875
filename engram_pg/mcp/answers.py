"""The text of an answer, which a model reads and pays for; programs have the structured content beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

DIGITS = 4
"""After the point: scores order hits, and nobody reads more of them."""
_VERBATIM = ("metadata",)
"""What a person wrote."""


def compacted(result: CallToolResult) -> CallToolResult:
    """The result with its structured content as compact JSON for a text."""
    if result.structured_content is None:
        return result
    text = TextContent(type="text", text=compact(result.structured_content))
    return result.model_copy(update={"content": [text]})


def compact(answer: Mapping[str, Any]) -> str:
    """JSON in one line, numbers rounded, and without what says nothing: nulls, and empty lists and objects
    within. A list that is the answer stays when it is empty.
    """
    kept = {
        name: value if name in _VERBATIM else _short(value)
        for name, value in answer.items()
        if value is not None and value != {}
    }
    return json.dumps(kept or dict(answer), ensure_ascii=False, separators=(",", ":"))


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, list):
        return [_short(one) for one in value]
    if isinstance(value, dict):
        return {
            name: one if name in _VERBATIM else _short(one)
            for name, one in value.items()
            if one is not None and one != [] and one != {}
        }
    return value
