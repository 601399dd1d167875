"""Scores of rankings.

Hit@k: the share of questions with any right answer among the first k. Recall@k: the mean share of the right
answers among the first k. MRR: the mean of one over the rank of the first right answer, 0 where it is not
among the hits asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Judged:
    """An answered question: which kind it is of, what came (best first), what is right, and how long it
    took.
    """

    group: str
    found: Sequence[Hashable]
    right: frozenset[Hashable]
    milliseconds: float


def hit(judged: Judged, k: int) -> float:
    return float(not judged.right.isdisjoint(judged.found[:k]))


def recall(judged: Judged, k: int) -> float:
    return len(judged.right.intersection(judged.found[:k])) / len(judged.right)


def reciprocal_rank(judged: Judged) -> float:
    ranks = (rank for rank, found in enumerate(judged.found, start=1) if found in judged.right)
    return 1 / next(ranks, float("inf"))


def summary(answers: Sequence[Judged]) -> dict[str, float]:
    """The scores in percent, MRR as it is, with the number of questions."""
    return {
        "questions": len(answers),
        "hit@1": 100 * fmean(hit(answer, 1) for answer in answers),
        "hit@5": 100 * fmean(hit(answer, 5) for answer in answers),
        "hit@10": 100 * fmean(hit(answer, 10) for answer in answers),
        "recall@5": 100 * fmean(recall(answer, 5) for answer in answers),
        "mrr": fmean(reciprocal_rank(answer) for answer in answers),
    }


def by_group(answers: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """The scores of each group, in order of name, and of all."""
    groups = sorted({answer.group for answer in answers})
    parts = {group: summary([answer for answer in answers if answer.group == group]) for group in groups}
    return {**parts, "all": summary(answers)}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * int(share * 100) // 100) - 1)]


def latency(values: Sequence[float]) -> dict[str, float]:
    return {"p50_ms": percentile(values, 0.50), "p95_ms": percentile(values, 0.95)}
