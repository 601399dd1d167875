"""The write gate against labelled pairs of texts, given as JSON lines.

An item: {"id", "lang", "existing": [texts], "incoming": text, "expected", "target": index into existing}.
Each one is written by a user of its own through `engram.remember`. Right is: duplicate → reinforce of the
target, contradiction → replace of the target, complement → merge or new, distinct → new. Information is lost
where a complement or a distinct text was answered with reinforce or replace.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import tuple_row

from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.embedders import Embedder
from engram_pg.progress import Advance, silent

LABELS = ("duplicate", "contradiction", "complement", "distinct")
ACTIONS = ("reinforce", "replace", "merge", "new")
RIGHT = {
    "duplicate": {"reinforce"},
    "contradiction": {"replace"},
    "complement": {"merge", "new"},
    "distinct": {"new"},
}
LOSING = {"reinforce", "replace"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the gate did with one item."""

    id: str
    language: str
    expected: str
    action: str
    right: bool
    rule: str | None

    @property
    def lost(self) -> bool:
        """True where a fact is gone that nobody retracted."""
        return self.expected in ("complement", "distinct") and self.action in LOSING


Written = tuple[int, str, int | None, dict[str, Any] | None]
"""The id of a memory, what was done, the memory it was done to, and the evidence."""

Write = Callable[[str, str], Written]
"""Remembers a text for a user."""


def run(
    connection: psycopg.Connection[Any],
    path: Path,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
) -> dict[str, Any]:
    """Writes every item with vectors of the chosen model; returns the scores in all and by language (shares
    in percent, None where no item counts), the confusion table and the items answered wrongly.
    """
    chosen.register(connection)
    filled = chosen.fill(connection, advance)
    result = judge(lambda text, user: remember(connection, text, user, chosen.embedder), path, advance)
    return {"model": filled["model"], **result}


def judge(write: Write, path: Path, advance: Advance = silent) -> dict[str, Any]:
    """The same for any gate that writes."""
    items = read(path)
    answers = []
    for place, item in enumerate(items):
        user = f"gate-{place}"
        ids = [write(text, user)[0] for text in item["existing"]]
        answers.append(answer(item, ids, write(item["incoming"], user)))
        advance("writing", place + 1, len(items))
    return scored(answers)


def read(path: Path) -> list[dict[str, Any]]:
    """The items of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def scored(answers: Sequence[Answer]) -> dict[str, Any]:
    """The scores, the confusion table, how often each rule decided, and what is wrong."""
    languages = {each.language: None for each in answers}
    return {
        "items": len(answers),
        "scores": {
            "all": _scores(answers),
            **{name: _scores([a for a in answers if a.language == name]) for name in languages},
        },
        "confusion": _confusion(answers),
        "rules": dict(Counter(answer.rule or "-" for answer in answers).most_common()),
        "wrong": [
            {"id": a.id, "expected": a.expected, "action": a.action, "rule": a.rule, "lost": a.lost}
            for a in answers
            if not a.right
        ],
    }


def show(result: Mapping[str, Any]) -> None:
    """Prints the scores by language and the confusion table."""
    from engram_pg.cli._output import show_table

    rows = [
        (
            group,
            str(scores["items"]),
            *(
                _shown(scores[name])
                for name in ("accuracy", "information_lost", "contradictions_found", "duplicates_found")
            ),
        )
        for group, scores in result["scores"].items()
    ]
    show_table(("", "items", "accuracy %", "lost %", "contradictions %", "duplicates %"), rows)
    confusion = result["confusion"]
    show_table(
        ("expected", *ACTIONS),
        [(label, *(str(confusion[label][action]) for action in ACTIONS)) for label in LABELS],
    )


def answer(item: Mapping[str, Any], ids: Sequence[int], written: Written) -> Answer:
    """What was done with the incoming text of an item whose existing texts have these ids."""
    memory, action, related, evidence = written
    touched = memory if action == "reinforce" else related
    right = action in RIGHT[item["expected"]]
    if action in LOSING:
        right = right and touched == ids[item["target"]]
    rule = (evidence or {}).get("rule")
    return Answer(str(item["id"]), str(item["lang"]), item["expected"], action, right, rule)


def remember(connection: psycopg.Connection[Any], text: str, user: str, embedder: Embedder | None) -> Written:
    """Writes a text through the gate, with the vector of a model outside."""
    vector = None if embedder is None else embedder.embed_passages([text])[0]
    with connection.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(
            "select memory_id, action, related_id, evidence"
            " from engram.remember(%s, user_id => %s, embedding => %s::double precision[])",
            [text, user, vector],
        ).fetchone()
    assert row is not None
    return row


def _scores(answers: Sequence[Answer]) -> dict[str, float | None]:
    kept = [answer for answer in answers if answer.expected in ("complement", "distinct")]
    return {
        "items": len(answers),
        "accuracy": _percent(answer.right for answer in answers),
        "information_lost": _percent(answer.lost for answer in kept),
        "contradictions_found": _percent(a.right for a in answers if a.expected == "contradiction"),
        "duplicates_found": _percent(a.right for a in answers if a.expected == "duplicate"),
    }


def _percent(flags: Iterable[bool]) -> float | None:
    seen = list(flags)
    return 100.0 * sum(seen) / len(seen) if seen else None


def _shown(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.1f}"


def _confusion(answers: Sequence[Answer]) -> dict[str, dict[str, int]]:
    counted = Counter((answer.expected, answer.action) for answer in answers)
    return {label: {action: counted[label, action] for action in ACTIONS} for label in LABELS}
