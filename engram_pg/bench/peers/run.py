"""Measures two sides and puts the figures beside each other. Above 1, a ratio of times says how much faster
this memory is.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench import gate, locomo
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.bench.peers import speed
from engram_pg.bench.peers.material import material
from engram_pg.bench.peers.ours import Ours
from engram_pg.bench.peers.process import Peer
from engram_pg.bench.peers.sides import K, Side
from engram_pg.bench.scores import Judged, by_group, latency
from engram_pg.progress import Advance, silent

WRITTEN_EACH = 25
"""Texts of each of the processes that write at once."""


def run(
    connection: psycopg.Connection[Any],
    peer: str,
    python: str,
    *,
    talks: Path | None = None,
    pairs: Path | None = None,
    quality: bool = True,
    sizes: Sequence[int] = (1000, 20_000),
    calls: int = 100,
    turn: int = 10,
    writers: int = 8,
    chosen: Chosen = STATIC,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Hit@5 on the LoCoMo conversations in `talks`, the labelled `pairs` of the write gate, times with
    memories of one user by `sizes`, and processes that write at once; without a file, its part is left out.
    Without `quality` the conversations only lend their texts to the rest.
    """
    ours = Ours(connection, chosen)
    with closing(Peer(peer, python, ours)) as other:
        result: dict[str, Any] = {
            "peer": {"name": peer, **other.facts},
            "model": chosen.model.name if chosen.model else "static",
            "dims": len(ours.vector("a first text")),
            "load": os.getloadavg()[0],
        }
        sides: dict[str, Side] = {"ours": ours, "peer": other}
        if talks is not None and quality:
            result["locomo"] = _locomo(sides, ours, talks, advance)
        if pairs is not None:
            result["gate"] = _gate(sides, ours, pairs, advance)
        result["sizes"] = []
        for place, size in enumerate(sizes):
            if place or talks or pairs:
                other.afresh()
            given = material(talks, size, 2 * calls, calls)
            result["sizes"].append(speed.measure(sides, ours, given, size, turn, advance))
        if writers:
            result["writers"] = {"processes": writers, **_writers(sides, ours, talks, writers, advance)}
    return result


def _locomo(sides: dict[str, Side], ours: Ours, file: Path, advance: Advance) -> dict[str, Any]:
    """Every turn through the gate, then every question. A memory answers for the turns whose text it still
    holds: its own, and one merged into it.
    """
    conversations, owned = locomo.read(file)
    turns = [(user, memory) for user, memories in owned.items() for memory in memories]
    questions = [question for entry in conversations for question in locomo.questions(entry, owned)]
    known = [memory["content"] for _, memory in turns] + [question.text for question in questions]
    ours.prepare(known, advance)
    measured: dict[str, Any] = {"memories": len(turns), "questions": len(questions)}
    for name, side in sides.items():
        side.prepare(known, advance)
        holds: dict[int, set[Hashable]] = {}
        times = []
        for user, memory in turns:
            stored = side.store(user, memory["content"])
            times.append(stored.milliseconds)
            if stored.action == "merge":
                holds.setdefault(stored.id, set()).add(memory["metadata"]["dia_id"])
            elif stored.action in ("new", "replace"):
                holds[stored.id] = {memory["metadata"]["dia_id"]}
            advance(f"LoCoMo, {name}: storing", len(times), len(turns))
        answers = []
        for question in questions:
            found = side.recall(question.owner, question.text, K)
            # The question's right turns, each by the first memory that holds it.
            keys = [next(iter(holds.get(id, set()) & question.right), id) for id in found.ids]
            answers.append(Judged(question.group, keys, question.right, found.milliseconds))
            advance(f"LoCoMo, {name}: asking", len(answers), len(questions))
        scores = {group: score["hit@5"] for group, score in by_group(answers).items()}
        measured[name] = {
            "hit@5": scores,
            "store": latency(times),
            "recall": latency([answer.milliseconds for answer in answers]),
        }
    return measured


def _gate(sides: dict[str, Side], ours: Ours, file: Path, advance: Advance) -> dict[str, Any]:
    measured: dict[str, Any] = {}
    for name, side in sides.items():
        measured[name] = gate.judge(_writing(side, ours), file, _told(f"gate, {name}", advance))["scores"][
            "all"
        ]
    return measured


def _writing(side: Side, ours: Ours) -> gate.Write:
    def write(text: str, user: str) -> gate.Written:
        ours.vector(text)
        stored = side.store(user, text)
        return stored.id, stored.action, stored.related, None

    return write


def _told(what: str, advance: Advance) -> Advance:
    return lambda _, done, total: advance(what, done, total)


def _writers(
    sides: dict[str, Side], ours: Ours, talks: Path | None, writers: int, advance: Advance
) -> dict[str, Any]:
    made = material(talks, 0, writers * WRITTEN_EACH, 1).new
    ours.prepare(made, advance)
    parts = [made[place::writers] for place in range(writers)]
    measured: dict[str, Any] = {}
    for place, (name, side) in enumerate(sides.items()):
        advance(f"{writers} processes write at once, {name}", place, len(sides))
        measured[name] = dict(side.write_at_once("written-at-once", parts))
    return measured
