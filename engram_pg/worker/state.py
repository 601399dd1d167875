"""What goes to and fro between the loop and the model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from engram_pg.embedders import Model
from engram_pg.errors import EngramError


@dataclass(frozen=True, slots=True)
class Row:
    """A leased text. `attempts` counts this one."""

    space_id: int
    memory_id: int
    content: str
    content_hash: UUID
    attempts: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Leased texts of one model."""

    model: Model
    rows: Sequence[Row]


@dataclass(slots=True)
class Outcome:
    """What became of a batch, or of a part of it: `last` ends the batch.

    `vectors` are those of `done`. A row of `poison` has its error and whether trying again is
    useless. `trouble` is the model's as a whole: then `untouched` rows were not tried, `rejected` ones were.
    """

    batch: Batch
    done: Sequence[Row] = ()
    vectors: Sequence[Sequence[float]] = ()
    poison: Sequence[tuple[Row, str, bool]] = ()
    trouble: EngramError | None = None
    untouched: Sequence[Row] = ()
    rejected: Sequence[Row] = ()
    last: bool = False
    seconds: float = 0.0


@dataclass
class Counts:
    """What a worker has done: vectors stored; results refused because the text had changed; memories that
    the gate settled late; decisions in doubt that were judged, and of these revised; tries that failed; and
    what is given up in the end.
    """

    stored: int = 0
    stale: int = 0
    settled: int = 0
    judged: int = 0
    revised: int = 0
    unjudged: int = 0
    failed_tries: int = 0
    failed: int = 0
    model_seconds: float = 0.0
    broken: dict[str, EngramError] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing is given up."""
        return not self.failed and not self.unjudged and not self.broken


@dataclass
class Pause:
    """How long to leave a model alone: twice as long after each trouble in a row, with jitter so that many
    workers do not come back at the same moment.
    """

    first: float = 1.0
    longest: float = 300.0
    troubles: int = 0
    until: float = 0.0

    def extend(self, now: float, asked: float | None = None) -> float:
        """Notes another trouble; returns the seconds to wait, which are no fewer than the server asked
        for.
        """
        wait = min(self.first * 2.0**self.troubles, self.longest) * random.uniform(0.5, 1.0)
        wait = max(wait, min(asked or 0.0, 3600.0))
        self.troubles += 1
        self.until = now + wait
        return wait

    def reset(self) -> None:
        self.troubles, self.until = 0, 0.0
