"""A filter acts before any cut: one memory that passes is found among hundreds nearer to the question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from helpers import Db, contents, recall, remember, remember_many, search, use_index
from psycopg.rows import namedtuple_row

QUESTION = "the quick red fox jumps over the lazy dog"
LONE = "Whales sleep standing in deep water"
FILTERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "kinds": ({"kind": "failure"}, {"kinds": ["failure", "strategy"]}),
    "tags": ({"tags": ["sea", "night"]}, {"tags": ["night", "moon"]}),
    "collections": ({"collection": "ocean"}, {"collections": ["ocean"]}),
    "metadata": ({"metadata": {"a": {"b": [1, 2]}, "c": "d"}}, {"metadata": {"a": {"b": [2]}}}),
    "since": ({"created_at": "2026-06-01Z"}, {"since": "2026-06-01Z"}),
    "until": ({"created_at": "2020-06-01Z"}, {"until": "2020-06-02Z"}),
    "both ends": ({"created_at": "2025-02-01Z"}, {"since": "2025-01-01Z", "until": "2025-03-01Z"}),
    "as_of": ({"valid_from": "2019-01-01Z", "valid_until": "2019-02-01Z"}, {"as_of": "2019-01-15Z"}),
}


@pytest.fixture(scope="module")
def foxes(module_url: str) -> Iterator[Db]:
    """300 memories that say nearly what is asked, and for each filter one far from it that alone passes."""
    with psycopg.connect(module_url, row_factory=namedtuple_row) as db:
        near = [
            {
                "content": f"{QUESTION}, {n} times",
                "created_at": "2026-01-01Z",
                "tags": ["fox"],
                "metadata": {"a": n},
            }
            for n in range(300)
        ]
        remember_many(db, near, user_id="foxes", policy="append")
        for name, (attributes, _) in FILTERS.items():
            memory = {"created_at": "2026-01-01Z", **attributes}
            remember(db, f"{LONE} ({name})", user_id="foxes", policy="append", **memory)
        db.execute("analyze engram.memory, engram.embedding_1, engram.lexeme_key")
        db.commit()
        yield db


@pytest.fixture(params=["exact", "index", "hnsw"])
def mode(request: pytest.FixtureRequest, foxes: Db) -> Iterator[str]:
    """exact: every vector is seen; index: the planner chooses; hnsw: it has no choice, and looks briefly."""
    if request.param != "exact":
        use_index(foxes, 50)
    if request.param == "hnsw":
        for setting in ("enable_sort", "enable_seqscan", "enable_bitmapscan"):
            foxes.execute(f"set local {setting} = off".encode())
        foxes.execute("set local hnsw.ef_search = 10")
    yield request.param
    foxes.rollback()


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("profile", ["balanced", "vector"])
def test_the_one_that_passes_is_found_behind_all_that_do_not(
    foxes: Db, mode: str, name: str, profile: str
) -> None:
    hits = search(foxes, QUESTION, user_id="foxes", profile=profile, k=5, **FILTERS[name][1])
    assert contents(hits) == [f"{LONE} ({name})"]


def test_a_word_that_all_share_finds_the_one_that_passes(foxes: Db, mode: str) -> None:
    assert contents(search(foxes, "whales fox dog", user_id="foxes", profile="lexical", tags=["night"])) == [
        f"{LONE} (tags)"
    ]


def test_filters_hold_together(foxes: Db, mode: str) -> None:
    assert search(foxes, QUESTION, user_id="foxes", kinds=["failure"], tags=["night"]) == []


def test_more_than_the_index_looks_at_first_is_returned(foxes: Db, mode: str) -> None:
    hits = search(foxes, QUESTION, user_id="foxes", k=250)
    assert len(hits) == 250
    assert [hit.rank for hit in hits] == list(range(1, 251))
    assert len({hit.memory_id for hit in hits}) == 250


def test_what_belongs_to_somebody_else_is_never_found(foxes: Db, mode: str) -> None:
    assert search(foxes, QUESTION, user_id="foxes2") == []
    remember(foxes, "my only note", user_id="foxes2")
    assert contents(search(foxes, QUESTION, user_id="foxes2", k=50)) == ["my only note"]


def test_many_of_one_vector_do_not_hide_the_rest(foxes: Db, mode: str) -> None:
    same = [1.0] + [0.0] * 255
    other = [0.9, 0.1] + [0.0] * 254
    remember_many(
        foxes,
        [{"content": f"copy {n}", "embedding": same, "tags": ["copy"]} for n in range(400)],
        user_id="twins",
        policy="append",
    )
    remember(foxes, "the original", user_id="twins", embedding=other, policy="append", tags=["rare"])
    hits = search(foxes, "zzz", user_id="twins", embedding=same, profile="vector", tags=["rare"])
    assert contents(hits) == ["the original"]
    hits = search(foxes, "zzz", user_id="twins", embedding=same, profile="vector", k=100)
    assert [hit.memory_id for hit in hits] == sorted(hit.memory_id for hit in hits)
    assert len(hits) == 100


def test_a_tag_filter_means_any_and_an_unknown_one_nothing(foxes: Db, mode: str) -> None:
    assert len(search(foxes, QUESTION, user_id="foxes", tags=["fox", "unheard"], k=400)) == 300
    assert search(foxes, QUESTION, user_id="foxes", tags=["unheard"]) == []
    assert search(foxes, QUESTION, user_id="foxes", tags=["fo%"]) == []
    assert search(foxes, QUESTION, user_id="foxes", collections=["OCEAN"]) == []


@pytest.mark.parametrize(
    ("filter", "count"),
    [
        ({"a": 7}, 1),
        ({"a": "7"}, 0),
        ({"a": None}, 0),
        ({"missing": None}, 0),
        ({"a": 7.0}, 1),
        ({"c": "d"}, 1),
        ({}, 307),
    ],
)
def test_a_metadata_filter_compares_values_not_texts(
    foxes: Db, mode: str, filter: dict[str, Any], count: int
) -> None:
    assert len(search(foxes, QUESTION, user_id="foxes", metadata=filter, k=400)) == count


@pytest.mark.parametrize(
    ("value", "seen"), [("2026-06-01Z", True), ("2026-06-01 00:00:00.000001Z", False), ("-infinity", True)]
)
def test_since_is_inclusive(foxes: Db, mode: str, value: str, seen: bool) -> None:
    hits = search(foxes, LONE, user_id="foxes", since=value, k=400)
    assert (f"{LONE} (since)" in contents(hits)) is seen


def test_until_is_exclusive(foxes: Db, mode: str) -> None:
    for value, seen in (("2026-06-01Z", False), ("2026-06-01 00:00:00.000001Z", True), ("infinity", True)):
        hits = search(foxes, LONE, user_id="foxes", until=value, k=400)
        assert (f"{LONE} (since)" in contents(hits)) is seen


def test_a_quote_in_a_filter_is_a_quote(foxes: Db, mode: str) -> None:
    for hostile in ("' or true --", '"; drop table engram.memory; --', "{a}", "%", "\\"):
        assert search(foxes, QUESTION, user_id="foxes", tags=[hostile], collections=[hostile]) == []
        assert search(foxes, QUESTION, user_id="foxes", metadata={hostile: hostile}) == []
        assert search(foxes, QUESTION, user_id=hostile) == []


def test_exact_and_index_agree(foxes: Db) -> None:
    """300 are about equally near, so which of them come is chance; how good they are is not."""
    exact = [hit.score for hit in search(foxes, QUESTION, user_id="foxes", k=20)]
    use_index(foxes, 50)
    index = [hit.score for hit in search(foxes, QUESTION, user_id="foxes", k=20)]
    foxes.rollback()
    assert index == pytest.approx(exact, abs=0.03)


def test_recall_takes_the_same_filters(foxes: Db, mode: str) -> None:
    hits = recall(foxes, QUESTION, user_id="foxes", kinds=["failure"])
    assert contents(hits) == [f"{LONE} (kinds)"]


def test_true_at_the_same_time_is_what_overlapping_ranges_are(db: Db) -> None:
    wrong = db.execute(
        """with moment (t) as (
               values ('-infinity'::timestamptz), ('2026-01-01Z'), ('2026-01-02Z'), ('infinity'), (null)
           ),
           interval_of (a, b) as (
               select a.t, b.t from moment a, moment b where coalesce(a.t <= b.t, true)
           )
           select m.a as since, m.b as until, tstzrange(d.a, d.b) as during
             from interval_of m, interval_of d
            where m.a is not null
              and engram._eligible('active', m.a, m.b, null, 'fact', '{}', 'default', '{}', now(),
                                   row(null, null, null, null, null, null, null, tstzrange(d.a, d.b)))
                  is distinct from (tstzrange(m.a, m.b) && tstzrange(d.a, d.b))"""
    ).fetchall()
    assert wrong == []
