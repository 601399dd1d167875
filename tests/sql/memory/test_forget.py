from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, call, contents, error_of, recall, remember, remember_many, value
from psycopg.types.json import Jsonb

MARK = "xylophonic"


def forget(db: Db, user: str, **arguments: object) -> dict[str, Any]:
    return call(db, "forget", user_id=user, **arguments)[0].forget


@pytest.mark.parametrize("hard", [False, True])
def test_what_is_forgotten_is_found_by_no_leg(db: Db, user: str, hard: bool) -> None:
    gone = remember(db, f"the {MARK} parrot sings at dawn", user_id=user, session_id="s").memory_id
    kept = remember(db, "the parrot sings at dusk", user_id=user, session_id="s", policy="append").memory_id
    db.execute("select engram.link(%s, %s, user_id => %s)", [kept, gone, user])
    forget(db, user, memory_id=gone, hard=hard)

    for profile in ("balanced", "ebbinghaus", "lexical", "vector"):
        hits = recall(db, f"{MARK} parrot dawn", user_id=user, profile=profile, k=100)
        assert contents(hits) == ["the parrot sings at dusk"]
    assert recall(db, MARK, user_id=user, as_of="2100-01-01Z", k=5)[0].memory_id == kept
    assert call(db, "neighbors", memory_id=kept, user_id=user) == []
    assert MARK not in call(db, "context", query=MARK, user_id=user)[0].context


def texts_with(db: Db, word: str) -> dict[str, int]:
    """How many rows of each table of the schema hold a word, in any column."""
    tables = db.execute(
        """select relname from pg_class
            where relnamespace = 'engram'::regnamespace and relkind = 'r' and relname <> 'static_token'"""
    ).fetchall()
    found = {
        table: value(db, f"select count(*) from engram.{table} t where t::text ilike %s", f"%{word}%")
        for (table,) in tables
    }
    return {table: count for table, count in found.items() if count}


def erased_life(db: Db, user: str) -> list[int]:
    """Ids of memories with the mark in every place where a text can be."""
    text = f"The {MARK} timeout is %s seconds."
    first = remember(
        db, text % 30, user_id=user, tags=[MARK], metadata={MARK: MARK}, session_id=MARK, source_type=MARK,
        collection=MARK, created_at="2026-01-02Z",
    )  # fmt: skip
    remember(db, text % 30, user_id=user, collection=MARK, tags=[f"{MARK}2"], metadata={"more": MARK})
    second = remember(db, text % 60, user_id=user, collection=MARK, created_at="2026-01-03Z")
    late = remember(db, text % 10, user_id=user, collection=MARK, created_at="2026-01-01Z")
    third = call(
        db, "revise", memory_id=second.memory_id, content=f"Of {MARK} nothing is known", user_id=user
    )[0]
    undone = call(db, "undo", decision_id=third.decision_id, user_id=user)[0]
    call(db, "undo", decision_id=undone.decision_id, user_id=user)
    db.execute("select engram.link(%s, %s, %s, user_id => %s)", [first.memory_id, late.memory_id, MARK, user])
    recall(db, MARK, user_id=user)
    call(db, "fold_recalls")
    recall(db, MARK, user_id=user)
    assert {"memory", "decision", "edge"} <= texts_with(db, MARK).keys()
    return [first.memory_id, second.memory_id, late.memory_id]


def test_a_hard_forget_leaves_no_text_in_any_table(db: Db, user: str) -> None:
    remember(db, "what stays", user_id=user)
    ids = erased_life(db, user)
    for memory_id in ids:
        assert forget(db, user, memory_id=memory_id, hard=True)["memories"] == 1

    assert texts_with(db, MARK) == {}
    for table in ("memory", "memory_stat", "lexeme_key", "embedding_1", "recall_event"):
        assert value(db, f"select count(*) from engram.{table} where memory_id = any (%s)", ids) == 0
    assert contents(recall(db, "what stays", user_id=user)) == ["what stays"]


def test_a_hard_forget_of_all_leaves_no_text_in_any_table(db: Db, user: str) -> None:
    ids = erased_life(db, user)
    forget(db, user, memory_id=ids[0])
    receipt = forget(db, user, filter={"all": True}, hard=True)
    assert receipt["memories"] == 3
    assert receipt["vectors"] == 3
    assert texts_with(db, MARK) == {}


def test_a_hard_forget_cannot_be_undone(db: Db, user: str) -> None:
    memory = remember(db, "gone for good", user_id=user)
    forget(db, user, memory_id=memory.memory_id, hard=True)
    error = error_of(db, lambda: call(db, "undo", decision_id=memory.decision_id, user_id=user))
    assert error.sqlstate == "EG007"


@pytest.mark.parametrize("hard", [False, True])
def test_a_forgotten_text_can_be_remembered_again(db: Db, user: str, hard: bool) -> None:
    memory = remember(db, "the door code is on the wall", user_id=user)
    forget(db, user, memory_id=memory.memory_id, hard=hard)
    again = remember(db, "the door code is on the wall", user_id=user)
    assert again.action == "new"
    assert contents(recall(db, "door code", user_id=user)) == ["the door code is on the wall"]


NOTES = [
    {"content": "alpha", "kind": "failure", "tags": ["a", "b"], "created_at": "2026-01-01Z"},
    {"content": "beta", "collection": "work", "tags": ["b"], "created_at": "2026-02-01Z"},
    {
        "content": "gamma",
        "metadata": {"x": {"y": 1}, "z": None},
        "session_id": "s",
        "created_at": "2026-03-01Z",
    },
    {"content": "delta", "source_type": "chat", "created_at": "2026-04-01Z"},
]


@pytest.mark.parametrize(
    ("filter", "gone"),
    [
        ({"kinds": ["failure", "strategy"]}, {"alpha"}),
        ({"tags": ["b"]}, {"alpha", "beta"}),
        ({"tags": ["a", "zzz"]}, {"alpha"}),
        ({"collections": ["work"]}, {"beta"}),
        ({"metadata": {"x": {"y": 1}}}, {"gamma"}),
        ({"metadata": {"x": {"y": "1"}}}, set()),
        ({"metadata": {"missing": None}}, set()),
        ({"metadata": {"z": None}}, {"gamma"}),
        ({"session_id": "s"}, {"gamma"}),
        ({"source_type": "chat"}, {"delta"}),
        ({"since": "2026-02-01Z", "until": "2026-03-01Z"}, {"beta"}),
        ({"tags": ["b"], "collections": ["work"]}, {"beta"}),
        ({"kinds": []}, set()),
        ({"all": False}, set()),
        ({"all": True}, {"alpha", "beta", "gamma", "delta"}),
    ],
)
@pytest.mark.parametrize("hard", [False, True])
def test_a_filter_forgets_what_it_means_and_nothing_else(
    db: Db, user: str, filter: dict[str, Any], gone: set[str], hard: bool
) -> None:
    remember_many(db, NOTES, user_id=user, policy="append")
    remember_many(db, NOTES, user_id=f"{user}-other", policy="append")
    assert forget(db, user, filter=filter, hard=hard)["memories"] == len(gone)

    left = set(contents(recall(db, "alpha beta gamma delta", user_id=user)))
    assert left == {"alpha", "beta", "gamma", "delta"} - gone
    assert len(recall(db, "alpha beta gamma delta", user_id=f"{user}-other")) == 4


def test_forget_all_takes_every_memory_however_many(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"note {n}"} for n in range(300)], user_id=user, policy="append")
    assert forget(db, user, filter={"all": True})["memories"] == 300
    assert recall(db, "note", user_id=user) == []
    assert call(db, "stats", user_id=user)[0].stats["total"] == 0


def test_each_decision_of_the_receipt_brings_its_memory_back(db: Db, user: str) -> None:
    remember_many(db, NOTES, user_id=user, policy="append")
    receipt = forget(db, user, filter={"tags": ["b"]})
    for decision in receipt["decision_ids"]:
        call(db, "undo", decision_id=decision, user_id=user)
    assert len(recall(db, "alpha beta gamma delta", user_id=user)) == 4


@pytest.mark.parametrize(
    "filter",
    [
        "{}", "[]", '"all"', "null", '{"al": true}', '{"all": "true"}', '{"tags": "b"}', '{"kinds": null}',
        '{"metadata": [1]}', '{"since": 5}', '{"since": "soon"}', '{"since": "2026-13-45"}',
        '{"since": "2026-01-01 00:00+99"}', '{"until": "2026-01-01 Middle/Earth"}',
        '{"tags": ["b"], "x": 1}',
    ],
)  # fmt: skip
def test_a_filter_that_is_not_understood_forgets_nothing(db: Db, user: str, filter: str) -> None:
    remember_many(db, NOTES, user_id=user, policy="append")
    error = error_of(db, lambda: forget(db, user, filter=filter))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint
    assert len(recall(db, "alpha beta gamma delta", user_id=user)) == 4


def test_forget_wants_an_id_or_a_filter(db: Db, user: str) -> None:
    memory = remember(db, "alpha", user_id=user).memory_id
    assert error_of(db, lambda: forget(db, user)).sqlstate == "EG002"
    both = {"memory_id": memory, "filter": Jsonb({"all": True})}
    assert error_of(db, lambda: forget(db, user, **both)).sqlstate == "EG002"


def test_to_forget_twice_is_to_forget_once(db: Db, user: str) -> None:
    memory = remember(db, "alpha", user_id=user).memory_id
    assert forget(db, user, memory_id=memory)["memories"] == 1
    assert forget(db, user, memory_id=memory)["memories"] == 0
