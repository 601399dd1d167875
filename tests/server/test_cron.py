"""The upkeep by pg_cron, in the container."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.rows import namedtuple_row

NAMES = [
    "engram:expire",
    "engram:fold",
    "engram:history",
    "engram:index",
    "engram:leases",
    "engram:maintain",
]


@pytest.fixture
def user() -> str:
    return f"user-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def scheduled(db: Any) -> Iterator[Any]:
    """A connection; afterwards the jobs are those of a fresh container."""
    yield db
    db.execute("select engram.unschedule()")
    db.execute("select from engram.schedule()")


def jobs(db: Any) -> dict[str, Any]:
    return {row.name: row for row in db.execute("select * from engram.schedules()")}


def until(what: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.2)


def test_a_fresh_container_has_its_upkeep_scheduled(db: Any) -> None:
    found = jobs(db)
    assert list(found) == NAMES
    assert {row.role for row in found.values()} == {"engram"}
    assert found["engram:fold"].schedule == "* * * * *"
    assert found["engram:expire"].schedule == "*/10 * * * *"
    assert "12:00:00" in found["engram:maintain"].command


def test_scheduling_again_changes_the_jobs_and_adds_none(scheduled: Any) -> None:
    before = scheduled.execute("select array_agg(jobid order by jobid) as ids from cron.job").fetchone().ids
    for _ in range(2):
        scheduled.execute(
            "select from engram.schedule(maintain_every => '6 hours', expire_every => '1 minute')"
        )
    after = scheduled.execute("select array_agg(jobid order by jobid) as ids from cron.job").fetchone().ids
    assert before == after
    assert "06:00:00" in jobs(scheduled)["engram:maintain"].command
    assert jobs(scheduled)["engram:expire"].schedule == "* * * * *"


def test_the_command_line_schedules_shows_and_takes_off(server: Any, scheduled: Any) -> None:
    def run(*arguments: str) -> str:
        code = "from engram_pg.cli import main; main()"
        command = (sys.executable, "-c", code, "schedule", *arguments, "--dsn", server.url())
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    for _ in range(2):
        assert "*/2 * * * *" in run("set", "--fold-every", "2 minutes")
    assert list(jobs(scheduled)) == NAMES
    assert [job["name"] for job in json.loads(run("show", "--json"))] == NAMES
    scheduled.execute("select cron.schedule('engram:fold', '1 seconds', 'select 1 / 0')")
    until(lambda: jobs(scheduled)["engram:fold"].last_status == "failed")
    for shown in ((), ("--json",)):
        with pytest.raises(subprocess.CalledProcessError) as caught:
            run("show", *shown)
        assert "division by zero" in caught.value.stdout
    assert run("drop") == f"{len(NAMES)} jobs are taken off\n"
    assert jobs(scheduled) == {}
    scheduled.execute("delete from cron.job_run_details")


def test_unscheduling_takes_off_ours_alone(scheduled: Any) -> None:
    scheduled.execute("select cron.schedule('somebody else''s', '0 0 * * *', 'select 1')")
    assert scheduled.execute("select engram.unschedule()").fetchone() == (len(NAMES),)
    assert scheduled.execute("select engram.unschedule()").fetchone() == (0,)
    assert jobs(scheduled) == {}
    assert scheduled.execute("select jobname from cron.job").fetchall() == [("somebody else's",)]
    scheduled.execute("select cron.unschedule('somebody else''s')")


def test_a_job_fires_beside_a_worker_and_each_recall_counts_once(
    server: Any, scheduled: Any, user: str
) -> None:
    """pg_cron folds each second, two workers do the upkeep all the time, and a user goes on recalling."""
    from engram_pg.worker import Worker

    scheduled.execute("select from engram.schedule(fold_every => '1 second', sweep_every => '1 second')")
    scheduled.execute("select engram.remember('the milk is open', user_id => %s)", [user])
    workers = [
        Worker(lambda: server.connect(), maintain_every=0.05, poll=0.02, name=f"w{number}")
        for number in (1, 2)
    ]
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for thread in threads:
        thread.start()
    recalled, end = 0, time.monotonic() + 6
    while time.monotonic() < end:
        recalled += len(
            scheduled.execute("select from engram.recall('milk', user_id => %s)", [user]).fetchall()
        )
    for worker in workers:
        worker.stop()
    for thread in threads:
        thread.join(30)

    def folded() -> int:
        row = scheduled.execute(
            "select coalesce(sum(s.recalls), 0)::int as recalls from engram.memory_stat s"
            " where s.space_id = engram.space_id(%s)",
            [user],
        ).fetchone()
        return int(row.recalls)

    until(lambda: folded() == recalled)
    assert recalled > 50
    fold = jobs(scheduled)["engram:fold"]
    assert fold.last_status == "succeeded", fold.last_message
    statuses = scheduled.execute(
        "select distinct d.status, d.return_message from cron.job_run_details d where d.status = 'failed'"
    ).fetchall()
    assert statuses == []


def test_every_job_succeeds(server: Any, scheduled: Any) -> None:
    """Each command as pg_cron runs it: in a background worker, as the owner."""
    scheduled.execute("select from engram.schedule()")
    for row in scheduled.execute("select jobid, jobname, command from cron.job").fetchall():
        scheduled.execute("select cron.schedule(%s, '1 seconds', %s)", [row.jobname, row.command])
    until(lambda: {row.last_status for row in jobs(scheduled).values()} == {"succeeded"})


def test_a_role_that_is_a_worker_schedules_jobs_of_its_own(server: Any, scheduled: Any) -> None:
    role, password = "cron_worker", "a worker secret"
    with server.connect("postgres") as superuser:
        superuser.execute(f"create role {role} login password '{password}'")
        superuser.execute(f"grant usage on schema cron to {role}")
    scheduled.execute("select engram.grant_usage(%s, 'worker')", [role])
    scheduled.execute("select engram.unschedule()")
    try:
        with psycopg.connect(
            host="127.0.0.1", port=server.port, user=role, password=password, dbname="engram",
            autocommit=True, row_factory=namedtuple_row,
        ) as db:  # fmt: skip
            db.execute("select from engram.schedule()")
            for row in db.execute("select jobname, command from cron.job").fetchall():
                db.execute("select cron.schedule(%s, '1 seconds', %s)", [row.jobname, row.command])
            until(lambda: {row.last_status for row in jobs(db).values()} == {"succeeded"})
            assert {row.role for row in jobs(db).values()} == {role}
            assert jobs(scheduled) == {}, "each role sees its own"
            assert db.execute("select engram.unschedule()").fetchone() == (len(NAMES),)
    finally:
        with server.connect("postgres") as superuser:
            superuser.execute("delete from cron.job where username = %s", [role])
            superuser.execute(f"drop owned by {role}")
            superuser.execute(f"drop role {role}")


def test_the_doctor_knows_whether_a_job_fails(scheduled: Any) -> None:
    def check() -> Any:
        return scheduled.execute(
            "select status, detail from engram.doctor() where \"check\" = 'upkeep scheduler'"
        ).fetchone()

    assert check() == ("ok", f"{len(NAMES)} jobs are registered with pg_cron")
    scheduled.execute("select cron.schedule('engram:fold', '1 seconds', 'select 1 / 0')")
    until(lambda: jobs(scheduled)["engram:fold"].last_status == "failed")
    status, detail = check()
    assert status == "warning"
    assert "engram:fold: ERROR: division by zero" in " ".join(detail.split())
    scheduled.execute("select engram.unschedule()")
    assert "engram.schedule() would register it" in check().detail


def test_pg_crons_own_history_is_purged_of_our_jobs_alone(scheduled: Any) -> None:
    scheduled.execute("select from engram.schedule(keep_history => '7 days')")
    command = jobs(scheduled)["engram:history"].command
    scheduled.execute("select cron.schedule('other', '1 seconds', 'select 1')")
    scheduled.execute("select from engram.schedule(fold_every => '1 second')")

    def runs(command: str) -> int:
        row = scheduled.execute(
            "select count(*)::int as runs from cron.job_run_details"
            " where command = %s and end_time is not null",
            [command],
        ).fetchone()
        return int(row.runs)

    fold = "call engram.run_job('fold')"
    until(lambda: runs(fold) > 1 and runs("select 1") > 1)
    scheduled.execute("select engram.unschedule()")
    scheduled.execute("select cron.unschedule('other')")
    scheduled.execute(command)
    assert runs(fold) > 1, "nothing is seven days old"
    scheduled.execute(command.replace("7 days", "0"))
    assert runs(fold) == 0
    assert runs("select 1") > 1


def test_jobs_of_another_database_than_pg_crons(server: Any, scheduled: Any, user: str) -> None:
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute("create database app owner engram")
    server.run("psql", "-qd", "app", "-c", "create extension vector")
    server.run("bash", "-c", "gunzip -c /usr/share/engram/engram.sql.gz | psql -qU engram -d app")
    try:
        with server.connect(database="app") as app:
            with pytest.raises(Exception, match="not in this database") as caught:
                app.execute("select from engram.schedule()")
            assert "engram.schedule_sql()" in caught.value.diag.message_hint
            statements = (
                app.execute("select engram.schedule_sql(fold_every => '1 second') as sql").fetchone().sql
            )
            with server.connect("postgres") as superuser:
                for _ in range(2):
                    superuser.execute(statements)
            assert sorted(jobs(scheduled)) == NAMES
            app.execute("select engram.remember('the milk is open', user_id => %s)", [user])
            app.execute("select from engram.recall('milk', user_id => %s)", [user])
            counted = "select from engram.memory_stat where recalls = 1"
            until(lambda: app.execute(counted).rowcount == 1)
    finally:
        with server.connect("postgres") as superuser:
            superuser.execute(
                "select cron.unschedule(jobid) from cron.job"
                " where jobname like 'engram:%@app' or username = current_user"
            )
            superuser.execute("drop database app with (force)")
