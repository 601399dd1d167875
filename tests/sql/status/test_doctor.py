"""What is broken, the doctor names, with the statement that mends it."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from helpers import Db, call, configure, remember
from psycopg.rows import namedtuple_row

from engram_pg import Engram
from engram_pg.schema import source, structure


def finding(db: Db, check: str, **arguments: Any) -> Any:
    [found] = [row for row in call(db, "doctor", **arguments) if row.check == check]
    return found


@pytest.fixture
def own(database_url: str) -> Any:
    """An autocommit connection to a database of the test's own."""
    with psycopg.connect(database_url, autocommit=True, row_factory=namedtuple_row) as connection:
        yield connection


BROKEN = {
    "an index dropped": ("indexes", "error", "drop index engram.memory_created"),
    "a unique index dropped": ("indexes", "error", "drop index engram.embedding_model_active"),
    "a primary key dropped": ("indexes", "error", "alter table engram.edge drop constraint edge_pkey"),
    "a vector index dropped": ("indexes", "error", "drop index engram.embedding_1_embedding_idx"),
    "the index of new vectors dropped": ("indexes", "error", "drop index engram.embedding_1_unindexed"),
    "an index invalid": ("indexes", "error", "update pg_index set indisvalid = false where indexrelid in"
                         " ('engram.edge_back'::regclass, 'engram.memory_created'::regclass)"),
    "a policy dropped": ("row-level security", "error", "drop policy tenant on engram.decision"),
    "row security off": ("row-level security", "error", "alter table engram.edge disable row level security"),
    "a constraint unvalidated": ("constraints", "warning", "alter table engram.memory"
                                 " add constraint mine check (content <> 'x') not valid"),
    "a model without its functions": ("models", "error", "select engram._drop_model_functions(1)"),
}  # fmt: skip


@pytest.mark.parametrize(("check", "status", "how"), BROKEN.values(), ids=BROKEN)
def test_the_doctor_names_it_and_the_fix_mends_it(own: Db, check: str, status: str, how: str) -> None:
    remember(own, "the kettle is blue")
    assert finding(own, check).status == "ok"
    own.execute(how.encode())
    sick = finding(own, check)
    assert sick.status == status
    assert sick.fix
    for statement in sick.fix.split(";"):
        if statement.strip():
            own.execute(statement.encode())
    assert finding(own, check).status == "ok", sick.detail


def test_bloat_is_seen_and_a_vacuum_mends_it(own: Db) -> None:
    configure(own, "vacuum.dead_rows", "20")
    own.execute("alter table engram.job_run set (autovacuum_enabled = off)")
    own.execute("insert into engram.job_run (job) select 'x' from generate_series(1, 100)")
    own.execute("delete from engram.job_run where job = 'x'")
    own.execute("select pg_stat_force_next_flush()")
    sick = finding(own, "dead rows")
    assert sick.status == "warning"
    assert "engram.job_run" in sick.fix
    own.execute(sick.fix.encode())
    own.execute("select pg_stat_force_next_flush()")
    assert finding(own, "dead rows").status == "ok"


def test_a_clock_that_went_backwards_is_seen(db: Db) -> None:
    db.execute("insert into engram.job_run (job, started_at) values ('fold', now() + interval '2 hours')")
    sick = finding(db, "clock")
    assert sick.status == "warning"
    assert "behind" in sick.detail


@pytest.mark.parametrize("apart", [timedelta(minutes=5), timedelta(minutes=-5)])
def test_a_program_with_another_clock_is_told(db: Db, apart: timedelta) -> None:
    now = datetime.now(UTC)
    assert finding(db, "clock", client_time=now).status == "ok"
    assert finding(db, "clock", client_time=now + apart).status == "warning"


def test_a_program_of_another_build_is_told(db: Db) -> None:
    assert finding(db, "schema version").status == "ok"
    assert finding(db, "schema version", functions=source.fingerprint()).status == "ok"
    sick = finding(db, "schema version", functions="0123456789abcdef")
    assert (sick.status, sick.fix) == ("error", "Run: engram-pg migrate")


def test_the_versions_of_extensions_are_compared(own: Db) -> None:
    assert finding(own, "extension versions").status == "ok"
    own.execute("update pg_extension set extversion = '0.8.0' where extname = 'vector'")
    sick = finding(own, "extension versions")
    assert (sick.status, sick.fix) == ("warning", "ALTER EXTENSION vector UPDATE;")


def test_a_poison_job_and_an_overdue_one_are_seen(db: Db, user: str) -> None:
    call(db, "register_model", name="m", provider="openai", dims=3)
    remember(db, "the kettle is blue", user_id=user)
    db.execute("update engram.embedding_job set due_at = now() - interval '2 hours'")
    sick = finding(db, "embedding queue")
    assert (sick.status, sick.fix) == ("warning", "Run: engram-pg worker")
    db.execute("update engram.embedding_job set failed_at = now(), last_error = 'too long'")
    sick = finding(db, "embedding queue")
    assert sick.status == "warning"
    assert "too long" in sick.detail
    db.execute(sick.fix.encode())
    assert finding(db, "embedding queue").status == "ok"


def test_every_index_of_a_fresh_installation_is_expected(db: Db) -> None:
    there = {
        row[0]
        for row in db.execute(
            """select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
                join pg_am a on a.oid = c.relam
                where c.relnamespace = 'engram'::regnamespace and a.amname <> 'hnsw'
                  and not exists (select from pg_constraint t where t.conindid = c.oid and t.contype = 'u')"""
        )
    }
    vectors = {"embedding_1_pkey", "embedding_1_unindexed", "alembic_version_pkc"}
    assert structure.expected().keys() | vectors == there


def test_the_command_says_by_its_exit_code_how_bad_it_is(database_url: str, own: Db) -> None:
    def doctor(*options: str) -> int:
        return subprocess.run(
            [sys.executable, "-c", "from engram_pg.cli import main; main()", "doctor", *options],
            env={**os.environ, "ENGRAM_DSN": database_url, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            timeout=60,
        ).returncode

    assert doctor("--strict") == 0
    own.execute("alter table engram.memory add constraint mine check (content <> 'x') not valid")
    assert (doctor(), doctor("--strict")) == (0, 1)
    own.execute("alter table engram.edge disable row level security")
    assert (doctor(), doctor("--strict")) == (1, 1)


def test_the_sdk_compares_the_build_and_the_clock(own: Db) -> None:
    with Engram(connection=own) as engram:
        checks = {check.check: check.status for check in engram.doctor()}
        assert checks["schema version"] == checks["clock"] == "ok"
        own.execute("update engram.setting set value = 'older' where name = 'installed.functions'")
        assert {check.check: check.status for check in engram.doctor()}["schema version"] == "error"
