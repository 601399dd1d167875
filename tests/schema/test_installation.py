"""Every way to install ends in the same schema, and to install again changes nothing that a person made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from catalog import difference, snapshot

from engram_pg import schema
from engram_pg._paths import PACKAGE, resource
from engram_pg.schema import installer, source

Db = psycopg.Connection[Any]


@pytest.fixture
def reinstalled(database_url: str) -> Iterator[Db]:
    """A database on which functions and seeds have run once more, as an upgrade runs them."""
    with psycopg.connect(database_url) as db:
        yield db


def run_again(db: Db) -> None:
    installer.run_functions(db, lambda done, total: None)
    db.commit()


def install(url: str) -> bool:
    with psycopg.connect(url) as db:
        db.execute("set statement_timeout = '120s'")
        db.commit()
        return schema.install(db).current


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_two_installers_at_once_install_once(
    empty_database_url: str, pool: type[ThreadPoolExecutor] | type[ProcessPoolExecutor]
) -> None:
    with pool(2) as workers:
        assert list(workers.map(install, [empty_database_url] * 2, timeout=240)) == [True, True]
    with psycopg.connect(empty_database_url) as db:
        assert db.execute("select count(*) from engram.alembic_version").fetchone() == (1,)


def test_a_second_installation_is_a_no_op(database_url: str) -> None:
    steps: list[str] = []
    with psycopg.connect(database_url) as db:
        before = snapshot(db)
        db.rollback()
        assert schema.install(db, lambda what, done, total: steps.append(what)).current
        assert difference(before, snapshot(db)) == []
    assert steps == []


def test_an_installation_that_fails_leaves_nothing(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(installer, "load_static_model", fail)
    with psycopg.connect(empty_database_url) as db:
        with pytest.raises(RuntimeError):
            schema.install(db)
        assert db.execute("select count(*) from pg_namespace where nspname = 'engram'").fetchone() == (0,)
        assert schema.state(db).revision is None


def test_functions_and_seeds_run_again_change_nothing(reinstalled: Db) -> None:
    before = snapshot(reinstalled)
    reinstalled.rollback()
    run_again(reinstalled)
    assert difference(before, snapshot(reinstalled)) == []


OLDER = {
    "another argument": """create function engram.version(verbose boolean) returns text
        language sql return 'old'""",
    "another result": """drop function engram._names(text);
        create function engram._names(query text) returns text language sql return query""",
    "another argument name": """drop function engram.estimate_tokens(text);
        create function engram.estimate_tokens(words text) returns integer language sql return 1""",
    "an overload with a default": """create function engram._measure(space_id bigint, depth integer default 1)
        returns integer language sql return depth""",
    "an internal one that is gone": "create function engram._gone() returns text language sql return 'old'",
}  # fmt: skip


@pytest.mark.parametrize("older", OLDER.values(), ids=OLDER)
def test_functions_of_an_older_version_make_way(reinstalled: Db, older: str) -> None:
    before = snapshot(reinstalled)
    reinstalled.rollback()
    reinstalled.execute(older.encode())
    run_again(reinstalled)
    assert difference(before, snapshot(reinstalled)) == []


CHANGES = {
    "kind": ("update engram.kind set lambda = 0.5 where kind = 'fact'",
             "select lambda from engram.kind where kind = 'fact'", 0.5),
    "time to live": ("update engram.kind set time_to_live = '3 days' where kind = 'failure'",
                     "select extract(day from time_to_live)::int from engram.kind where kind = 'failure'", 3),
    "profile": ("update engram.scoring_profile set decay = 0.77 where profile = 'balanced'",
                "select decay from engram.scoring_profile where profile = 'balanced'", 0.77),
    "model": ("update engram.embedding_model set link_at = floor + 0.01 where name = 'static'",
              "select link_at = floor + 0.01 from engram.embedding_model where name = 'static'", True),
    "setting": ("select engram.configure('recall.seeds', '9')",
                "select engram._setting_number('recall.seeds')", 9),
    "new kind": ("insert into engram.kind (kind, lambda, description) values ('rumour', 2, 'x')",
                 "select lambda from engram.kind where kind = 'rumour'", 2),
    "gate rule": ("update engram.gate_rule set verdict = 'distinct' where rule = 'ended'",
                  "select verdict from engram.gate_rule where rule = 'ended'", "distinct"),
    "word off": ("update engram.polarity_term set enabled = false where term = 'not'",
                 "select bool_or(enabled) from engram.polarity_term where term = 'not'", False),
    "word added": ("insert into engram.polarity_term (lang, term, role) values ('en', 'zilch', 'negation')",
                   "select count(*) from engram.polarity_term where term = 'zilch'", 1),
    "multi-tenant mode": ("select engram.require_tenant()",
                          "select relforcerowsecurity from pg_class where relname = 'memory'", True),
}  # fmt: skip


def test_what_a_person_changed_survives_an_upgrade(reinstalled: Db) -> None:
    for change, _, _ in CHANGES.values():
        reinstalled.execute(change.encode())
    reinstalled.commit()
    run_again(reinstalled)
    for name, (_, look, expected) in CHANGES.items():
        assert reinstalled.execute(look.encode()).fetchone() == (expected,), name


def test_what_a_person_left_alone_is_upgraded(reinstalled: Db) -> None:
    old = {
        "kind": "update engram.kind set lambda = 9, description = 'old' where kind = 'fact'",
        "scoring_profile": "update engram.scoring_profile set decay = 0.9 where profile = 'balanced'",
        "setting": "update engram.setting set default_value = '1' where name = 'recall.seeds'",
    }
    before = snapshot(reinstalled)
    reinstalled.execute("select set_config('engram.installing', 'on', true)")
    for statement in old.values():
        reinstalled.execute(statement.encode())
    reinstalled.commit()
    run_again(reinstalled)
    assert difference(before, snapshot(reinstalled)) == []


def test_a_change_by_hand_marks_its_row_and_no_other(db: Db) -> None:
    marked = "select kind from engram.kind where customized"
    assert db.execute(marked).fetchall() == []
    db.execute("update engram.kind set lambda = lambda")
    assert db.execute(marked).fetchall() == []
    db.execute("update engram.kind set lambda = 0.5 where kind = 'fact'")
    assert db.execute(marked).fetchall() == [("fact",)]


def test_to_give_a_row_back_is_to_unmark_it(reinstalled: Db) -> None:
    before = snapshot(reinstalled)
    reinstalled.execute("update engram.kind set lambda = 0.5 where kind = 'fact'")
    reinstalled.execute("update engram.kind set customized = false where kind = 'fact'")
    reinstalled.commit()
    run_again(reinstalled)
    assert difference(before, snapshot(reinstalled)) == []


def test_to_activate_a_model_is_no_change_of_its_row(db: Db) -> None:
    db.execute("update engram.embedding_model set active = false")
    db.execute("update engram.embedding_model set active = true where name = 'static'")
    assert db.execute("select bool_or(customized) from engram.embedding_model").fetchone() == (False,)


def test_a_model_registered_again_takes_its_new_thresholds(db: Db) -> None:
    for link_at in (0.4, 0.5, 0.55):
        db.execute(
            """select engram.register_model('mine', 'caller', 3, floor => 0, link_at => %s,
                relation_at => 0.6, reinforce_at => 0.99, consolidate_at => 0.8)""",
            [link_at],
        )
        row = db.execute(
            "select link_at, customized from engram.embedding_model where name = 'mine'"
        ).fetchone()
        assert tuple(row or ()) == (link_at, False)


def test_every_table_file_is_in_a_revision(db: Db) -> None:
    folders = {path.parent.name for path in (resource("sql") / "tables").rglob("*.sql")}
    revisions = {path.name[:4] for path in (PACKAGE / "migrations").glob("*.py")}
    assert folders <= revisions
    assert max(revisions) == schema.HEAD
    head = db.execute("select version_num from engram.alembic_version").fetchone()
    assert tuple(head or ()) == (f"engram_{schema.HEAD}",)


def test_every_function_has_a_comment(db: Db) -> None:
    silent = db.execute(
        """select p.oid::regprocedure::text from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and obj_description(p.oid, 'pg_proc') is null"""
    ).fetchall()
    assert silent == []


def test_every_plpgsql_function_pins_its_search_path(db: Db) -> None:
    loose = db.execute(
        """select p.oid::regprocedure::text from pg_proc p join pg_language l on l.oid = p.prolang
            where p.pronamespace = 'engram'::regnamespace and l.lanname <> 'sql'
              -- What commits cannot pin it; this one uses no name without a schema and no operator.
              and p.oid <> 'engram.maintain(text[], interval)'::regprocedure
              and not exists (select from unnest(p.proconfig) c
                               where c like 'search_path=pg_catalog, %pg_temp')"""
    ).fetchall()
    assert loose == []


def test_every_sql_function_is_bound_when_it_is_made(db: Db) -> None:
    late = db.execute(
        """select p.oid::regprocedure::text from pg_proc p join pg_language l on l.oid = p.prolang
            where p.pronamespace = 'engram'::regnamespace and l.lanname = 'sql' and p.prosqlbody is null"""
    ).fetchall()
    assert late == []


def test_what_runs_as_the_owner_and_writes_is_not_for_everybody(db: Db) -> None:
    open_to_all = db.execute(
        """select p.oid::regprocedure::text from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and p.prosecdef and p.provolatile = 'v'
              and has_function_privilege('public', p.oid, 'execute')"""
    ).fetchall()
    assert open_to_all == []


def test_every_table_of_a_tenant_is_under_its_policy(db: Db) -> None:
    """Except the tenants, and the queue of the worker, which serves them all and holds no text."""
    unguarded = db.execute(
        """select c.relname
             from pg_class c
             join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
            where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r'
              and c.relname not in ('tenant', 'embedding_job', 'judgement_job')
              and not (c.relrowsecurity
                       and exists (select from pg_policy p
                                    where p.polrelid = c.oid and p.polname = 'tenant'))"""
    ).fetchall()
    assert unguarded == []


def test_every_key_begins_with_the_space(db: Db) -> None:
    exempt = ("space", "tenant")
    odd = db.execute(
        """select i.indexrelid::regclass::text
             from pg_index i join pg_class c on c.oid = i.indrelid
             join pg_attribute s on s.attrelid = c.oid and s.attname = 'space_id'
            where c.relnamespace = 'engram'::regnamespace and (i.indisunique or i.indisprimary)
              and c.relname <> all (%s) and s.attnum <> all (i.indkey::int2[])""",
        [list(exempt)],
    ).fetchall()
    assert odd == []


def test_every_setting_that_is_read_exists(db: Db) -> None:
    known = {row[0] for row in db.execute("select name from engram.setting").fetchall()}
    text = "\n".join(file.text for file in (*source.functions(), *source.tables(), *source.seeds()))
    read = set(re.findall(r"_setting_(?:number|text)\('([^']+)'\)", text))
    assert read
    assert read - known == set()


def test_every_setting_is_read(db: Db) -> None:
    root = Path(installer.__file__).parents[1]
    code = [path.read_text(encoding="utf-8") for path in root.rglob("*.py")]
    text = "\n".join([file.text for file in source.functions()] + code)

    def read(name: str) -> bool:
        beginning = name[: name.rfind("_") + 1]  # of several that are read together
        return f"'{name}'" in text or (beginning != "" and f"'{beginning}'" in text)

    names = [row[0] for row in db.execute("select name from engram.setting").fetchall()]
    assert [name for name in names if not read(name)] == []


def test_a_plpgsql_body_is_parsed_before_it_is_called(db: Db) -> None:
    db.execute("select set_config('check_function_bodies', 'on', true)")
    broken = []
    for file in source.functions():
        try:
            with db.transaction():
                db.execute("select set_config('search_path', 'pg_catalog, public, pg_temp', true)")
                db.execute(file.text.encode())
        except psycopg.Error as error:
            broken.append(f"{file.name}: {error}")
    assert broken == []


def test_a_database_in_another_encoding_is_refused(server_url: str) -> None:
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute("create database t_latin encoding 'LATIN1' locale 'C' template template0")
        try:
            with psycopg.connect(server_url.replace("/postgres?", "/t_latin?")) as db:
                with pytest.raises(psycopg.Error) as error:
                    db.execute(source.prelude().text.encode())
                assert error.value.diag.message_hint
        finally:
            admin.execute("drop database t_latin with (force)")
