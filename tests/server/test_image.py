"""The image: a server that remembers at once, closed to whoever has no password."""

from __future__ import annotations

import os
from typing import Any

import psycopg
import pytest

from engram_pg import Engram


def test_a_fresh_container_remembers_and_recalls(server: Any) -> None:
    with Engram(server.url(), user="first") as memory:
        stored = memory.remember("Staging runs on db7")
        assert stored.action == "new"
        assert [hit.content for hit in memory.recall("where is staging?")] == ["Staging runs on db7"]
        assert {check.status for check in memory.doctor()} <= {"ok", "warning"}


def test_memories_survive_a_restart_of_the_container(server: Any) -> None:
    with Engram(server.url(), user="restart") as memory:
        memory.remember("Backups are taken at four")
    server.restart()
    with Engram(server.url(), user="restart") as memory:
        assert [hit.content for hit in memory.search("backups")] == ["Backups are taken at four"]


def test_the_server_is_no_root_and_its_owner_no_superuser(server: Any, db: Any) -> None:
    assert server.run("id", "--user").strip() == "999"
    assert db.execute("select rolsuper from pg_roles where rolname = current_user").fetchone() == (False,)


def test_text_is_utf8_and_sorts_alike_everywhere(db: Any) -> None:
    found = db.execute(
        "select pg_encoding_to_char(encoding), datlocprovider, datlocale"
        " from pg_database where datname = current_database()"
    ).fetchone()
    assert found == ("UTF8", "b", "C.UTF-8")


def test_without_the_password_nobody_gets_in(server: Any) -> None:
    for role in ("engram", "postgres"):
        for password in ("", "wrong"):
            with pytest.raises(psycopg.OperationalError, match=r"password|fe_sendauth"):
                psycopg.connect(
                    host="127.0.0.1", port=server.port, user=role, password=password, dbname="engram"
                )


def test_without_a_password_to_set_no_server_starts(image: str) -> None:
    from testcontainers.core.container import DockerContainer

    with DockerContainer(image) as container:
        assert container.wait() == 1
        assert b"ENGRAM_PASSWORD_FILE" in container.get_logs()[1]


@pytest.fixture(scope="module")
def furnished(image: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a secret in a file, SQL and settings of its own, and room for parallel index builds."""
    from containers import PASSWORDS, Server

    folder = tmp_path_factory.mktemp("furnished")
    files = {
        "password": PASSWORDS["engram"] + "\n",
        "worker": "a worker's secret\n",
        "10-extra.sql": "create role app login; select engram.grant_usage('app', 'reader');",
        "20-more.sql": "create table ran_second as select count(*) from pg_roles where rolname = 'app';",
        "90-mine.conf": "work_mem = '12MB'\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        os.chmod(folder / name, 0o644)
    os.chmod(folder, 0o755)
    places = {
        "password": "/run/secrets/password",
        "worker": "/run/secrets/worker",
        "10-extra.sql": "/etc/engram/init.d/10-extra.sql",
        "20-more.sql": "/etc/engram/init.d/20-more.sql",
        "90-mine.conf": "/etc/engram/conf.d/90-mine.conf",
    }
    server = Server(
        "max_connections=33", files={folder / name: place for name, place in places.items()}, shm_size="1g"
    )
    del server.env["ENGRAM_PASSWORD"]
    server.with_env("ENGRAM_PASSWORD_FILE", "/run/secrets/password")
    server.with_env("ENGRAM_WORKER_PASSWORD_FILE", "/run/secrets/worker")
    server.with_env("ENGRAM_MCP_PASSWORD", "an agent's secret")
    with server:
        yield server


def test_a_secret_may_be_in_a_file(furnished: Any) -> None:
    furnished.connect().close()


def test_a_program_has_a_role_of_its_own_with_no_more_rights_than_it_needs(furnished: Any) -> None:
    given = {"engram_worker": "a worker's secret", "engram_mcp": "an agent's secret"}
    for role, password in given.items():
        with psycopg.connect(
            host="127.0.0.1", port=furnished.port, user=role, password=password, dbname="engram"
        ) as db:
            db.execute("select engram.remember('Tea at four', user_id => 'furnished')")
            db.execute("select from engram.check_api_key('none')")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute("select engram.configure('k', '9')")


def test_a_role_is_only_made_for_a_program_that_has_a_password(db: Any) -> None:
    made = db.execute("select rolname from pg_roles where rolname like 'engram%'").fetchall()
    assert made == [("engram",)]


@pytest.mark.parametrize("text", [None, ""], ids=["missing", "empty"])
def test_a_secret_whose_file_says_nothing_stops_the_start(
    image: str, tmp_path: Any, text: str | None
) -> None:
    """Instead of a program that finds no role of its own later."""
    from testcontainers.core.container import DockerContainer

    os.chmod(tmp_path, 0o755)
    if text is not None:
        (tmp_path / "worker").write_text(text, encoding="utf-8")
    container = DockerContainer(image).with_env("ENGRAM_PASSWORD", "secret")
    container.with_env("ENGRAM_WORKER_PASSWORD_FILE", "/run/secrets/worker")
    with container.with_volume_mapping(tmp_path, "/run/secrets"):
        assert container.wait() == 1
        assert b"ENGRAM_WORKER_PASSWORD_FILE" in container.get_logs()[1]


def test_sql_of_ones_own_runs_after_the_installation_in_order(furnished: Any) -> None:
    with furnished.connect("postgres") as connection:
        assert connection.execute("select count from ran_second").fetchone() == (1,)
        allowed = connection.execute(
            "select has_table_privilege('app', 'engram.memory', 'select')"
        ).fetchone()
        assert allowed == (True,)


def test_settings_of_ones_own_win(furnished: Any) -> None:
    with furnished.connect() as connection:
        assert connection.execute("show work_mem").fetchone() == ("12MB",)
        assert connection.execute("show max_connections").fetchone() == ("33",)


BUILD = """
    create table public.t as
        select (select array_agg(random()) from generate_series(1, 64) where n > 0)::vector(64) as v
          from generate_series(1, 3000) n;
    alter table public.t set (parallel_workers = 2);
    create index on public.t using hnsw (v vector_l2_ops);
    drop table public.t
"""


def test_an_index_is_built_whatever_shared_memory_there_is(server: Any, furnished: Any) -> None:
    for container, workers in ((server, "0"), (furnished, "2")):
        with container.connect("postgres") as connection:
            assert connection.execute("show max_parallel_maintenance_workers").fetchone() == (workers,)
            connection.execute("set min_parallel_table_scan_size = 0")
            connection.execute(BUILD)


def test_other_databases_can_have_it_as_an_extension(server: Any) -> None:
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute("create database elsewhere owner engram")
    try:
        with server.connect("postgres", "elsewhere") as superuser:
            superuser.execute("create extension vector")
        with server.connect(database="elsewhere") as owner:
            owner.execute("create extension engram")
        with Engram(server.url(database="elsewhere")) as memory:
            memory.remember("Staging runs on db7")
            assert memory.recall("where is staging?")
    finally:
        with server.connect("postgres", "postgres") as superuser:
            superuser.execute("drop database elsewhere with (force)")


def test_the_health_check_says_when_it_answers(server: Any) -> None:
    from testcontainers.core.wait_strategies import HealthcheckWaitStrategy

    HealthcheckWaitStrategy().with_startup_timeout(30).wait_until_ready(server)
