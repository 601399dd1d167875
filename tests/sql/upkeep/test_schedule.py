"""The jobs of the upkeep without pg_cron. With it, in a container: tests/server/test_cron.py."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest
from helpers import Db, call, error_of, recall, remember, value


@pytest.mark.parametrize("function", ["schedule", "unschedule", "schedules"])
def test_without_pg_cron_it_says_so_and_how_else(db: Db, function: str) -> None:
    error = error_of(db, lambda: call(db, function))
    assert error.sqlstate == "EG008"
    assert "pg_cron" in str(error.diag.message_primary)
    assert "shared_preload_libraries" in str(error.diag.message_detail)
    for way in ("engram-pg worker", "CALL engram.maintain();"):
        assert way in str(error.diag.message_hint)


def ticks(db: Db, every: str) -> Any:
    return value(db, "select engram._cron_expression(%s::interval)", every)


@pytest.mark.parametrize(
    ("every", "expression"),
    [
        ("1 second", "1 seconds"),
        ("59 seconds", "59 seconds"),
        ("1 minute", "* * * * *"),
        ("60 seconds", "* * * * *"),
        ("10 minutes", "*/10 * * * *"),
        ("30 minutes", "*/30 * * * *"),
        ("1 hour", "0 * * * *"),
        ("12 hours", "0 * * * *"),
        ("1 day", "0 * * * *"),
        ("36 hours", "0 * * * *"),
    ],
)
def test_ticks_come_often_enough_and_at_no_hour_of_a_day(db: Db, every: str, expression: str) -> None:
    assert ticks(db, every) == expression


@pytest.mark.parametrize(
    "every",
    ["0", "-1 minute", "7 minutes", "90 seconds", "0.5 seconds", "90 minutes", "1 month", "45 minutes", None],
)
def test_an_interval_that_cannot_be_kept_is_refused(db: Db, every: str | None) -> None:
    error = error_of(db, lambda: ticks(db, every))  # type: ignore[arg-type]
    assert error.sqlstate == "EG002"


def test_statements_for_another_database_name_this_one(db: Db) -> None:
    statements = value(db, "select engram.schedule_sql()").splitlines()
    database = value(db, "select current_database()")
    assert [re.findall(r"'(engram:[^']+)'", line) for line in statements] == [
        *([f"engram:{job}@{database}"] for job in ("fold", "expire", "index", "leases", "maintain")),
        ["engram:history"],
    ]
    assert all("schedule_in_database" in line for line in statements[:-1])


def runs(db: Db, job: str) -> int:
    return value(db, "select count(*)::int from engram.job_run where job = %s", job)


def test_a_job_is_run_again_only_when_it_is_due(db: Db) -> None:
    def tick() -> int:
        db.execute("call engram.maintain(every => interval '12 hours')")
        return runs(db, "maintain")

    def pass_by(time: str) -> None:
        db.execute("update engram.job_run set started_at = started_at - %s::interval", [time])

    db.execute("delete from engram.job_run")
    assert [tick(), tick()] == [1, 1]
    pass_by("11 hours")
    assert tick() == 1
    pass_by("1 hour")
    assert tick() == 2


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "GMT"])
def test_daylight_saving_does_not_shift_when_a_job_is_due(db: Db, zone: str) -> None:
    """A day of the clock has 23 to 25 hours; an interval of one day always 24."""
    db.execute("select set_config('timezone', %s, true)", [zone])
    assert ticks(db, "1 day") == ticks(db, "24 hours")
    for hours, expected in ((22, 1), (24, 2)):
        db.execute("delete from engram.job_run")
        db.execute(
            "insert into engram.job_run (job, started_at, finished_at, outcome)"
            " values ('maintain', clock_timestamp() - make_interval(hours => %s), clock_timestamp(), 'done')",
            [hours],
        )
        db.execute("call engram.maintain(every => interval '1 day')")
        assert runs(db, "maintain") == expected


def test_one_job_leaves_the_others_alone(db: Db, user: str) -> None:
    memory_id = remember(db, "the milk is open", user_id=user).memory_id
    recall(db, "milk", user_id=user)
    db.execute(
        "update engram.memory set expires_at = now() - interval '1 s' where memory_id = %s", [memory_id]
    )

    def state() -> Any:
        return value(
            db,
            "select m.state || ' ' || coalesce(sum(s.recalls), 0)::int from engram.memory m"
            " left join engram.memory_stat s using (space_id, memory_id)"
            " where memory_id = %s group by m.state",
            memory_id,
        )

    assert state() == "active 0"
    db.execute("call engram.run_job('fold')")
    assert state() == "active 1"
    db.execute("call engram.run_job('expire')")
    assert state() == "archived 1"


def test_an_unknown_job_is_refused(db: Db) -> None:
    for job in ("dance", None):
        assert error_of(db, lambda job=job: db.execute("call engram.run_job(%s)", [job])).sqlstate == "EG003"


def test_texts_that_outlived_every_lease_are_given_up_without_a_worker(db: Db, user: str) -> None:
    call(db, "register_model", name="elsewhere", provider="caller", dims=3)
    remember(db, "one", user_id=user)
    remember(db, "two", user_id=user)
    queued = (
        "update engram.embedding_job set attempts = %s, due_at = now() - interval '1 s', leased_by = 'gone'"
    )
    db.execute(f"{queued} where memory_id = (select min(memory_id) from engram.embedding_job)".encode(), [5])
    assert value(db, "select engram.sweep_embeddings()") == 1
    assert value(db, "select engram.sweep_embeddings()") == 0
    assert value(db, "select count(*) from engram.embedding_job where failed_at is not null") == 1


def test_what_a_job_did_is_undone_when_its_caller_rolls_back(connect: Any, user: str) -> None:
    db = connect()
    memory_id = remember(db, "the milk is open", user_id=user).memory_id
    recall(db, "milk", user_id=user)
    with db.transaction() as transaction:
        db.execute("call engram.run_job('fold')")
        raise psycopg.Rollback(transaction)
    folded = "select coalesce(sum(recalls), 0)::int from engram.memory_stat where memory_id = %s"
    assert value(db, folded, memory_id) == 0
    db.execute("call engram.run_job('fold')")
    assert value(db, folded, memory_id) == 1
