"""What a format's parser yields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """A memory to write. `line` is where it stands in the file, `user` the owner that the file names, if
    any.

    `memory` holds the arguments of `engram.remember`; where `exported` is set it is a line of
    `engram.export`.
    """

    line: int
    memory: dict[str, Any]
    user: str | None = None
    exported: bool = False


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be imported, with the reason."""

    line: int
    reason: str
    hint: str | None = field(default=None)
