"""Writes the memories that a parser yielded, and the lines of an export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engram_pg.client import Engram
from engram_pg.importers.item import BadLine, Item
from engram_pg.importers.writing import Loaded, refuse, write
from engram_pg.progress import Advance, silent


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
            refuse(done, entry, keep_going, "line")
        else:
            by_user.setdefault(user or entry.user or engram.user, []).append(entry)

    def remembered(owner: Engram, batch: Sequence[Item]) -> Counter[str]:
        memories = [item.memory for item in batch]
        if batch[0].exported:
            return _restored(owner, memories)
        return Counter(result.action for result in owner.remember_many(memories, policy))

    write(engram, by_user, remembered, done, keep_going=keep_going, what="line", advance=advance)
    return done


def _restored(owner: Engram, entries: Sequence[dict[str, object]]) -> Counter[str]:
    new = owner.restore(entries)["memories"]
    memories = sum(entry.get("type") == "memory" for entry in entries)
    return +Counter(restored=new, known=memories - new, linked=len(entries) - memories)
