"""What consolidation does to a memory: are answers still found, is anything lost, does undo put it all back?

The same questions are asked before and after. A memory that was folded into another one counts as found where
that one is among the hits; one that was retired does not.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from engram_pg.bench import locomo, repeats
from engram_pg.bench.asking import Question, analyze, ask, store
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.bench.scores import by_group, summary
from engram_pg.progress import Advance, silent

USERS = 5
START = datetime(2026, 1, 1, tzinfo=UTC)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_STATE: tuple[LiteralString, ...] = (
    "select to_jsonb(t) - 'updated_at' as t from engram.memory t",
    "select to_jsonb(t) as t from engram.lexeme_key t",
    "select to_jsonb(t) as t from engram.edge t",
    "select to_jsonb(t) as t from engram.memory_stat t",
    "select to_jsonb(t) - 'due_at' as t from engram.embedding_job t",
)

Key = tuple[str, int]
"""A memory: whose it is, and its place among theirs."""


@dataclass(slots=True)
class Notes:
    """What is stored and asked; of made-up notes also the fact that each one tells."""

    owned: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    facts: dict[Key, repeats.Fact] = field(default_factory=dict)


def run(
    connection: psycopg.Connection[Any],
    data: Path | None = None,
    threshold: float | None = None,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
    users: int = USERS,
) -> dict[str, Any]:
    """Stores the turns of the LoCoMo conversations in `data`, or made-up notes that repeat each other; asks,
    consolidates at the threshold of the model or the one given, asks again, and takes everything back.
    """
    notes = _made_up(users) if data is None else _conversations(data)
    total = sum(map(len, notes.owned.values()))
    chosen.register(connection)
    keys: dict[int, Key] = {}
    for owner, memories in notes.owned.items():
        keys |= {id: (owner, place) for place, id in enumerate(store(connection, owner, memories))}
        advance("storing", len(keys), total)
    filled = chosen.fill(connection, advance)
    analyze(connection)
    vectors, _ = chosen.vectors(notes.questions, advance)

    def scores(questions: Sequence[Question]) -> dict[str, dict[str, float]]:
        answers = ask(connection, questions, keys, "balanced", advance, vectors)
        lengths = {
            keys[id]: length
            for id, length in connection.execute("select memory_id, length(content) from engram.memory")
        }
        read = fmean(sum(lengths[key] for key in answer.found[:5]) for answer in answers)  # type: ignore[index]
        return {**by_group(answers), "all": {**summary(answers), "characters@5": read}}

    state = _state(connection)
    before = scores(notes.questions)
    clusters, seconds = _consolidated(connection, list(notes.owned), threshold, advance)
    chosen.embed(connection, advance)
    holder = {keys[one]: keys[cluster["kept"]] for cluster in clusters for one in cluster["folded"]}
    after = scores(
        [
            replace(asked, right=frozenset(_held(key, holder) for key in asked.right))
            for asked in notes.questions
        ]
    )
    result = {
        "model": filled["model"],
        "threshold": threshold or _threshold(connection),
        "memories": total,
        "users": len(notes.owned),
        "before": before,
        "after": after,
        "clusters": len(clusters),
        "folded": len(holder),
        "retired": sum(len(cluster["retired"]) for cluster in clusters),
        "ms_a_memory": 1000 * seconds / total,
        "ms_a_cluster": 1000 * seconds / max(len(clusters), 1),
        "reworded": _reworded(connection),
        **(_judged(connection, notes, holder, keys) if notes.facts else {}),
    }
    for done, cluster in enumerate(reversed(clusters), start=1):
        connection.execute("select engram.undo(%s, %s)", [cluster["decision_id"], cluster["owner"]])
        advance("undoing", done, len(clusters))
    return {**result, "same_after_undo": _state(connection) == state}


def _conversations(data: Path) -> Notes:
    conversations, owned = locomo.read(data)
    notes = Notes(owned)
    for entry in conversations:
        for asked in locomo.questions(entry, owned):
            places = {memory["metadata"]["dia_id"]: n for n, memory in enumerate(owned[asked.owner])}
            right = frozenset((asked.owner, places[str(key)]) for key in asked.right)
            notes.questions.append(replace(asked, right=right))
    return notes


def _made_up(users: int) -> Notes:
    notes = Notes()
    for seed in range(users):
        owner = f"user-{seed}"
        told = [(text, fact) for fact in repeats.facts(seed) for text in fact.notes]
        random.Random(seed).shuffle(told)
        notes.owned[owner] = [
            {"content": text, "created_at": (START + timedelta(hours=place)).isoformat()}
            for place, (text, _) in enumerate(told)
        ]
        notes.facts |= {(owner, place): fact for place, (_, fact) in enumerate(told)}
        for fact in dict.fromkeys(fact for _, fact in told):
            right = frozenset((owner, place) for place, (_, other) in enumerate(told) if other == fact)
            notes.questions.append(Question(fact.question, owner, fact.family, right))
    return notes


def _consolidated(
    connection: psycopg.Connection[Any],
    owners: Sequence[str],
    threshold: float | None,
    advance: Advance,
) -> tuple[list[dict[str, Any]], float]:
    """The clusters, each with its owner, and the seconds that it took."""
    clusters: list[dict[str, Any]] = []
    before = time.perf_counter()
    with connection.cursor(row_factory=dict_row) as cursor:
        for done, owner in enumerate(owners, start=1):
            rows = cursor.execute(
                "select * from engram.consolidate(%s, threshold => %s::double precision)", [owner, threshold]
            )
            clusters += [{"owner": owner, **row} for row in rows]
            advance("consolidating", done, len(owners))
    return clusters, time.perf_counter() - before


def _held(key: Any, holder: Mapping[Key, Key]) -> Any:
    while key in holder:
        key = holder[key]
    return key


def _threshold(connection: psycopg.Connection[Any]) -> float:
    row = connection.execute("select consolidate_at from engram.embedding_model where active").fetchone()
    assert row is not None
    return float(row[0])


def _reworded(connection: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """The sentences of folded and retired memories that no live memory of the user has word for word, with
    the text that took their place.
    """
    live: dict[int, str] = {}
    for space, content in connection.execute(
        "select space_id, content from engram.memory where state = 'active' order by memory_id"
    ):
        live[space] = f"{live.get(space, '')}\n{_plain(content)}"
    with connection.cursor(row_factory=dict_row) as cursor:
        gone = cursor.execute(
            "select m.space_id, m.state, m.content, k.content as kept,"
            "       d.evidence -> 'verdicts' -> m.memory_id::text as verdict"
            "  from engram.memory m"
            "  join engram.memory k on k.space_id = m.space_id and k.memory_id = m.superseded_by"
            "  left join engram.decision d on d.space_id = m.space_id and d.action = 'consolidate'"
            "   and d.before ? m.memory_id::text and d.evidence -> 'verdicts' ? m.memory_id::text"
            " order by m.memory_id"
        ).fetchall()
    return [
        {"sentence": sentence, "kept": row["kept"], "state": row["state"], "verdict": row["verdict"]}
        for row in gone
        for sentence in _SENTENCES.split(row["content"])
        if _plain(sentence) and _plain(sentence) not in live[row["space_id"]]
    ]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _judged(
    connection: psycopg.Connection[Any],
    notes: Notes,
    holder: Mapping[Key, Key],
    keys: Mapping[int, Key],
) -> dict[str, Any]:
    """Of made-up notes: how many repeats there were and were folded, which memories were put into another
    fact, and which facts no live memory tells any more.
    """
    live: dict[str, list[str]] = {owner: [] for owner in notes.owned}
    for id, content in connection.execute(
        "select memory_id, content from engram.memory where state = 'active'"
    ):
        live[keys[id][0]].append(content)
    of = {(owner, fact) for (owner, _), fact in notes.facts.items()}
    return {
        "repeats": len(notes.facts) - len(of),
        "repeats_folded": sum(notes.facts[one] == notes.facts[kept] for one, kept in holder.items()),
        "mixed": [
            [notes.owned[owner][place]["content"], notes.owned[kept[0]][kept[1]]["content"]]
            for (owner, place), kept in holder.items()
            if notes.facts[owner, place] != notes.facts[kept]
        ],
        "lost": [
            [owner, fact.subject, fact.value]
            for owner, fact in sorted(of, key=str)
            if not any(fact.subject in text and fact.value in text for text in live[owner])
        ],
    }


def _state(connection: psycopg.Connection[Any]) -> list[Any]:
    """A digest of each table that consolidation touches, but for when a row was last written."""
    tables = [
        *_STATE,
        *(
            "select jsonb_build_array(e.memory_id, e.content_hash, e.embedding::text) as t"
            f" from engram.embedding_{id} e"
            for (id,) in connection.execute(
                "select model_id from engram.embedding_model order by 1"
            ).fetchall()
        ),
    ]
    return [
        connection.execute(
            f"select md5(string_agg(t::text, ' ' order by t::text)) from ({table}) s".encode()
        ).fetchone()
        for table in tables
    ]
