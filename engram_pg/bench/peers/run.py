"""Measures two sides and puts the figures beside each other. Above 1, a ratio of times says how much faster
this memory is.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench import gate, locomo, texts
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.bench.peers.ours import Ours
from engram_pg.bench.peers.process import Peer
from engram_pg.bench.peers.sides import Side
from engram_pg.bench.scores import Judged, by_group, latency
from engram_pg.progress import Advance, silent

K = 5
SEED = 20260101
ACTS = ("store", "recall", "recall_after_store")
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
            result["sizes"].append(_speed(sides, ours, talks, size, calls, advance))
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


def _speed(
    sides: dict[str, Side],
    ours: Ours,
    talks: Path | None,
    size: int,
    calls: int,
    advance: Advance,
) -> dict[str, Any]:
    """Medians of storing, of asking, and of asking right after a text was stored. The sides take turns, call
    by call, so that a machine that gets slower or faster meanwhile favours neither.
    """
    user = f"of-{size}"
    material = _material(talks, size, 2 * calls, calls)
    held, asked = list(material.held), material.asked
    new, newer = material.new[:calls], material.new[calls:]
    ours.compose(material.held, advance)
    ours.prepare([*material.new, *asked], advance)
    times: dict[str, dict[str, list[float]]] = {name: {act: [] for act in ACTS} for name in sides}
    actions: dict[str, Counter[str]] = {name: Counter() for name in sides}
    for side in sides.values():
        side.prepare([*held, *material.new, *asked], advance)
        side.fill(user, held, advance)
        for question in asked[:3]:  # what is slow the first time is not timed
            side.recall(user, question, K)
    for place, question in enumerate(asked):
        for name, side in sides.items():
            times[name]["recall"].append(side.recall(user, question, K).milliseconds)
        advance(f"{size} memories: asking", place + 1, calls)
    for place, text in enumerate(new):
        for name, side in sides.items():
            stored = side.store(user, text)
            times[name]["store"].append(stored.milliseconds)
            actions[name][stored.action] += 1
        advance(f"{size} memories: storing", place + 1, calls)
    for place, (text, question) in enumerate(zip(newer, asked, strict=True)):
        for name, side in sides.items():
            side.store(user, text)
            times[name]["recall_after_store"].append(side.recall(user, question, K).milliseconds)
        advance(f"{size} memories: asking after storing", place + 1, calls)
    measured: dict[str, Any] = {"memories": size}
    for name in sides:
        summaries = {act: latency(times[name][act]) for act in ACTS}
        measured[name] = {**summaries, "actions": dict(actions[name])}
    measured["ratios"] = {
        act: measured["peer"][act]["p50_ms"] / measured["ours"][act]["p50_ms"] for act in ACTS
    }
    return measured


def _writers(
    sides: dict[str, Side], ours: Ours, talks: Path | None, writers: int, advance: Advance
) -> dict[str, Any]:
    made = _material(talks, 0, writers * WRITTEN_EACH, 1).new
    ours.prepare(made, advance)
    parts = [made[place::writers] for place in range(writers)]
    measured: dict[str, Any] = {}
    for place, (name, side) in enumerate(sides.items()):
        advance(f"{writers} processes write at once, {name}", place, len(sides))
        measured[name] = dict(side.write_at_once("written-at-once", parts))
    return measured


@dataclass(frozen=True, slots=True)
class Material:
    """Texts that are there, each with the parts that it is put together of; texts that come; questions."""

    held: dict[str, tuple[str, ...]]
    new: list[str]
    asked: list[str]


def _material(talks: Path | None, held: int, new: int, questions: int) -> Material:
    """Turns of LoCoMo, and pairs of turns once there are no more; what comes is no part of what is there.
    Without them, made-up sentences, which are much alike.
    """
    source = random.Random(SEED)
    conversations, owned = ([], {}) if talks is None else locomo.read(talks)
    said = [memory["content"].partition(": ")[2] for memories in owned.values() for memory in memories]
    said = [text for text in dict.fromkeys(said) if len(text) > 20]
    source.shuffle(said)
    known, coming = said[new:], said[:new]
    if len(coming) < new or len(known) ** 2 < 10 * held:  # too few
        made = texts.sentences(held + new, SEED)
        return Material({text: (text,) for text in made[new:]}, made[:new], texts.questions(questions, SEED))
    there: dict[str, tuple[str, ...]] = {text: (text,) for text in known[:held]}
    while len(there) < held:
        first, second = source.sample(known, 2)
        there[f"{first} {second}"] = (first, second)
    asked = [entry["question"] for talk in conversations for entry in talk["qa"]]
    return Material(there, coming, [source.choice(asked) for _ in range(questions)])
