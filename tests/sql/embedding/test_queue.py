"""The queue of texts that a model outside the database has to embed: leases, retries, stale results."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep
from typing import Any

import psycopg
import pytest
from helpers import Db, call, configure, error_of, remember, value
from queues import MODEL, claim, complete, drain, embedded, fail, loose_ends, queued, register


@pytest.fixture
def model(db: Db) -> int:
    return register(db)


@pytest.fixture
def sessions(connect: Any, user: str) -> Iterator[tuple[Db, Db, int]]:
    """Two sessions that commit each statement, and the number of the model that is there meanwhile."""
    one, other = connect(), connect()
    yield one, other, register(one)
    call(one, "drop_model", name=MODEL)
    call(one, "forget", filter={"all": True}, user_id=user, hard=True)


def test_two_workers_are_never_given_the_same_text(sessions: tuple[Db, Db, int], user: str) -> None:
    one, other, model = sessions
    for n in range(6):
        remember(one, f"note {n}", user_id=user, policy="append")
    mine, theirs = claim(one, "one", batch=4), claim(other, "other", batch=4)
    assert sorted(row.content for row in mine + theirs) == [f"note {n}" for n in range(6)]
    assert claim(other, "third") == []
    assert complete(one, mine, worker="one").stored == 4
    assert complete(other, theirs, worker="other").stored == 2
    assert loose_ends(one, model) == []


def test_what_a_dead_worker_held_goes_to_the_next_and_is_embedded_once(
    sessions: tuple[Db, Db, int], user: str
) -> None:
    one, other, model = sessions
    remember(one, "the ferry leaves at nine", user_id=user)
    lost = claim(one, "dead", lease="100 milliseconds")
    assert claim(other, "next") == []
    sleep(0.2)
    [taken] = claim(other, "next")
    assert taken.attempts == 2

    late = complete(one, lost, "[0,1,0]", worker="dead")
    assert (late.stored, late.stale) == (0, 1), "the lease went to another"
    assert complete(other, [taken], "[1,0,0]", worker="next").stored == 1
    assert embedded(one, model) == {"the ferry leaves at nine": "[1,0,0]"}


def test_a_text_on_which_workers_die_is_given_up(sessions: tuple[Db, Db, int], user: str) -> None:
    db, _, model = sessions
    remember(db, "the poison text", user_id=user)
    for attempt in range(1, 6):
        [row] = claim(db, f"victim {attempt}", lease="1 millisecond")
        assert row.attempts == attempt
        sleep(0.01)
    assert claim(db) == []
    state = db.execute("select * from engram.embedding_progress where model = %s", [MODEL]).fetchone()
    assert (state.pending, state.failed) == (0, 1)
    assert "died" in state.last_error
    assert loose_ends(db, model) == []


def test_giving_up_waits_for_no_worker_that_comes_back_late(sessions: tuple[Db, Db, int], user: str) -> None:
    one, other, _ = sessions
    configure(one, "embedding.max_attempts", "1")
    remember(one, "the slow text", user_id=user)
    late = claim(one, "late", lease="1 millisecond")
    sleep(0.01)
    other.execute("set statement_timeout = '5s'")
    with one.transaction():
        assert complete(one, late, worker="late").stored == 1
        assert call(other, "sweep_embeddings")[0].sweep_embeddings == 0
    configure(one, "embedding.max_attempts", None)


def test_the_result_for_an_older_text_is_refused(db: Db, model: int, user: str) -> None:
    memory = remember(db, "the ferry leaves at nine", user_id=user).memory_id
    claims = claim(db)
    call(db, "revise", memory_id=memory, content="the ferry leaves at noon", user_id=user)

    assert complete(db, claims) == (0, 1, 0)
    assert queued(db) == ["the ferry leaves at noon"]
    assert complete(db, claim(db), "[0,1,0]").stored == 1
    assert embedded(db, model) == {"the ferry leaves at noon": "[0,1,0]"}


@pytest.mark.parametrize(
    "change",
    [
        {"tags": ["home"]},
        {"importance": 0.9},
        {"metadata": {"seen": 2}},
        {"kind": "strategy"},
        {"collection": "work"},
        {"pinned": True},
        {"valid_until": "2030-01-01Z"},
        {"content": "the roof leaks"},
    ],
)
def test_a_change_that_leaves_the_text_embeds_nothing(
    db: Db, model: int, user: str, change: dict[str, object]
) -> None:
    memory = remember(db, "the roof leaks", user_id=user).memory_id
    drain(db)
    call(db, "revise", memory_id=memory, user_id=user, **change)
    assert queued(db) == []
    assert loose_ends(db, model) == []


@pytest.mark.parametrize("way", ["append", "kind", "revise", "repeat"])
def test_the_vector_of_an_identical_text_is_copied(db: Db, model: int, user: str, way: str) -> None:
    remember(db, "the roof leaks", user_id=user)
    other = remember(db, "the rain stopped", user_id=user).memory_id
    drain(db, lambda text: "[1,2,3]" if text == "the roof leaks" else "[0,0,1]")
    match way:
        case "append":
            remember(db, "the roof leaks", user_id=user, policy="append")
        case "kind":
            remember(db, "the roof leaks", user_id=user, kind="strategy")
        case "revise":
            call(db, "revise", memory_id=other, content="the roof leaks", user_id=user)
        case "repeat":
            remember(db, "the roof leaks", user_id=user)
    assert queued(db) == []
    assert embedded(db, model)["the roof leaks"] == "[1,2,3]"
    assert loose_ends(db, model) == []


def test_the_vector_of_somebody_elses_text_is_not_copied(db: Db, model: int, user: str) -> None:
    remember(db, "the roof leaks", user_id=user)
    drain(db)
    remember(db, "the roof leaks", user_id=f"{user}-other")
    assert queued(db) == ["the roof leaks"]


def test_a_poison_text_fails_with_its_error_kept_and_blocks_nobody(db: Db, model: int, user: str) -> None:
    configure(db, "embedding.retry_seconds", "0")
    remember(db, "the poison text", user_id=user)
    remember(db, "the roof leaks", user_id=user)
    for attempt in range(1, 6):
        claims = claim(db)
        assert "the poison text" in [row.content for row in claims]
        poison = [row for row in claims if row.content == "the poison text"]
        assert (len(poison), poison[0].attempts) == (1, attempt)
        complete(db, [row for row in claims if row.content != "the poison text"])
        assert fail(db, poison, "the model raised ValueError") == 1

    assert claim(db) == []
    assert list(embedded(db, model)) == ["the roof leaks"]
    state = db.execute("select * from engram.embedding_progress where model = %s", [MODEL]).fetchone()
    assert (state.done, state.pending, state.failed) == (1, 0, 1)
    assert state.last_error == "the model raised ValueError"
    [finding] = [row for row in call(db, "doctor") if row.check == "embedding queue"]
    assert finding.status == "warning"
    assert "ValueError" in finding.detail

    assert value(db, "select engram.retry_embeddings(%s)", MODEL) == 1
    [again] = claim(db)
    assert (again.content, again.attempts) == ("the poison text", 1)


def test_waits_between_attempts_grow_and_a_permanent_failure_has_none(db: Db, model: int, user: str) -> None:
    remember(db, "the roof leaks", user_id=user)
    waits = []
    for _ in range(3):
        fail(db, claim(db), "busy")
        waits.append(
            value(db, "select extract(epoch from due_at - now())::integer from engram.embedding_job")
        )
        assert claim(db) == []
        db.execute("update engram.embedding_job set due_at = now()")
    assert waits == [10, 20, 40]
    fail(db, claim(db), "refused", permanent=True)
    assert value(db, "select count(*) from engram.embedding_job where failed_at is not null") == 1


def test_a_worker_that_stops_gives_back_what_it_holds_unharmed(db: Db, model: int, user: str) -> None:
    remember(db, "the roof leaks", user_id=user)
    claim(db, "stopping")
    assert value(db, "select engram.release_embeddings('stopping')") == 1
    [row] = claim(db, "next")
    assert row.attempts == 1


@pytest.mark.parametrize(
    "vectors",
    [
        ["[1,0,0]", "[1,0]"],
        ["[1,0,0]", "[1,0,0,0]"],
        ["[1,0,0]", "[0,0,0]"],
        ["[1,0,0]", "[NaN,0,0]"],
        ["[1,0,0]", "[Infinity,0,0]"],
        ["[1,0,0]", "[1e9,0,0]"],
        ["[1,0,0]", "garbage"],
        ["[1,0,0]", ""],
        ["[1,0,0]", None],
        ["[1,0,0]"],
        ["[1,0,0]"] * 3,
        [],
        None,
    ],
)
def test_a_bad_answer_of_the_model_writes_nothing(
    db: Db, model: int, user: str, vectors: list[str | None] | None
) -> None:
    for text in ("the roof leaks", "the rain stopped"):
        remember(db, text, user_id=user)
    claims = claim(db)
    ids = [[row.space_id for row in claims], [row.memory_id for row in claims]]
    hashes = [row.content_hash for row in claims]
    complete_with = "select engram.complete_embeddings('w', %s, %s, %s, %s, %s::text[])"
    error = error_of(db, lambda: db.execute(complete_with, [MODEL, *ids, hashes, vectors]))
    assert (error.sqlstate, bool(error.diag.message_hint)) == ("EG005", True)
    assert embedded(db, model) == {}
    assert complete(db, claims).stored == 2, "the lease is still there"


@pytest.mark.parametrize(
    "vector", [[1.0, 0.0], [1.0] * 4, [float("nan"), 0.0, 0.0], [0.0] * 3, [70000.0, 0.0, 0.0], []]
)
@pytest.mark.parametrize("act", ["remember", "revise", "recall"])
def test_a_bad_vector_of_the_caller_is_an_error_before_any_write(
    db: Db, model: int, user: str, act: str, vector: list[float]
) -> None:
    call(db, "activate_model", name=MODEL)
    known = remember(db, "the roof leaks", user_id=user, embedding=[1.0, 0.0, 0.0]).memory_id
    acts = {
        "remember": lambda: remember(db, "the rain stopped", user_id=user, embedding=vector),
        "revise": lambda: call(
            db, "revise", memory_id=known, content="it rains", user_id=user, embedding=vector
        ),
        "recall": lambda: call(db, "recall", query="roof", user_id=user, embedding=vector),
    }
    assert error_of(db, acts[act]).sqlstate == "EG005"
    assert embedded(db, model) == {"the roof leaks": "[1,0,0]"}
    assert value(db, "select count(*) from engram.memory where space_id = engram.space_id(%s)", user) == 1


def test_the_queue_needs_a_worker_with_a_name_and_a_lease(db: Db, model: int) -> None:
    for worker, batch, lease in (("", 1, "1 s"), ("w", 0, "1 s"), ("w", 10001, "1 s"), ("w", 1, "0 s")):
        error = error_of(db, lambda w=worker, b=batch, le=lease: claim(db, w, b, le))
        assert (error.sqlstate, bool(error.diag.message_hint)) == ("EG002", True)
    with pytest.raises(psycopg.Error, match="does not exist"):
        complete(db, [], model="nobody")


def test_texts_that_were_tried_too_often_stand_in_nobodys_way(
    sessions: tuple[Db, Db, int], user: str
) -> None:
    db, _, model = sessions
    for n in range(3):
        remember(db, f"the poison text {n}", user_id=user, policy="append")
    for _ in range(5):
        assert len(claim(db, "victim", lease="1 millisecond")) == 3
        sleep(0.01)
    remember(db, "the ferry leaves at nine", user_id=user, policy="append")

    fresh = claim(db, batch=2)
    assert [row.content for row in fresh] == ["the ferry leaves at nine"]
    assert complete(db, fresh).stored == 1
    assert claim(db) == []
    assert value(db, "select count(*) from engram.embedding_job where failed_at is not null") == 3
    assert loose_ends(db, model) == []
