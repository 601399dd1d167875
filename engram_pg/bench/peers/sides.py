"""What a side of the comparison has to be able to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engram_pg.progress import Advance

K = 5
"""Memories that an answer has."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a side did with a text: `action` in the words of this project, `related` what it replaced."""

    id: int
    action: str
    related: int | None
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Found:
    """The ids of the memories that answered a question, best first."""

    ids: Sequence[int]
    milliseconds: float


class Side(Protocol):
    """A memory that is measured. Times are those of its own work: the vectors are made before."""

    def prepare(self, texts: Sequence[str], advance: Advance) -> None:
        """Makes the vectors of texts and questions that are going to come."""

    def fill(self, user: str, texts: Sequence[str], advance: Advance) -> None:
        """Brings in memories in the fastest way there is, the gate left out."""

    def store(self, user: str, text: str) -> Stored: ...

    def recall(self, user: str, question: str, k: int) -> Found: ...

    def write_at_once(self, user: str, parts: Sequence[Sequence[str]]) -> Mapping[str, Any]:
        """Stores each part in a process of its own, all at once. Returns how many texts were `acknowledged`
        and `refused`, and how many of those that were acknowledged as new are `lost` afterwards.
        """
