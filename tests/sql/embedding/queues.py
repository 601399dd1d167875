"""A model whose vectors the tests pass, and short forms of what a worker calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from helpers import Db, call, value

MODEL = "words"
DIMS = 3
VECTORS = "engram.embedding_{}"


def register(db: Db, name: str = MODEL, dims: int = DIMS) -> int:
    return int(call(db, "register_model", name=name, provider="caller", dims=dims)[0].register_model)


def claim(
    db: Db, worker: str = "w", batch: int = 64, lease: str = "1 minute", model: str = MODEL
) -> list[Any]:
    return db.execute(
        "select * from engram.claim_embeddings(%s, %s, %s::interval, %s)", [worker, batch, lease, model]
    ).fetchall()


def complete(
    db: Db,
    claims: Sequence[Any],
    vector: str | Callable[[str], str | None] = "[1,0,0]",
    worker: str = "w",
    model: str = MODEL,
) -> Any:
    """What becomes of the claims: stored, stale, settled. `vector` is one for all, or made of the text."""
    vectors = [vector if isinstance(vector, str) else vector(row.content) for row in claims]
    return db.execute(
        "select * from engram.complete_embeddings(%s, %s, %s, %s, %s, %s)",
        [
            worker,
            model,
            [row.space_id for row in claims],
            [row.memory_id for row in claims],
            [row.content_hash for row in claims],
            vectors,
        ],
    ).fetchone()


def fail(db: Db, claims: Sequence[Any], error: str, worker: str = "w", permanent: bool = False) -> int:
    return int(
        value(
            db,
            "select engram.fail_embeddings(%s, %s, %s, %s, %s, %s)",
            worker,
            MODEL,
            [row.space_id for row in claims],
            [row.memory_id for row in claims],
            error,
            permanent,
        )
    )


def drain(db: Db, vector: str | Callable[[str], str | None] = "[1,0,0]") -> None:
    while claims := claim(db, "drain"):
        complete(db, claims, vector, "drain")


def queued(db: Db) -> list[str]:
    """The texts that wait for a vector."""
    rows = db.execute(
        "select m.content from engram.embedding_job j join engram.memory m using (space_id, memory_id)"
        " where j.content_hash = m.content_hash order by 1"
    ).fetchall()
    return [row[0] for row in rows]


def embedded(db: Db, model: int) -> dict[str, str]:
    """The vectors of a model by the present text of their memories."""
    rows = db.execute(
        f"select m.content, e.embedding::text from engram.embedding_{model} e"
        " join engram.memory m using (space_id, memory_id) where e.content_hash = m.content_hash".encode()
    ).fetchall()
    return dict(rows)


def loose_ends(db: Db, model: int) -> list[str]:
    """What is wrong with the vectors and the queue: every memory has either a vector of its present text or a
    place in the queue for it, and nothing else is there.
    """
    query = f"""
        select format('memory %s: %s vectors, %s jobs', coalesce(m.memory_id, e.memory_id, j.memory_id),
                      (e.memory_id is not null)::integer, (j.memory_id is not null)::integer)
          from engram.memory m
          full join engram.embedding_{model} e on e.space_id = m.space_id and e.memory_id = m.memory_id
          full join (select * from engram.embedding_job where model_id = {model}) j
            on j.space_id = m.space_id and j.memory_id = m.memory_id
         where m.memory_id is null
            or (e.memory_id is null) = (j.memory_id is null)
            or coalesce(e.content_hash, j.content_hash) <> m.content_hash"""
    return [row[0] for row in db.execute(query.encode()).fetchall()]
