"""How what takes a while tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Note = Callable[[str], None]
"""Called with a word on what begins."""

Advance = Callable[[str, int, int], None]
"""Called with what is being done, the steps done and the steps in all, 0 where nobody knows."""


def silent(*_: object) -> None:
    """Says nothing: for those who do not want to know."""
