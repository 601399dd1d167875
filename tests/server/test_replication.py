"""Copies of a server: a hot standby that is asked, and logical replication of the tables."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from corpus import QUESTIONS, USER, answers, live, lives_on

from engram_pg import Engram, EngramError


@pytest.fixture(scope="module")
def primary(image: str) -> Iterator[Any]:
    from containers import Server
    from testcontainers.core.network import Network

    with Network() as network, Server("wal_level=logical", network=network, alias="primary") as running:
        running.the_network = network
        with running.connect("postgres") as superuser:
            superuser.execute("create role standby login replication password 'a standby''s secret'")
        with running.connect() as db:
            live(db)
        yield running


@pytest.fixture(scope="module")
def standby(primary: Any) -> Iterator[Any]:
    """A streaming standby in a container of its own."""
    from containers import Server

    copy = Server(network=primary.the_network, alias="standby")
    copy.with_env("PGPASSWORD", "a standby's secret")
    copy.with_command(
        [
            "bash",
            "-c",
            'pg_basebackup -h primary -U standby -D "$PGDATA" -R --checkpoint=fast && exec postgres',
        ]
    )
    with copy:
        yield copy


def caught_up(primary: Any, standby: Any) -> None:
    with primary.connect("postgres") as one, standby.connect("postgres") as other:
        position = one.execute("select pg_current_wal_flush_lsn() as lsn").fetchone().lsn
        deadline = time.monotonic() + 30
        while (
            not other.execute("select pg_last_wal_replay_lsn() >= %s::pg_lsn as there", [position])
            .fetchone()
            .there
        ):
            assert time.monotonic() < deadline, "the standby does not catch up"
            time.sleep(0.1)


def test_a_hot_standby_answers_what_the_primary_answers(primary: Any, standby: Any) -> None:
    caught_up(primary, standby)
    with primary.connect() as one, standby.connect() as other:
        assert other.execute("select pg_is_in_recovery() as yes").fetchone().yes
        assert answers(other) == answers(one)


def test_a_standby_sees_what_is_written_meanwhile(primary: Any, standby: Any) -> None:
    with Engram(primary.url(), user="meanwhile") as memory:
        memory.remember("The badge printer is on floor three")
    caught_up(primary, standby)
    with Engram(standby.url(), user="meanwhile") as memory:
        assert [hit.content for hit in memory.search("badge printer")] == [
            "The badge printer is on floor three"
        ]


FIRST = "(select min(memory_id) from engram.memory)"
READS: dict[str, str] = {
    "search": "select from engram.search('staging', user_id => %(user)s)",
    "recall": "select from engram.recall('staging', user_id => %(user)s)",
    "context": "select engram.context('staging', user_id => %(user)s)",
    "get": f"select from engram.get({FIRST}, user_id => %(user)s)",
    "history": f"select from engram.history({FIRST}, user_id => %(user)s)",
    "neighbors": f"select from engram.neighbors({FIRST}, user_id => %(user)s)",
    "stats": "select engram.stats(user_id => %(user)s)",
    "doctor": "select from engram.doctor()",
    "embed": "select engram.embed('staging')",
    "compare": "select from engram.compare('the port is 80', 'the port is 81')",
    "export": "select from engram.export(user_id => %(user)s)",
    "active_model": "select from engram.active_model()",
    "progress": "select from engram.embedding_progress",
}


@pytest.mark.parametrize("name", READS)
def test_whatever_only_reads_works_on_a_standby(standby: Any, name: str) -> None:
    with standby.connect() as db:
        db.execute(READS[name].encode(), {"user": USER} if "%(user)" in READS[name] else None)


def test_a_standby_refuses_to_remember(standby: Any) -> None:
    with Engram(standby.url(), user=USER) as memory:
        with pytest.raises(EngramError) as caught:
            memory.remember("The moon is full")
        assert caught.value.sqlstate == "25006"
        assert memory.search(QUESTIONS[0])


def test_tables_replicate_logically(primary: Any) -> None:
    """A database with the same schema, and nothing in it, gets every row, and what changes afterwards."""
    with primary.connect("postgres", "postgres") as superuser:
        superuser.execute("create database replica owner engram")
    primary.run("psql", "-qd", "replica", "-c", "create extension vector")
    primary.run(
        "bash",
        "-c",
        "pg_dump -U engram -s -n engram engram | psql -qX -v ON_ERROR_STOP=1 -U engram -d replica",
    )
    with primary.connect("postgres") as publisher, primary.connect("postgres", "replica") as subscriber:
        publisher.execute("create publication engram for tables in schema engram")
        publisher.execute("select pg_create_logical_replication_slot('engram', 'pgoutput')")
        subscriber.execute(
            "create subscription engram connection 'dbname=engram user=postgres' publication engram"
            " with (create_slot = false)"
        )
        try:
            settled(publisher, subscriber)
            with primary.connect() as one, primary.connect(database="replica") as other:
                assert answers(other) == answers(one)
                one.execute("select engram.remember('The badge is blue', user_id => %s)", [USER])
                one.execute("select engram.remember('The badge is not blue any more', user_id => %s)", [USER])
                one.execute(
                    "select engram.forget((select max(memory_id) from engram.memory where state = 'active'),"
                    " user_id => %s, hard => true)",
                    [USER],
                )
                settled(publisher, subscriber)
                assert answers(other) == answers(one)
        finally:
            end_subscription(publisher, subscriber)
        with primary.connect(database="replica") as alone:
            alone.execute("select engram.advance_sequences()")
            lives_on(alone)


ACME, GLOBEX = "The acme launch is on Tuesday", "The globex launch is on Friday"


@pytest.fixture(scope="module")
def tenants(image: str) -> Iterator[Any]:
    """A server in multi-tenant mode with memories of two tenants, everything published, and a database with
    the same schema and nothing in it.
    """
    from containers import Server

    with Server("wal_level=logical") as running:
        with running.connect() as db:
            db.execute("select engram.require_tenant()")
            for tenant, text in (("acme", ACME), ("globex", GLOBEX)):
                remember_for(db, tenant, text)
        with running.connect("postgres") as superuser:
            superuser.execute("create role copier login replication; grant pg_read_all_data to copier")
            superuser.execute("create publication engram for tables in schema engram")
            superuser.execute("create database empty owner engram")
        running.run("psql", "-qd", "empty", "-c", "create extension vector")
        dump = "pg_dump -U engram -s -n engram engram | psql -qX -v ON_ERROR_STOP=1 -U engram -d empty"
        running.run("bash", "-c", dump)
        yield running


def remember_for(db: Any, tenant: str, text: str) -> None:
    with db.transaction():
        db.execute("select set_config('engram.tenant', %s, true)", [tenant])
        db.execute("select engram.remember(%s, user_id => %s)", [text, USER])


@contextmanager
def subscribed(server: Any, role: str, *, connection: str = "", options: str = "") -> Iterator[Any]:
    """Superusers' connections to the publisher and to a subscriber whose subscription reads as `role`."""
    name = f"s_{uuid.uuid4().hex[:8]}"
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute(f"create database {name} template empty owner engram")
    with server.connect("postgres") as publisher, server.connect("postgres", name) as subscriber:
        publisher.execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", [name])
        subscriber.execute(
            f"create subscription engram connection 'dbname=engram user={role} {connection}'"
            f" publication engram with (create_slot = false, slot_name = {name} {options})"
        )
        yield publisher, subscriber
        end_subscription(publisher, subscriber)
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute(f"drop database {name} with (force)")


def end_subscription(publisher: Any, subscriber: Any) -> None:
    """Drops it once its workers are gone: both databases are of one server, so a worker that makes a slot
    would wait for the transaction of the drop, which waits for the worker.
    """
    subscriber.execute("alter subscription engram disable")
    working = "select exists (select from pg_stat_subscription where pid is not null)"
    sending = (
        "select exists (select from pg_stat_activity"
        " where backend_type = 'walsender' and datname is not null)"
    )
    eventually(lambda: not subscriber.execute(working).fetchone()[0])
    eventually(lambda: not publisher.execute(sending).fetchone()[0])
    subscriber.execute("set statement_timeout = '60s'")
    subscriber.execute("drop subscription engram")


def replication(db: Any) -> Any:
    """What the doctor says about it, if anything."""
    return db.execute("select * from engram.doctor() where \"check\" = 'replication'").fetchone()


def eventually(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.2)


@pytest.fixture
def copier(tenants: Any) -> Iterator[str]:
    """A role that replicates and that no policy holds."""
    with tenants.connect("postgres") as superuser:
        superuser.execute("alter role copier bypassrls")
        yield "copier"
        superuser.execute("alter role copier nobypassrls")


def test_every_tenant_is_replicated_and_no_other_seen(tenants: Any, copier: str) -> None:
    with subscribed(tenants, copier, options=", run_as_owner = true") as (publisher, subscriber):
        settled(publisher, subscriber)
        with tenants.connect() as one:
            remember_for(one, "acme", "The acme badge is blue")
        settled(publisher, subscriber)
        everything = "select content from engram.memory order by memory_id"
        assert subscriber.execute(everything).fetchall() == publisher.execute(everything).fetchall()
        with tenants.connect(database=subscriber.info.dbname) as owner:
            assert owner.execute(everything).fetchall() == []
            owner.execute("select set_config('engram.tenant', 'globex', false)")
            assert owner.execute(everything).fetchall() == [(GLOBEX,)]
            found = replication(owner)
            assert (found.status, found.fix) == ("ok", None)


def test_the_doctor_says_that_policies_stop_a_subscription_and_mends_it(tenants: Any, copier: str) -> None:
    """By default rows are written as the owner of the table, a plain role whom forced policies hold."""
    with subscribed(tenants, copier) as (publisher, subscriber):
        eventually(lambda: "cannot replicate into relation with row-level security" in tenants.log())
        with tenants.connect(database=subscriber.info.dbname) as owner:
            found = replication(owner)
        assert (found.status, found.detail.split(": ")[1]) == ("error", "engram writes as engram")
        subscriber.execute(found.fix)
        settled(publisher, subscriber)
        assert subscriber.execute("select count(*)::int from engram.memory").fetchone()[0] >= 2


def test_a_role_that_policies_hold_leaves_rows_out_which_the_doctor_says(tenants: Any) -> None:
    with subscribed(tenants, "copier", options=", run_as_owner = true") as (publisher, subscriber):
        settled(publisher, subscriber)
        assert subscriber.execute("select from engram.memory").rowcount == 0
        with tenants.connect() as owner:
            found = replication(owner)
        assert found.status == "warning"
        assert "copier" in found.detail
        assert found.fix.startswith("ALTER ROLE copier BYPASSRLS;")


def test_a_connection_that_refuses_policies_stops_instead_of_leaving_rows_out(tenants: Any) -> None:
    """As the how-to has it: whoever forgets BYPASSRLS is told."""
    before = tenants.log().count("would be affected by row-level security")
    refusing = "options=-crow_security=off"
    with subscribed(tenants, "copier", connection=refusing, options=", run_as_owner = true") as (
        _,
        subscriber,
    ):
        eventually(lambda: tenants.log().count("would be affected by row-level security") > before)
        ready = "select srrelid::regclass::text as name from pg_subscription_rel where srsubstate = 'r'"
        assert "engram.memory" not in {row.name for row in subscriber.execute(ready)}


def settled(publisher: Any, subscriber: Any) -> None:
    """Every table is copied, and what was written until now applied."""
    deadline = time.monotonic() + 60
    position = publisher.execute("select pg_current_wal_insert_lsn()").fetchone()[0]
    copied = "select bool_and(srsubstate = 'r') as all_ready from pg_subscription_rel"
    sent = "select confirmed_flush_lsn >= %s::pg_lsn from pg_replication_slots where slot_name = %s"
    slot = subscriber.execute("select subslotname from pg_subscription").fetchone()[0]
    while not (
        subscriber.execute(copied).fetchone()[0] and publisher.execute(sent, [position, slot]).fetchone()[0]
    ):
        assert time.monotonic() < deadline, "the replica does not catch up"
        time.sleep(0.2)


def test_every_logged_table_can_be_replicated(primary: Any) -> None:
    """Updates and deletes need a key."""
    with primary.connect() as db:
        keyless = db.execute(
            "select relname from pg_class c where relnamespace = 'engram'::regnamespace and relkind = 'r'"
            " and relpersistence = 'p'"
            " and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)"
        ).fetchall()
        assert keyless == []


def test_a_promoted_standby_remembers(primary: Any, standby: Any) -> None:
    """The last test of this file, since the copy is its own server from then on."""
    caught_up(primary, standby)
    with standby.connect("postgres") as superuser:
        superuser.execute("select pg_promote()")
    with standby.connect() as db:
        lives_on(db)
