"""Labelled pairs: existing texts, an incoming one, and what is expected of the gate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

HERE = Path(__file__).parent
EXAMPLES = "../../../examples/gate_pairs.jsonl"
ACTION = {"duplicate": "reinforce", "contradiction": "replace", "complement": "keep", "distinct": "keep"}


def items(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / file).read_text(encoding="utf-8").split("\n") if line]


def answers(db: psycopg.Connection[Any], file: str) -> Iterator[tuple[dict[str, Any], str, int | None]]:
    for item in items(file):
        relation = db.execute(
            """select r.verdict, r.memory_id
                 from engram._relate(engram._claims(%(incoming)s), %(ids)s::bigint[],
                      array(select engram._claims(t)
                              from unnest(%(existing)s::text[]) with ordinality e (t, n) order by n),
                      array(select 1 - (engram.embed(t) <=> engram.embed(%(incoming)s))
                              from unnest(%(existing)s::text[]) with ordinality e (t, n) order by n)) r""",
            {**item, "ids": list(range(len(item["existing"])))},
        ).fetchone()
        assert relation is not None
        yield item, ACTION[relation.verdict], relation.memory_id


@pytest.mark.parametrize(
    "file",
    [
        "pairs.jsonl",
        "pairs_more.jsonl",
        "pairs_late.jsonl",
        "pairs_moved.jsonl",
        "pairs_keep.jsonl",
        "pairs_keep_more.jsonl",
        "pairs_keep_last.jsonl",
        "pairs_fresh.jsonl",
        "pairs_reworded.jsonl",
        "pairs_plain.jsonl",
        "pairs_plain_more.jsonl",
        "pairs_turns.jsonl",
        "pairs_keep_near.jsonl",
        "pairs_states.jsonl",
        "pairs_keep_states.jsonl",
        "pairs_general.jsonl",
        EXAMPLES,
    ],
)
def test_nothing_that_was_not_retracted_is_lost(db, file):
    lost = [
        (item["id"], action)
        for item, action, _ in answers(db, file)
        if ACTION[item["expected"]] == "keep" and action != "keep"
    ]
    assert lost == []


@pytest.mark.parametrize(
    ("file", "expected", "share"),
    [
        ("pairs.jsonl", "duplicate", 0.95),
        ("pairs.jsonl", "contradiction", 0.9),
        ("pairs_more.jsonl", "duplicate", 0.65),
        ("pairs_late.jsonl", "duplicate", 0.85),
        ("pairs_late.jsonl", "contradiction", 0.75),
        ("pairs_moved.jsonl", "contradiction", 1.0),
        ("pairs_more.jsonl", "contradiction", 0.8),
        ("pairs_fresh.jsonl", "duplicate", 0.6),
        ("pairs_fresh.jsonl", "contradiction", 0.6),
        ("pairs_reworded.jsonl", "duplicate", 0.45),
        ("pairs_plain.jsonl", "duplicate", 0.7),
        ("pairs_plain.jsonl", "contradiction", 0.7),
        ("pairs_plain_more.jsonl", "contradiction", 0.8),
        ("pairs_turns.jsonl", "duplicate", 0.65),
        ("pairs_turns.jsonl", "contradiction", 0.7),
        ("pairs_states.jsonl", "duplicate", 0.9),
        ("pairs_states.jsonl", "contradiction", 0.9),
        ("pairs_general.jsonl", "duplicate", 0.95),
        ("pairs_general.jsonl", "contradiction", 0.95),
        (EXAMPLES, "duplicate", 0.7),
        (EXAMPLES, "contradiction", 0.8),
    ],
)
def test_repeats_and_retractions_are_found(db, file, expected, share):
    found = [
        action == ACTION[expected] and memory == item["target"]
        for item, action, memory in answers(db, file)
        if item["expected"] == expected
    ]
    assert sum(found) / len(found) >= share


@pytest.mark.parametrize("file", ["pairs.jsonl", "pairs_more.jsonl", "pairs_late.jsonl"])
def test_every_language_is_right_more_often_than_not(db, file):
    right: dict[str, list[bool]] = {}
    for item, action, _ in answers(db, file):
        right.setdefault(item["lang"], []).append(action == ACTION[item["expected"]])
    assert [lang for lang, flags in right.items() if sum(flags) < 0.75 * len(flags)] == []
