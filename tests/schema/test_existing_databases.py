"""Databases that were there before engram: pgvector elsewhere, names taken, roles that may do little."""

from __future__ import annotations

import re
import subprocess
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from catalog import psql
from psycopg import errors

from engram_pg import Engram, schema
from engram_pg.embedders import Model
from engram_pg.errors import EngramError
from engram_pg.models import register
from engram_pg.worker import Worker

Db = psycopg.Connection[Any]
DIMS = 8


class Words:
    """An embedder by the lengths of words."""

    name, dims = "words", DIMS

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0 + sum(len(word) == place for word in text.split()) for place in range(DIMS)]


def lived_in(url: str) -> None:
    """Remembers, recalls, embeds, switches the model, keeps up, exports and erases."""
    with psycopg.connect(url, autocommit=True) as db, Engram(connection=db, user="ann", embedder=None) as ann:
        first = ann.remember("The office is in Graz", tags=["place"], metadata={"floor": 2})
        moved = ann.remember("The office moved from Graz to Linz")
        assert (moved.action, moved.related_id) == ("replace", first.memory_id)
        assert [hit.content for hit in ann.recall("where is the office?", k=1)] == [
            "The office moved from Graz to Linz"
        ]
        assert "Linz" in ann.context("office")
        register(db, Model("words", "sentence-transformers", DIMS, {"model": "words"}))
        Worker(lambda: psycopg.connect(url, autocommit=True), once=True, load=lambda _: Words()).run()
        assert db.execute("select done, pending from engram.embedding_progress where model = 'words'") \
            .fetchone() == (2, 0)  # fmt: skip
        db.execute("select engram.activate_model('words')")
        with Engram(connection=db, user="ann", embedder=Words()) as asking:
            assert asking.search("The office moved from Graz to Linz", k=1)[0].semantic is not None
        ann.link(first.memory_id, moved.memory_id, relation="about")
        assert ann.neighbors(first.memory_id)
        ann.undo(int(moved.decision_id or 0))
        ann.maintain()
        assert len(list(ann.export())) > 2
        assert ann.forget(filter={"all": True}, hard=True)["memories"] == 2
        assert [check for check in ann.doctor() if check.status == "error"] == []


def test_pgvector_in_a_schema_that_no_search_path_names(empty_owned: Callable[..., str]) -> None:
    url = empty_owned(vector_in="extensions")
    with psycopg.connect(url) as db:
        schema.install(db)
        paths = db.execute("select proconfig::text from pg_proc where pronamespace = 'engram'::regnamespace")
        assert any("extensions" in (path or "") for (path,) in paths)
    lived_in(url)


def test_default_privileges_that_leave_functions_to_their_owner(empty_owned: Callable[..., str]) -> None:
    """A common hardening. What is for readers and writers is open to them all the same, and nothing else."""
    hardened, plain = empty_owned(), empty_owned()
    open_to_all = """select p.oid::regprocedure::text from pg_proc p
                      where p.pronamespace = 'engram'::regnamespace
                        and has_function_privilege('public', p.oid, 'execute')
                      order by 1"""
    found = []
    for url in (hardened, plain):
        with psycopg.connect(url) as db:
            if url == hardened:
                db.execute("alter default privileges revoke execute on functions from public")
                db.commit()
            schema.install(db)
            db.execute("select engram.register_model('words', 'caller', 3)")
            found.append(db.execute(open_to_all).fetchall())
            db.execute("create function public.of_mine() returns integer language sql as 'select 1'")
    assert found[0] == found[1]

    with psycopg.connect(as_role(hardened, "postgres"), autocommit=True) as superuser:
        superuser.execute("create role looking login")
        try:
            superuser.execute("select engram.grant_usage('looking')")
            with psycopg.connect(as_role(hardened, "looking")) as db:
                db.execute("select engram.remember('the kettle is blue')")
                assert db.execute("select content from engram.recall('kettle')").fetchall() == [
                    ("the kettle is blue",)
                ]
                with pytest.raises(errors.InsufficientPrivilege):
                    db.execute("select public.of_mine()")
        finally:
            superuser.execute("drop owned by looking; drop role looking")


TAKEN = """
create table memory (id integer primary key);
create table setting (name text, value text);
create table space (id integer);
create function remember(content text) returns integer language sql as 'select 1';
create function recall(query text, user_id text default 'x') returns integer language sql as 'select 2';
create type halfvec as (mine text);
create type memory_filter as enum ('theirs');
create function l2_normalize(v halfvec) returns halfvec language sql as 'select v';
create function theirs(a halfvec, b halfvec) returns double precision language sql as 'select 3.0';
create operator <=> (leftarg = halfvec, rightarg = halfvec, function = theirs);
create function to_tsvector(t text) returns tsvector language sql as $$ select ''::tsvector $$;
create function array_agg_first(integer) returns integer language sql as 'select 4';
create function lower(text) returns text language sql as 'select null::text';
create table alembic_version (version_num varchar(32) primary key);
insert into alembic_version values ('0001');
"""


def theirs(db: Db) -> list[Any]:
    return db.execute(
        """select pg_describe_object('pg_class'::regclass, c.oid, 0), c.relacl::text from pg_class c
            where c.relnamespace = 'public'::regnamespace and c.relowner = current_user::regrole
           union all
           select p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid)) from pg_proc p
            where p.pronamespace = 'public'::regnamespace and p.proowner = current_user::regrole
           order by 1"""
    ).fetchall()


def test_names_that_the_database_has_already_are_no_matter(empty_owned: Callable[..., str]) -> None:
    url = empty_owned(vector_in="extensions")
    with psycopg.connect(url, autocommit=True) as db:
        owner = db.info.user
        # What stands before pg_catalog would be met first, by whoever does not name schemas.
        db.execute(f"alter role {owner} set search_path = public, pg_catalog, extensions".encode())
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("create schema app; set search_path = app, pg_catalog, extensions")
        db.execute(TAKEN.encode(), prepare=False)
        before = theirs(db)
    with psycopg.connect(url, options="-c search_path=app,pg_catalog,extensions") as db:
        schema.install(db)
        db.commit()
        assert theirs(db) == before
        assert db.execute("select version_num from app.alembic_version").fetchone() == ("0001",)
    lived_in(f"{url}&options=-c%20search_path%3Dapp%2Cpg_catalog%2Cextensions")


@pytest.fixture
def other_role(server_url: str) -> Iterator[str]:
    """A role that may log in and nothing else. Ask for it before the database that it owns things in."""
    role = f"r_{uuid.uuid4().hex[:16]}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"create role {role} login".encode())
    yield role
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"drop role {role}".encode())


def as_role(url: str, role: str) -> str:
    return re.sub(r"//[^:@/]*:@", f"//{role}:@", url)


def installed_by_psql(url: str, folder: Path) -> str:
    script = folder / "engram.sql"
    script.write_text("".join(schema.script(with_static_model=False)), encoding="utf-8")
    run = subprocess.run([psql(), "-X", "-f", script, url], capture_output=True, text=True, timeout=300)
    assert run.returncode == 3
    return run.stderr


def test_a_schema_of_that_name_of_another_owner_is_refused(
    other_role: str, empty_owned: Callable[..., str], tmp_path: Path
) -> None:
    url = empty_owned()
    with psycopg.connect(as_role(url, "postgres"), autocommit=True) as admin:
        admin.execute(f"create schema engram authorization {other_role}".encode())
    with psycopg.connect(url) as db, pytest.raises(errors.DatabaseError) as refused:
        schema.install(db)
    assert refused.value.sqlstate == "EG008"
    assert f"belongs to role {other_role}" in str(refused.value)
    assert "SET ROLE" in (refused.value.diag.message_hint or "")
    assert f"belongs to role {other_role}" in installed_by_psql(url, tmp_path)


@pytest.mark.parametrize(
    "made",
    [
        "create table engram.pictures (id integer)",
        "create function engram.picture() returns integer language sql as 'select 1'",
        "create table engram.setting (a integer); create table engram.alembic_version (version_num text);"
        " insert into engram.alembic_version values ('41')",
    ],
)
def test_a_schema_of_that_name_with_something_else_in_it_is_refused_and_left(
    empty_owned: Callable[..., str], tmp_path: Path, made: str
) -> None:
    url = empty_owned()
    with psycopg.connect(url) as db:
        db.execute("create schema engram")
        db.execute(made.encode())
        db.commit()
        with pytest.raises(errors.DatabaseError) as refused:
            schema.install(db)
        assert refused.value.sqlstate == "EG008"
        assert refused.value.diag.message_hint
        assert "holds something else" in installed_by_psql(url, tmp_path)
        relations = (
            "select count(*) from pg_class where relnamespace = 'engram'::regnamespace and relkind = 'r'"
        )
        assert db.execute(relations.encode()).fetchone() == (made.count("create table"),)


def test_a_role_that_may_not_even_create_a_schema_installs_into_one_made_for_it(
    other_role: str, empty_owned: Callable[..., str]
) -> None:
    url = empty_owned()
    mine = as_role(url, other_role)
    with psycopg.connect(mine) as db, pytest.raises(errors.InsufficientPrivilege):
        schema.install(db)
    with psycopg.connect(as_role(url, "postgres"), autocommit=True) as admin, psycopg.connect(mine) as db:
        admin.execute(f"create schema engram authorization {other_role}".encode())
        row = db.execute(
            "select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,"
            " has_database_privilege(current_database(), 'create') from pg_roles where rolname = current_user"
        ).fetchone()
        assert row == (False,) * 5
        db.rollback()
        assert schema.install(db).current
    lived_in(mine)


def test_installers_of_different_ways_at_once_install_once(
    empty_owned: Callable[..., str], tmp_path: Path
) -> None:
    url = empty_owned()
    script = tmp_path / "engram.sql"
    script.write_text("".join(schema.script()), encoding="utf-8")

    def by_psql() -> None:
        subprocess.run([psql(), "-X", "-q", "-f", script, url], check=True, timeout=300)

    def by_migrate() -> None:
        with psycopg.connect(url) as db:
            assert schema.install(db).current

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(way) for way in (by_psql, by_migrate, by_psql, by_migrate)]:
            done.result(timeout=300)
    with psycopg.connect(url) as db:
        assert schema.state(db).current
        assert db.execute("select count(*) from engram.alembic_version").fetchone() == (1,)


def test_a_newer_schema_is_left_alone_by_every_older_installer(database_url: str, tmp_path: Path) -> None:
    from engram_pg import connecting

    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("update engram.alembic_version set version_num = 'engram_9999'")
        with pytest.raises(EngramError) as refused:
            connecting.install(db)
        assert refused.value.sqlstate == "EG008"
        assert "newer than" in installed_by_psql(database_url, tmp_path)
