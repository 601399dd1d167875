"""What has faded is archived, what is held stays, nothing is deleted unless somebody asks for it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from helpers import Db, behind, call, configure, contents, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def age(db: Db, memory: int, days: float) -> None:
    """As if it had been written so many days ago."""
    db.execute(
        """update engram.memory set reinforced_at = reinforced_at - make_interval(secs => %s * 86400)
            where memory_id = %s""",
        [days, memory],
    )


def old(db: Db, user: str, content: str, days: float = 400, **arguments: object) -> int:
    memory: int = remember(db, content, user_id=user, **arguments).memory_id
    age(db, memory, days)
    return memory


def state(db: Db, memory: int) -> str | None:
    return value(db, "select state from engram.memory where memory_id = %s", memory)


def prune(db: Db, user: str, **arguments: object) -> dict[int, Any]:
    return {row.memory_id: row for row in call(db, "prune", user_id=user, **arguments)}


def test_what_has_faded_goes_and_only_that(db: Db, user: str) -> None:
    faded, fresh = old(db, user, "the roof leaks"), remember(db, "a kettle", user_id=user).memory_id
    assert recall(db, "roof", user_id=user, min_score=-1)
    db.execute("delete from engram.recall_event")
    rows = prune(db, user)
    assert {memory: (row.gone, row.rule) for memory, row in rows.items()} == {faded: (True, "faded")}
    assert (state(db, faded), state(db, fresh)) == ("archived", "active")
    assert contents(recall(db, "roof kettle", user_id=user)) == ["a kettle"]
    assert prune(db, user) == {}


@pytest.mark.parametrize(("days", "gone"), [(23.9, False), (24.1, True)])
def test_the_line_is_where_the_curve_says(db: Db, user: str, days: float, gone: bool) -> None:
    memory = old(db, user, "the roof leaks", days)
    assert bool(value(db, "select engram.forecast(%s, %s) < now()", memory, user)) is gone
    assert (state(db, memory), memory in prune(db, user)) == ("active", gone)
    assert state(db, memory) == ("archived" if gone else "active")


def test_a_strong_neighbour_protects_over_an_edge_either_way(db: Db, user: str) -> None:
    strong = remember(db, "the garden gate", user_id=user, importance=0.9).memory_id
    before, after, apart = (old(db, user, text) for text in ("a roof", "my kettle", "blue paint"))
    call(db, "link", src=before, dst=strong, relation="about", user_id=user)
    call(db, "link", src=strong, dst=after, relation="about", user_id=user)
    call(db, "link", src=after, dst=apart, relation="about", user_id=user)
    rows = prune(db, user, dry_run=True)
    assert {memory: (row.gone, row.rule, row.protected_by) for memory, row in rows.items()} == {
        before: (False, "neighbor", strong),
        after: (False, "neighbor", strong),
        apart: (True, "faded", None),
    }
    assert str(strong) in rows[before].reason
    assert rows[before].protector_strength == pytest.approx(0.9, rel=1e-4)
    assert {state(db, memory) for memory in rows} == {"active"}


def test_the_weak_do_not_protect_each_other(db: Db, user: str) -> None:
    one, other = old(db, user, "a roof"), old(db, user, "my kettle")
    call(db, "link", src=one, dst=other, relation="about", user_id=user)
    assert all(row.gone for row in prune(db, user).values())
    assert (state(db, one), state(db, other)) == ("archived", "archived")


def test_how_strong_a_protector_is_can_be_set(db: Db, user: str) -> None:
    weak = old(db, user, "a roof")
    neighbour = remember(db, "my kettle", user_id=user, importance=0.3).memory_id
    call(db, "link", src=weak, dst=neighbour, relation="about", user_id=user)
    configure(db, "prune.strong", "0.4")
    assert prune(db, user, dry_run=True)[weak].gone
    call(db, "revise", memory_id=neighbour, pinned=True, user_id=user)
    assert prune(db, user, dry_run=True)[weak].protected_by == neighbour


@pytest.mark.parametrize("gone", ["archived", "retired", "expired"])
def test_what_is_no_longer_current_protects_nothing(db: Db, user: str, gone: str) -> None:
    weak, neighbour = old(db, user, "a roof"), remember(db, "my kettle", user_id=user).memory_id
    call(db, "link", src=weak, dst=neighbour, relation="about", user_id=user)
    change = (
        "expires_at = now() - interval '1 second'"
        if gone == "expired"
        else f"state = '{gone}', valid_until = now()"
    )
    db.execute(f"update engram.memory set {change} where memory_id = %s".encode(), [neighbour])
    assert prune(db, user)[weak].gone


def test_what_is_pinned_never_goes(db: Db, user: str) -> None:
    memory = old(db, user, "the roof leaks", importance=0.0)
    call(db, "revise", memory_id=memory, pinned=True, user_id=user)
    age(db, memory, 4000)
    assert (prune(db, user)[memory].rule, state(db, memory)) == ("pinned", "active")


def test_what_was_just_recalled_stays(db: Db, user: str) -> None:
    memory = old(db, user, "the roof leaks")
    recall(db, "roof", user_id=user)
    assert (prune(db, user)[memory].rule, state(db, memory)) == ("recalled", "active")
    call(db, "fold_recalls")
    assert memory not in prune(db, user)


def test_what_is_not_true_yet_stays(db: Db, user: str) -> None:
    memory = old(db, user, "the office moves", valid_from="2999-01-01Z")
    assert (prune(db, user)[memory].rule, state(db, memory)) == ("not_yet", "active")


def test_undo_brings_it_back_for_good(db: Db, user: str) -> None:
    memory = old(db, user, "the roof leaks")
    before = value(db, "select to_jsonb(m) - 'updated_at' from engram.memory m where memory_id = %s", memory)
    decision = prune(db, user)[memory].decision_id
    call(db, "undo", decision_id=decision, user_id=user)
    assert before == value(
        db, "select to_jsonb(m) - 'updated_at' from engram.memory m where memory_id = %s", memory
    )
    assert (prune(db, user)[memory].rule, state(db, memory)) == ("restored", "active")


def test_a_dry_run_says_in_words_why_each_would_go_or_stay(db: Db, user: str) -> None:
    texts = ("the roof leaks", "my kettle", "blue paint", "the office moves", "a garden gate", "old tyres")
    faded, pinned, recalled, later, restored, held = (old(db, user, text) for text in texts)
    strong = remember(db, "the gardener is Lin", user_id=user, importance=0.9).memory_id
    call(db, "revise", memory_id=pinned, pinned=True, user_id=user)
    age(db, pinned, 400)
    call(db, "undo", decision_id=prune(db, user)[restored].decision_id, user_id=user)
    db.execute(
        "update engram.memory set state = 'active' where memory_id = any (%s)",
        [[faded, recalled, later, held]],
    )
    db.execute("update engram.memory set valid_from = '2999-01-01Z' where memory_id = %s", [later])
    call(db, "note_recall", memory_ids=[recalled], user_id=user)
    call(db, "link", src=held, dst=strong, relation="about", user_id=user)
    rows = prune(db, user, dry_run=True)
    said = {memory: row.reason for memory, row in rows.items()}
    assert said.keys() == {faded, pinned, recalled, later, restored, held}
    assert "is below 0.05, and no strong neighbour" in said[faded]
    assert f"memory {strong}, of strength 0.9" in said[held]
    assert "2999-01-01" in said[later]
    assert (said[pinned], said[restored]) == ("it is pinned", "a prune of it was undone")
    assert "recalled since" in said[recalled]
    assert [memory for memory, row in rows.items() if row.gone] == [faded]


def test_the_decision_says_how_weak_it_was(db: Db, user: str) -> None:
    memory = old(db, user, "the roof leaks")
    prune(db, user)
    entry = call(db, "history", memory_id=memory, user_id=user)[-1]
    assert (entry.action, entry.evidence["below"]) == ("prune", 0.05)
    assert entry.evidence["strength"] < 0.05
    assert entry.evidence["days"] == pytest.approx(400, abs=0.1)


def test_a_user_is_pruned_alone(db: Db, user: str) -> None:
    mine, theirs = old(db, user, "the roof leaks"), old(db, f"{user}-2", "the roof leaks")
    prune(db, user)
    assert (state(db, mine), state(db, theirs)) == ("archived", "active")


def test_nothing_is_pruned_where_the_line_is_zero(db: Db, user: str) -> None:
    old(db, user, "the roof leaks")
    configure(db, "prune.below", "0")
    assert prune(db, user) == {}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from([0, 5, 20, 60, 400]), st.booleans()),
        min_size=2,
        max_size=8,
    ),
    st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=8),
)
def test_what_goes_is_weak_unpinned_and_without_a_strong_neighbour(
    db: Db, user: str, memories: list[tuple[float, int, bool]], edges: set[tuple[int, int]]
) -> None:
    with db.transaction(force_rollback=True):
        ids = []
        for number, (importance, days, pinned) in enumerate(memories):
            memory = remember(
                db, f"note {number}", user_id=user, importance=importance, policy="append"
            ).memory_id
            db.execute("update engram.memory set pinned = %s where memory_id = %s", [pinned, memory])
            age(db, memory, days)
            ids.append(memory)
        pairs = {(a, b) for a, b in edges if a != b and max(a, b) < len(ids)}
        for a, b in pairs:
            call(db, "link", src=ids[a], dst=ids[b], relation="about", user_id=user)
        strengths = [
            value(db, "select engram.ebbinghaus_strength(%s, 0.16, %s)", importance, days)
            for importance, days, _ in memories
        ]
        holds = [s >= 0.05 or pinned for s, (_, _, pinned) in zip(strengths, memories, strict=True)]
        expected = {
            ids[n]
            for n in range(len(ids))
            if not holds[n] and not any(holds[a + b - n] for a, b in pairs if n in (a, b))
        }
        assert {memory for memory, row in prune(db, user, dry_run=True).items() if row.gone} == expected
        assert {memory for memory, row in prune(db, user).items() if row.gone} == expected
        assert {memory for memory in ids if state(db, memory) == "archived"} == expected


def test_what_a_writer_is_about_to_repeat_is_not_pruned(connect: Any, user: str) -> None:
    writer, keeper = connect(), connect()
    memory = old(writer, user, "the roof leaks")
    rows = behind(
        writer,
        partial(remember, writer, "the roof leaks", user_id=user),
        partial(call, keeper, "prune", user_id=user),
    )
    assert (rows, state(keeper, memory)) == ([], "active")


def purge(db: Db, user: str, **arguments: object) -> dict[str, Any]:
    return call(db, "purge", user_id=user, **arguments)[0].purge


def long_ago(db: Db, days: int) -> None:
    db.execute("update engram.decision set decided_at = decided_at - make_interval(days => %s)", [days])


def test_nothing_is_ever_deleted_as_shipped(db: Db, user: str) -> None:
    memory = old(db, user, "the roof leaks")
    prune(db, user)
    long_ago(db, 10_000)
    assert (purge(db, user)["memories"], state(db, memory)) == (0, "archived")


def test_what_was_pruned_long_ago_is_deleted_with_all_that_hangs_on_it(db: Db, user: str) -> None:
    configure(db, "purge.after_days", "30")
    gone, kept = old(db, user, "the roof leaks"), remember(db, "a kettle", user_id=user).memory_id
    retired = old(db, user, "blue paint")
    prune(db, user)
    call(db, "link", src=gone, dst=retired, relation="about", user_id=user)
    long_ago(db, 29)
    assert purge(db, user)["memories"] == 0
    call(db, "forget", memory_id=kept, user_id=user)
    long_ago(db, 2)
    assert sorted(purge(db, user, dry_run=True)["memory_ids"]) == sorted([gone, retired])
    receipt = purge(db, user)
    assert (receipt["memories"], receipt["vectors"], receipt["edges"]) == (2, 2, 1)
    assert (state(db, gone), state(db, kept)) == (None, "archived")
    tables = ("lexeme_key", "embedding_1", "memory_stat", "memory_claims")
    for table in tables:
        assert value(db, f"select count(*) from engram.{table} where memory_id = %s", gone) == 0
    assert "roof" not in value(db, "select coalesce(string_agg(d::text, ' '), '') from engram.decision d")


@pytest.mark.parametrize("act", ["undo", "revise"])
def test_what_somebody_touched_after_a_prune_is_not_deleted(db: Db, user: str, act: str) -> None:
    configure(db, "purge.after_days", "30")
    memory = old(db, user, "the roof leaks")
    decision = prune(db, user)[memory].decision_id
    if act == "undo":
        call(db, "undo", decision_id=decision, user_id=user)
        call(db, "forget", memory_id=memory, user_id=user)
    else:
        call(db, "revise", memory_id=memory, importance=0.9, user_id=user)
    long_ago(db, 400)
    assert (purge(db, user)["memories"], state(db, memory)) == (0, "archived")
