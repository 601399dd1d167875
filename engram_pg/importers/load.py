"""Writes what a parser yielded, in batches, user by user, so that two imports never wait for each other in
a ring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from engram_pg.client import Engram
from engram_pg.errors import CONTENT_INVALID, EngramError
from engram_pg.importers.item import BadLine, Item
from engram_pg.progress import Advance, silent

BATCH = 100


@dataclass
class Loaded:
    """What an import did: memories by user and action, the lines it left out, and those that differ here and
    there.
    """

    users: dict[str, Counter[str]] = field(default_factory=dict)
    bad: list[BadLine] = field(default_factory=list)
    conflicts: list[int] = field(default_factory=list)


def load(
    engram: Engram,
    entries: Iterable[Item | BadLine],
    *,
    user: str | None = None,
    policy: str | None = None,
    keep_going: bool = False,
    advance: Advance = silent,
) -> Loaded:
    """Writes items through `remember_many`; what the exact stage of the gate knows already is only
    reinforced.

    A line goes to the user it names, else to `engram.user`; `user` overrules both. All is one transaction,
    which a bad line undoes, with an EngramError that names the line; with `keep_going` good batches stay
    and bad lines are listed in the result.
    """
    done = Loaded()
    by_user: dict[str, list[Item]] = {}
    for entry in entries:
        if isinstance(entry, BadLine):
            refuse(done, entry, keep_going)
        else:
            by_user.setdefault(user or entry.user or engram.user, []).append(entry)
    total = sum(map(len, by_user.values()))
    written = 0
    with nullcontext() if keep_going else engram.connection.transaction():
        for name in sorted(by_user):
            owner = Engram(user=name, tenant=engram.tenant, connection=engram.connection)
            counts = done.users.setdefault(name, Counter())
            for start in range(0, len(by_user[name]), BATCH):
                batch = by_user[name][start : start + BATCH]
                _write(owner, batch, policy, keep_going, counts, done)
                written += len(batch)
                advance(f"importing {name}", written, total)
    return done


def _write(
    owner: Engram,
    batch: Sequence[Item],
    policy: str | None,
    keep_going: bool,
    counts: Counter[str],
    done: Loaded,
) -> None:
    try:
        counts.update(_call(owner, batch, policy))
    except EngramError as error:
        if error.sqlstate[:2] not in {"EG", "22", "23"}:
            raise
        for item in batch:  # one by one, to find the line, and with keep_going to save the others
            try:
                counts[_one(owner, item, policy)] += 1
            except EngramError as cause:
                refuse(done, BadLine(item.line, cause.message, cause.hint), keep_going)


def _call(owner: Engram, batch: Sequence[Item], policy: str | None) -> list[str]:
    with owner.connection.transaction():
        if batch[0].exported:
            return _restore(owner, batch)
        return [result.action for result in owner.remember_many([item.memory for item in batch], policy)]


def _restore(owner: Engram, batch: Sequence[Item]) -> list[str]:
    new = owner.restore([item.memory for item in batch])["memories"]
    memories = sum(item.memory.get("type") == "memory" for item in batch)
    return ["restored"] * new + ["known"] * (memories - new) + ["linked"] * (len(batch) - memories)


def _one(owner: Engram, item: Item, policy: str | None) -> str:
    with owner.connection.transaction():
        if item.exported:
            return _restore(owner, [item])[0]
        return owner.remember(**{**item.memory, "policy": policy}).action


def refuse(done: Loaded, bad: BadLine, keep_going: bool, what: str = "line") -> None:
    """Notes what cannot be imported, or raises an EngramError that names it."""
    if not keep_going:
        raise EngramError(
            CONTENT_INVALID,
            f"{what} {bad.line}: {bad.reason}",
            "Nothing of the file was imported.",
            bad.hint or f"Mend the {what}, or import the others with --keep-going.",
        )
    done.bad.append(bad)
