"""Asks a set of questions and times each inside the server, so that neither the network nor Python counts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from engram_pg.bench.scores import Judged, by_group, latency
from engram_pg.progress import Advance
from engram_pg.statements import to_json

PROFILES = ("lexical", "vector", "balanced")
K = 10
BATCH = 200

_ASK = """
create or replace function pg_temp.ask(
    question text, owner text, profile text, k integer, vector float8[], out ids bigint[], out ms float8)
    language plpgsql volatile
as $$
declare
    v_start timestamptz := clock_timestamp();
begin
    ids := array(
        select r.memory_id
          from engram.recall(ask.question, user_id => ask.owner, k => ask.k, profile => ask.profile,
                             embedding => ask.vector) r
         order by r.rank);
    ms := extract(epoch from clock_timestamp() - v_start) * 1000;
end
$$"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a user's memory, with the keys of the memories that answer it."""

    text: str
    owner: str
    group: str
    right: frozenset[Hashable]


def store(
    connection: psycopg.Connection[Any],
    owner: str,
    memories: Sequence[Mapping[str, Any]],
) -> list[int]:
    """Appends memories in their order, the gate left out; returns their ids."""
    ids: list[int] = []
    for start in range(0, len(memories), BATCH):
        batch = to_json(list(memories[start : start + BATCH]))
        rows = connection.execute(
            "select memory_id from engram.remember_many(%s::jsonb, %s::text, 'append') order by position",
            [batch, owner],
        )
        ids += [row[0] for row in rows]
    return ids


def use_index(connection: psycopg.Connection[Any], limit: int) -> None:
    """Makes every space of more memories than `limit` a large one, answered by the indexes."""
    limit_to(connection, "recall.exact_limit", limit)


def limit_to(connection: psycopg.Connection[Any], setting: str, limit: int) -> None:
    """Has spaces of more memories than `limit` answered as those above the setting are."""
    connection.execute("select engram.configure(%s, %s)", [setting, str(limit)])
    connection.execute("call engram.maintain(array['count', 'index'])")


def analyze(connection: psycopg.Connection[Any]) -> None:
    """Brings the planner's statistics of engram's tables up to date, as autovacuum would in time."""
    tables = connection.execute("select tablename from pg_tables where schemaname = 'engram'").fetchall()
    names = sql.SQL(", ").join(sql.Identifier("engram", name) for (name,) in tables)
    connection.execute(sql.SQL("analyze {}").format(names))


def ask(
    connection: psycopg.Connection[Any],
    questions: Sequence[Question],
    keys: Mapping[int, Hashable],
    profile: str,
    advance: Advance,
    vectors: Sequence[Sequence[float]] | None = None,
) -> list[Judged]:
    """Recalls every question under a profile, with its vector where there are `vectors`; `keys` turns memory
    ids into what `right` names.
    """
    connection.execute(_ASK)
    answers: list[Judged] = []
    one = "select ids, ms from pg_temp.ask(%s::text, %s::text, %s::text, %s::integer, %s::float8[])"
    for place, question in enumerate([questions[0], *questions], start=-1):
        vector = None if vectors is None else list(vectors[max(place, 0)])
        row = connection.execute(one, [question.text, question.owner, profile, K, vector]).fetchone()
        assert row is not None
        if place < 0:  # plans are made once, not timed
            continue
        answers.append(Judged(question.group, [keys.get(found) for found in row[0]], question.right, row[1]))
        advance(f"asking, profile {profile}", len(answers), len(questions))
    return answers


def ask_all(
    connection: psycopg.Connection[Any],
    questions: Sequence[Question],
    keys: Mapping[int, Hashable],
    advance: Advance,
    vectors: Sequence[Sequence[float]] | None = None,
) -> dict[str, Any]:
    """Scores by group and times, for each leg alone and for the default profile. The times are those of the
    database: a question's vector is made before.
    """
    profiles: dict[str, Any] = {}
    for profile in PROFILES:
        answers = ask(connection, questions, keys, profile, advance, vectors)
        times = [answer.milliseconds for answer in answers]
        profiles[profile] = {"scores": by_group(answers), "recall": latency(times)}
    return profiles
