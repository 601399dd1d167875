"""A database of an earlier release, with data in it, becomes what a fresh installation is."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from catalog import difference, psql, snapshot
from test_existing_databases import as_role

from engram_pg import schema
from engram_pg.schema import installer, source

Db = psycopg.Connection[Any]
RELEASES = Path(__file__).parent / "releases"
FROZEN = {"0001": "32bb9d6b061def8e"}


@pytest.mark.parametrize(("revision", "digest"), FROZEN.items())
def test_the_tables_of_a_released_revision_are_frozen(revision: str, digest: str) -> None:
    text = "".join(f"{file.name}\0{file.text}\0" for file in source.tables(revision))
    assert sha256(text.encode()).hexdigest()[:16] == digest


MADE = """
select engram.remember('The office is in Graz', user_id => 'ann', session_id => 's', tags => '{place}');
select engram.remember('The office moved from Graz to Linz', user_id => 'ann', session_id => 's');
select engram.remember('The backup runs at 02:00', user_id => 'ben', kind => 'strategy', importance => 0.9);
select engram.remember('予定は金曜日です', user_id => 'ben');
select count(*) from engram.recall('where is the office?', 'ann');
select engram.forget(memory_id, user_id => 'ben') from engram.search('backup', 'ben') limit 1;
call engram.maintain();
"""
KEPT = (
    "select to_jsonb(m) - 'lexemes' from engram.memory m order by 1",
    "select to_jsonb(d) from engram.decision d order by 1",
    "select to_jsonb(e) from engram.edge e order by 1",
    "select to_jsonb(s) from engram.memory_stat s order by 1",
)


def rows(db: Db) -> list[list[dict[str, Any]]]:
    return [[row[0] for row in db.execute(query.encode()).fetchall()] for query in KEPT]


def on_disk(db: Db) -> dict[str, int]:
    """The files of tables and indexes, which a rewrite exchanges; without caches, which may be emptied."""
    files = db.execute(
        """select c.oid::regclass::text, pg_relation_filenode(c.oid) from pg_class c
             left join pg_index i on i.indexrelid = c.oid
            where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'i')
              and c.relpersistence = 'p'
              and coalesce(i.indrelid, c.oid) <> 'engram.static_token'::regclass"""
    )
    return dict(files.fetchall())


def install_release(release: Path, database: str, folder: Path) -> None:
    script = folder / "release.sql"
    script.write_bytes(gzip.decompress(release.read_bytes()))
    subprocess.run([psql(), "-X", "-q", "-f", script, database], check=True, timeout=300)


HOLD_ROWS = """
    select p.oid::regprocedure::text from pg_proc p
     where p.pronamespace = 'engram'::regnamespace and p.prosqlbody is not null
       and exists (select from pg_class c join pg_type t on t.oid = c.reltype and c.relkind = 'r'
                    where t.oid = any (p.proargtypes) or t.typarray = any (p.proargtypes)
                       or p.prorettype in (t.oid, t.typarray))
"""


def test_no_function_holds_the_rows_of_a_table_when_a_revision_begins(database_url: str) -> None:
    """PostgreSQL 17.12 refuses to add a column with a default while the body of one does."""
    with psycopg.connect(database_url) as db:
        before = snapshot(db)
        assert db.execute(HOLD_ROWS).fetchall() != []
        db.execute(source.prelude().text.encode())
        db.execute(source.revising().text.encode())
        assert db.execute(HOLD_ROWS).fetchall() == []
        installer.run_functions(db, lambda done, total: None)
        assert difference(before, snapshot(db)) == []
        db.rollback()


@pytest.mark.parametrize("release", sorted(RELEASES.glob("*.sql.gz")), ids=lambda path: path.name[:-7])
def test_an_upgraded_database_is_as_a_fresh_one(
    empty_database_url: str, database_url: str, release: Path, tmp_path: Path
) -> None:
    install_release(release, empty_database_url, tmp_path)
    with psycopg.connect(empty_database_url) as old, psycopg.connect(database_url) as fresh:
        installer.load_static_model(old)
        old.execute(MADE.encode(), prepare=False)
        before, places = rows(old), on_disk(old)
        old.commit()
        assert schema.install(old).current
        assert difference(snapshot(old), snapshot(fresh)) == []
        after = on_disk(old)
        assert [name for name, place in places.items() if after[name] != place] == []
        for now, then in zip(rows(old), before, strict=True):
            assert then
            assert [{key: row[key] for key in was} for row, was in zip(now, then, strict=True)] == then
        assert old.execute(
            "select content from engram.recall('where is the office?', 'ann', k => 1)"
        ).fetchone() == ("The office moved from Graz to Linz",)


OF_MODELS = r"""
    select p.proname::text, p.oid from pg_proc p
     where p.pronamespace = 'engram'::regnamespace and p.proname ~ '^_model_\d' order by 1
"""


def test_an_upgrade_replaces_the_functions_of_a_model_under_those_who_are_in_them(database_url: str) -> None:
    with psycopg.connect(database_url) as db:
        db.execute("select engram.register_model('words', 'caller', 3)")
        before, made = snapshot(db), db.execute(OF_MODELS).fetchall()
        assert len(made) == 8
        db.execute(source.prelude().text.encode())
        for former in ("_model_1_former(bigint)", "_model_2_store(bigint)"):
            db.execute(f"create function engram.{former} returns int language sql as 'select 1'".encode())
        installer.run_functions(db, lambda done, total: None)
        assert difference(before, snapshot(db)) == []
        assert db.execute(OF_MODELS).fetchall() == made
        db.rollback()


HELD = """
    select c.relname::text as what, a.privilege_type from pg_class c cross join lateral aclexplode(c.relacl) a
     where c.relnamespace = 'engram'::regnamespace and a.grantee = %(role)s::regrole
    union all
    select p.oid::regprocedure::text, a.privilege_type
      from pg_proc p cross join lateral aclexplode(p.proacl) a
     where p.pronamespace = 'engram'::regnamespace and a.grantee = %(role)s::regrole
     order by 1, 2"""


@pytest.mark.parametrize("release", sorted(RELEASES.glob("*.sql.gz")), ids=lambda path: path.name[:-7])
def test_an_upgrade_locks_no_role_out_and_lets_none_in(
    empty_database_url: str, release: Path, tmp_path: Path
) -> None:
    install_release(release, empty_database_url, tmp_path)
    levels = ("reader", "writer", "worker")
    roles = [f"{kind}_{level}" for kind in ("old", "new") for level in levels] + ["appender", "looker"]
    with psycopg.connect(empty_database_url, autocommit=True) as db:
        for role in roles:
            db.execute(f"drop role if exists {role}; create role {role}".encode())
        try:
            for level in levels:
                db.execute("select engram.grant_usage(%s, %s)", [f"old_{level}", level])
            db.execute("select engram.grant_usage('appender', 'writer')")
            db.execute("revoke update, delete on engram.memory from appender")
            db.execute("grant usage on schema engram to looker; grant select on engram.memory to looker")
            looked = db.execute(HELD.encode(), {"role": "looker"}).fetchall()

            assert schema.install(db).current
            for level in levels:
                db.execute("select engram.grant_usage(%s, %s)", [f"new_{level}", level])
                old, new = [
                    db.execute(HELD.encode(), {"role": f"{kind}_{level}"}).fetchall()
                    for kind in ("old", "new")
                ]
                assert old == new, level
            assert db.execute(HELD.encode(), {"role": "looker"}).fetchall() == looked
            appends = db.execute(HELD.encode(), {"role": "appender"}).fetchall()
            assert [privilege for what, privilege in appends if what == "memory"] == ["INSERT", "SELECT"]
        finally:
            for role in roles:
                db.execute(f"drop owned by {role}; drop role {role}".encode())


def test_a_view_that_is_in_the_way_of_an_upgrade_is_named_with_what_to_do(
    empty_database_url: str, tmp_path: Path
) -> None:
    install_release(RELEASES / "0.1.0.sql.gz", empty_database_url, tmp_path)
    with psycopg.connect(empty_database_url) as db:
        db.execute("create view of_mine as select content from engram.recall('office', 'ann')")
        db.commit()
        with pytest.raises(psycopg.Error, match="of yours use functions") as caught:
            schema.install(db)
        assert caught.value.sqlstate == "EG008"
        assert "view of_mine depends on function" in str(caught.value.diag.message_detail)
        assert "_recall(" in str(caught.value.diag.message_detail)
        assert installer.state(db).revision == "0001"
        db.execute("drop view of_mine")
        db.commit()
        assert schema.install(db).current


@pytest.mark.parametrize("way", ["migrate", "psql"])
def test_a_superuser_who_upgrades_takes_nothing_from_the_owner(
    empty_owned: Callable[..., str], tmp_path: Path, way: str
) -> None:
    url = empty_owned()
    install_release(RELEASES / "0.1.0.sql.gz", url, tmp_path)
    above = as_role(url, "postgres")
    if way == "psql":
        script = tmp_path / "engram.sql"
        script.write_text("".join(schema.script()), encoding="utf-8")
        subprocess.run([psql(), "-X", "-q", "-f", script, above], check=True, timeout=300)
    with psycopg.connect(above, autocommit=True) as db:
        assert schema.install(db).current
        db.execute("select engram.register_model('caller:x', 'caller', 3)")
        owners = db.execute(
            """select distinct o.owner <> n.nspowner
                 from pg_namespace n
                cross join lateral (
                      select c.relowner from pg_class c where c.relnamespace = n.oid
                       union all select p.proowner from pg_proc p where p.pronamespace = n.oid
                       union all select t.typowner from pg_type t where t.typnamespace = n.oid) o (owner)
                where n.nspname = 'engram'"""
        )
        assert owners.fetchall() == [(False,)]
    with psycopg.connect(url) as db:
        db.execute(MADE.encode(), prepare=False)
        db.execute("select engram.forget(user_id => 'ann', hard => true)")
        assert [row for row in db.execute("select * from engram.doctor()") if row[1] == "error"] == []
