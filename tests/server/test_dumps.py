"""pg_dump and pg_restore: another database with the same answers."""

from __future__ import annotations

import re
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from corpus import answers, live, lives_on

sys.path.append(str(Path(__file__).resolve().parents[1] / "schema"))

from catalog import Snapshot, difference, snapshot


@pytest.fixture(scope="module")
def lived(server: Any) -> Iterator[str]:
    """The name of a database of the role engram, pg_cron not in it, with a memory that has lived."""
    name = f"d_{uuid.uuid4().hex[:8]}"
    make(server, name)
    server.run("psql", "-qd", name, "-c", "create extension vector")
    server.run("bash", "-c", f"gunzip -c /usr/share/engram/engram.sql.gz | psql -qU engram -d {name}")
    with server.connect(database=name) as db:
        live(db)
    yield name
    drop(server, name)


def make(server: Any, name: str) -> None:
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute(f"create database {name} owner engram")


def drop(server: Any, name: str) -> None:
    with server.connect("postgres", "postgres") as superuser:
        superuser.execute(f"drop database if exists {name} with (force)")


def objects(server: Any, database: str) -> Snapshot:
    """Every object, but for the names that pg_dump gives to the columns of bodies without any."""
    with psycopg.connect(server.url(database=database)) as connection:
        found = snapshot(connection)
    found["function"] = {name: re.sub(r" AS \w+", "", text) for name, text in found["function"].items()}
    return found


PLAIN = "pg_dump -U engram {scope} {source} | psql -qX -v ON_ERROR_STOP=1 -U {role} -d {target} >/dev/null"
CUSTOM = (
    "pg_dump -U engram -Fc --compress=1 {scope} -f /tmp/{target} {source}"
    " && pg_restore --exit-on-error -U {role} -d {target} /tmp/{target} && rm /tmp/{target}"
)


@pytest.mark.parametrize("command", [PLAIN, CUSTOM], ids=["plain", "custom"])
@pytest.mark.parametrize("scope", ["", "-n engram"], ids=["whole", "schema"])
def test_a_restored_dump_gives_the_same_answers(server: Any, lived: str, command: str, scope: str) -> None:
    """A plain owner dumps. The whole database is restored by a superuser, who alone may comment on
    extensions; the schema by the owner, once the extension vector is there.
    """
    target = f"{lived}_copy"
    make(server, target)
    try:
        if scope:
            server.run("psql", "-qd", target, "-c", "create extension vector")
        role = "engram" if scope else "postgres"
        line = command.format(scope=scope, source=lived, target=target, role=role)
        server.run("bash", "-euo", "pipefail", "-c", line)
        assert difference(objects(server, lived), objects(server, target)) == []
        with server.connect(database=lived) as source, server.connect(database=target) as copy:
            assert answers(copy) == answers(source)
            lives_on(copy)
    finally:
        drop(server, target)
