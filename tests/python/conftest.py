"""An embedded server of this package's own for the tests of the shim, and its command as a subprocess."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from engram_pg import connecting
from engram_pg.bench.scratch import drop_database
from engram_pg.embedded import Server

Run = Callable[..., subprocess.CompletedProcess[str]]


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


COMMAND = (sys.executable, "-c", "from engram_pg.cli import main; main()")


def clean_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ENGRAM_", "PG"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100", **more}


class folder_for_a_server:
    """A folder that the system user of a server started by root can reach; removed in the end."""

    def __enter__(self) -> Path:
        self.folder = Path(tempfile.mkdtemp(prefix="engram-"))
        self.folder.chmod(0o755)
        return self.folder

    def __exit__(self, *error: object) -> None:
        for version in (18, 16):
            Server(self.folder, version).stop()
        shutil.rmtree(self.folder)
