"""Writes items in batches; what cannot be written is found and named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from engram_pg.client import Engram
from engram_pg.errors import CONTENT_INVALID, INSTALLATION, SESSION_CLOSED, EngramError
from engram_pg.importers.item import BadLine, Item
from engram_pg.progress import Advance

BATCH = 100
OF_THE_SESSION = {SESSION_CLOSED, INSTALLATION}
"""Errors that are no matter of an item."""

Batch = tuple[str, Sequence[Item]]
"""Whose they are, and some items of theirs."""

Act = Callable[[Engram, Sequence[Item]], Counter[str]]
"""Writes a batch into the memory of its owner; returns what became of how many."""


@dataclass
class Loaded:
    """What an import did: memories by user and action, the lines it left out, and those that differ here and
    there.
    """

    users: dict[str, Counter[str]] = field(default_factory=dict)
    bad: list[BadLine] = field(default_factory=list)
    conflicts: list[int] = field(default_factory=list)


def by_user(items: Mapping[str, Sequence[Item]]) -> Iterator[Batch]:
    """The items of each user in their order, user by user, so that two imports never wait for each other in a
    ring.
    """
    for name in sorted(items):
        for start in range(0, len(items[name]), BATCH):
            yield name, items[name][start : start + BATCH]


def write(
    engram: Engram,
    batches: Iterable[Batch],
    act: Act,
    done: Loaded,
    *,
    total: int,
    keep_going: bool,
    what: str,
    advance: Advance,
) -> None:
    """Writes batch by batch. All is one transaction, which one item that cannot be written undoes, with an
    EngramError that names it; with `keep_going` the others stay and it is listed in `done`. A `total` of 0 is
    one that nobody knows.
    """
    written = 0
    with nullcontext() if keep_going else engram.connection.transaction():
        for name, batch in batches:
            owner = Engram(user=name, tenant=engram.tenant, connection=engram.connection)
            counts = done.users.setdefault(name, Counter())
            try:
                counts.update(_acted(owner, batch, act))
            except EngramError as error:
                if error.sqlstate[:2] not in {"EG", "22", "23"} or error.sqlstate in OF_THE_SESSION:
                    raise
                for item in batch:  # one by one, to find it, and with keep_going to save the others
                    try:
                        counts.update(_acted(owner, [item], act))
                    except EngramError as cause:
                        reason = cause.message.removeprefix("entry 1: ")
                        refuse(done, BadLine(item.line, reason, cause.hint), keep_going, what)
            written += len(batch)
            advance(f"importing {name}", written, total)


def _acted(owner: Engram, batch: Sequence[Item], act: Act) -> Counter[str]:
    with owner.connection.transaction():
        return act(owner, batch)


def refuse(done: Loaded, bad: BadLine, keep_going: bool, what: str) -> None:
    """Notes what cannot be imported, or raises an EngramError that names it."""
    if not keep_going:
        raise EngramError(
            CONTENT_INVALID,
            f"{what} {bad.line}: {bad.reason}",
            "Nothing of the file was imported.",
            bad.hint or f"Mend the {what}, or import the others with --keep-going.",
        )
    done.bad.append(bad)
