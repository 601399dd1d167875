"""The queue of decisions in doubt, and what a verdict on one of them does."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, call, configure, contents, error_of, recall, remember, value

# The rules see one subject here, and no more.
OLD, NEW = "I'd rather take the window seat on trains.", "On trains I prefer sitting by the window."
PORT, TLS = (
    "The billing service listens on port 7443.",
    "The billing service listens on port 7443 with 2 certificates.",
)


@pytest.fixture
def doubting(db: Db) -> Db:
    """A database that queues what is in doubt, and everything is."""
    configure(db, "judge.enabled", "1")
    configure(db, "judge.below", "1")
    return db


def states(db: Db, user: str) -> list[Any]:
    return db.execute(
        """select to_jsonb(m) - '{updated_at,reinforced_at}'::text[] as memory from engram.memory m
            where m.space_id = engram.space_id(%s) order by m.memory_id""",
        [user],
    ).fetchall()


def claim(db: Db, worker: str = "w", **arguments: Any) -> list[Any]:
    return call(db, "claim_judgements", worker=worker, **arguments)


def complete(db: Db, case: Any, verdict: str, worker: str = "w", **arguments: Any) -> str:
    [row] = call(
        db, "complete_judgement", "became", worker=worker, space_id=case.space_id,
        decision_id=case.decision_id, verdict=verdict, **arguments,
    )  # fmt: skip
    return str(row.became)


def queued(db: Db) -> int:
    return int(value(db, "select count(*) from engram.judgement_job"))


def in_doubt(db: Db, user: str, old: str = OLD, new: str = NEW, **options: Any) -> tuple[Any, Any, Any]:
    """Two memories and the claimed case about them."""
    first = remember(db, old, user_id=user, created_at="2026-01-01Z", **options)
    second = remember(db, new, user_id=user, created_at="2026-02-01Z", **options)
    [case] = claim(db)
    assert (case.existing, case.incoming, case.decision_id) == (old, new, second.decision_id)
    return first, second, case


def test_nothing_is_queued_unless_the_judge_is_enabled(db: Db, user: str) -> None:
    remember(db, OLD, user_id=user)
    remember(db, NEW, user_id=user)
    assert queued(db) == 0
    assert claim(db) == []


def test_only_what_is_in_doubt_and_about_two_memories_is_queued(db: Db, user: str) -> None:
    configure(db, "judge.enabled", "1")
    remember(db, OLD, user_id=user)
    assert queued(db) == 0
    remember(db, NEW, user_id=user)
    assert queued(db) == 1
    remember(db, OLD, user_id=user)
    remember(db, "The kettle is blue.", user_id=user)
    remember(db, NEW, user_id=user, policy="append")
    assert queued(db) == 1


def test_a_duplicate_becomes_one_memory_and_undo_makes_it_two_again(doubting: Db, user: str) -> None:
    first, second, case = in_doubt(doubting, user)
    before = states(doubting, user)
    assert (
        complete(doubting, case, "duplicate", confidence=0.9, reason="the same seat", judge="m") == "revised"
    )

    assert contents(recall(doubting, "window seat", user_id=user)) == [OLD]
    last = call(doubting, "history", memory_id=first.memory_id, user_id=user)[-1]
    assert (last.action, last.memory_id, last.related_id) == ("reinforce", first.memory_id, second.memory_id)
    assert last.evidence["reviews"] == second.decision_id
    assert (last.evidence["rule"], last.evidence["judge"], last.evidence["reason"]) == (
        "judge", "m", "the same seat",
    )  # fmt: skip
    call(doubting, "undo", decision_id=last.decision_id, user_id=user)
    assert states(doubting, user) == before
    assert queued(doubting) == 0


def test_a_contradiction_retires_the_older_and_undo_brings_it_back(doubting: Db, user: str) -> None:
    first, second, case = in_doubt(doubting, user)
    before = states(doubting, user)
    assert complete(doubting, case, "contradiction") == "revised"

    assert contents(recall(doubting, "window seat", user_id=user)) == [NEW]
    assert contents(recall(doubting, "window seat", user_id=user, as_of="2026-01-15Z")) == [OLD]
    last = call(doubting, "history", memory_id=second.memory_id, user_id=user)[-1]
    assert (last.action, last.related_id) == ("replace", first.memory_id)
    call(doubting, "undo", decision_id=last.decision_id, user_id=user)
    assert states(doubting, user) == before


@pytest.mark.parametrize("verdict", ["complement", "distinct"])
def test_what_was_wrongly_retired_is_current_again(doubting: Db, user: str, verdict: str) -> None:
    old, new = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."
    first, second, case = in_doubt(doubting, user, old, new)
    assert second.action == "replace"
    before = states(doubting, user)
    assert complete(doubting, case, verdict) == "revised"

    assert sorted(contents(recall(doubting, "API timeout", user_id=user))) == [old, new]
    last = call(doubting, "history", memory_id=first.memory_id, user_id=user)[-1]
    assert (last.action, last.evidence["reviews"]) == ("revive", second.decision_id)
    call(doubting, "undo", decision_id=last.decision_id, user_id=user)
    assert states(doubting, user) == before


@pytest.mark.parametrize(
    ("texts", "verdict", "confidence", "became"),
    [
        ((OLD, NEW), "complement", 1.0, "confirmed"),
        ((OLD, NEW), "distinct", 1.0, "confirmed"),
        ((OLD, NEW), "duplicate", 0.5, "kept"),
        ((PORT, TLS), "duplicate", 1.0, "kept"),
        (("The API timeout is 30 s.", "The API timeout is 60 s."), "duplicate", 1.0, "confirmed"),
        (("The API timeout is 30 s.", "The API timeout is 60 s."), "contradiction", 1.0, "confirmed"),
    ],
)
def test_a_verdict_that_agrees_or_is_unsure_or_would_lose_a_number_changes_nothing(
    doubting: Db, user: str, texts: tuple[str, str], verdict: str, confidence: float, became: str
) -> None:
    _, _, case = in_doubt(doubting, user, *texts)
    before = states(doubting, user), value(doubting, "select count(*) from engram.decision")
    assert complete(doubting, case, verdict, confidence=confidence) == became
    assert (states(doubting, user), value(doubting, "select count(*) from engram.decision")) == before
    assert queued(doubting) == 0


CHANGES = {
    "revised": lambda db, user, one, two: call(db, "revise", memory_id=one, tags=["x"], user_id=user),
    "forgotten": lambda db, user, one, two: call(db, "forget", memory_id=two, user_id=user),
    "undone": lambda db, user, one, two: db.execute(
        "select engram.undo(max(decision_id), %s) from engram.decision where memory_id = %s", [user, two]
    ),
    "replaced": lambda db, user, one, two: db.execute(
        "select engram._retire(space_id, memory_id, null, now()) from engram.memory where memory_id = %s",
        [one],
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_meanwhile_is_left_alone(connect: Any, user: str, change: str) -> None:
    db = connect()
    configure(db, "judge.enabled", "1")
    first, second, case = in_doubt(db, user)
    CHANGES[change](db, user, first.memory_id, second.memory_id)
    before = states(db, user)
    assert complete(db, case, "duplicate") == "stale"
    assert states(db, user) == before
    assert claim(db) == []
    configure(db, "judge.enabled", None)


def test_what_is_erased_leaves_the_queue(doubting: Db, user: str) -> None:
    _, second, case = in_doubt(doubting, user)
    call(doubting, "forget", memory_id=second.memory_id, hard=True, user_id=user)
    assert queued(doubting) == 0
    assert complete(doubting, case, "duplicate") == "stale"


def test_a_lease_keeps_others_off_until_it_ends(connect: Any, user: str) -> None:
    db, other = connect(), connect()
    configure(db, "judge.enabled", "1")
    remember(db, OLD, user_id=user)
    remember(db, NEW, user_id=user)
    [case] = claim(db, lease="1 hour")
    assert claim(other, "v") == []
    assert complete(other, case, "duplicate", worker="v") == "stale"
    db.execute("update engram.judgement_job set due_at = now() - interval '1 s'")
    [again] = claim(other, "v")
    assert again.attempts == 2
    assert complete(db, case, "duplicate") == "stale"
    assert complete(other, again, "duplicate", worker="v") == "revised"
    configure(db, "judge.enabled", None)


def test_what_fails_is_tried_again_later_and_given_up_in_the_end(doubting: Db, user: str) -> None:
    configure(doubting, "judge.max_attempts", "2")
    configure(doubting, "judge.retry_seconds", "0")
    _, _, case = in_doubt(doubting, user)
    for _ in range(2):
        assert value(
            doubting, "select engram.fail_judgement('w', %s, %s, 'no')", case.space_id, case.decision_id
        )
        claim(doubting)
    progress = doubting.execute("select * from engram.judgement_progress").fetchone()
    assert (progress.pending, progress.failed, progress.last_error) == (0, 1, "no")
    [check] = [row for row in call(doubting, "doctor") if row.check == "judgement queue"]
    assert (check.status, check.fix) == ("warning", "SELECT engram.retry_judgements();")
    assert value(doubting, "select engram.retry_judgements()") == 1
    assert len(claim(doubting)) == 1


def test_what_is_given_back_counts_no_try_and_what_is_old_is_dropped(doubting: Db, user: str) -> None:
    in_doubt(doubting, user)
    assert value(doubting, "select engram.release_judgements('w')") == 1
    [case] = claim(doubting)
    assert case.attempts == 1
    doubting.execute("select engram.release_judgements('w')")
    doubting.execute("update engram.judgement_job set queued_at = now() - interval '2 days'")
    assert claim(doubting) == []
    assert queued(doubting) == 0


def test_what_is_no_verdict_is_refused(doubting: Db, user: str) -> None:
    _, _, case = in_doubt(doubting, user)
    for wrong in ({"verdict": "maybe"}, {"verdict": "duplicate", "confidence": 2.0}):
        assert error_of(doubting, lambda wrong=wrong: complete(doubting, case, **wrong)).sqlstate == "EG002"
    assert queued(doubting) == 1


def test_a_worker_judges_for_every_tenant_and_a_writer_only_queues(connect: Any, user: str) -> None:
    owner = connect()
    configure(owner, "judge.enabled", "1")
    suffix = user.replace("-", "_")
    for role, level in ((f"w_{suffix}", "writer"), (f"k_{suffix}", "worker")):
        owner.execute(f"create role {role}".encode())
        owner.execute("select engram.grant_usage(%s, %s)", [role, level])
    owner.execute("select engram.require_tenant()")
    writer, worker = connect(), connect()
    writer.execute(f"set role w_{suffix}".encode())
    worker.execute(f"set role k_{suffix}".encode())
    try:
        for tenant in ("one", "two"):
            writer.execute("select set_config('engram.tenant', %s, false)", [tenant])
            remember(writer, OLD, user_id=user)
            remember(writer, NEW, user_id=user)
        assert error_of(writer, lambda: claim(writer)).sqlstate == "42501"
        assert error_of(writer, lambda: queued(writer)).sqlstate == "42501"
        for _ in range(2):
            [case] = claim(worker)
            assert complete(worker, case, "duplicate") == "revised"
        assert claim(worker) == []
        for tenant in ("one", "two"):
            writer.execute("select set_config('engram.tenant', %s, false)", [tenant])
            assert contents(recall(writer, "window seat", user_id=user)) == [OLD]
    finally:
        configure(owner, "judge.enabled", None)
        owner.execute("select engram.require_tenant(false)")
        for role in (f"w_{suffix}", f"k_{suffix}"):
            owner.execute(f"drop owned by {role}; drop role {role}".encode())
