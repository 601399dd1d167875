"""What CREATE EXTENSION engram makes is the database's own: dumps hold it, and the extension may go again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from catalog import Snapshot, difference, program, psql, snapshot

from engram_pg import __version__, schema
from engram_pg.schema import extension

Db = psycopg.Connection[Any]

MEMBERS = """
    select pg_describe_object(d.classid, d.objid, d.objsubid)
      from pg_depend d join pg_extension e on e.oid = d.refobjid where e.extname = 'engram'
"""
MADE = """
select engram.remember('The office is in Graz', user_id => 'ann', tags => '{place}');
select engram.remember('The office moved from Graz to Linz', user_id => 'ann');
select engram.remember('The backup runs at 02:00', user_id => 'ben');
create index by_hand on engram.memory (collection);
update engram.kind set lambda = 0.5 where kind = 'fact';
select engram.require_tenant();
"""
KEPT = (
    "select to_jsonb(m) from engram.memory m order by 1",
    "select to_jsonb(d) from engram.decision d order by 1",
    "select to_jsonb(k) from engram.kind k order by 1",
)
ASKED = "select memory_id, round(score::numeric, 3) from engram.search('where is the office?', 'ann')"


@pytest.fixture
def extended(
    empty_owned: Callable[..., str], can_create_extension: Callable[[str], None]
) -> Callable[[], str]:
    """Makes a database whose owner may create the extension, and returns its DSN."""

    def make() -> str:
        url = empty_owned()
        can_create_extension(url)
        return url

    return make


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def seen(db: Db) -> list[Any]:
    db.execute("select set_config('engram.tenant', 'default', true)")
    return [db.execute(query.encode()).fetchall() for query in (*KEPT, ASKED)]


def objects(db: Db) -> Snapshot:
    """The definitions, without those of functions: a body that was restored names its types once more."""
    found = snapshot(db)
    return {**found, "function": dict.fromkeys(found["function"], "")}


def test_a_dump_holds_all_of_it_and_restores_it_with_the_extension(
    extended: Callable[[], str], can_create_extension: Callable[[str], None], server_url: str, tmp_path: Path
) -> None:
    source = extended()
    with psycopg.connect(source) as db:
        db.execute("create extension engram")
        db.execute(MADE.encode(), prepare=False)
        db.commit()
        before, defined = seen(db), objects(db)
        db.rollback()
        db.execute("select engram.require_tenant(false)")  # a plain owner cannot dump what is forced on it
        db.commit()
        run(program("pg_dump"), "-Fc", "-f", tmp_path / "dump", source)
        whole = run(program("pg_restore"), "-l", tmp_path / "dump")
        assert "EXTENSION - engram" in whole
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute("create database t_restored")
    target = server_url.replace("/postgres?", "/t_restored?")
    try:
        can_create_extension(target)
        run(program("pg_restore"), "--exit-on-error", "--no-owner", "-d", target, tmp_path / "dump")
        with psycopg.connect(target) as db:
            found = db.execute("select extversion from pg_extension where extname = 'engram'").fetchone()
            assert found == (__version__,)
            db.execute("select engram.require_tenant()")
            assert seen(db) == before
            assert difference(defined, objects(db)) == []
            db.execute("select set_config('engram.tenant', 'default', true)")
            action = db.execute("select action from engram.remember('Linz it is', user_id => 'new')")
            assert action.fetchone() == ("new",)
    finally:
        with psycopg.connect(server_url, autocommit=True) as admin:
            admin.execute("drop database t_restored with (force)")


def test_the_schema_alone_restores_where_there_is_no_extension(
    extended: Callable[[], str], empty_owned: Callable[..., str], tmp_path: Path
) -> None:
    source, target = extended(), empty_owned()
    with psycopg.connect(source) as db:
        db.execute("create extension engram")
        db.execute("select engram.remember('The office is in Graz', user_id => 'ann')")
        db.commit()
        rows = db.execute(KEPT[0].encode()).fetchall()
        expected = objects(db)
    dump = tmp_path / "dump.sql"
    run(program("pg_dump"), "-n", "engram", "--no-owner", "-f", dump, source)
    assert "\nCREATE EXTENSION" not in dump.read_text(encoding="utf-8")
    run(psql(), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, target)
    with psycopg.connect(target) as db:
        assert db.execute(KEPT[0].encode()).fetchall() == rows
        assert difference(expected, objects(db)) == []


def test_to_drop_the_extension_drops_no_memory(extended: Callable[[], str]) -> None:
    with psycopg.connect(extended()) as db:
        db.execute("create extension engram")
        db.execute("select engram.remember('the kettle is blue')")
        expected = snapshot(db)
        db.execute("drop extension engram cascade")
        assert difference(expected, snapshot(db)) == []
        assert db.execute("select content from engram.search('kettle')").fetchone() == ("the kettle is blue",)


def test_an_empty_schema_is_left_to_the_restore_that_made_it(extended: Callable[[], str]) -> None:
    notices: list[str] = []
    with psycopg.connect(extended()) as db:
        db.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
        db.execute("create schema engram")
        db.execute("create extension engram")
        assert db.execute("select count(*) from pg_class where relnamespace = 'engram'::regnamespace") \
            .fetchone() == (0,)  # fmt: skip
    assert ["empty, as in a restore" in notice for notice in notices] == [True]


def test_the_files_describe_themselves(tmp_path: Path) -> None:
    files = {file.name: file for file in extension.write(tmp_path)}
    assert f"default_version = '{__version__}'" in files["engram.control"].read_text(encoding="utf-8")
    meta = json.loads(files["META.json"].read_text(encoding="utf-8"))
    assert meta["provides"]["engram"]["file"] in files
    assert {"name", "version", "abstract", "maintainer", "license", "provides", "meta-spec"} <= meta.keys()


TLE = """
create schema pgtle;
create table pgtle.given (name text, version text, description text, script text, requires text[]);
create function pgtle.install_extension(text, text, text, text, text[]) returns boolean language sql
    as 'insert into pgtle.given values ($1, $2, $3, $4, $5); select true';
"""


def test_pg_tle_is_given_the_same_script(empty_database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "tle.sql"
    file.write_text("".join(extension.pg_tle()), encoding="utf-8")
    with psycopg.connect(empty_database_url, autocommit=True) as db:
        db.execute(TLE.encode())
        run(psql(), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, empty_database_url)
        row = db.execute("select name, version, script, requires from pgtle.given").fetchone()
        assert row is not None
        assert (row[0], row[1], row[3]) == ("engram", __version__, ["vector"])
        assert row[2].strip() == "".join(extension.script()).strip()


def test_an_update_of_the_extension_brings_the_schema_up_to_date(
    extended: Callable[[], str], extension_path: Path, shared_url: str
) -> None:
    """As a release does it: its update script is the script of the new version."""
    folder = extension_path / "extension"
    update = folder / f"engram--{__version__}--99.0.0.sql"
    update.symlink_to(folder / f"engram--{__version__}.sql")
    try:
        with psycopg.connect(extended()) as db, psycopg.connect(shared_url) as expected:
            db.execute("create extension engram")
            db.execute("select engram.remember('the kettle is blue')")
            db.execute("create function engram._of_before() returns integer language sql as 'select 1'")
            db.execute("drop function engram.forget; create function engram.version(old integer)"
                       " returns integer language sql as 'select 1'")  # fmt: skip
            db.execute("alter extension engram update to '99.0.0'")
            assert difference(snapshot(expected), snapshot(db)) == []
            assert db.execute(MEMBERS).fetchall() == []
            db.rollback()
    finally:
        update.unlink()


def test_the_extension_and_the_command_at_once_install_once(extended: Callable[[], str]) -> None:
    url = extended()

    def by_extension() -> None:
        with psycopg.connect(url) as db:
            db.execute("create extension engram")

    def by_command() -> None:
        with psycopg.connect(url) as db:
            assert schema.install(db).current

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(way) for way in (by_command, by_extension, by_command)]:
            done.result(timeout=300)
    with psycopg.connect(url) as db:
        assert schema.state(db).current
        assert db.execute(MEMBERS).fetchall() == []
