"""Filters, names and labels full of quotes, wildcards and operators mean themselves and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest
from fuzzing import HOSTILE
from helpers import Db, call, error_of, remember, search, value
from psycopg.rows import namedtuple_row

STRINGS = int(os.environ.get("ENGRAM_TEST_FUZZ_STRINGS", "0"))
"""How many made-up strings are tried besides those of the list."""

PIECES = [
    "'",
    '"',
    "%",
    "_",
    "\\",
    "$",
    ";",
    "--",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "a",
    "b",
    " or ",
    "\n",
]


def made(count: int) -> list[str]:
    random = Random("injection")
    return ["".join(random.choices(PIECES, k=random.randrange(1, 9))) for _ in range(count)]


LABELS = [text for text in dict.fromkeys([*HOSTILE, *made(STRINGS)]) if text.strip()]


@pytest.fixture(scope="module")
def labelled(module_url: str) -> Iterator[Db]:
    """A user with one memory a string, which is its tag, collection, session, source and metadata."""
    with psycopg.connect(module_url, autocommit=True, row_factory=namedtuple_row) as db:
        for number, text in enumerate(LABELS):
            remember(
                db, f"launch number {number}", user_id="u", policy="append", tags=[text], collection=text,
                session_id=text, source_type=text, metadata={text: text, "v": [text]},
            )  # fmt: skip
        yield db


def filters(text: str) -> dict[str, dict[str, Any]]:
    return {
        "tags": {"tags": [text]},
        "collections": {"collections": [text]},
        "metadata": {"metadata": {text: text}},
        "metadata value": {"metadata": {"v": [text]}},
    }


@pytest.mark.parametrize("name", filters(""))
def test_a_filter_finds_what_has_the_very_string(labelled: Db, name: str) -> None:
    for number, text in enumerate(LABELS):
        rows = search(labelled, "launch", user_id="u", k=1000, **filters(text)[name])
        assert [row.content for row in rows] == [f"launch number {number}"], text


def test_a_filter_forgets_what_has_the_very_string(labelled: Db) -> None:
    meant = [
        *(lambda text, name=name: filters(text)[name] for name in filters("")),
        lambda text: {"session_id": text},
        lambda text: {"source_type": text},
    ]
    for number, text in enumerate(LABELS):
        for each in meant:
            with labelled.transaction(force_rollback=True):
                [receipt] = call(labelled, "forget", filter=each(text), user_id="u")
                assert receipt.forget["memories"] == 1, (text, each(text))
                id = receipt.forget["memory_ids"][0]
                [gone] = call(labelled, "get", memory_id=id, user_id="u")
                assert gone.content == f"launch number {number}"


def test_a_name_that_is_not_there_is_an_error_of_ours(labelled: Db) -> None:
    for text in LABELS:
        for arguments in ({"profile": text}, {"kinds": [text]}):
            error = error_of(labelled, lambda a=arguments: search(labelled, "launch", user_id="u", **a))
            assert error.sqlstate == "EG003", text
        error = error_of(
            labelled, lambda text=text: labelled.execute("select engram.configure(%s, '1')", [text])
        )
        assert error.sqlstate == "EG003", text


def test_a_question_of_operators_is_a_question(labelled: Db) -> None:
    for text in LABELS:
        assert search(labelled, f"{text} launch {text}", user_id="u", k=3), text
    assert value(labelled, "select count(*) from engram.memory") == len(LABELS)


def test_every_tenant_and_user_has_a_space_of_his_own(db: Db) -> None:
    """No two pairs of names, however cut and joined, share a key."""
    names = list(dict.fromkeys([*LABELS, "", "1:a", "1:aa", ":", "::"]))
    row = db.execute(
        """select count(*) as pairs, count(distinct engram.space_id(u.name, t.name)) as spaces
             from unnest(%s::text[]) t (name), unnest(%s::text[]) u (name)""",
        [names, names],
    ).fetchone()
    assert row is not None
    assert row.pairs == row.spaces == len(names) ** 2
