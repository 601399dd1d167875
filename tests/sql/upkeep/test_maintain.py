"""What is due is done, once, in short transactions, and said; what fails harms nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from helpers import Db, call, configure, error_of, remember, value
from psycopg.rows import namedtuple_row

Connect = Callable[[], Db]
DAILY = {"consolidate", "prune", "purge", "vacuum"}


@pytest.fixture
def db(database_url: str) -> Iterator[Db]:
    """A session of a database of its own, which commits every statement."""
    with psycopg.connect(database_url, autocommit=True, row_factory=namedtuple_row) as connection:
        yield connection


@pytest.fixture
def other(database_url: str) -> Iterator[Db]:
    with psycopg.connect(database_url, autocommit=True, row_factory=namedtuple_row) as connection:
        yield connection


def jobs(db: Db) -> dict[str, Any]:
    return {row.job: row for row in db.execute("select * from engram.job_status")}


def runs(db: Db, job: str) -> list[Any]:
    return db.execute("select * from engram.job_run where job = %s order by job_run_id", [job]).fetchall()


def faded(db: Db, content: str = "the roof leaks", user: str = "ann") -> int:
    memory: int = remember(db, content, user_id=user, importance=0.01).memory_id
    return memory


def overdue(db: Db, content: str = "the milk is open", user: str = "ann") -> int:
    memory: int = remember(db, content, user_id=user).memory_id
    db.execute(
        "update engram.memory set expires_at = now() - interval '1 second' where memory_id = %s", [memory]
    )
    return memory


def state(db: Db, memory: int) -> str:
    return value(db, "select state from engram.memory where memory_id = %s", memory)


def let_pass(db: Db, time: str) -> None:
    """As if all runs had been so much earlier."""
    db.execute(
        """update engram.job_run set started_at = started_at - %(time)s::interval,
                  finished_at = finished_at - %(time)s::interval""",
        {"time": time},
    )


def break_expiry(db: Db, errcode: str = "P0001") -> None:
    """Nothing that has a time to live can be archived any more."""
    db.execute(
        f"""create function refuse() returns trigger language plpgsql as $$
            begin
                raise exception using errcode = '{errcode}', message = 'no: ' || old.content;
            end $$""".encode()
    )
    db.execute(
        """create trigger refuse before update on engram.memory for each row
           when (old.expires_at is not null and new.state = 'archived') execute function refuse()"""
    )


def slow_down(db: Db) -> None:
    """Whoever archives waits for advisory lock 1."""
    db.execute(
        """create function wait() returns trigger language plpgsql as $$
           begin perform pg_advisory_xact_lock(1); return new; end $$"""
    )
    db.execute(
        """create trigger wait before update on engram.memory for each row
           when (new.state = 'archived') execute function wait()"""
    )


def until(db: Db, condition: str) -> None:
    end = monotonic() + 10
    while not value(db, f"select {condition}"):
        assert monotonic() < end, condition
        sleep(0.02)


class Background:
    """A maintain() of another session that waits in the middle of its work."""

    def __init__(self, db: Db, url: str) -> None:
        slow_down(db)
        db.execute("select pg_advisory_lock(1)")
        self.db, self.notices, self.error = db, list[str](), None
        self.session = psycopg.connect(url, autocommit=True)
        self.session.add_notice_handler(lambda notice: self.notices.append(str(notice.message_primary)))
        self.pid = self.session.info.backend_pid
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        until(db, f"exists (select from pg_locks where pid = {self.pid} and not granted)")

    def _run(self) -> None:
        try:
            self.session.execute("call engram.maintain()")
        except psycopg.Error as error:
            self.error = error

    def finish(self) -> None:
        self.db.execute("select pg_advisory_unlock(1)")
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.session.close()


def test_every_job_runs_and_says_when_how_long_and_what(db: Db) -> None:
    gone, weak = overdue(db), faded(db)
    db.execute("call engram.maintain()")
    assert (state(db, gone), state(db, weak)) == ("archived", "archived")
    status = jobs(db)
    assert {job: row.last_rows for job, row in status.items() if row.last_rows} == {"expire": 1, "prune": 1}
    for row in status.values():
        assert (row.last_outcome, row.running, row.overdue, row.last_error) == ("done", False, False, None)
        assert row.last_started_at <= row.last_finished_at
        assert row.last_seconds >= 0
    [run] = runs(db, "maintain")
    assert (run.outcome, run.rows) == ("done", 2)


def test_a_job_runs_again_when_its_time_has_come(db: Db) -> None:
    db.execute("call engram.maintain()")
    db.execute("call engram.maintain()")
    assert {job: len(runs(db, job)) for job in jobs(db)} == {
        job: 1 if job in DAILY else 2 for job in jobs(db)
    }
    assert not any(len(runs(db, job)) > 1 for job in DAILY)
    let_pass(db, "11 hours")
    db.execute("call engram.maintain()")
    assert not any(len(runs(db, job)) > 1 for job in DAILY)
    let_pass(db, "59 minutes 59 seconds")
    db.execute("call engram.maintain()")
    assert all(len(runs(db, job)) == 2 for job in DAILY)


def test_how_often_a_job_runs_is_a_row(db: Db) -> None:
    db.execute("update engram.job set every = '1 hour' where job = 'prune'")
    db.execute("update engram.job set enabled = false where job = 'purge'")
    db.execute("call engram.maintain()")
    let_pass(db, "61 minutes")
    db.execute("call engram.maintain()")
    assert {job: len(runs(db, job)) for job in DAILY} == {
        "consolidate": 1,
        "prune": 2,
        "purge": 0,
        "vacuum": 1,
    }


def test_named_jobs_run_due_or_not_and_no_others(db: Db) -> None:
    db.execute("call engram.maintain()")
    weak = faded(db)
    db.execute("call engram.maintain(array['prune'])")
    assert state(db, weak) == "archived"
    assert (len(runs(db, "prune")), len(runs(db, "fold"))) == (2, 1)


def test_a_scheduler_may_tick_more_often_than_it_means(db: Db) -> None:
    for expected in (1, 1, 2):
        db.execute("call engram.maintain(every => '1 day')")
        assert len(runs(db, "maintain")) == expected
        let_pass(db, "12 hours")
    let_pass(db, "12 hours")
    configure(db, "maintain.seconds", "0")
    configure(db, "maintain.batch", "1")
    for n in range(3):
        faded(db, f"note {n}")
    for _ in range(4):
        db.execute("call engram.maintain(every => '1 day')")
    assert [run.outcome for run in runs(db, "prune")][-3:] == ["partial", "partial", "done"]


def test_a_job_that_does_not_exist_is_refused(db: Db) -> None:
    error = error_of(db, lambda: db.execute("call engram.maintain(array['prune', 'sweep'])"))
    assert error.sqlstate == "EG003"
    assert "'sweep'" in str(error.diag.message_primary)
    assert runs(db, "maintain") == []


def test_a_job_that_fails_stops_no_other_and_is_named(db: Db) -> None:
    gone, weak = overdue(db), faded(db)
    break_expiry(db)
    with pytest.raises(psycopg.Error, match="job expire failed: P0001 no: the milk is open"):
        db.execute("call engram.maintain()")
    assert (state(db, gone), state(db, weak)) == ("active", "archived")
    status = jobs(db)["expire"]
    assert (status.last_outcome, status.last_error) == ("failed", "P0001 no: the milk is open")
    assert [run.outcome for run in runs(db, "maintain")] == ["failed"]
    [check] = [row for row in call(db, "doctor") if row.check == "upkeep jobs"]
    assert (check.status, "expire" in check.detail) == ("warning", True)

    db.execute("drop trigger refuse on engram.memory")
    db.execute("call engram.maintain()")
    assert (state(db, gone), jobs(db)["expire"].last_outcome) == ("archived", "done")


def test_an_error_about_data_does_not_show_the_data(db: Db) -> None:
    overdue(db)
    break_expiry(db, "22023")
    with pytest.raises(psycopg.Error) as error:
        db.execute("call engram.maintain()")
    assert error.value.sqlstate == "22023"
    assert "milk" not in str(error.value)
    assert value(db, "select count(*) from engram.job_run j where j::text like '%%milk%%'") == 0


def test_a_job_that_failed_is_tried_again_before_its_turn(db: Db) -> None:
    weak = faded(db)
    db.execute("update engram.memory set expires_at = now() + interval '1 day'")
    break_expiry(db)
    with pytest.raises(psycopg.Error, match="job prune failed"):
        db.execute("call engram.maintain()")
    db.execute("drop trigger refuse on engram.memory")
    db.execute("call engram.maintain()")
    assert (state(db, weak), len(runs(db, "prune"))) == ("active", 1)
    let_pass(db, "16 minutes")
    db.execute("call engram.maintain()")
    assert (state(db, weak), len(runs(db, "prune"))) == ("archived", 2)


def test_the_trouble_of_one_tenant_is_not_that_of_another(db: Db) -> None:
    memories = {}
    for tenant in ("acme", "globex", "initech"):
        db.execute("select set_config('engram.tenant', %s, false)", [tenant])
        memories[tenant] = overdue(db, f"milk of {tenant}")
    break_expiry(db)
    db.execute("drop trigger refuse on engram.memory")
    db.execute(
        """create trigger refuse before update on engram.memory for each row
           when (old.content = 'milk of globex') execute function refuse()"""
    )
    with pytest.raises(psycopg.Error, match="job expire failed"):
        db.execute("call engram.maintain()")
    assert {tenant: state(db, memory) for tenant, memory in memories.items()} == {
        "acme": "archived",
        "globex": "active",
        "initech": "archived",
    }
    owners = db.execute(
        """select m.tenant_id = d.tenant_id as same from engram.decision d
             join engram.memory m using (space_id, memory_id) where d.action = 'expire'"""
    ).fetchall()
    assert owners == [(True,), (True,)]


def test_inside_of_a_transaction_it_is_part_of_that(db: Db) -> None:
    gone = overdue(db)
    with db.transaction(force_rollback=True):
        db.execute("call engram.maintain()")
        assert state(db, gone) == "archived"
    assert (state(db, gone), runs(db, "maintain")) == ("active", [])

    break_expiry(db)
    with pytest.raises(psycopg.Error, match="no: the milk"), db.transaction():
        db.execute("call engram.maintain()")
    assert runs(db, "maintain") == []


@pytest.mark.parametrize(
    "statement",
    [
        "begin; call engram.maintain(); commit",
        "select 1; call engram.maintain()",
        "do $$ begin call engram.maintain(); end $$",
        "select caller()",
        "call engram.maintain() /* ; */;",
        "call engram.maintain(array['expire'])",
        "  CALL engram.maintain (null) ;",
    ],
)
def test_it_may_be_called_from_anywhere(db: Db, statement: str) -> None:
    gone = overdue(db)
    db.execute(
        "create function caller() returns void language plpgsql as $$ begin call engram.maintain(); end $$"
    )
    db.execute(statement.encode(), prepare=False)
    assert state(db, gone) == "archived"
    db.execute("call engram.maintain()", prepare=True)


def test_it_commits_as_it_goes_and_shows_how_far_it_is(db: Db, other: Db, database_url: str) -> None:
    gone = overdue(db)
    running = Background(db, database_url)
    assert {job for job, row in jobs(other).items() if row.running} == {"expire"}
    assert jobs(other)["fold"].last_outcome == "done"
    assert [run.outcome for run in runs(other, "maintain")] == [None]
    running.finish()
    assert (state(db, gone), jobs(db)["expire"].running) == ("archived", False)


def test_it_leaves_the_session_as_it_was(db: Db) -> None:
    """Behind a transaction pooler the session belongs to somebody else afterwards."""
    settings = "select array_agg(name || setting order by name) from pg_settings where source = 'session'"
    before = value(db, settings)
    faded(db)
    db.execute("call engram.maintain()")
    assert value(db, settings) == before
    assert (
        value(db, "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()") == 0
    )
    assert value(db, "select count(*) from pg_prepared_statements where not from_sql") == 0


def test_a_second_one_leaves_the_work_to_the_first(db: Db, other: Db, database_url: str) -> None:
    overdue(db)
    running = Background(db, database_url)
    notices: list[str] = []
    other.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    other.execute("set statement_timeout = '5s'")
    for _ in range(2):
        other.execute("call engram.maintain()")
        with other.transaction():
            other.execute("call engram.maintain()")
    assert sum("another maintain() is running" in notice for notice in notices) == 4
    running.finish()
    assert (running.error, len(runs(db, "maintain"))) == (None, 1)


def test_one_that_was_killed_keeps_nobody_off(db: Db, other: Db, database_url: str) -> None:
    gone = overdue(db)
    running = Background(db, database_url)
    db.execute("select pg_terminate_backend(%s)", [running.pid])
    running.thread.join(20)
    db.execute("select pg_advisory_unlock(1)")
    assert state(db, gone) == "active"
    until(db, f"not exists (select from pg_stat_activity where pid = {running.pid})")
    other.execute("call engram.maintain()")
    assert state(db, gone) == "archived"
    assert [run.outcome for run in runs(db, "maintain")] == ["interrupted", "done"]
    assert [run.outcome for run in runs(db, "expire")] == ["interrupted", "done"]


def test_one_that_shows_no_progress_is_taken_over_from(db: Db, other: Db, database_url: str) -> None:
    overdue(db)
    running = Background(db, database_url)
    other.execute("update engram.job_run set heartbeat_at = now() - interval '1 hour'")
    other.execute("call engram.maintain(array['fold'])")
    assert [run.outcome for run in runs(other, "maintain")] == ["interrupted", "done"]
    running.finish()
    assert any("has taken over" in notice for notice in running.notices)
    assert runs(db, "prune") == []


def test_a_job_out_of_time_goes_on_next_time(db: Db) -> None:
    configure(db, "maintain.seconds", "0")
    configure(db, "maintain.batch", "2")
    memories = [faded(db, f"note {n}", user) for user in ("ann", "ben") for n in range(3)]
    outcomes = []
    for _ in range(10):
        db.execute("call engram.maintain()")
        outcomes.append(jobs(db)["prune"].last_outcome)
        if outcomes[-1] == "done":
            break
    assert outcomes[-1] == "done"
    assert "partial" in outcomes
    assert {state(db, memory) for memory in memories} == {"archived"}
    assert sum(run.rows for run in runs(db, "prune")) == 6


def test_a_space_in_use_is_passed_over_and_comes_next_time(db: Db, other: Db) -> None:
    mine, theirs = faded(db, user="ann"), faded(db, user="ben")
    with other.transaction():
        other.execute("select pg_advisory_xact_lock(engram.space_id('ann'))")
        db.execute("set statement_timeout = '5s'")
        db.execute("call engram.maintain()")
    assert (state(db, mine), state(db, theirs)) == ("active", "archived")
    assert jobs(db)["prune"].last_outcome == "partial"
    db.execute("call engram.maintain()")
    assert (state(db, mine), jobs(db)["prune"].last_outcome) == ("archived", "done")


def test_old_runs_are_forgotten_but_not_the_last_good_one(db: Db) -> None:
    db.execute("update engram.job set enabled = false where job = 'prune'")
    db.execute("call engram.maintain(array['prune'])")
    for _ in range(3):
        db.execute("call engram.maintain()")
    let_pass(db, "31 days")
    db.execute("call engram.maintain()")
    assert {len(runs(db, job)) for job in (*jobs(db), "maintain")} == {1}
    assert runs(db, "prune")[0].started_at < runs(db, "fold")[0].started_at - timedelta(days=30)


def test_the_doctor_knows_what_is_overdue(db: Db) -> None:
    def overdue_jobs() -> set[str]:
        return {job for job, row in jobs(db).items() if row.overdue}

    remember(db, "a kettle")
    assert overdue_jobs() == set()
    db.execute("update engram.space set created_at = now() - interval '25 hours'")
    assert overdue_jobs() == DAILY
    db.execute("call engram.maintain()")
    assert overdue_jobs() == set()
    let_pass(db, "25 hours")
    assert overdue_jobs() == DAILY
    [check] = [row for row in call(db, "doctor") if row.check == "upkeep jobs"]
    assert (check.status, "prune" in check.detail) == ("warning", True)
    assert "maintain()" in check.fix


def test_tables_with_many_dead_rows_are_named(db: Db) -> None:
    configure(db, "vacuum.dead_rows", "3")
    db.execute("alter table engram.memory set (autovacuum_enabled = off)")
    for n in range(5):
        memory = remember(db, f"note {n}", policy="append").memory_id
        db.execute("update engram.memory set importance = 0.6 where memory_id = %s", [memory])
    db.execute("select pg_stat_force_next_flush()")
    db.execute("call engram.maintain(array['vacuum'])")
    assert "VACUUM (ANALYZE) engram.memory;" in jobs(db)["vacuum"].last_detail["advice"]
    [check] = [row for row in call(db, "doctor") if row.check == "dead rows"]
    assert (check.status, "engram.memory" in check.fix) == ("warning", True)
