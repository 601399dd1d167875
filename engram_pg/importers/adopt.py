"""Takes over the memory of another system with `engram.adopt`, in batches, user by user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext

from engram_pg.client import Engram
from engram_pg.errors import EngramError
from engram_pg.importers.item import BadLine, Item
from engram_pg.importers.load import BATCH, Loaded, refuse
from engram_pg.importers.mcp_engram import Moving
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
    by_user: dict[str, tuple[list[Item], list[Item]]] = {}
    for entry in [*moving.memories, *moving.edges]:
        if isinstance(entry, BadLine):
            refuse(done, entry, keep_going, "memory")
        else:
            memories, edges = by_user.setdefault(user or entry.user or engram.user, ([], []))
            (edges if entry.memory["type"] == "edge" else memories).append(entry)
    total = sum(len(memories) + len(edges) for memories, edges in by_user.values())
    written = 0
    with nullcontext() if keep_going else engram.connection.transaction():
        for name in sorted(by_user):
            owner = Engram(user=name, tenant=engram.tenant, connection=engram.connection)
            counts = done.users.setdefault(name, Counter())
            for items in by_user[name]:
                for start in range(0, len(items), BATCH):
                    batch = items[start : start + BATCH]
                    _write(owner, batch, source, keep_going, counts, done)
                    written += len(batch)
                    advance(f"importing {name}", written, total)
    return done


def _write(
    owner: Engram,
    batch: Sequence[Item],
    source: str,
    keep_going: bool,
    counts: Counter[str],
    done: Loaded,
) -> None:
    try:
        with owner.connection.transaction():
            _count(owner.adopt([item.memory for item in batch], source), batch, counts, done)
    except EngramError as error:
        if error.sqlstate[:2] not in {"EG", "22", "23"}:
            raise
        for item in batch:  # one by one, to find the memory, and with keep_going to save the others
            try:
                with owner.connection.transaction():
                    _count(owner.adopt([item.memory], source), [item], counts, done)
            except EngramError as cause:
                message = cause.message.removeprefix("entry 1: ")
                refuse(done, BadLine(item.line, message, cause.hint), keep_going, "memory")


def _count(answer: dict[str, object], batch: Sequence[Item], counts: Counter[str], done: Loaded) -> None:
    adopted, conflicts = answer["counts"], answer["conflicts"]
    assert isinstance(adopted, dict)
    assert isinstance(conflicts, list)
    counts.update(adopted)
    lines = {item.memory.get("id"): item.line for item in batch}
    done.conflicts += [lines[id] for id in conflicts]
