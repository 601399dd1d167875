"""Writes the memories that a parser yielded, and the lines of an export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter

from engram_pg.client import Engram
from engram_pg.importers.item import BadLine, Item
from engram_pg.importers.writing import BATCH, Batch, Loaded, by_user, refuse, write
from engram_pg.progress import Advance, silent


def load(
    engram: Engram,
    entries: Iterable[Item | BadLine],
    *,
    user: str | None = None,
    policy: str | None = None,
    keep_going: bool = False,
    total: int = 0,
    advance: Advance = silent,
) -> Loaded:
    """Writes items through `remember_many`; what the exact stage of the gate knows already is only
    reinforced. Lines of an export are put back as they come, so there may be more than memory holds; `total`
    says how many, if that is known.

    A line goes to the user it names, else to `engram.user`; `user` overrules both. All is one transaction,
    which a bad line undoes, with an EngramError that names the line; with `keep_going` good batches stay
    and bad lines are listed in the result.
    """
    done = Loaded()
    good = _good(entries, done, keep_going)
    first = next(good, None)
    owned = ((user or item.user or engram.user, item) for item in chain([first] if first else [], good))

    if first is not None and first.exported:
        batches = _as_they_come(owned)
    else:
        items: dict[str, list[Item]] = {}
        for name, item in owned:
            items.setdefault(name, []).append(item)
        batches, total = by_user(items), sum(map(len, items.values()))

    def remembered(owner: Engram, batch: Sequence[Item]) -> Counter[str]:
        memories = [item.memory for item in batch]
        if batch[0].exported:
            return _restored(owner, memories)
        return Counter(result.action for result in owner.remember_many(memories, policy))

    write(engram, batches, remembered, done, total=total, keep_going=keep_going, what="line", advance=advance)
    return done


def _good(entries: Iterable[Item | BadLine], done: Loaded, keep_going: bool) -> Iterator[Item]:
    for entry in entries:
        if isinstance(entry, BadLine):
            refuse(done, entry, keep_going, "line")
        else:
            yield entry


def _as_they_come(owned: Iterable[tuple[str, Item]]) -> Iterator[Batch]:
    """The items in their order, those of one user that follow each other together."""
    for name, items in groupby(owned, key=itemgetter(0)):
        while batch := [item for _, item in islice(items, BATCH)]:
            yield name, batch


def _restored(owner: Engram, entries: Sequence[dict[str, object]]) -> Counter[str]:
    new = owner.restore(entries)["memories"]
    memories = sum(entry.get("type") == "memory" for entry in entries)
    return +Counter(restored=new, known=memories - new, linked=len(entries) - memories)
