"""Who sees and writes what, as the owner of the database who is no superuser, and as roles that he let in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from helpers import (
    Db,
    call,
    contents,
    error_of,
    recall,
    remember,
    remember_many,
    search,
    use_index,
    value,
)
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb

NOTE = "the launch is on Tuesday"
PRIVATE = (
    "memory", "memory_stat", "recall_event", "edge", "decision", "space", "space_stat", "embedding_1",
)  # fmt: skip


class House:
    """Sessions of the owner, of a writer, of a reader and of a stranger."""

    def __init__(self, stack: ExitStack, owned_url: str, urls: dict[str, str]) -> None:
        self.sessions: dict[str, Db] = {
            who: stack.enter_context(psycopg.connect(url, row_factory=namedtuple_row, autocommit=True))
            for who, url in {"owner": owned_url, **urls}.items()
        }

    def __getitem__(self, who: str) -> Db:
        return self.sessions[who]


@pytest.fixture(scope="module")
def urls(owned_url: str, new_role: Callable[[str], str]) -> dict[str, str]:
    made = {who: new_role(owned_url) for who in ("writer", "reader", "stranger")}
    with psycopg.connect(owned_url) as owner:
        for who in ("writer", "reader"):
            role = conninfo_to_dict(made[who])["user"]
            owner.execute("select engram.grant_usage(%s, %s)", [role, who])
    return made


@pytest.fixture
def house(owned_url: str, urls: dict[str, str]) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(stack, owned_url, urls)
    with psycopg.connect(owned_url) as owner:
        owner.execute("select engram.require_tenant(false)")


@pytest.fixture
def strict(house: House) -> House:
    house["owner"].execute("select engram.require_tenant()")
    return house


def tenant(db: Db, name: str) -> None:
    db.execute("select set_config('engram.tenant', %s, false)", [name])


def test_the_owner_is_no_superuser(house: House) -> None:
    assert value(house["owner"], "show is_superuser") == "off"


def test_without_tenants_everybody_belongs_to_the_default_one(house: House, user: str) -> None:
    remember(house["writer"], NOTE, user_id=user)
    for who in ("owner", "writer", "reader"):
        assert contents(search(house[who], "launch", user_id=user)) == [NOTE]


@pytest.mark.parametrize("who", ["owner", "writer", "reader"])
def test_without_a_tenant_no_row_is_seen(strict: House, user: str, who: str) -> None:
    db = strict["writer"]
    tenant(db, "acme")
    remember(db, NOTE, user_id=user, session_id="s")
    remember(db, "another turn", user_id=user, session_id="s")
    recall(db, "launch", user_id=user)
    db.execute("reset engram.tenant")

    blind = strict[who]
    for table in PRIVATE:
        assert value(blind, f"select count(*) from engram.{table}") == 0, table
    for act in (
        "engram.search('launch', %s)", "engram.stats(%s)", "engram.export(%s)", "engram.get(1, %s)",
        "engram.history(1, %s)", "engram.neighbors(1, 1, %s)",
    ):  # fmt: skip
        error = error_of(blind, lambda act=act: blind.execute(f"select * from {act}".encode(), [user]))
        assert error.sqlstate == "EG006", act
        assert error.diag.message_hint


@pytest.mark.parametrize("who", ["owner", "writer"])
def test_without_a_tenant_nothing_is_written(strict: House, user: str, who: str) -> None:
    db = strict[who]
    acts: dict[str, Callable[[], object]] = {
        "remember": lambda: remember(db, NOTE, user_id=user),
        "append": lambda: remember(db, NOTE, user_id=user, policy="append"),
        "remember_many": lambda: remember_many(db, [{"content": NOTE}], user_id=user),
        "forget": lambda: call(db, "forget", filter={"all": True}, user_id=user),
        "import": lambda: call(
            db,
            "import",
            "imported",
            user_id=user,
            entries=Jsonb([{"engram_export": 1, "type": "memory", "content": "x"}]),
        ),
    }
    for name, act in acts.items():
        assert error_of(db, act).sqlstate == "EG006", name
    sql = "insert into engram.space (space_id, tenant_id, user_id) values (1, engram.tenant_id('x'), 'x')"
    assert error_of(db, lambda: db.execute(sql)).sqlstate == "42501"
    assert db.execute("update engram.memory set content = 'x'").rowcount == 0
    assert db.execute("delete from engram.memory").rowcount == 0


@pytest.mark.parametrize("empty", ["", "reset"])
def test_an_empty_tenant_is_none(strict: House, user: str, empty: str) -> None:
    db = strict["owner"]
    tenant(db, "acme")
    remember(db, NOTE, user_id=user)
    if empty == "reset":
        db.execute("reset engram.tenant")
    else:
        tenant(db, "")
    assert value(db, "select count(*) from engram.memory") == 0
    assert error_of(db, lambda: search(db, "launch", user_id=user)).sqlstate == "EG006"


@pytest.mark.parametrize("who", ["owner", "writer"])
def test_two_tenants_with_the_same_user_never_meet(strict: House, user: str, who: str) -> None:
    db = strict[who]
    ids = {}
    for name in ("acme", "Acme", "acm", "acme:"):
        tenant(db, name)
        memory = remember(db, f"{NOTE} of {name}", user_id=user)
        assert memory.action == "new"
        ids[name] = memory.memory_id

    for name, memory_id in ids.items():
        tenant(db, name)
        assert contents(recall(db, "launch", user_id=user, k=100)) == [f"{NOTE} of {name}"]
        assert value(
            db,
            "select array_agg(memory_id) from engram.memory where space_id = engram.space_id(%s, %s)",
            user,
            name,
        ) == [memory_id]
        assert call(db, "stats", user_id=user)[0].stats["total"] == 1
        for other in set(ids.values()) - {memory_id}:
            assert (
                error_of(db, lambda other=other: call(db, "get", memory_id=other, user_id=user)).sqlstate
                == "EG004"
            )
            assert (
                db.execute("update engram.memory set content = 'x' where memory_id = %s", [other]).rowcount
                == 0
            )


@pytest.mark.parametrize("who", ["owner", "writer"])
def test_a_row_cannot_be_given_to_another_tenant(strict: House, user: str, who: str) -> None:
    db = strict[who]
    tenant(db, "acme")
    memory = remember(db, NOTE, user_id=user).memory_id
    sql = "update engram.memory set tenant_id = engram.tenant_id('globex') where memory_id = %s"
    assert error_of(db, lambda: db.execute(sql.encode(), [memory])).sqlstate == "42501"


def test_the_words_of_another_tenant_do_not_show_in_scores(strict: House, user: str) -> None:
    db = strict["writer"]
    tenant(db, "acme")
    remember(db, NOTE, user_id=user)
    alone = search(db, "launch", user_id=user, profile="lexical")[0].lexical
    tenant(db, "globex")
    remember_many(db, [{"content": f"launch {n}"} for n in range(20)], user_id=user, policy="append")
    tenant(db, "acme")
    assert search(db, "launch", user_id=user, profile="lexical")[0].lexical == alone


@pytest.mark.parametrize("mode", ["single", "required"])
def test_a_writer_may_do_all_that_a_user_does(house: House, user: str, mode: str) -> None:
    if mode == "required":
        house["owner"].execute("select engram.require_tenant()")
    db = house["writer"]
    tenant(db, "acme")
    one = remember(db, "The API timeout is 30 seconds.", user_id=user, session_id="s")
    two = remember(db, "The API timeout is 60 seconds.", user_id=user, session_id="s")
    assert two.action == "replace"
    call(db, "revise", memory_id=two.memory_id, content="The API timeout is 70 seconds.", user_id=user)
    call(db, "link", src=one.memory_id, dst=two.memory_id, user_id=user)
    call(db, "unlink", src=one.memory_id, dst=two.memory_id, user_id=user)
    assert contents(recall(db, "timeout", user_id=user)) == ["The API timeout is 70 seconds."]
    assert call(db, "context", query="timeout", user_id=user)[0].context
    receipt = call(db, "forget", memory_id=two.memory_id, user_id=user)[0].forget
    call(db, "undo", decision_id=receipt["decision_ids"][0], user_id=user)
    exported = [row.export for row in call(db, "export", user_id=user)]
    call(db, "forget", filter={"all": True}, hard=True, user_id=user)
    call(
        db, "import", "imported", entries=Jsonb([e for e in exported if e["type"] == "memory"]), user_id=user
    )
    assert len(call(db, "history", memory_id=one.memory_id, user_id=user)) >= 1
    assert {row.status for row in call(db, "doctor")} <= {"ok", "warning"}
    assert call(db, "stats", user_id=user)[0].stats["total"] == 1


POWERS = [
    "engram.configure('recall.seeds', '1')",
    "engram.require_tenant(false)",
    "engram.grant_usage('public')",
    "engram.register_model('x', 'caller', 3)",
    "engram.expire()",
    "engram.fold_recalls()",
    "engram.count_spaces()",
    "engram.embed_missing()",
]


@pytest.mark.parametrize("act", POWERS)
@pytest.mark.parametrize("who", ["writer", "reader"])
def test_who_was_let_in_has_no_powers_of_the_owner(house: House, who: str, act: str) -> None:
    db = house[who]
    assert error_of(db, lambda: db.execute(f"select {act}".encode())).sqlstate == "42501"


@pytest.mark.parametrize("who", ["writer", "reader"])
@pytest.mark.parametrize(
    "act",
    [
        "call engram.maintain()",
        "update engram.setting set value = '1'",
        "update engram.kind set lambda = 1",
        "update engram.scoring_profile set decay = 0",
        "update engram.embedding_model set active = false",
        "delete from engram.static_token",
        "insert into engram.polarity_term (lang, term, role) values ('en', 'x', 'stop')",
        "update engram.gate_rule set verdict = 'distinct'",
        "select * from engram.lexeme_key",
        "select * from engram.tenant",
        "alter table engram.memory disable row level security",
        "drop policy tenant on engram.memory",
    ],
)
def test_who_was_let_in_cannot_change_what_all_share(house: House, who: str, act: str) -> None:
    db = house[who]
    assert error_of(db, lambda: db.execute(act.encode())).sqlstate == "42501"


def test_a_reader_writes_nothing(house: House, user: str) -> None:
    memory = remember(house["writer"], NOTE, user_id=user).memory_id
    db = house["reader"]
    space = value(db, "select engram.space_id(%s)", user)
    acts: list[tuple[str, list[Any]]] = [
        ("select engram.remember('x', %s)", [user]),
        ("select engram.remember('x', %s)", [f"{user}-new"]),
        ("select engram.revise(%s, 'x', %s)", [memory, user]),
        ("select engram.forget(%s, %s)", [memory, user]),
        ("select engram.forget(%s, %s, hard => true)", [memory, user]),
        ("select engram._open_space(%s)", [f"{user}-new"]),
        ("select engram._index_memory(%s, %s, ''::tsvector)", [space, memory]),
        ("select engram._advance_ids(1, 1)", []),
        ("insert into engram.recall_event values (%s, %s, 1)", [space, memory]),
        ("delete from engram.memory where memory_id = %s", [memory]),
    ]
    for sql, parameters in acts:
        error = error_of(db, lambda sql=sql, p=parameters: db.execute(sql.encode(), p))
        assert error.sqlstate == "42501", sql
    assert contents(search(db, "launch", user_id=user, profile="lexical")) == [NOTE]
    assert search(db, "launch", user_id=user, profile="lexical")[0].lexical > 0


def test_a_reader_may_recall_and_leaves_no_trace(house: House, user: str) -> None:
    remember(house["writer"], NOTE, user_id=user)
    assert contents(recall(house["reader"], "launch", user_id=user)) == [NOTE]
    traces = "select count(*) from engram.recall_event where space_id = engram.space_id(%s)"
    assert value(house["owner"], traces, user) == 0


def test_a_worker_embeds_and_does_the_upkeep(house: House, user: str, owned_url: str, new_role: Any) -> None:
    remember(house["writer"], NOTE, user_id=user)
    owner = house["owner"]
    owner.execute("select engram.register_model('caller:tiny', 'caller', 2)")
    url = new_role(owned_url)
    owner.execute("select engram.grant_usage(%s, 'worker')", [conninfo_to_dict(url)["user"]])
    with psycopg.connect(url, autocommit=True, row_factory=namedtuple_row) as worker:
        claims = worker.execute(
            "select * from engram.claim_embeddings('w', model => 'caller:tiny')"
        ).fetchall()
        done = worker.execute(
            "select stored from engram.complete_embeddings('w', 'caller:tiny', %s, %s, %s, %s)",
            [
                [claim.space_id for claim in claims],
                [claim.memory_id for claim in claims],
                [claim.content_hash for claim in claims],
                ["[1,0]" for _ in claims],
            ],
        ).fetchone()
        worker.execute("call engram.maintain()")
        assert error_of(worker, lambda: worker.execute("select engram.drop_model('caller:tiny')"))
    assert done == (len(claims),)
    owner.execute("select engram.drop_model('caller:tiny')")


def test_a_stranger_sees_and_does_nothing(house: House, user: str) -> None:
    db = house["stranger"]
    for sql in ("select engram.search('x')", "select engram.version()", "select * from engram.setting"):
        assert error_of(db, lambda sql=sql: db.execute(sql.encode())).sqlstate == "42501"


def test_a_level_that_does_not_exist_is_refused(house: House) -> None:
    db = house["owner"]
    assert error_of(db, lambda: db.execute("select engram.grant_usage('public', 'god')")).sqlstate == "EG002"


@pytest.mark.parametrize("role", ["", 'no"body', None])
def test_a_role_that_does_not_exist_is_let_in_nowhere(house: House, role: str | None) -> None:
    db = house["owner"]
    error = error_of(db, lambda: db.execute("select engram.grant_usage(%s)", [role]))
    assert (error.sqlstate, bool(error.diag.message_hint)) == ("EG002", True)


def test_a_model_added_in_multi_tenant_mode_binds_its_owner_too(strict: House) -> None:
    db = strict["owner"]
    with db.transaction(force_rollback=True):
        number = value(db, "select engram.register_model('late', 'caller', 3)")
        table = value(
            db,
            "select relrowsecurity and relforcerowsecurity from pg_class where oid = %s::regclass",
            f"engram.embedding_{number}",
        )
        assert table is True


@pytest.mark.parametrize("upkeep", ["call engram.maintain()", "call engram.run_job('fold')"])
def test_upkeep_works_in_multi_tenant_mode(strict: House, user: str, upkeep: str) -> None:
    writer, owner = strict["writer"], strict["owner"]
    tenant(writer, "acme")
    memory = remember(writer, NOTE, user_id=user).memory_id
    recall(writer, "launch", user_id=user)
    owner.execute(upkeep.encode())
    assert value(writer, "select recalls from engram.memory_stat where memory_id = %s", memory) == 1


@pytest.mark.parametrize("job", ["prune", "consolidate"])
@pytest.mark.parametrize("mode", ["house", "strict"])
@pytest.mark.parametrize("who", ["writer", "worker"])
def test_upkeep_of_ones_own_needs_no_power(
    request: pytest.FixtureRequest, mode: str, who: str, job: str, user: str, owned_url: str, new_role: Any
) -> None:
    house: House = request.getfixturevalue(mode)
    writer, owner = house["writer"], house["owner"]
    tenant(writer, "acme")
    memories = [
        remember(writer, text, user_id=user, policy="append", importance=importance).memory_id
        for text, importance in ((NOTE, 0.5), (f"{NOTE} ", 0.01 if job == "prune" else 0.5))
    ]
    if who == "writer":
        call(writer, job, user_id=user)
    else:
        url = new_role(owned_url)
        owner.execute("select engram.grant_usage(%s, 'worker')", [conninfo_to_dict(url)["user"]])
        with psycopg.connect(url, autocommit=True) as worker:
            worker.execute(f"call engram.maintain(array['{job}'])".encode())
    rows = writer.execute(
        """select m.state, d.tenant_id = m.tenant_id from engram.memory m
             left join engram.decision d
               on d.space_id = m.space_id and d.memory_id = m.memory_id and d.action = %s
            where m.memory_id = any (%s) order by m.memory_id""",
        [job, memories],
    ).fetchall()
    assert [row[0] for row in rows] == ["active", "archived"]
    assert {row[1] for row in rows} == {True, None}


def test_the_doctor_finds_multi_tenant_mode_well(strict: House, user: str) -> None:
    tenant(strict["owner"], "acme")
    remember(strict["owner"], NOTE, user_id=user)
    bad = [row for row in call(strict["owner"], "doctor") if row.status != "ok"]
    assert bad == []


def test_what_runs_as_the_owner_looks_into_pg_catalog_alone(db: Db) -> None:
    loose = db.execute(
        """select p.oid::regprocedure::text from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and (p.prosecdef or p.proname = '_space_of')
              and p.proconfig is distinct from array['search_path=pg_catalog, pg_temp']"""
    ).fetchall()
    assert loose == []


def test_what_others_put_into_the_schema_of_pgvector_never_runs_as_the_owner(
    module_url: str, user: str
) -> None:
    with ExitStack() as stack:
        owner = stack.enter_context(psycopg.connect(module_url, row_factory=namedtuple_row, autocommit=True))
        role = f"r_{user[5:]}"
        owner.execute(f"create role {role} login".encode())
        stack.callback(owner.execute, f"drop role {role}".encode())
        stack.callback(owner.execute, f"drop owned by {role} cascade".encode())
        db = stack.enter_context(
            psycopg.connect(module_url, user=role, row_factory=namedtuple_row, autocommit=True)
        )
        notes = [{"content": f"tea {n}"} for n in range(20)]
        remember_many(owner, notes, user_id=user, policy="append")
        use_index(owner, 5)
        owner.execute("select engram.grant_usage(%s, 'reader')", [role])
        owner.execute(f"grant create on schema public to {role}".encode())
        # Fits the product of a count and a frequency better than the operator of pg_catalog.
        db.execute(
            """create table public.seen (who text);
               create function public.spy(bigint, float8) returns float8 language plpgsql as
                   $$ begin insert into public.seen values (current_user); return 1; end $$;
               create operator public.* (leftarg = bigint, rightarg = float8, function = public.spy)"""
        )
        search(db, "tea 7", user_id=user)
        assert {row.who for row in db.execute("select who from public.seen")} <= {role}

        sick = next(row for row in call(owner, "doctor") if row.check == "schema of pgvector")
        assert (sick.status, role in sick.detail) == ("warning", True)
        owner.execute(sick.fix.encode())
        assert {row.status for row in call(owner, "doctor") if row.check == sick.check} == {"ok"}


def test_the_queue_of_another_tenant_does_not_show(house: House, user: str) -> None:
    owner, reader = house["owner"], house["reader"]
    call(owner, "register_model", name="shown", provider="caller", dims=3)
    for name in (f"{user}-a", f"{user}-b"):
        tenant(owner, name)
        remember(owner, NOTE, user_id=user)
    owner.execute("update engram.embedding_job set last_error = 'of ' || tenant_id")
    pending = "select pending, last_error from engram.embedding_progress where model = 'shown'"
    for name in (f"{user}-a", f"{user}-b"):
        tenant(reader, name)
        of = f"of {value(owner, 'select engram.tenant_id(%s)', name)}"
        assert reader.execute(pending.encode()).fetchall() == [(1, of)]
    assert value(owner, pending) >= 2
    call(owner, "drop_model", name="shown")
