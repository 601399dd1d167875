"""The write gate in one large memory: all existing texts of the items, and turns of conversations, belong to
one user. Each incoming text is written among them and taken back.

What it repeats or ends must first be met among its nearest, and each neighbour that is judged is one more
that may be reinforced or replaced by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench import gate, locomo
from engram_pg.bench.asking import BATCH, analyze, store
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.progress import Advance, silent

USER = "gate"


def run(
    connection: psycopg.Connection[Any],
    path: Path,
    talks: Path | None = None,
    judged: int | None = None,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
) -> dict[str, Any]:
    """The scores of `gate.run`, right being what was done to the item's own target, with how many memories
    there were and how many of other items or conversations were reinforced or replaced. `judged` stands in
    for the setting gate.judged.
    """
    if judged is not None:
        connection.execute("select engram.configure('gate.judged', %s)", [str(judged)])
    chosen.register(connection)
    filled = chosen.fill(connection, advance)
    items = gate.read(path)
    texts = dict.fromkeys(text for item in items for text in item["existing"])
    if talks is not None:
        texts |= dict.fromkeys(m["content"] for owned in locomo.read(talks)[1].values() for m in owned)
    ids = _keep(connection, list(texts), chosen, advance)

    answers, others = [], {"reinforce": 0, "replace": 0}
    for place, item in enumerate(items, start=1):
        own = [ids[text] for text in item["existing"]]
        with connection.transaction(force_rollback=True):
            written = gate.remember(connection, item["incoming"], USER, chosen.embedder)
        answers.append(gate.answer(item, own, written))
        memory, action, related, _ = written
        if action in others and (memory if action == "reinforce" else related) not in own:
            others[action] += 1
        advance("writing", place, len(items))
    return {"model": filled["model"], "memories": len(ids), "others": others, **gate.scored(answers)}


def show(result: Mapping[str, Any]) -> None:
    """Prints the scores, and what was done to others."""
    from engram_pg.cli._output import show_table

    gate.show(result)
    others = result["others"]
    show_table(
        ("memories", "others reinforced", "others replaced"),
        [(str(result["memories"]), str(others["reinforce"]), str(others["replace"]))],
    )


def _keep(
    connection: psycopg.Connection[Any], texts: list[str], chosen: Chosen, advance: Advance
) -> dict[str, int]:
    """Appends the texts, with their vectors; returns their ids."""
    ids: dict[str, int] = {}
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        entries: list[dict[str, Any]] = [{"content": text} for text in batch]
        if chosen.embedder is not None:
            for entry, vector in zip(entries, chosen.embedder.embed_passages(batch), strict=True):
                entry["embedding"] = vector
        ids |= zip(batch, store(connection, USER, entries), strict=True)
        advance("keeping", start + len(batch), len(texts))
    connection.execute("call engram.maintain(array['read', 'count', 'index'])")
    analyze(connection)
    return ids
