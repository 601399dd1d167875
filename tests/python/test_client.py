"""The SDK: a call is one SQL function, in whose transaction, with whose errors."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from engram_pg import Engram, EngramError
from engram_pg.errors import without_password
from engram_pg.statements import REQUIRED, call


@pytest.fixture
def engram(dsn: str, user: str) -> Engram:
    return Engram(dsn, user)


def test_what_was_remembered_is_recalled_with_the_parts_of_its_score(engram: Engram) -> None:
    made = engram.remember("Kenta drinks green tea", tags=("tea",), metadata={"n": 1}, importance=0.9)
    assert made.action == "new"

    [hit] = engram.recall("who drinks tea?", k=5, tags=["tea"])

    assert (hit.memory_id, hit.rank, hit.tags, hit.metadata) == (made.memory_id, 1, ["tea"], {"n": 1})
    assert hit.score > 0
    assert hit.legs
    assert engram.search("who drinks tea?", kinds=["strategy"]) == []


def test_what_is_rolled_back_was_never_remembered(dsn: str, user: str) -> None:
    with psycopg.connect(dsn) as connection:
        Engram(user=user, connection=connection).remember("this will be rolled back")
        connection.rollback()
    assert Engram(dsn, user).search("rolled back") == []


def test_many_are_remembered_in_their_order(engram: Engram) -> None:
    made = engram.remember_many(["port 8080 is booking", {"content": "8090 is boarding", "importance": 0.8}])
    assert [one.position for one in made] == [1, 2]
    assert engram.get(made[1].memory_id).importance == 0.8


def test_a_call_may_name_the_policy_by_which_it_writes(engram: Engram) -> None:
    id = engram.remember("the vault opens at seven").memory_id
    refused = engram.remember("the vault opens at seven", policy="reject")
    assert (refused.action, refused.memory_id) == ("reject", id)
    texts = ["the vault opens at seven", "The vault opens at seven. It closes at nine."]
    actions = [
        [made.action for made in engram.remember_many(texts, policy)] for policy in ("merge", "append")
    ]
    assert actions == [["reinforce", "merge"], ["new", "new"]]


def test_a_memory_is_revised_forgotten_and_brought_back(engram: Engram) -> None:
    id = engram.remember("Mei sits in Gotenburg").memory_id
    engram.revise(id, "Mei sits in Gothenburg")
    assert engram.get(id).content == "Mei sits in Gothenburg"

    receipt = engram.forget(id)
    assert engram.recall("Mei") == []

    engram.undo(receipt["decision_ids"][0])
    assert [hit.memory_id for hit in engram.recall("Mei")] == [id]
    assert {"new", "revise", "forget"} <= {change.action for change in engram.history(id)}


def test_links_are_followed_and_removed(engram: Engram) -> None:
    first, second = (engram.remember(text).memory_id for text in ("the roof leaks", "invoice 4711 is unpaid"))
    engram.link(first, second, "caused_by", 0.5)
    assert [(near.memory_id, near.hops) for near in engram.neighbors(first)] == [(second, 1)]
    engram.unlink(first, second, "caused_by")
    assert engram.neighbors(first) == []


def test_context_is_a_text(engram: Engram) -> None:
    engram.remember("the deploy runs at noon")
    assert "noon" in engram.context("when is the deploy?", max_tokens=100)


def test_upkeep_and_checks_run(engram: Engram) -> None:
    engram.maintain()
    engram.maintain(["prune"])
    assert {job.last_outcome for job in engram.jobs()} == {"done"}
    assert {check.status for check in engram.doctor()} <= {"ok", "warning"}


@pytest.mark.parametrize(
    ("content", "options", "sqlstate"),
    [
        (" \n", {}, "EG001"),
        ("a\x00b", {}, "EG001"),
        ("a\ud800b", {}, "EG001"),
        ("x" * 100_000, {}, "EG001"),
        ("a", {"kind": "rumour"}, "EG003"),
        ("a", {"importance": 1.5}, "EG002"),
        ("a", {"importance": float("nan")}, "EG002"),
        ("a", {"created_at": "yesterday-ish"}, "EG002"),
        ("a", {"valid_from": "2026-02-02", "valid_until": "2026-01-01"}, "EG002"),
        ("a", {"embedding": [1.0, 2.0]}, "EG005"),
        ("a", {"embedding": []}, "EG005"),
        ("a", {"embedding": ["no", "numbers"]}, "EG005"),
        ("a", {"embedding": [[1.0], [2.0]]}, "EG005"),
        ("a", {"embedding": [float("nan")] * 256}, "EG005"),
        ("a", {"embedding": [10**400] * 256}, "EG005"),
        ("a", {"embedding": [Decimal("sNaN")] * 256}, "EG005"),
        ("a", {"embedding": b"\x01" * 256}, "EG005"),
        ("a", {"embedding": {float(n) for n in range(256)}}, "EG005"),
        ("a", {"embedding": {n: 1.0 for n in range(256)}}, "EG005"),
        ("a", {"metadata": {"a": "\x00"}}, "EG001"),
        ("a", {"metadata": {"a": "\ud800"}}, "EG001"),
        ("a", {"metadata": {"a": float("nan")}}, "EG001"),
        ("a", {"metadata": ["no", "object"]}, "EG002"),
    ],
)
def test_bad_input_is_an_error_with_a_hint_and_writes_nothing(
    engram: Engram, content: str, options: dict[str, object], sqlstate: str
) -> None:
    with pytest.raises(EngramError) as caught:
        engram.remember(content, **options)  # type: ignore[arg-type]
    assert caught.value.sqlstate == sqlstate
    assert caught.value.hint
    assert engram.stats()["total"] == 0


def test_another_users_memory_is_unknown(engram: Engram, dsn: str) -> None:
    theirs = Engram(dsn, engram.user + "-2").remember("a secret").memory_id
    for attempt in (engram.get, engram.forget, engram.history, lambda id: engram.revise(id, "mine")):
        with pytest.raises(EngramError) as caught:
            attempt(theirs)
        assert caught.value.sqlstate == "EG004"


def test_an_argument_that_does_not_exist_never_reaches_the_database(engram: Engram) -> None:
    with pytest.raises(TypeError, match="no argument"):
        engram.recall("x", **{"k => 1) --": 1})  # type: ignore[misc]


def test_arguments_that_are_none_are_left_to_the_database() -> None:
    statement, values = call("recall", {"query": "q", "k": None, "tags": ("a",)})
    assert statement == "select * from engram.recall(query => %(query)s::text, tags => %(tags)s::text[])"
    assert values == {"query": "q", "tags": ["a"]}


def test_the_arguments_without_a_default_are_those_of_the_database(dsn: str) -> None:
    asked = """select proname, proargnames[1:pronargs - pronargdefaults] from pg_proc
                where pronamespace = 'engram'::regnamespace and proname = any(%s)"""
    with psycopg.connect(dsn) as connection:
        found = connection.execute(asked, [list(REQUIRED)]).fetchall()
    assert {name: tuple(arguments) for name, arguments in found} == REQUIRED


NOTHING: Any = None
CALLS_WITH_NONE: list[tuple[Callable[[Engram], object], str]] = [
    (lambda e: e.remember(NOTHING), "content is empty"),
    (lambda e: e.recall(NOTHING), "query is null"),
    (lambda e: e.recall(NOTHING, rerank=True), "query is null"),
    (lambda e: e.search(NOTHING), "query is null"),
    (lambda e: e.context(NOTHING), "query is null"),
    (lambda e: e.get(NOTHING), "memory null"),
    (lambda e: e.revise(NOTHING, "x"), "memory null"),
    (lambda e: e.undo(NOTHING), "decision null"),
    (lambda e: e.history(NOTHING), "memory null"),
    (lambda e: e.link(NOTHING, 1), "memory null"),
    (lambda e: e.unlink(NOTHING, 1), "memory null"),
    (lambda e: e.neighbors(NOTHING), "memory null"),
    (lambda e: e.session_handoff(NOTHING), "summary is empty"),
    (lambda e: e.track_failure(NOTHING, "ci"), "error is empty"),
    (lambda e: e.track_failure("x", NOTHING), "component is empty"),
    (lambda e: e.track_progress(NOTHING, "done"), "feature is empty"),
    (lambda e: e.track_progress("x", NOTHING), "status is null"),
    (lambda e: e.create_task(NOTHING), "name is empty"),
    (lambda e: e.update_task(NOTHING), "task null"),
    (lambda e: e.get_task(NOTHING), "task null"),
    (lambda e: e.session_outcome(NOTHING, "success"), "session_id is empty"),
    (lambda e: e.session_outcome("s", NOTHING), "outcome is null"),
    (lambda e: e.adopt([], NOTHING), "source is empty"),
]


@pytest.mark.parametrize(("attempt", "says"), CALLS_WITH_NONE)
def test_what_is_none_and_must_not_be_is_named(
    engram: Engram, attempt: Callable[[Engram], object], says: str
) -> None:
    with pytest.raises(EngramError) as caught:
        attempt(engram)
    assert caught.value.sqlstate.startswith("EG")
    assert says in caught.value.message
    assert caught.value.hint
    assert "install" not in str(caught.value)


def test_an_aware_time_is_kept(engram: Engram) -> None:
    moment = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    id = engram.remember("the clocks went forward", created_at=moment).memory_id
    assert engram.get(id).created_at == moment


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me:s3cret@127.0.0.1:1/db",
        "host=127.0.0.1 port=1 user=me password=s3cret",
        "postgresql://me:s3cret@127.0.0.1:notaport/db",
        "postgresql://me:s3cret@[broken/db",
        "garbage s3cret",
    ],
)
def test_a_failed_connection_tells_no_password(dsn: str) -> None:
    with pytest.raises(EngramError) as caught:
        Engram(dsn)
    shown = "".join(map(str, (caught.value, caught.value.detail, caught.value.hint)))
    assert "s3cret" not in shown
    assert caught.value.hint


def test_a_database_without_the_schema_is_named_as_such(dsn: str, user: str) -> None:
    bare = dsn.replace("/engram?", "/postgres?")
    with pytest.raises(EngramError) as caught:
        Engram(bare, user).recall("x")
    assert (caught.value.sqlstate, caught.value.hint) == ("EG008", "engram-pg migrate")


def test_the_error_can_be_pickled_for_process_pools() -> None:
    error = EngramError("EG001", "message", "detail", "hint")
    assert str(pickle.loads(pickle.dumps(error))) == "message\ndetail\nHint: hint"


def test_passwords_are_blotted_out() -> None:
    assert without_password("postgresql://a:b@c/d?password=e") == "postgresql://a:***@c/d?password=***"
    assert without_password("host=c password='e f' user=a") == "host=c password=*** user=a"


def test_work_is_handed_from_session_to_session(engram: Engram) -> None:
    task = engram.create_task("login-refactor", goal="A safe login", metadata={"branch": "login"})
    assert (task.status, task.metadata) == ("planning", {"branch": "login"})
    assert engram.last_handoff() is None
    engram.track_failure("CSRF token missing", "auth", severity="critical", task_id=task.task_id)
    made = engram.session_handoff(
        "half done", next_steps=["login form"], session_id="monday", task_id=task.task_id
    )
    engram.track_progress("login form", "done", quality_score=0.9, task_id="login-refactor")
    [feature] = engram.list_features("done")
    assert (feature.feature, feature.task_id, feature.blockers) == ("login form", task.task_id, [])
    [failure] = engram.list_failures("auth")
    assert (failure.error, failure.severity) == ("CSRF token missing", "critical")

    handoff = engram.last_handoff(task_id=" Login-Refactor")
    assert handoff is not None
    assert [step["state"] for step in handoff["steps"]] == ["done"]
    assert engram.recall("next steps", k=1, session_id="tuesday")[0].memory_id == made.memory_id
    assert engram.context("next steps", session_id="tuesday").startswith("- [")
    weighed = {memory.memory_id: memory for memory in engram.session_outcome("tuesday", "success")}
    assert weighed[made.memory_id].quality_score > 0.9
    assert engram.search("next steps", k=1, session_id="tuesday")
    assert engram.update_task(task.task_id, status="done").status == "done"
    assert [found.name for found in engram.list_tasks("done")] == ["login-refactor"]
    assert len(engram.get_task("login-refactor")["failures"]) == 1
    with pytest.raises(EngramError) as caught:
        engram.update_task("logout", status="done")
    assert caught.value.sqlstate == "EG004"


def test_an_erased_user_is_gone_and_a_missing_id_erases_nobody(dsn: str, user: str) -> None:
    engram = Engram(dsn, user)
    engram.remember("Kenta drinks green tea")
    with pytest.raises(EngramError) as caught:
        engram.forget(None, hard=True)
    assert caught.value.sqlstate == "EG002"
    assert engram.stats()["total"] == 1

    with pytest.raises(EngramError, match="none is named"):
        Engram(dsn).erase()
    receipt = engram.erase()
    assert (receipt["memories"], receipt["rows"]["space"]) == (1, 1)
    assert engram.stats()["total"] == 0


def test_a_call_that_takes_too_long_ends_and_the_next_one_works(dsn: str, user: str) -> None:
    with Engram(dsn, user, statement_timeout=0.001) as hurried, pytest.raises(EngramError) as caught:
        hurried.remember_many([f"note {number} on topic {number % 7}" for number in range(500)])
    assert caught.value.sqlstate == "57014"
    assert "statement_timeout" in str(caught.value.hint)
    with Engram(dsn, user, statement_timeout=30) as patient:
        assert patient.stats()["total"] == 0
        assert patient.remember("the kettle is blue").action == "new"
        assert patient.connection.execute("show statement_timeout").fetchone() == ("0",)


@pytest.mark.parametrize("seconds", [0, -1, 1e9])
def test_a_timeout_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(EngramError) as caught:
        Engram("postgresql://nowhere.invalid/x", statement_timeout=seconds)
    assert caught.value.sqlstate == "EG002"
