"""How long both sides take to store and to answer, with memories of one user by the thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from engram_pg.bench.peers.material import Material
from engram_pg.bench.peers.ours import Ours
from engram_pg.bench.peers.sides import K, Side, Stored
from engram_pg.bench.scores import latency
from engram_pg.progress import Advance

ACTS = ("store", "recall", "recall_after_store")


def measure(
    sides: Mapping[str, Side], ours: Ours, material: Material, size: int, turn: int, advance: Advance
) -> dict[str, Any]:
    """Times of storing, of asking, and of asking right after a text was stored, and how many times faster
    this side is: by medians, and for storing by means and by the texts alone that both sides keep as new, for
    one that is merged into another memory is less to write.

    The sides take turns of so many calls, so that a machine that gets slower or faster meanwhile favours
    neither. With a turn of one call, each finds the caches of the processor full of the other's data.
    """
    user = f"of-{size}"
    calls = len(material.asked)
    ours.compose(material.held, advance)
    ours.prepare([*material.new, *material.asked], advance)
    times: dict[str, dict[str, list[float]]] = {name: {act: [] for act in ACTS} for name in sides}
    stored: dict[str, list[Stored]] = {name: [] for name in sides}
    for side in sides.values():
        side.prepare([*material.held, *material.new, *material.asked], advance)
        side.fill(user, list(material.held), advance)
        for question in material.asked[:3]:  # what is slow the first time is not timed
            side.recall(user, question, K)
    for name, place in _turns(sides, calls, turn):
        times[name]["recall"].append(sides[name].recall(user, material.asked[place], K).milliseconds)
        advance(f"{size} memories: asking", place + 1, calls)
    for name, place in _turns(sides, calls, turn):
        stored[name].append(sides[name].store(user, material.new[place]))
        advance(f"{size} memories: storing", place + 1, calls)
    for name, place in _turns(sides, calls, turn):
        sides[name].store(user, material.new[calls + place])
        found = sides[name].recall(user, material.asked[place], K)
        times[name]["recall_after_store"].append(found.milliseconds)
        advance(f"{size} memories: asking after storing", place + 1, calls)
    kept = [
        place for place in range(calls) if all(answers[place].action == "new" for answers in stored.values())
    ]
    for name, answers in stored.items():
        times[name]["store"] = [answer.milliseconds for answer in answers]
        if kept:
            times[name]["store_of_new"] = [answers[place].milliseconds for place in kept]
    measured: dict[str, Any] = {"memories": size, "turn": turn, "new_to_both": len(kept)}
    for name in sides:
        measured[name] = {act: {**latency(took), "mean_ms": fmean(took)} for act, took in times[name].items()}
        measured[name]["actions"] = dict(Counter(answer.action for answer in stored[name]))
    for ratio, figure in (("ratios", "p50_ms"), ("ratios_of_means", "mean_ms")):
        measured[ratio] = {
            act: measured["peer"][act][figure] / measured["ours"][act][figure] for act in times["ours"]
        }
    return measured


def _turns(sides: Mapping[str, Side], calls: int, turn: int) -> Iterator[tuple[str, int]]:
    """Which side makes its call with which text or question, in the order of the clock."""
    for start in range(0, calls, turn):
        for name in sides:
            for place in range(start, min(start + turn, calls)):
                yield name, place
