"""Retrieval from LoCoMo (Maharana et al., ACL 2024): which turns of a long conversation answer a question?

Each conversation is one user, each turn one memory, appended in order. Questions of category 5
(adversarial) and those whose evidence is not in the conversation are left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import psycopg

from engram_pg.bench.asking import Question, analyze, limit_to, store, use_index
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.errors import ARGUMENT_INVALID, EngramError
from engram_pg.importers import locomo
from engram_pg.importers.item import Item
from engram_pg.progress import Advance, silent

CATEGORIES = {1: "1 multi-hop", 2: "2 temporal", 3: "3 open-domain", 4: "4 single-hop"}
_DIA_ID = re.compile(r"D\d+:\d+")


def run(
    connection: psycopg.Connection[Any],
    data: Path,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
    exact_limit: int | None = None,
    whole_limit: int | None = None,
) -> dict[str, Any]:
    """Ingests and asks; returns the model's and the ingest's rates, and scores and times by profile.
    exact_limit: spaces of more memories are answered by the indexes, and those above whole_limit from
    candidates.
    """
    conversations, owned = read(data)
    total = sum(map(len, owned.values()))

    keys: dict[int, Hashable] = {}
    chosen.register(connection)
    before = time.perf_counter()
    for owner, memories in owned.items():
        ids = store(connection, owner, memories)
        keys |= {id: memory["metadata"]["dia_id"] for id, memory in zip(ids, memories, strict=True)}
        advance("ingesting", len(keys), total)
    seconds = time.perf_counter() - before
    filling = chosen.fill(connection, advance)
    if whole_limit is not None:
        limit_to(connection, "recall.whole_limit", whole_limit)
    if exact_limit is not None:
        use_index(connection, exact_limit)
    analyze(connection)

    wanted = [question for entry in conversations for question in questions(entry, owned)]
    asked = chosen.ask_all(connection, wanted, keys, advance)
    return {
        "memories": total,
        "users": len(owned),
        "ingest_per_second": total / seconds,
        **filling,
        **asked,
    }


def read(data: Path) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """The conversations of a file, and the memories that their turns become, by user. Raises EngramError."""
    conversations = locomo.conversations(data.read_text(encoding="utf-8"))
    if conversations is None:
        raise EngramError(
            ARGUMENT_INVALID, f"{data} is no LoCoMo JSON", hint="Give the file that holds the conversations."
        )
    owned: dict[str, list[dict[str, Any]]] = {}
    turns = list(locomo.parse(conversations))
    for item in [turn for turn in turns if isinstance(turn, Item)]:
        owned.setdefault(str(item.user), []).append(item.memory)
    return conversations, owned


def questions(entry: dict[str, Any], owned: dict[str, list[dict[str, Any]]]) -> list[Question]:
    """The questions of a conversation that have an answer in it."""
    owner = str(entry["sample_id"])
    there = {memory["metadata"]["dia_id"] for memory in owned[owner]}
    found = []
    for asked in entry["qa"]:
        # Some evidence names several turns in one text, so ids are read out of it.
        right = {
            id for evidence in asked.get("evidence") or [] for id in _DIA_ID.findall(str(evidence))
        } & there
        if asked["category"] in CATEGORIES and right:
            found.append(Question(asked["question"], owner, CATEGORIES[asked["category"]], frozenset(right)))
    return found
