"""A space above recall.exact_limit answers as a scan of it would, from a few candidates."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import mean

import psycopg
import pytest
from helpers import Db, configure, remember, remember_many, search, use_index, value
from psycopg.rows import namedtuple_row

SIZE = 600
OFTEN = [a + b for a in ("ba", "ke", "lo") for b in ("ran", "tix", "sod", "pel")]
SELDOM = [a + b + c for a in ("mi", "nu", "fa") for b in ("ra", "ti", "so", "pe") for c in ("n", "x", "d")]
SMALL = {"recall.lexical_reach": "100", "recall.lexical_depth": "20", "recall.vector_depth": "20"}


@pytest.fixture(scope="module")
def library(module_url: str) -> str:
    rng = random.Random(3)
    with psycopg.connect(module_url, autocommit=True) as db:
        notes = [
            {"content": " ".join([*rng.choices(OFTEN, k=5), *rng.choices(SELDOM, k=2), f"n{n}"])}
            for n in range(SIZE)
        ]
        configure(db, "recall.frequent_from", "30")
        remember_many(db, notes, user_id="reader", policy="append")
        use_index(db, 100)
        for name, size in SMALL.items():
            configure(db, name, size)
    return module_url


@pytest.fixture
def db(library: str) -> Iterator[Db]:
    with psycopg.connect(library, row_factory=namedtuple_row) as session:
        yield session
        session.rollback()


def questions() -> list[str]:
    rng = random.Random(8)
    return [" ".join([*rng.choices(OFTEN, k=2), *rng.choices(SELDOM, k=2)]) for _ in range(25)]


def answers(db: Db, profile: str) -> list[dict[int, float]]:
    return [
        {
            hit.memory_id: round(hit.score, 6)
            for hit in search(db, question, user_id="reader", k=5, profile=profile)
        }
        for question in questions()
    ]


@pytest.mark.parametrize(("profile", "share"), [("lexical", 0.9), ("balanced", 0.95)])
def test_candidates_find_what_a_scan_finds(db: Db, profile: str, share: float) -> None:
    found = answers(db, profile)
    configure(db, "recall.exact_limit", "10000")
    wanted = answers(db, profile)
    assert mean(len(f.keys() & w.keys()) / 5 for f, w in zip(found, wanted, strict=True)) >= share


def test_between_the_limits_all_vectors_are_compared_and_candidates_scored(db: Db) -> None:
    configure(db, "recall.exact_limit", "10000")
    wanted = answers(db, "vector"), answers(db, "balanced")
    configure(db, "recall.whole_limit", "100")
    assert value(db, "select (engram._space_size('reader')).large") is True
    assert value(db, "select (engram._space_size('reader')).indexed") is False
    assert answers(db, "vector") == wanted[0]
    found = answers(db, "balanced")
    assert mean(len(f.keys() & w.keys()) / 5 for f, w in zip(found, wanted[1], strict=True)) >= 0.95
    db.execute("delete from engram.space_stat")  # as before the first maintain()
    assert answers(db, "vector") == wanted[0]


def test_only_spaces_above_the_second_limit_are_indexed(db: Db) -> None:
    configure(db, "recall.exact_limit", "10000")
    configure(db, "recall.whole_limit", "100")
    db.execute("delete from engram.space_stat")
    db.execute("update engram.embedding_1 set indexed = false")
    db.execute("select engram.count_spaces(), engram.index_spaces()")
    stat = db.execute("select memories, indexed from engram.space_stat").fetchone()
    assert stat == (SIZE, False)
    assert value(db, "select count(*) from engram.embedding_1 where indexed") == 0


def test_a_score_is_the_same_in_a_large_space(db: Db) -> None:
    found = answers(db, "balanced")
    configure(db, "recall.exact_limit", "10000")
    wanted = answers(db, "balanced")
    both = [(f[id], w[id]) for f, w in zip(found, wanted, strict=True) for id in f.keys() & w.keys()]
    assert len(both) > 100
    assert mean(abs(f - w) for f, w in both) < 0.01


def test_the_nearest_get_their_words_counted_whatever_brought_them(db: Db) -> None:
    """The rare word generates the lexical candidates; a memory found by meaning has only the common ones."""
    memory = remember(db, f"{OFTEN[0]} {OFTEN[1]} {OFTEN[2]}", user_id="reader").memory_id
    hits = search(db, f"{OFTEN[0]} {OFTEN[1]} {OFTEN[2]} {SELDOM[0]} n7", user_id="reader", k=20)
    [hit] = [hit for hit in hits if hit.memory_id == memory]
    assert hit.lexical > 0
    assert "lexical" in hit.legs


def test_maintain_counts_the_frequent_words(db: Db) -> None:
    stat = db.execute("select * from engram.space_stat").fetchone()
    counts = db.execute(
        """select k.key, count(*)::integer
             from engram.lexeme_key l cross join unnest(l.keys) as k (key)
            where l.space_id = engram.space_id('reader')
            group by k.key having count(*) >= 30
            order by 2 desc, 1"""
    ).fetchall()
    assert len(counts) >= len(OFTEN)
    assert (stat.frequent_keys, stat.frequent_counts) == tuple(map(list, zip(*counts, strict=True)))
    assert stat.frequent_of == SIZE


def test_they_are_counted_again_once_the_space_has_changed(db: Db) -> None:
    def counted(words: int) -> int:
        texts = [{"content": f"quark w{words} number {n}"} for n in range(words)]
        remember_many(db, texts, user_id="reader", policy="append")
        db.execute("select engram.count_spaces()")
        key = "array_position(frequent_keys, hashtextextended('quark', space_id))"
        return int(value(db, f"select coalesce(max(frequent_counts[{key}]), 0) from engram.space_stat"))

    assert counted(30) == 0  # a twentieth of 600
    assert counted(1) == 31


def test_no_more_are_kept_than_a_setting_says(db: Db) -> None:
    configure(db, "recall.frequent_most", "3")
    db.execute("update engram.space_stat set frequent_of = null")
    db.execute("select engram.count_spaces()")
    counts = value(db, "select frequent_counts from engram.space_stat")
    assert len(counts) == 3
    assert counts == sorted(counts, reverse=True)


def test_before_maintain_has_counted_frequencies_are_estimated(db: Db) -> None:
    found = answers(db, "lexical")
    db.execute("update engram.space_stat set frequent_keys = null, frequent_counts = null")
    estimated = answers(db, "lexical")
    assert mean(len(f.keys() & w.keys()) / 5 for f, w in zip(found, estimated, strict=True)) >= 0.9


def test_a_space_that_has_shrunk_is_scanned_again(db: Db) -> None:
    db.execute("delete from engram.memory where space_id = engram.space_id('reader') and memory_id % 10 <> 0")
    db.execute("select engram.count_spaces()")
    size = db.execute("select * from engram._space_size('reader')").fetchone()
    assert size is not None
    assert (size.memories, size.large, size.indexed) == (60, False, False)
    assert len(search(db, "n0 n10 n20", user_id="reader", k=10)) == 10
