"""What recall() returns, refuses and leaves alone."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from helpers import (
    Db,
    call,
    configure,
    contents,
    error_of,
    recall,
    remember,
    remember_many,
    search,
    use_index,
    value,
)


@pytest.fixture(params=["exact", "index"])
def large(request: pytest.FixtureRequest, db: Db) -> str:
    if request.param == "index":
        configure(db, "recall.exact_limit", "2")
    return str(request.param)


def some(db: Db, user: str) -> None:
    remember_many(
        db,
        [
            {"content": text}
            for text in ("the kettle is blue", "Lena likes tea", "port 9090 serves metrics", "rain")
        ],
        user_id=user,
        policy="append",
    )


@pytest.mark.parametrize("k", [0, -1, 1001, None])
def test_k_out_of_range_is_refused(db: Db, user: str, k: int | None) -> None:
    for function in ("recall", "search"):
        error = error_of(db, lambda name=function: call(db, name, query="x", user_id=user, k=k))
        assert error.sqlstate == "EG002"
        assert error.diag.message_hint


@pytest.mark.parametrize("k", [1, 3, 1000])
def test_k_is_the_most_that_comes_back(db: Db, user: str, large: str, k: int) -> None:
    some(db, user)
    assert len(recall(db, "kettle", user_id=user, k=k)) == min(k, 4)


@pytest.mark.parametrize(
    ("arguments", "sqlstate"),
    [
        ({"query": None}, "EG002"),
        ({"profile": "best"}, "EG003"),
        ({"profile": None}, "EG003"),
        ({"kinds": ["fact", "rumour"]}, "EG003"),
        ({"metadata": "[1]"}, "EG002"),
        ({"metadata": "null"}, "EG002"),
        ({"since": "2026-01-02Z", "until": "2026-01-01Z"}, "EG002"),
        ({"since": "2026-01-01Z", "until": "2026-01-01Z"}, "EG002"),
        ({"min_score": float("nan")}, "EG002"),
        ({"embedding": [1.0]}, "EG005"),
        ({"embedding": [float("nan")] * 256}, "EG005"),
        ({"user_id": ""}, "EG002"),
        ({"user_id": None}, "EG002"),
    ],
)
def test_a_bad_argument_is_refused_with_a_hint(db: Db, arguments: dict[str, Any], sqlstate: str) -> None:
    for function in ("recall", "search"):
        error = error_of(db, lambda name=function: call(db, name, **{"query": "x", **arguments}))
        assert error.sqlstate == sqlstate
        assert error.diag.message_hint


HARD = {
    "empty": "",
    "white space": " \n\t\u3000",
    "stop words": "to be or not to be",
    "operators": "& | ! ( ) :* <-> <2> -- /* */ ; && || !!",
    "tsquery": "'a':* & !b | (c <-> d",
    "quotes": "''' \"\"\" ``` ‘’ “”",
    "backslashes": "\\ \\\\ \\' %s %(x)s $1 {} {0}",
    "like": "%_%",
    "regex": "[a-z]+(?=x)|^$*.",
    "emoji": "🤷",
    "controls": "\u0001\u200b\ufeff",
    "one word of 200 KB": "x" * 200_000,
    "200 KB": "what colour has the kettle of Lena " * 5_900,
    "200 KB of CJK": "水壶是什么颜色" * 10_000,
    "200 KB of operators": "a&b|!c:* " * 22_000,
    "200 KB of identifiers": "a_b.c-d/e " * 20_000,
    "1000 words": " ".join(f"w{n}" for n in range(1000)),
}


@pytest.mark.parametrize("name", HARD)
def test_any_question_gets_an_answer(db: Db, user: str, large: str, name: str) -> None:
    some(db, user)
    db.execute("set local statement_timeout = '10s'")
    hits = recall(db, HARD[name], user_id=user)
    assert all(0 <= hit.score < 100 for hit in hits)
    if name in ("200 KB", "stop words"):
        assert len(hits) == 4


def test_a_question_in_plain_words_need_not_match_in_all_of_them(db: Db, user: str, large: str) -> None:
    some(db, user)
    hits = recall(
        db, "what colour did you say the kettle in our kitchen has?", user_id=user, profile="lexical"
    )
    assert hits[0].content == "the kettle is blue"


def test_a_question_is_met_by_meaning(db: Db, user: str, large: str) -> None:
    some(db, user)
    hits = recall(db, "which beverage does she enjoy", user_id=user, profile="vector")
    assert hits[0].content == "Lena likes tea"


def test_nothing_is_recalled_of_a_user_who_has_nothing(db: Db, user: str) -> None:
    assert recall(db, "kettle", user_id=user) == []
    assert value(db, "select count(*) from engram.space where user_id = %s", user) == 0


NOT_CURRENT = {
    "forgotten": "select engram.forget(%(id)s, %(user)s)",
    "erased": "select engram.forget(%(id)s, %(user)s, hard => true)",
    "replaced": "select engram.remember('the API timeout is 90 seconds', %(user)s)",
    "expired": "update engram.memory set expires_at = now() - interval '1 s' where memory_id = %(id)s",
    "no longer valid": "update engram.memory set valid_until = now() where memory_id = %(id)s",
    "not yet valid": "update engram.memory set valid_from = now() + '1 day' where memory_id = %(id)s",
}


@pytest.mark.parametrize("why", NOT_CURRENT)
@pytest.mark.parametrize("profile", ["balanced", "ebbinghaus", "lexical", "vector"])
def test_what_is_not_current_is_not_recalled(db: Db, user: str, large: str, why: str, profile: str) -> None:
    some(db, user)
    memory = remember(
        db, "the API timeout is 30 seconds", user_id=user, session_id="s", created_at="2026-01-01Z"
    ).memory_id
    near = remember(db, "the API answers slowly", user_id=user, session_id="s").memory_id
    db.execute("select engram.link(%s, %s, user_id => %s)", [near, memory, user])
    question = "the API timeout is 30 seconds"
    assert memory in [hit.memory_id for hit in recall(db, question, user_id=user, profile=profile)]

    db.execute(NOT_CURRENT[why].encode(), {"id": memory, "user": user})
    assert memory not in [hit.memory_id for hit in recall(db, question, user_id=user, profile=profile, k=100)]


def test_min_score_drops_what_is_weaker(db: Db, user: str, large: str) -> None:
    some(db, user)
    every = recall(db, "the blue kettle of Lena", user_id=user)
    bar = every[1].score
    kept = recall(db, "the blue kettle of Lena", user_id=user, min_score=bar)
    assert [hit.memory_id for hit in kept] == [hit.memory_id for hit in every if hit.score >= bar]
    assert recall(db, "kettle", user_id=user, min_score=1e9) == []


def test_the_order_is_the_same_each_time_and_nothing_comes_twice(db: Db, user: str, large: str) -> None:
    remember_many(db, [{"content": "all the same"} for _ in range(60)], user_id=user, policy="append")
    runs = [[hit.memory_id for hit in search(db, "all the same", user_id=user, k=60)] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2] == sorted(runs[0])
    assert len(set(runs[0])) == 60


def test_a_smaller_k_is_the_head_of_a_larger_one(db: Db, user: str, large: str) -> None:
    remember_many(
        db, [{"content": f"note {n % 7} about tea {n % 3}"} for n in range(60)], user_id=user, policy="append"
    )
    most = [hit.memory_id for hit in search(db, "tea 2 note 5", user_id=user, k=40)]
    for k in (1, 7, 20):
        assert [hit.memory_id for hit in search(db, "tea 2 note 5", user_id=user, k=k)] == most[:k]


def test_recall_changes_no_memory(db: Db, user: str, large: str) -> None:
    some(db, user)
    tables = ("memory", "memory_stat", "edge", "decision", "embedding_1", "lexeme_key")

    def rows() -> list[Any]:
        return [
            db.execute(
                f"select xmin::text, xmax::text, ctid::text, t::text from engram.{table} t".encode()
            ).fetchall()
            for table in tables
        ]

    before = rows()
    recall(db, "kettle", user_id=user)
    assert rows() == before
    assert value(db, "select count(*) from engram.recall_event") == 4


def test_search_leaves_no_trace(db: Db, user: str, large: str) -> None:
    some(db, user)
    assert len(search(db, "kettle", user_id=user)) == 4
    assert value(db, "select count(*) from engram.recall_event") == 0


@pytest.mark.parametrize("function", ["search", "recall", "context"])
@pytest.mark.parametrize("mode", ["exact", "index"])
def test_reading_works_in_a_read_only_transaction(
    database_url: str, user: str, function: str, mode: str
) -> None:
    with psycopg.connect(database_url) as db:
        some(db, user)
        if mode == "index":
            use_index(db, 2)
        db.commit()
        db.read_only = True
        assert call(db, function, query="kettle", user_id=user)
        db.rollback()
        db.read_only = False
        assert value(db, "select count(*) from engram.recall_event") == 0


@pytest.mark.parametrize("mode", ["exact", "index"])
def test_search_works_in_a_parallel_plan(db: Db, user: str, mode: str) -> None:
    some(db, user)
    if mode == "index":
        use_index(db, 2)
    db.execute("set local debug_parallel_query = on")
    assert len(search(db, "kettle", user_id=user)) == 4


def test_settings_of_the_session_are_as_before(db: Db, user: str) -> None:
    some(db, user)
    use_index(db, 2)
    shown = "select string_agg(name || setting, ',' order by name) from pg_settings where name like any (%s)"
    names = ["hnsw.%", "enable%", "search_path", "jit%", "work_mem"]
    before = value(db, shown, names)
    recall(db, "kettle", user_id=user)
    assert value(db, shown, names) == before


def test_what_was_committed_since_this_transaction_began_is_recalled(connect: Any, user: str) -> None:
    one, other = connect(), connect()
    with one.transaction():
        recall(one, "kettle", user_id=user)
        remember(other, "the kettle is blue", user_id=user)
        assert contents(recall(one, "kettle", user_id=user)) == ["the kettle is blue"]


def test_what_this_transaction_remembers_is_recalled_in_it(db: Db, user: str) -> None:
    remember(db, "the kettle is blue", user_id=user)
    assert contents(recall(db, "kettle", user_id=user)) == ["the kettle is blue"]


@pytest.mark.parametrize("function", ["recall", "search", "context"])
def test_a_question_that_is_null_is_named_with_what_to_pass(db: Db, user: str, function: str) -> None:
    error = error_of(db, lambda: call(db, function, query=None, user_id=user))
    assert error.sqlstate == "EG002"
    assert error.diag.message_primary == "query is null"
    assert "question" in str(error.diag.message_hint)
    wrong = error_of(db, lambda: call(db, "search", query="x", k=0, user_id=user))
    assert "k is 1 to 1000" in str(wrong.diag.message_hint)
