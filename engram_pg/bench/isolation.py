"""Does a small user of a shared database get all rows, and the right ones? 20 users with 1,000 memories
each, much alike.

Two figures: how many rows come for k = 10, and recall@10 of the vector leg against an exact search of the
user's own vectors. Measured with the defaults, and with every space sent through the HNSW index. Rows at
equal distance count the same.
"""

from __future__ import annotations

from statistics import fmean
from typing import Any

import psycopg
from psycopg import sql

from engram_pg.bench.asking import analyze, store, use_index
from engram_pg.bench.scores import latency
from engram_pg.bench.texts import questions, sentences
from engram_pg.progress import Advance, silent

K = 10
QUESTIONS_A_USER = 5
TIE = 1e-6

_EXACT = """
select 1 - max(distance)
  from (select e.embedding <=> q.embedding as distance
          from {table} e, (select engram.embed(%s::text) as embedding) q
         where e.space_id = engram.space_id(%s::text)
         order by 1
         limit %s) nearest"""

_FOUND = """
select coalesce(array_agg(1 - (e.embedding <=> q.embedding)), '{{}}'),
       extract(epoch from clock_timestamp() - now()) * 1000
  from engram.search(%s::text, user_id => %s::text, k => %s, profile => 'vector') found
  join {table} e on e.space_id = engram.space_id(%s::text) and e.memory_id = found.memory_id
 cross join (select engram.embed(%s::text) as embedding) q"""


def run(
    connection: psycopg.Connection[Any],
    users: int = 20,
    memories: int = 1000,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Fills the users, asks each a few questions, and compares."""
    names = [f"user-{number:02}" for number in range(users)]
    for number, name in enumerate(names):
        entries = [{"content": text} for text in sentences(memories, seed=number)]
        store(connection, name, entries)
        advance("filling the users", number + 1, users)
    analyze(connection)
    row = connection.execute(
        "select engram._embedding_table(model_id) from engram.embedding_model where active"
    ).fetchone()
    assert row is not None
    table = sql.Identifier(*row[0].split("."))
    result: dict[str, Any] = {"users": users, "memories_a_user": memories, "k": K}
    result["defaults"] = _compare(connection, table, names, advance)
    use_index(connection, 0)
    result["index_forced"] = _compare(connection, table, names, advance)
    return result


def _compare(
    connection: psycopg.Connection[Any],
    table: sql.Identifier,
    names: list[str],
    advance: Advance,
) -> dict[str, float]:
    exact, found = sql.SQL(_EXACT).format(table=table), sql.SQL(_FOUND).format(table=table)
    rows: list[int] = []
    recalls: list[float] = []
    times: list[float] = []
    for number, name in enumerate(names):
        for question in questions(QUESTIONS_A_USER, seed=1000 + number):
            with connection.transaction():
                connection.execute("set local enable_indexscan = off")
                bound = connection.execute(exact, [question, name, K]).fetchone()
            answer = connection.execute(found, [question, name, K, name, question]).fetchone()
            assert bound is not None
            assert answer is not None
            rows.append(len(answer[0]))
            recalls.append(sum(cosine >= bound[0] - TIE for cosine in answer[0]) / K)
            times.append(answer[1])
        advance("comparing", number + 1, len(names))
    return {"rows": fmean(rows), "fewest_rows": min(rows), "recall@10": fmean(recalls), **latency(times)}
