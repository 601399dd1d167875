"""The hints of the database are written in SQL; here their calls become what the caller has instead."""

from __future__ import annotations

import re
from collections.abc import Callable

_CALL = re.compile(
    r"""(?:(?:SELECT|CALL)\s+(?:\*\s+FROM\s+)?)?
        engram\.(?P<name>[a-z]\w*)
        (?P<arguments>\((?:[^()']|'(?:[^']|'')*'|\(\))*\))?
        ;?""",
    re.VERBOSE,
)

Say = Callable[[str, str], str | None]
"""What to say for a function and the text of its arguments; None to leave it in SQL."""


def rewritten(text: str, say: Say) -> str:
    """The text with each call of a function of the schema, or its name, as `say` has it."""
    return _CALL.sub(lambda match: say(match["name"], (match["arguments"] or "()")[1:-1]) or match[0], text)
