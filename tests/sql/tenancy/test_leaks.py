"""Two tenants with names made to be taken for each other, and random calls of every function there is, by
each of them in turn: nothing of the other one is ever answered or changed.

ENGRAM_TEST_FUZZ_CALLS sets how many calls each of the ten actors makes; -s shows the counts.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import psycopg
import pytest
from fuzzing import HOSTILE, Fuzzer, Words
from helpers import Db, call, remember
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import namedtuple_row

CALLS = int(os.environ.get("ENGRAM_TEST_FUZZ_CALLS", "1000"))
TENANTS = ("a_b", "aXb")
USERS = ("mei", "a_b", "aXb", "me", "mei%", "'", "ｍei")
MARK = {"a_b": "zqaleak7731", "aXb": "zqbleak9942"}
"""A word that is in every text of a tenant, and in no other text."""

ROLES = ("reader", "writer", "bound a_b", "bound aXb")


def connected(url: str) -> Db:
    return psycopg.connect(url, autocommit=True, row_factory=namedtuple_row)


def seed(db: Db, tenant: str, users: tuple[str, ...] = USERS) -> None:
    """Something in every place where a text can be."""
    mark = MARK[tenant]
    for user in users:
        with db.transaction():
            db.execute("select set_config('engram.tenant', %s, true)", [tenant])
            known = {
                "user_id": user, "tags": [mark, "t"], "metadata": {mark: mark}, "collection": mark,
                "session_id": mark, "source_type": mark,
            }  # fmt: skip
            first = remember(db, f"The {mark} launch of {user} is on Tuesday.", **known)
            remember(db, f"The {mark} timeout is 30 seconds.", **known)
            second = remember(db, f"The {mark} timeout is 60 seconds.", **known)
            call(db, "revise", memory_id=first.memory_id, content=f"{mark} launch, {user}", user_id=user)
            call(db, "link", src=first.memory_id, dst=second.memory_id, relation=mark, user_id=user)
            call(db, "recall", query=f"{mark} launch", user_id=user)


@pytest.fixture(scope="module")
def urls(owned_url: str, new_role: Callable[[str], str]) -> dict[str, str]:
    made = {who: new_role(owned_url) for who in ROLES}
    with connected(owned_url) as owner:
        for who, url in made.items():
            name = conninfo_to_dict(url)["user"]
            owner.execute(
                "select engram.grant_usage(%s, %s)", [name, "reader" if who == "reader" else "writer"]
            )
            if who.startswith("bound"):
                owner.execute("select engram.bind_role(%s, %s)", [name, who.removeprefix("bound ")])
        owner.execute("select engram.register_model('caller:tiny', 'caller', 3)")
        owner.execute("select engram.require_tenant()")
        for tenant in TENANTS:
            seed(owner, tenant)
            owner.execute("select engram.create_api_key(%s, %s)", [f"key of {MARK[tenant]}", tenant])
        owner.execute("call engram.maintain()")
        for tenant in TENANTS:
            seed(owner, tenant)
    return {"owner": owned_url, **made}


@pytest.fixture
def owner(urls: dict[str, str]) -> Iterator[Db]:
    with connected(urls["owner"]) as db:
        db.execute("select engram.require_tenant()")
        yield db


def everything(db: Db, tenant: str) -> dict[str, str]:
    """A hash of the rows of each table that a tenant has."""
    found = {}
    with db.transaction():
        db.execute("select set_config('engram.tenant', %s, true)", [tenant])
        columns = db.execute(
            """select c.oid::regclass::text as name, array_agg(a.attname::text) as columns
                 from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r'
                  and c.relname not in ('static_token', 'tenant')
                group by c.oid"""
        ).fetchall()
        for table in columns:
            which = "true"
            if "tenant_id" in table.columns:
                which = "tenant_id = engram.tenant_id(%(tenant)s)"
            elif "space_id" in table.columns:
                which = "space_id in (select space_id from engram.space)"
            query = (
                f"select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) from {table.name} t"
            )
            row = db.execute(f"{query} where {which}".encode(), {"tenant": tenant}).fetchone()
            assert row is not None
            found[table.name] = row[0]
    return found


def words(owner: Db, actor: str, victim: str) -> Words:
    """What the actor knows: all names, and the ids of both, which are not secret."""
    ids, spaces = [], []
    for tenant in (actor, victim):
        with owner.transaction():
            owner.execute("select set_config('engram.tenant', %s, true)", [tenant])
            for query in (
                "select memory_id from engram.memory order by memory_id limit 40",
                "select decision_id from engram.decision order by decision_id limit 40",
            ):
                ids += [row[0] for row in owner.execute(query.encode()).fetchall()]
            spaces += [row[0] for row in owner.execute("select space_id from engram.space").fetchall()]
    return Words(
        texts=[*HOSTILE, "launch", "timeout", "The timeout is 60 seconds.", actor, victim],
        ids=ids,
        named={
            "user_id": [*USERS, *USERS, *HOSTILE],
            "tenant": [victim, actor],
            "space_id": spaces,
            "query": ["launch", "timeout", "when is the launch?", *HOSTILE],
            "kind": ["fact", "strategy", "a_b"],
            "profile": ["balanced", "lexical", "vector", "ebbinghaus", "a_b"],
            "policy": ["resolve", "append", "merge", "reject"],
            "level": ["reader", "writer", "admin"],
            "name": [victim, "caller:tiny", "recall.seeds"],
            "model": ["caller:tiny"],
        },
    )


@dataclass
class Attack:
    """What came of random calls."""

    answered: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    careless: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refused = ", ".join(f"{state} {count}" for state, count in sorted(self.errors.items()))
        total = self.answered.total() + self.errors.total()
        return f"{total} calls, {self.answered.total()} answered, refused: {refused}"


def attack(db: Db, fuzzer: Fuzzer, actor: str, victim: str, *, choosing: bool) -> Attack:
    """Random calls, every function at least once."""
    done = Attack()
    functions = fuzzer.functions
    weights = [1 if function.internal else 4 for function in functions]
    chosen = fuzzer.random.choices(functions, weights, k=max(CALLS - len(functions), 0))
    for function in [*functions, *chosen]:
        statement, values = fuzzer.call(function)
        keep = fuzzer.random.random() < 0.3
        try:
            with db.transaction(force_rollback=not keep):
                if choosing:
                    db.execute("select set_config('engram.tenant', %s, true)", [actor])
                cursor = db.execute(statement.encode(), values)
                seen = str(cursor.fetchall()) if cursor.description else ""
            done.answered[function.name] += 1
        except psycopg.Error as error:
            state = error.sqlstate or "client"
            done.errors[state] += 1
            seen = f"{error} {error.diag.message_detail} {error.diag.message_hint} {error.diag.context}"
            if (state in CARELESS and not function.internal) or state.startswith("XX"):
                done.careless.append(f"{statement} {values}: {seen[:500]}")
        if MARK[victim] in seen:
            done.leaks.append(f"{statement} {values}: {seen[:500]}")
    return done


CARELESS = ("42601", "42703", "42P01", "42883", "57014")
"""A syntax error, a name that is not there, a call that takes too long: something was spliced, or not
checked. Internal functions are called by ours alone, with what was checked before.
"""


@pytest.mark.parametrize(("actor", "victim"), [TENANTS, TENANTS[::-1]])
@pytest.mark.parametrize(
    ("who", "required"),
    [("writer", True), ("bound", True), ("bound", False), ("reader", True), ("owner", True)],
)
def test_no_call_of_any_function_reaches_another_tenant(
    urls: dict[str, str], owner: Db, actor: str, victim: str, who: str, required: bool
) -> None:
    role = f"bound {actor}" if who == "bound" else who
    fuzzer = Fuzzer(owner, words(owner, actor, victim), seed=f"{actor} {who} {required}")
    if who == "owner":  # who may do what concerns all tenants: what a writer may is tried in the owner's name
        fuzzer.functions = [f for f in fuzzer.functions if f.name in executable(owner, urls["writer"])]
    before = everything(owner, victim)
    owner.execute("select engram.require_tenant(%s)", [required])
    with connected(urls[role]) as db:
        db.execute("set statement_timeout = '10s'")
        done = attack(db, fuzzer, actor, victim, choosing=who != "bound")
    owner.execute("select engram.require_tenant()")

    print(f"{role}: {done}")
    assert done.leaks == []
    assert done.careless == []
    after = everything(owner, victim)
    assert {table for table in before if after[table] != before[table]} == set()
    if who in ("writer", "bound"):
        public = {f.name for f in fuzzer.functions if not f.internal} & executable(owner, urls["writer"])
        assert len(public & set(done.answered)) > len(public) * 0.5, public - set(done.answered)


def executable(owner: Db, url: str) -> set[str]:
    rows = owner.execute(
        """select p.proname::text as name from pg_proc p
            where p.pronamespace = 'engram'::regnamespace and has_function_privilege(%s, p.oid, 'execute')""",
        [conninfo_to_dict(url)["user"]],
    ).fetchall()
    return {row.name for row in rows}


def test_a_reader_changes_nothing_by_any_call(urls: dict[str, str], owner: Db) -> None:
    before = {tenant: everything(owner, tenant) for tenant in TENANTS}
    fuzzer = Fuzzer(owner, words(owner, *TENANTS), seed="reader")
    with connected(urls["reader"]) as db:
        db.execute("set statement_timeout = '10s'")
        done = attack(db, fuzzer, *TENANTS, choosing=True)
    assert done.answered.total() > CALLS / 5
    assert {tenant: everything(owner, tenant) for tenant in TENANTS} == before


def test_a_function_that_leaks_would_be_found(urls: dict[str, str], owner: Db) -> None:
    """What the other tests of this file promise is worth as much as this one."""
    actor, victim = TENANTS
    with owner.transaction(force_rollback=True):
        owner.execute(
            sql.SQL(
                """create function engram.leaky(tenant text, query text) returns setof text
                       language plpgsql as $$
                   begin
                       perform set_config('engram.tenant', tenant, true);
                       return query select m.content from engram.memory m;
                   end $$"""
            )
        )
        fuzzer = Fuzzer(owner, words(owner, actor, victim), seed="leaky")
        fuzzer.functions = [f for f in fuzzer.functions if f.name == "leaky"]
        done = attack(owner, fuzzer, actor, victim, choosing=True)
    assert done.leaks


@pytest.mark.parametrize("user", USERS)
def test_users_of_one_tenant_with_names_alike_never_meet(owner: Db, user: str) -> None:
    """The policies do not tell users apart; the functions do."""
    with owner.transaction(force_rollback=True):
        owner.execute("select set_config('engram.tenant', 'users', true)")
        others = list(dict.fromkeys(other for other in (*USERS, *HOSTILE) if other != user))
        for other in others:
            remember(owner, "zqother9 secret launch", user_id=other, tags=["t"], policy="append")
        assert call(owner, "recall", query="zqother9 secret launch", user_id=user, k=1000) == []
        assert call(owner, "stats", user_id=user)[0].stats["total"] == 0
        assert call(owner, "forget", filter={"all": True}, user_id=user)[0].forget["memories"] == 0
        assert call(owner, "erase_user", user_id=user)[0].erase_user["memories"] == 0
        for other in others:
            assert len(call(owner, "search", query="zqother9 secret", user_id=other, k=5)) == 1, other
