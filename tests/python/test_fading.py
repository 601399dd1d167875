"""forecast, prune and consolidate, from Python and on the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from commands import Run

from engram_pg.client import Engram
from engram_pg.errors import EngramError

NEAR = (
    "The deploy script lives in tools/deploy.sh",
    "The deploy script in tools/deploy.sh needs sudo",
)


@pytest.fixture
def engram(dsn: str, user: str) -> Iterator[Engram]:
    with Engram(dsn, user) as memory:
        yield memory


def test_a_memory_has_a_day_on_which_it_has_faded(engram: Engram) -> None:
    memory = engram.remember("the kettle is blue", importance=0.5).memory_id
    moment = engram.forecast(memory)
    assert moment is not None
    assert moment > datetime.now(UTC)
    engram.revise(memory, pinned=True)
    assert engram.forecast(memory) is None
    with pytest.raises(EngramError, match="999999999"):
        engram.forecast(999999999)


def test_what_has_faded_goes_and_comes_back(engram: Engram) -> None:
    faded = engram.remember("try the blue theme some day", importance=0.02).memory_id
    [tried] = engram.prune(dry_run=True)
    assert (tried.memory_id, tried.gone, tried.rule, tried.decision_id) == (faded, True, "faded", None)
    assert engram.get(faded).state == "active"
    [gone] = engram.prune()
    assert gone.decision_id is not None
    assert engram.get(faded).state == "archived"
    engram.undo(gone.decision_id)
    assert engram.get(faded).state == "active"


def test_what_lies_together_becomes_one_and_parts_again(engram: Engram) -> None:
    first, second = (engram.remember(text).memory_id for text in NEAR)
    [tried] = engram.consolidate(0.8, dry_run=True)
    assert {tried.kept, *tried.folded} == {first, second}
    assert tried.decision_id is None
    assert {engram.get(id).state for id in (first, second)} == {"active"}
    [made] = engram.consolidate(0.8)
    assert (made.kept, made.folded) == (tried.kept, tried.folded)
    assert engram.get(made.folded[0]).state == "archived"
    assert made.decision_id is not None
    engram.undo(made.decision_id)
    assert engram.consolidate(again=True) == []


def test_a_dry_run_inside_a_transaction_of_the_caller_leaves_that_alone(dsn: str, user: str) -> None:
    with Engram(dsn, user) as own:
        connection = own.connection
        connection.autocommit = False
        theirs = Engram(user=user, connection=connection)
        for text in NEAR:
            theirs.remember(text)
        assert len(theirs.consolidate(0.8, dry_run=True)) == 1
        assert theirs.stats()["states"]["active"] == 2
        connection.rollback()


def test_the_commands_do_the_same(run: Run, user: str) -> None:
    def answer(*arguments: str) -> object:
        done = run(*arguments, "-u", user, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    stored = run("remember", "try the blue theme some day", "-u", user, "-i", "0.02", "--json").stdout
    id = str(json.loads(stored)["memory_id"])
    for text in NEAR:
        run("remember", text, "-u", user)
    assert answer("forecast", id)["memory_id"] == int(id)  # type: ignore[index]
    assert run("forecast", id, "-u", user).stdout.startswith("20")
    assert "would go" in run("prune", "--dry-run", "-u", user).stdout
    assert [row["gone"] for row in answer("prune", "--dry-run")] == [True]  # type: ignore[attr-defined]
    assert "would keep" in run("consolidate", "--threshold", "0.8", "--dry-run", "-u", user).stdout
    assert answer("stats")["states"]["active"] == 3  # type: ignore[index]

    for command in (["prune"], ["consolidate", "--threshold", "0.8"]):
        shown = run(*command, "-u", user).stdout
        taken_back = shown.splitlines()[-1].removesuffix(" takes it back")
        assert taken_back.startswith("engram-pg undo "), shown
        assert run(*shlex.split(taken_back)[1:]).returncode == 0
    assert answer("stats")["states"]["active"] == 3  # type: ignore[index]
    assert "nothing lies so close" in run("consolidate", "-u", user).stderr


def test_what_a_dry_run_of_the_upkeep_would_take_is_shown_by_other_commands(run: Run) -> None:
    said = run("maintain", "prune", "--dry-run").stderr
    assert "engram-pg prune --dry-run and" in said
    assert "engram-pg consolidate --dry-run" in said
