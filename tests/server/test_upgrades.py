"""Databases of earlier releases on the server of the image, a later minor release than the embedded one."""

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

RELEASES = sorted(Path(__file__).resolve().parents[1].glob("schema/releases/*.sql.gz"))


@pytest.fixture
def database(server: Any) -> Iterator[Callable[[], str]]:
    """Makes databases of the role engram with pgvector, and returns the name of each."""
    made: list[str] = []

    def make() -> str:
        made.append(f"u_{uuid.uuid4().hex[:8]}")
        with server.connect("postgres", "postgres") as superuser:
            superuser.execute(f"create database {made[-1]} owner engram")
        with server.connect("postgres", made[-1]) as superuser:
            superuser.execute("create extension vector")
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


@pytest.mark.parametrize("way", [by_psql, by_extension, by_command])
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name[:-7])
def test_an_upgraded_database_is_as_a_fresh_one(
    server: Any, database: Callable[[], str], release: Path, way: Callable[[Any, str], None]
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
    with Engram(server.url(database=old)) as memory:
        memory.remember("Staging runs on db7")
        assert [hit.content for hit in memory.recall("where is staging?")] == ["Staging runs on db7"]
