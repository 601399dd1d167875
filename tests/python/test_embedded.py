"""The embedded server: started when needed, by several at once, after a crash; its data outlives it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from commands import COMMAND, clean_environment, folder_for_a_server

from engram_pg import Engram, EngramError
from engram_pg.embedded import Server

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts the server as another user")


@pytest.fixture
def folder() -> Iterator[Path]:
    with folder_for_a_server() as made:
        yield made


def test_memories_survive_a_restart(folder: Path) -> None:
    with Engram(data_dir=folder) as engram:
        engram.remember("the ferry leaves at nine")
    server = Server.at(folder)
    assert server.stop()
    assert not server.status().running

    with Engram(data_dir=folder) as engram:
        assert [hit.content for hit in engram.recall("ferry")] == ["the ferry leaves at nine"]


def test_two_processes_may_start_it_at_once(folder: Path) -> None:
    environment = clean_environment(ENGRAM_DATA_DIR=str(folder))
    command = [*COMMAND, "up"]
    started = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=120) for process in started]

    assert [process.returncode for process in started] == [0, 0], outputs
    assert len({out for out, _ in outputs}) == 1


def test_a_pid_file_left_by_a_crash_is_no_obstacle_when_another_program_has_the_pid(folder: Path) -> None:
    server = Server.at(folder)
    server.start()
    server.stop()
    fields = (os.getpid(), server.pgdata, 1700000000, 5432, server.pgdata, "", "0 0", "ready")
    (server.pgdata / "postmaster.pid").write_text("\n".join(map(str, fields)) + "\n")

    server.start()

    assert server.running()


def test_a_data_folder_with_a_long_path_and_a_space_works(folder: Path) -> None:
    deep = folder / ("long " * 20).strip()
    with Engram(data_dir=deep) as engram:
        engram.remember("found at the end of a long path")
        assert engram.stats()["total"] == 1
    Server.at(deep).stop()


def test_the_server_may_be_postgresql_16(folder: Path) -> None:
    server = Server.at(folder, 16)
    with psycopg.connect(server.start()) as connection:
        assert connection.info.server_version // 10000 == 16
        assert connection.execute("select lower('ÄÖÜ')").fetchone() == ("äöü",)


def test_an_unknown_version_is_refused_with_the_ones_there_are(folder: Path) -> None:
    with pytest.raises(EngramError, match="no embedded PostgreSQL 12") as caught:
        Server.at(folder, 12)
    assert "18, 16" in str(caught.value)


def test_the_role_of_the_dsn_is_no_superuser(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("select rolsuper, rolbypassrls from pg_roles where rolname = current_user")
        assert row.fetchone() == (False, False)


def test_the_server_listens_on_no_network_address(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        assert connection.execute("show listen_addresses").fetchone() == ("",)


@as_root
def test_root_opens_no_closed_folder_on_the_way_to_the_data(folder: Path) -> None:
    closed = folder / "home"
    closed.mkdir(mode=0o700)

    with pytest.raises(EngramError, match="is closed to others"):
        Server.at(closed / "data").start()

    assert closed.stat().st_mode & 0o777 == 0o700
