"""Takes over the memory of another system with `engram.adopt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engram_pg.client import Engram
from engram_pg.importers.item import BadLine, Item
from engram_pg.importers.mcp_engram import Moving
from engram_pg.importers.writing import Loaded, by_user, refuse, write
from engram_pg.progress import Advance, silent


def adopt(
    engram: Engram,
    moving: Moving,
    source: str,
    *,
    user: str | None = None,
    keep_going: bool = False,
    advance: Advance = silent,
) -> Loaded:
    """Writes memories, then the edges between them. What came over before is not written again.

    A memory goes to the user it names, else to `engram.user`; `user` overrules both. All is one transaction,
    which one that cannot be written undoes, with an EngramError that names its number; with `keep_going` the
    others stay and it is listed in the result.
    """
    done = Loaded()
    items: dict[str, list[Item]] = {}
    for entry in [*moving.memories, *moving.edges]:
        if isinstance(entry, BadLine):
            refuse(done, entry, keep_going, "memory")
        else:
            items.setdefault(user or entry.user or engram.user, []).append(entry)

    def adopted(owner: Engram, batch: Sequence[Item]) -> Counter[str]:
        answer = owner.adopt([item.memory for item in batch], source)
        lines = {item.memory.get("id"): item.line for item in batch}
        done.conflicts += [lines[id] for id in answer["conflicts"]]
        return Counter(answer["counts"])

    total = sum(map(len, items.values()))
    write(
        engram,
        by_user(items),
        adopted,
        done,
        total=total,
        keep_going=keep_going,
        what="memory",
        advance=advance,
    )
    return done
