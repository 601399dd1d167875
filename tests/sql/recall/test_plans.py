"""In a space above recall.exact_limit the legs read by index, whoever asks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import psycopg
import pytest
from helpers import Db, remember_many, search, value
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import namedtuple_row

WORDS = [
    a + b + c
    for a in ("ba", "ke", "lo", "mi", "nu")
    for b in ("ra", "ti", "so", "pe")
    for c in ("n", "x", "d", "lum")
]
SIZE = 2000


@pytest.fixture(scope="module")
def library(module_url: str) -> str:
    """2,000 memories of one user and some of another, above the limit, with statistics."""
    rng = random.Random(5)
    with psycopg.connect(module_url) as db:
        notes = [{"content": " ".join([*rng.choices(WORDS, k=6), f"unique{n}"])} for n in range(SIZE)]
        # The index is built once over all, which takes a quarter of the time.
        index = value(db, "select pg_get_indexdef(%s::regclass)", "engram.embedding_1_embedding_idx")
        db.execute("drop index engram.embedding_1_embedding_idx")
        remember_many(db, notes, user_id="reader", policy="append")
        db.execute(index)
        remember_many(db, [{"content": f"note {n}"} for n in range(50)], user_id="other", policy="append")
        db.execute("select engram.configure('recall.exact_limit', '500')")
        db.commit()
        db.autocommit = True
        db.execute("call engram.maintain(array['count', 'index'])")
        db.execute("vacuum analyze engram.memory, engram.embedding_1, engram.lexeme_key, engram.edge")
    return module_url


@pytest.fixture(params=["owner", "plain role", "owner, forced", "plain role, forced"])
def asker(request: pytest.FixtureRequest, library: str, new_role: Callable[[str], str]) -> Iterator[Db]:
    """A session of one who may ask; forced: in multi-tenant mode."""
    role, _, forced = request.param.partition(", ")
    url = new_role(library) if role == "plain role" else library
    with psycopg.connect(library, autocommit=True) as owner:
        if url != library:
            owner.execute("select engram.grant_usage(%s, 'reader')", [conninfo_to_dict(url)["user"]])
        if forced:
            owner.execute("select engram.require_tenant()")
        with psycopg.connect(url, autocommit=True, row_factory=namedtuple_row) as db:
            db.execute("set engram.tenant = 'default'")
            yield db
        owner.execute("select engram.require_tenant(false)")


def scans(library: str) -> dict[str, int]:
    """How often each index, and each table row by row, was scanned since the statistics began."""
    with psycopg.connect(library) as db:
        rows = db.execute(
            """select indexrelname, idx_scan from pg_stat_user_indexes where schemaname = 'engram'
               union all
               select 'whole ' || relname, coalesce(seq_scan, 0)
                 from pg_stat_user_tables where schemaname = 'engram'"""
        ).fetchall()
    return {name: int(count) for name, count in rows}


def used(library: str, db: Db, act: Callable[[], object]) -> set[str]:
    flush = "select pg_stat_force_next_flush()"
    db.execute(flush)
    before = scans(library)
    act()
    db.execute(flush)
    db.execute("select 1")
    after = scans(library)
    return {name for name, count in after.items() if count > before.get(name, 0)}


LARGE = {"whole memory", "whole embedding_1"}


def test_the_vector_leg_reads_the_hnsw_index(library: str, asker: Db) -> None:
    seen = used(
        library, asker, lambda: search(asker, f"{WORDS[3]} {WORDS[9]}", user_id="reader", profile="vector")
    )
    assert "embedding_1_embedding_idx" in seen


def test_the_lexical_leg_reads_the_gin_index(library: str, asker: Db) -> None:
    seen = used(
        library, asker, lambda: search(asker, "unique77 unique1001", user_id="reader", profile="lexical")
    )
    assert "lexeme_key_keys" in seen
    assert not seen & LARGE


def test_both_legs_read_their_indexes(library: str, asker: Db) -> None:
    seen = used(library, asker, lambda: search(asker, f"{WORDS[7]} unique77", user_id="reader"))
    assert {"embedding_1_embedding_idx", "lexeme_key_keys"} <= seen


def test_a_sixth_call_reads_as_the_first(library: str, asker: Db) -> None:
    for n in range(6):
        search(asker, f"{WORDS[n]} unique{n}", user_id="reader")
    seen = used(library, asker, lambda: search(asker, f"{WORDS[7]} unique77", user_id="reader"))
    assert {"embedding_1_embedding_idx", "lexeme_key_keys"} <= seen


def test_a_small_space_beside_it_is_read_by_key(library: str, asker: Db) -> None:
    seen = used(library, asker, lambda: search(asker, "note 7", user_id="other"))
    assert not seen & LARGE


def test_the_rarest_word_is_found_among_thousands(library: str, asker: Db) -> None:
    hits = search(asker, "unique1134", user_id="reader", k=3)
    assert hits[0].content.endswith(" unique1134")
    assert len(hits) == 3


def test_the_nearest_by_index_are_the_nearest(library: str, asker: Db) -> None:
    rng = random.Random(11)
    found = wanted = 0
    for _ in range(5):
        question = " ".join(rng.choices(WORDS, k=4))
        hits = search(asker, question, user_id="reader", profile="vector", k=10)
        exact = asker.execute(
            """select memory_id from engram.embedding_1 where space_id = engram.space_id('reader')
                order by (embedding <=> (select engram.embed(%s))) + 0, memory_id limit 10""",
            [question],
        ).fetchall()
        found += len({hit.memory_id for hit in hits} & {row.memory_id for row in exact})
        wanted += 10
    assert found / wanted >= 0.9
