"""A writer never waits for a model: where the vector comes later, so does the near-duplicate stage of the
gate, with the same decisions and the same undo.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from helpers import Db, call, contents, recall, remember, value
from queues import MODEL, claim, complete, embedded, loose_ends, queued, register

OLD, NEW = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."
SAME = "The API timeout is 30 s."
APART = "Lena likes jasmine tea."


@pytest.fixture
def model(db: Db) -> int:
    """An active model, and no static vectors beside it, so that the gate depends on its vectors."""
    call(db, "configure", name="static.keep_filled", value="0")
    made = register(db)
    call(db, "activate_model", name=MODEL)
    return made


def states(db: Db, user: str) -> dict[str, str]:
    rows = db.execute(
        "select content, state from engram.memory where space_id = engram.space_id(%s)", [user]
    ).fetchall()
    return {row[0]: row[1] for row in rows}


def decided(db: Db, user: str) -> list[tuple[str, bool]]:
    rows = db.execute(
        "select action, coalesce((evidence ->> 'late')::boolean, false) from engram.decision"
        " where space_id = engram.space_id(%s) and action <> 'new' order by decision_id",
        [user],
    ).fetchall()
    return [tuple(row) for row in rows]


def vector(text: str) -> str:
    return "[0,0,1]" if text == APART else "[1,0.01,0]"


PAIRS = {
    "contradiction": (OLD, NEW, {OLD: "retired", NEW: "active"}, "replace"),
    "duplicate": (OLD, SAME, {OLD: "active", SAME: "archived"}, "reinforce"),
    "distinct": (OLD, APART, {OLD: "active", APART: "active"}, None),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_late_stage_decides_as_the_gate_would_have(
    db: Db, model: int, user: str, name: str, backwards: bool
) -> None:
    first, second, expected, action = PAIRS[name]
    for month, text in enumerate((first, second), 1):
        row = remember(db, text, user_id=user, created_at=f"2026-0{month}-01Z")
        assert row.action == "new", "nothing is known yet of what is near"
    for row in sorted(claim(db), key=lambda row: row.memory_id, reverse=backwards):
        complete(db, [row], vector)
    assert states(db, user) == expected
    assert decided(db, user) == ([(action, True)] if action else [])

    # The same with the vectors at hand.
    other = f"{user}-at-once"
    for month, text in enumerate((first, second), 1):
        numbers = [float(part) for part in vector(text).strip("[]").split(",")]
        remember(db, text, user_id=other, created_at=f"2026-0{month}-01Z", embedding=numbers)
    at_once = states(db, other)
    kept = {text for text, state in expected.items() if state == "active"}
    assert {text for text, state in at_once.items() if state == "active"} == kept
    assert [act for act, _ in decided(db, other)] == ([action] if action else [])


@pytest.mark.parametrize("name", ["contradiction", "duplicate"])
def test_undo_of_a_late_decision_brings_both_back(db: Db, model: int, user: str, name: str) -> None:
    first, second, expected, _ = PAIRS[name]
    for month, text in enumerate((first, second), 1):
        remember(db, text, user_id=user, created_at=f"2026-0{month}-01Z")
    before = db.execute(
        "select content, state, valid_from, valid_until, superseded_by, importance, tags, metadata"
        " from engram.memory order by memory_id"
    ).fetchall()
    complete(db, claim(db), vector)
    assert states(db, user) == expected
    late = value(
        db,
        "select decision_id from engram.decision where space_id = engram.space_id(%s) and evidence ? 'late'",
        user,
    )
    call(db, "undo", decision_id=late, user_id=user)
    assert states(db, user) == {first: "active", second: "active"}
    after = db.execute(
        "select content, state, valid_from, valid_until, superseded_by, importance, tags, metadata"
        " from engram.memory order by memory_id"
    ).fetchall()
    assert after == before


@pytest.mark.parametrize("order", permutations(range(3)))
def test_the_newest_fact_is_current_in_whatever_order_the_vectors_come(
    db: Db, model: int, user: str, order: tuple[int, ...]
) -> None:
    facts = [f"The API timeout is {n} seconds." for n in (30, 60, 90)]
    for month, text in enumerate(facts, 1):
        remember(db, text, user_id=user, created_at=f"2026-0{month}-01Z")
    claims = sorted(claim(db), key=lambda row: row.memory_id)
    for place in order:
        complete(db, [claims[place]], vector)
    assert states(db, user) == {facts[0]: "retired", facts[1]: "retired", facts[2]: "active"}


def test_a_memory_is_found_by_its_words_before_its_vector_comes(db: Db, model: int, user: str) -> None:
    remember(db, OLD, user_id=user)
    [hit] = recall(db, "API timeout", user_id=user)
    assert (hit.content, hit.legs) == (OLD, ["lexical"])


def test_with_static_vectors_kept_it_is_found_by_meaning_and_the_row_says_by_which(db: Db, user: str) -> None:
    register(db)
    call(db, "activate_model", name=MODEL)
    remember(db, "Kenta has a puppy", user_id=user)
    remember(db, APART, user_id=user)
    hits = recall(db, "does he own a dog?", user_id=user, embedding=[1.0, 0.0, 0.0])
    assert contents(hits[:1]) == ["Kenta has a puppy"]
    assert "static" in hits[0].legs
    assert "semantic" not in hits[0].legs

    complete(db, claim(db), lambda text: "[1,0,0]" if "puppy" in text else "[0,1,0]")
    hits = recall(db, "does he own a dog?", user_id=user, embedding=[1.0, 0.0, 0.0])
    assert (hits[0].content, "semantic" in hits[0].legs) == ("Kenta has a puppy", True)
    hits = recall(db, "does he own a dog?", user_id=user)
    assert "static" in hits[0].legs, "who passes no vector is answered by the static ones"


@pytest.mark.parametrize("active", [MODEL, "static"])
def test_a_changed_text_is_not_found_by_the_vector_of_the_old_one(db: Db, user: str, active: str) -> None:
    register(db)
    memory = remember(db, OLD, user_id=user).memory_id
    remember(db, APART, user_id=user)
    complete(db, claim(db), lambda text: "[1,0,0]" if text == OLD else "[0,1,0]")
    call(db, "activate_model", name=active)
    call(db, "revise", memory_id=memory, content="The ferry leaves at nine.", user_id=user)

    call(db, "activate_model", name=MODEL, force=True)
    found = recall(db, "xyzzy", user_id=user, embedding=[1.0, 0.0, 0.0], profile="vector")
    assert all("semantic" not in hit.legs for hit in found if hit.memory_id == memory)


@pytest.mark.parametrize("change", ["forget", "erase", "retire"])
def test_a_late_vector_brings_nothing_back(db: Db, model: int, user: str, change: str) -> None:
    first = remember(db, OLD, user_id=user, created_at="2026-01-01Z").memory_id
    remember(db, APART, user_id=user)
    claims = claim(db)
    match change:
        case "forget" | "erase":
            call(db, "forget", memory_id=first, user_id=user, hard=change == "erase")
        case "retire":
            new = remember(db, NEW, user_id=user, created_at="2026-02-01Z", embedding=[1.0, 0.01, 0.0])
            assert new.action == "new"
    complete(db, claims, vector)
    assert OLD not in contents(recall(db, "API timeout", user_id=user, embedding=[1.0, 0.0, 0.0]))


def test_one_batch_may_hold_what_is_to_settle_what_is_not_and_what_is_stale(
    db: Db, model: int, user: str
) -> None:
    remember(db, OLD, user_id=user, created_at="2026-01-01Z")
    remember(db, APART, user_id=user, policy="append")
    changed = remember(db, "The ferry leaves at nine", user_id=f"{user}-other", policy="append").memory_id
    remember(db, NEW, user_id=user, created_at="2026-02-01Z")
    claims = claim(db)
    call(db, "revise", memory_id=changed, content="The ferry leaves at noon", user_id=f"{user}-other")

    assert complete(db, [*claims, claims[0]], vector) == (3, 2, 1), "the changed one and the repeat are stale"
    assert states(db, user) == {OLD: "retired", NEW: "active", APART: "active"}
    assert set(embedded(db, model)) == {OLD, NEW, APART}
    assert queued(db) == ["The ferry leaves at noon"]
    assert loose_ends(db, model) == []
