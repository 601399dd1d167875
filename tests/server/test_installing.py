"""Installing and upgrading on the server of the image, a later minor release than the embedded one."""

from __future__ import annotations

import gzip
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "schema"))

from catalog import difference, psql, snapshot

from engram_pg import Engram, schema
from engram_pg.schema import program

RELEASES = sorted(Path(__file__).resolve().parents[1].glob("schema/releases/*.sql.gz"))


@pytest.fixture
def database(server: Any) -> Iterator[Callable[..., str]]:
    """Makes databases of the role engram with pgvector, and returns the name of each."""
    made: list[str] = []

    def make(vector_schema: str = "public") -> str:
        made.append(f"u_{uuid.uuid4().hex[:8]}")
        with server.connect("postgres", "postgres") as superuser:
            superuser.execute(f"create database {made[-1]} owner engram")
        with server.connect("postgres", made[-1]) as superuser:
            superuser.execute(f"create schema if not exists {vector_schema}")
            superuser.execute(f"grant usage on schema {vector_schema} to public")
            superuser.execute(f"create extension vector schema {vector_schema}")
        return made[-1]

    yield make
    with server.connect("postgres", "postgres") as superuser:
        for name in made:
            superuser.execute(f"drop database {name} with (force)")


def by_psql(server: Any, name: str) -> None:
    server.run("bash", "-c", f"gunzip -c /usr/share/engram/engram.sql.gz | psql -qU engram -d {name}")


def by_extension(server: Any, name: str) -> None:
    with server.connect(database=name) as db:
        db.execute("create extension engram")


def by_command(server: Any, name: str) -> None:
    with psycopg.connect(server.url(database=name)) as db:
        assert schema.install(db).current


def by_branch(server: Any, name: str) -> None:
    """The statements that a revision runs in the alembic tree of a project."""
    with psycopg.connect(server.url(database=name)) as db:
        for statement in program.guarded():
            db.execute(statement.encode())


WAYS = (by_command, by_branch, by_psql, by_extension)


def works(server: Any, name: str) -> None:
    with Engram(server.url(database=name)) as memory:
        memory.remember("Staging runs on db7")
        assert [hit.content for hit in memory.recall("where is staging?")] == ["Staging runs on db7"]


@pytest.mark.parametrize("way", WAYS)
def test_pgvector_may_be_in_a_schema_of_its_own(
    server: Any, database: Callable[..., str], way: Callable[[Any, str], None]
) -> None:
    name = database("extensions")
    way(server, name)
    works(server, name)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name[:-7])
def test_an_upgraded_database_is_as_a_fresh_one(
    server: Any, database: Callable[..., str], release: Path, way: Callable[[Any, str], None]
) -> None:
    old, fresh = database(), database()
    text = gzip.decompress(release.read_bytes())
    done = subprocess.run([psql(), "-Xq", server.url(database=old)], input=text, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    way(server, old)
    by_psql(server, fresh)
    with (
        psycopg.connect(server.url(database=old)) as one,
        psycopg.connect(server.url(database=fresh)) as other,
    ):
        assert difference(snapshot(one), snapshot(other)) == []
    works(server, old)
