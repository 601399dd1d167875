"""An embedded server of this package's own for the tests of the shim, and its command as a subprocess."""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from commands import COMMAND, Run, clean_environment, folder_for_a_server

from engram_pg import connecting
from engram_pg.bench.scratch import drop_database
from engram_pg.embedded import Server


@pytest.fixture(scope="session")
def data_dir() -> Iterator[Path]:
    """The folder of an embedded server that runs and has the schema; shared by the tests of a worker."""
    with folder_for_a_server() as folder:
        connecting.embedded(Server.at(folder, 18)).close()
        yield folder


@pytest.fixture
def dsn(data_dir: Path) -> str:
    found = Server.at(data_dir, 18).dsn()
    assert found is not None
    return found


@pytest.fixture
def user() -> str:
    """A user whom no other test has."""
    return f"user-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def other_dsn(dsn: str) -> Iterator[str]:
    """A second database with the schema on the same server."""
    name = f"other_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
        target = dsn.replace("/engram?", f"/{name}?")
        with psycopg.connect(target, autocommit=True) as fresh:
            connecting.install(fresh)
        yield target
        drop_database(connection, name)


@pytest.fixture
def run(data_dir: Path) -> Run:
    """Runs `engram-pg` with arguments on the shared server; keywords are environment variables."""

    def command(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env=clean_environment(ENGRAM_DATA_DIR=str(data_dir), **environment),
        )

    return command
