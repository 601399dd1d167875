"""Do the model's thresholds tell a question that a memory answers from one that it doesn't?

Each question of LoCoMo is asked of its own conversation, which has the answer, and of somebody else's, which
has none. The thresholds are those by which a profile with `fallback` says what counts as found by meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from engram_pg.bench import locomo
from engram_pg.bench.asking import store
from engram_pg.bench.chosen import STATIC, Chosen
from engram_pg.progress import Advance, silent

_BEST = """
select max(c.cosine), max(c.cosine) filter (where c.memory_id = any (%(right)s))
  from (select e.memory_id, 1 - (e.embedding <=> q.vector) as cosine
          from {vectors} e,
               (select coalesce(%(vector)s::float8[]::halfvec, engram.embed(%(text)s)) as vector offset 0) q
         where e.space_id = engram.space_id(%(owner)s)) c"""


def run(
    connection: psycopg.Connection[Any],
    data: Path,
    advance: Advance = silent,
    chosen: Chosen = STATIC,
) -> dict[str, Any]:
    """The share of questions whose best memory has the cosine that counts: in the own conversation and in
    another one; the share of answers that the lower threshold still lets in; and the threshold that would
    tell best.
    """
    conversations, owned = locomo.read(data)
    chosen.register(connection)
    ids: dict[str, dict[str, int]] = {}
    for owner, memories in owned.items():
        stored = store(connection, owner, memories)
        ids[owner] = {m["metadata"]["dia_id"]: id for m, id in zip(memories, stored, strict=True)}
        advance("storing", len(ids), len(owned))
    filled = chosen.fill(connection, advance)
    questions = [asked for entry in conversations for asked in locomo.questions(entry, owned)]
    vectors, _ = chosen.vectors(questions, advance)
    row = connection.execute(
        "select model_id, recall_at, fallback_at from engram.embedding_model where active"
    ).fetchone()
    assert row is not None
    best = sql.SQL(_BEST).format(vectors=sql.Identifier("engram", f"embedding_{row[0]}"))

    owners = list(owned)
    own: list[float] = []
    answers: list[float] = []
    others: list[float] = []
    for place, asked in enumerate(questions):
        other = owners[(owners.index(asked.owner) + 1) % len(owners)]
        for owner in (asked.owner, other):
            found = connection.execute(
                best,
                {
                    "owner": owner,
                    "text": asked.text,
                    "vector": None if vectors is None else vectors[place],
                    "right": [ids[owner][str(key)] for key in asked.right] if owner == asked.owner else [],
                },
            ).fetchone()
            assert found is not None
            (own if owner == asked.owner else others).append(found[0])
            if owner == asked.owner:
                answers.append(found[1])
        advance("asking", place + 1, len(questions))
    told = max({*own, *others}, key=lambda cosine: _share(own, cosine) - _share(others, cosine))
    return {
        "model": filled["model"],
        "questions": len(questions),
        "recall_at": row[1],
        "fallback_at": row[2],
        "own": 100 * _share(own, row[1]),
        "others": 100 * _share(others, row[1]),
        "answers_from_fallback_at": 100 * _share(answers, row[2]),
        "best": {"at": told, "own": 100 * _share(own, told), "others": 100 * _share(others, told)},
    }


def _share(cosines: Sequence[float], threshold: float) -> float:
    return sum(cosine >= threshold for cosine in cosines) / len(cosines)
