"""Models that are activated and dropped beside each other and beside writers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import psycopg
import pytest
from helpers import at_once, behind, call, remember, value

from engram_pg.schema import source

ACTIVE = "select coalesce(string_agg(name, ','), '') from engram.embedding_model where active"


@pytest.fixture
def model(connect: Any) -> Iterator[str]:
    db = connect()
    call(db, "register_model", name="words", provider="caller", dims=3)
    yield "words"
    call(db, "activate_model", name="static")
    if value(db, "select exists (select from engram.embedding_model where name = 'words')"):
        call(db, "drop_model", name="words")


def test_a_model_that_is_being_dropped_is_not_activated(connect: Any, model: str) -> None:
    one, other = connect(), connect()
    with pytest.raises(psycopg.Error, match="does not exist") as error:
        behind(
            one,
            partial(call, one, "drop_model", name=model),
            partial(call, other, "activate_model", name=model),
        )
    assert (error.value.sqlstate, value(one, ACTIVE)) == ("EG003", "static")


def test_a_model_that_is_being_activated_is_not_dropped(connect: Any, model: str) -> None:
    one, other = connect(), connect()
    with pytest.raises(psycopg.Error, match="is active") as error:
        behind(
            one,
            partial(call, one, "activate_model", name=model),
            partial(call, other, "drop_model", name=model),
        )
    assert (error.value.sqlstate, value(one, ACTIVE)) == ("EG009", model)


@pytest.mark.parametrize("act", ["index_spaces", "erase_user"])
def test_who_goes_over_the_models_passes_one_that_is_being_dropped(
    connect: Any, user: str, model: str, act: str
) -> None:
    one, other = connect(), connect()
    remember(one, "a kettle", user_id=user)
    one.execute(
        "insert into engram.space_stat (space_id, tenant_id, memories, lexemes, indexed)"
        " select space_id, tenant_id, 1000000, 1, true from engram.space where user_id = %s",
        [user],
    )
    behind(
        one,
        partial(call, one, "drop_model", name=model),
        partial(call, other, act, **({"user_id": user} if act == "erase_user" else {})),
    )
    assert value(one, "select count(*) from engram.embedding_1 where not indexed") == 0


def test_models_come_and_go_while_others_write(connect: Any, user: str) -> None:
    def write(db: psycopg.Connection[Any], name: int) -> None:
        for n in range(15):
            remember(db, f"note {n} of writer {name}", user_id=f"{user}-{name}")

    def change(db: psycopg.Connection[Any]) -> None:
        for _ in range(8):
            call(db, "register_model", name="brief", provider="caller", dims=3)
            call(db, "drop_model", name="brief")

    at_once([*(partial(write, connect(), n) for n in range(3)), partial(change, connect())])


def test_no_function_locks_a_memory_against_a_reference_to_it() -> None:
    # A plain FOR UPDATE holds up foreign keys as well: a model that is being added would wait for a row
    # whose writer waits for the table.
    locking = re.compile(r"from engram\.memory\b[^;]*\bfor update\b")
    assert [file.name for file in source.functions() if locking.search(file.text)] == []
