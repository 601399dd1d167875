"""Numbers, times, texts and documents that nobody means are taken for what they are, or refused in the words
of the product, by every public function: a function that is new is called as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from fuzzing import Function, Fuzzer, Words
from helpers import Db, call, configure, remember, use_index
from psycopg.rows import tuple_row

FLOATS = ["NaN", "infinity", "-infinity", 1e308, -1e308, 5e-324, -1.0, 0.0, 2.0, None]
INTEGERS = [-(2**31), 2**31 - 1, -1, 0, None]
BIGINTS = [-(2**63), 2**63 - 1, -1, 0, None]
TIMES = ["infinity", "-infinity", "4713-01-01 00:00:00Z BC", "294276-12-31Z", None]
TEXTS = [
    "",
    " ",
    "\n",
    "'",
    "a" * 65_536,
    "漢字",
    "Ελλάδα",
    "مرحبا",
    "🦜",
    "a\u0301",
    "{}",
    "null",
    "-1",
    None,
]
EXTREMES: dict[str, list[Any]] = {
    "double precision": FLOATS,
    "integer": INTEGERS,
    "bigint": BIGINTS,
    "interval": ["-1 day", "0", "178000000 years", "-178000000 years", "1 microsecond", None],
    "timestamp with time zone": TIMES,
    "double precision[]": ["{}", *(f"{{0.5,{value}}}" for value in (*FLOATS[:-1], "null")), "{{0.5},{0.5}}"],
    "bigint[]": [[], *([value] for value in BIGINTS)],
    "text": TEXTS,
    "text[]": [[], *([value] for value in TEXTS), ["a"] * 5000],
    "jsonb": [
        "null", "1", '"a"', "[]", "{}", '[[[{"a": [{}]}]]]', '[null, {"a": null}]',
        json.dumps(["a" * 65_536]), json.dumps({"a": ["漢字"] * 5000}), None,
    ],
    "boolean": [None],
}  # fmt: skip

ENTRY = {"engram_export": 1, "type": "memory", "memory_id": 1, "content": "a kettle"}
LINES: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {
    "remember_many": (
        {"content": "a kettle"},
        {"importance": FLOATS, "valid_from": TIMES, "created_at": TIMES},
    ),
    "import": (ENTRY, {"importance": FLOATS, "memory_id": BIGINTS, "valid_from": TIMES, "recalls": BIGINTS}),
}
"""Functions that take lines of JSON: a line that is right, and the values of its keys."""


def arguments(db: Db, user: str) -> dict[str, Any]:
    """A value by which a call goes through, for every name of an argument that some function needs."""
    call(db, "register_model", name="openai:queued", provider="openai", dims=2)
    for setting in ("judge.enabled", "judge.below"):
        configure(db, setting, "1")
    remember(db, "I'd rather take the window seat on trains.", user_id=user)
    remember(db, "On trains I prefer sitting by the window.", user_id=user)
    first, second = (remember(db, text, user_id=user) for text in ("the roof leaks", "a blue kettle"))
    task = call(db, "create_task", name="mend the roof", user_id=user)[0].task_id
    use_index(db, 1)
    return {
        "user_id": user, "content": "a red kettle", "query": "kettle", "existing": "a", "incoming": "b",
        "memory_id": first.memory_id, "src": first.memory_id, "dst": second.memory_id,
        "memory_ids": [first.memory_id], "decision_id": first.decision_id, "task_id": task, "key_id": 1,
        "importance": 0.5, "lambda": 0.1, "days": 1.0, "recalls": 1, "outcome_factor": 1.0,
        "worker": "w", "model": "static", "space_id": 1, "space_ids": [1], "content_hashes": [],
        "vectors": [], "verdict": "distinct", "error": "it broke", "component": "roof", "feature": "roof",
        "status": "done", "summary": "so far", "goal": "mend", "name": "caller:two", "provider": "caller",
        "dims": 2, "tenant": "acme", "job": "fold", "text": "a", "client_time": "2026-01-01Z",
        "entries": json.dumps([ENTRY]), "memories": '["a kettle"]', "source": "elsewhere", "session_id": "s",
        "outcome": "success", "relation": "x", "secret": "x", "role": "nobody", "value": "1",
        "task": "mend the roof",
    }  # fmt: skip


def calls(function: Function, given: dict[str, Any]) -> Iterator[tuple[str, list[Any], Any]]:
    """The calls of a function with each argument, in turn, at each extreme."""
    required = len(function.types) - function.defaults
    for name, kind in zip(function.names, function.types, strict=True):
        for extreme in EXTREMES.get(kind, ()):
            chosen = {n: given[n] for at, n in enumerate(function.names) if at < required or n == "user_id"}
            chosen[name] = extreme
            kinds = dict(zip(function.names, function.types, strict=True))
            listed = ", ".join(f'"{n}" => %s::{kinds[n]}' for n in chosen)
            what = f"engram.{function.name}({listed})"
            statement = f"call {what}" if function.procedure else f"select * from {what}"
            yield statement, list(chosen.values()), (name, extreme)


def refused_badly(db: Db, statement: str, values: list[Any]) -> str | None:
    """The error of a call, unless it is one of the product's own, with a hint."""
    try:
        with db.transaction(force_rollback=True):
            db.execute("set local statement_timeout = '10s'")
            db.cursor(row_factory=tuple_row).execute(statement.encode(), values)
    except psycopg.Error as error:
        if not (error.sqlstate or "").startswith("EG") or not error.diag.message_hint:
            return f"{error.sqlstate} {error.diag.message_primary}"
    return None


def public(db: Db) -> list[Function]:
    return [f for f in Fuzzer(db, Words([], []), "").functions if not f.internal]


def test_no_extreme_of_an_argument_ends_in_an_error_of_the_server(db: Db, user: str) -> None:
    given = arguments(db, user)
    bad, asked = [], 0
    for function in public(db):
        for statement, values, what in calls(function, given):
            asked += 1
            problem = refused_badly(db, statement, values)
            if problem:
                bad.append(f"{function.name}, {what}: {problem}")
    print(f"{asked} calls of {len(public(db))} functions")
    assert asked > 2000
    assert not bad, "\n".join(bad)


def test_something_is_queued_for_those_who_claim(db: Db, user: str) -> None:
    """Else the extremes of a lease would meet no row."""
    arguments(db, user)
    for claim in ("claim_embeddings", "claim_judgements"):
        assert call(db, claim, worker="w")


def test_no_setting_that_is_accepted_ends_in_an_error_of_the_server(db: Db, user: str) -> None:
    given = arguments(db, user)
    areas: dict[str, list[str]] = {}
    for row in db.execute("select name, default_value from engram.setting order by name").fetchall():
        if row.default_value.replace(".", "").isdigit():
            areas.setdefault(row.name.partition(".")[0], []).append(row.name)
    assert sum(map(len, areas.values())) > 50
    acts = [
        ("select engram.remember('a kettle that whistles', user_id => %s, session_id => 's')", [user]),
        (
            "select engram.remember('jar', user_id => %s, policy => 'append') from generate_series(1, 20)",
            [user],
        ),
        ("select engram.context('kettle', %s)", [user]),
        ("select * from engram.consolidate(%s, threshold => 0.5)", [user]),
        ("select engram.purge(%s)", [user]),
        ("select engram.forecast(%s, %s)", [given["memory_id"], user]),
    ]
    for n in range(40):
        remember(db, f"jar {n}", user_id=user, policy="append")
    use_index(db, 20)
    bad = []
    for names in areas.values():
        for extreme in ("5e-324", "2147483647"):
            with db.transaction(force_rollback=True):
                for name in names:
                    with suppress(psycopg.DatabaseError), db.transaction():
                        configure(db, name, extreme)
                for statement, values in acts:
                    problem = refused_badly(db, statement, values)
                    if problem:
                        bad.append(f"{names} {extreme}, {statement}: {problem}")
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("name", LINES)
def test_no_extreme_in_a_line_ends_in_an_error_of_the_server(db: Db, user: str, name: str) -> None:
    line, extremes = LINES[name]
    [function] = [f for f in public(db) if f.name == name]
    bad = []
    for key, values in extremes.items():
        for value in values:
            text = json.dumps([line | {key: value}])
            first = next(n for n, kind in zip(function.names, function.types, strict=True) if kind == "jsonb")
            statement = f'select * from engram."{name}"("{first}" => %s::jsonb, user_id => %s)'
            problem = refused_badly(db, statement, [text, user])
            if problem:
                bad.append(f"{key}, {value!r}: {problem}")
    assert not bad, "\n".join(bad)
