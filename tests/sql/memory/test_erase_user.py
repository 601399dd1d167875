"""erase_user(), and forget(user_id => …, hard => true), erase a person. What proves it is a look into every
column of every table that there is, so that a table which is new is looked into as well.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import psycopg
import pytest
from fuzzing import Fuzzer, Words
from helpers import Db, behind, call, configure, contents, error_of, recall, remember, search, value
from psycopg.types.json import Jsonb

ERASES = ("forget", "erase_user")
MARK = "zq7731"
"""A word without a stem, so that it is the same in every lexeme."""


def tables(db: Db, column: str | None = None) -> list[str]:
    rows = db.execute(
        """select c.oid::regclass::text as name from pg_class c
            where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r' and c.relname <> 'static_token'
              and (%(column)s::name is null or exists (select from pg_attribute a
                    where a.attrelid = c.oid and a.attname = %(column)s and not a.attisdropped))
            order by c.relname""",
        {"column": column},
    ).fetchall()
    return [row.name for row in rows]


def holding(db: Db, word: str) -> set[str]:
    """The tables of which a row holds a word, in a text, a JSON value, an array or a composite."""
    query = "select exists (select from {} t where t::text ilike '%%' || %s || '%%')"
    return {name for name in tables(db) if value(db, query.format(name), word)}


def rows_of(db: Db, user: str) -> dict[str, int]:
    """How many rows each table has in the space of a user."""
    query = "select count(*) from {} where space_id = engram.space_id(%s)"
    counts = {name: value(db, query.format(name), user) for name in tables(db, "space_id")}
    return {name: count for name, count in counts.items() if count}


def erase(db: Db, user: str) -> Any:
    return call(db, "erase_user", user_id=user)[0].erase_user


def live(db: Db, user: str, seed: str) -> None:
    """A life with the mark in all of it: by hand where it has to be, and by whatever a writer may call."""
    known: dict[str, Any] = {
        "user_id": user, "tags": [MARK], "metadata": {MARK: MARK}, "session_id": MARK, "source_type": MARK,
        "collection": MARK,
    }  # fmt: skip
    call(db, "register_model", name="caller:tiny", provider="caller", dims=3)
    configure(db, "judge.enabled", "1")
    configure(db, "judge.below", "1")
    begun = remember(db, f"{MARK} begins", **known)
    fuzzer = Fuzzer(
        db,
        Words(
            texts=[f"{MARK} {text}" for text in ("launch", "likes tea", "is 40 years old", "x' or true")],
            ids=[begun.memory_id, begun.memory_id + 1, begun.decision_id],
            named={"user_id": [user], "policy": ["resolve", "append"], "kind": ["fact", "strategy"]},
        ),
        seed,
    )
    db.execute("create role fuzzing_writer")
    db.execute("select engram.grant_usage('fuzzing_writer', 'writer')")
    db.execute("set role fuzzing_writer")
    public = [f for f in fuzzer.functions if not f.internal and f.name not in ERASES and "user_id" in f.names]
    for function in public * 6:
        statement, values = fuzzer.call(function)
        with suppress(psycopg.Error), db.transaction():  # what is refused writes nothing
            db.execute(statement.encode(), values)
    db.execute("reset role")
    first = remember(db, f"The {MARK} timeout is 30 seconds.", **known)
    second = remember(db, f"The {MARK} timeout is 60 seconds.", **known)
    call(db, "revise", memory_id=second.memory_id, content=f"Of {MARK} nothing is known", user_id=user)
    call(db, "link", src=first.memory_id, dst=second.memory_id, relation=MARK, user_id=user)
    call(db, "forget", memory_id=first.memory_id, user_id=user)
    adopted = [{"type": "memory", "id": MARK, "content": f"{MARK} was adopted"}]
    call(db, "adopt", "adopted", entries=Jsonb(adopted), source=MARK, user_id=user)
    for claim in call(db, "claim_embeddings", worker="w", model="caller:tiny", batch=2):
        db.execute(
            "select engram.complete_embeddings('w', 'caller:tiny', %s, %s, %s, %s)",
            [[claim.space_id], [claim.memory_id], [claim.content_hash], ["[1,0,0]"]],
        )
    db.execute(
        """update engram.embedding_job set last_error = %s, leased_by = %s
            where space_id = engram.space_id(%s)""",
        [MARK, MARK, user],
    )
    recall(db, MARK, user_id=user, session_id=MARK)
    call(db, "fold_recalls")
    recall(db, MARK, user_id=user)
    call(db, "create_api_key", name="theirs", users=[user])
    call(db, "create_api_key", name="shared", users=[user, "somebody"])
    configure(db, "recall.exact_limit", "0")
    for job in ("fold_recalls", "expire", "count_spaces", "index_spaces"):
        call(db, job)
    recall(db, MARK, user_id=user)


@pytest.mark.parametrize("seed", ["one", "two"])
def test_nothing_of_a_person_is_left_in_any_table(db: Db, user: str, seed: str) -> None:
    person, other = f"{MARK}-{user}", f"{user}-other"
    remember(db, "what another user keeps", user_id=other, tags=["t"])
    live(db, person, seed)
    kept = rows_of(db, other)
    before = rows_of(db, person)
    assert before.keys() == set(tables(db, "space_id")), "live() has to fill every table"
    assert {"engram.memory", "engram.decision", "engram.edge", "engram.embedding_job"} <= holding(db, MARK)

    receipt = erase(db, person)

    assert rows_of(db, person) == {}
    assert holding(db, MARK) == set()
    assert {f"engram.{name}": count for name, count in receipt["rows"].items() if count} == before
    assert receipt["memories"] == before["engram.memory"]
    assert rows_of(db, other) == kept
    assert contents(search(db, "another user keeps", user_id=other)) == ["what another user keeps"]


def test_the_receipt_counts_what_went(db: Db, user: str) -> None:
    first = remember(db, "a kettle", user_id=user)
    second = remember(db, "a lake", user_id=user)
    db.execute("select engram.link(%s, %s, user_id => %s)", [first.memory_id, second.memory_id, user])
    recall(db, "kettle", user_id=user, k=1)
    receipt = erase(db, user)
    assert receipt["hard"] is True
    counted = {name: receipt[name] for name in ("memories", "vectors", "edges", "recall_events", "decisions")}
    assert counted["memories"] == counted["vectors"] == 2
    assert counted["edges"] >= 1
    assert counted["recall_events"] == 1
    assert counted["decisions"] >= 2
    assert erase(db, user)["memories"] == 0


def test_the_keys_of_an_erased_person_go_and_shared_ones_lose_the_name(db: Db, user: str) -> None:
    made = {
        name: call(db, "create_api_key", name=name, **arguments)[0].secret
        for name, arguments in {
            "theirs": {"users": [user]},
            "shared": {"users": [user, "mei"]},
            "of all": {"users": None},
            "elsewhere": {"users": [user], "tenant": "acme"},
        }.items()
    }
    assert erase(db, user)["api_keys"] == 1
    opened = {name: call(db, "check_api_key", secret=secret) for name, secret in made.items()}
    assert opened["theirs"] == []
    assert opened["shared"][0].users == ["mei"]
    assert opened["of all"][0].users is None
    assert opened["elsewhere"][0].users == [user]


def test_an_erased_person_may_come_back_as_a_stranger(db: Db, user: str) -> None:
    first = remember(db, "a kettle", user_id=user)
    erase(db, user)
    error = error_of(db, lambda: call(db, "undo", decision_id=first.decision_id, user_id=user))
    assert error.sqlstate == "EG004"
    assert remember(db, "a kettle", user_id=user).action == "new"


@pytest.mark.parametrize(
    "given",
    [
        {"memory_id": None}, {"filter": None}, {"memory_id": None, "filter": None}, {"filter": Jsonb({})},
        {"filter": Jsonb([])}, {"filter": Jsonb(None)}, {"filter": Jsonb(False)}, {"filter": Jsonb(0)},
        {"filter": Jsonb("")}, {"memory_id": 0}, {"memory_id": -1}, {"memory_id": 2**63 - 1},
        {"memory_id": 0, "filter": Jsonb(False)},
    ],
)  # fmt: skip
def test_no_value_that_a_caller_may_pass_by_mistake_erases_a_person(
    db: Db, user: str, given: dict[str, Any]
) -> None:
    remember(db, "a kettle", user_id=user)
    error = error_of(db, lambda: call(db, "forget", user_id=user, hard=True, **given))
    assert error.sqlstate in ("EG002", "EG004")
    assert contents(search(db, "kettle", user_id=user)) == ["a kettle"]


def test_forget_erases_a_person_who_is_named(db: Db, user: str) -> None:
    remember(db, "a kettle", user_id=user)
    assert call(db, "forget", user_id=user, hard=True)[0].forget["memories"] == 1
    assert rows_of(db, user) == {}


@pytest.mark.parametrize("given", [{}, {"user_id": "default"}])
def test_whom_a_call_means_that_names_nobody_is_erased_by_erase_user_alone(
    db: Db, given: dict[str, str]
) -> None:
    remember(db, "a kettle")
    error = error_of(db, lambda: call(db, "forget", hard=True, **given))
    assert error.sqlstate == "EG002"
    assert "engram.erase_user('default')" in str(error.diag.message_hint)
    assert rows_of(db, "default")["engram.memory"] == 1
    assert erase(db, "default")["memories"] == 1


@pytest.mark.parametrize("nobody", [None, ""])
def test_no_name_erases_nobody(db: Db, nobody: str | None) -> None:
    remember(db, "a kettle")
    for function in ("forget", "erase_user"):
        given = {"hard": True} if function == "forget" else {}
        error = error_of(db, lambda f=function, g=given: call(db, f, user_id=nobody, **g))
        assert error.sqlstate == "EG002"
    assert rows_of(db, "default")["engram.memory"] == 1


def test_without_hard_a_person_is_not_forgotten_by_naming_nobody(db: Db, user: str) -> None:
    assert error_of(db, lambda: call(db, "forget", user_id=user)).sqlstate == "EG002"


@pytest.mark.parametrize("policy", ["resolve", "append"])
def test_what_is_being_written_is_erased_with_the_rest(connect: Any, user: str, policy: str) -> None:
    eraser, writer = connect(), connect()
    remember(writer, "a kettle", user_id=user)
    receipt = behind(
        writer, partial(remember, writer, "a lake", user_id=user, policy=policy), partial(erase, eraser, user)
    )
    assert receipt["memories"] == 2
    assert rows_of(writer, user) == {}


@pytest.mark.parametrize(
    "write",
    [
        lambda db, user, id: call(db, "revise", memory_id=id, content="a blue kettle", user_id=user),
        lambda db, user, id: call(db, "forget", memory_id=id, user_id=user),
        lambda db, user, id: call(db, "consolidate", user_id=user),
        lambda db, user, id: remember(db, "a lake", user_id=user),
    ],
)
def test_who_holds_the_lock_of_a_space_goes_on_while_an_eraser_waits(
    connect: Any, user: str, write: Callable[[Db, str, int], Any]
) -> None:
    eraser, writer = connect(), connect()
    id = remember(writer, "a kettle", user_id=user).memory_id
    remember(writer, "the kettle", user_id=user, policy="append")

    receipt = behind(
        writer,
        lambda: writer.execute("select pg_advisory_xact_lock(engram.space_id(%s, 'default'))", [user]),
        partial(erase, eraser, user),
        then=lambda: write(writer, user, id),
    )
    assert receipt["memories"] >= 2
    assert rows_of(writer, user) == {}


@pytest.mark.parametrize("policy", ["resolve", "append"])
def test_who_writes_while_a_person_is_erased_begins_anew(connect: Any, user: str, policy: str) -> None:
    eraser, writer = connect(), connect()
    remember(writer, "a kettle", user_id=user)
    made = behind(
        eraser, partial(erase, eraser, user), partial(remember, writer, "a lake", user_id=user, policy=policy)
    )
    assert made.action == "new"
    assert contents(search(writer, "kettle lake", user_id=user)) == ["a lake"]
