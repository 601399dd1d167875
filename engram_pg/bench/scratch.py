"""A database of its own for a benchmark, on the same server, dropped afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from engram_pg import connecting
from engram_pg.errors import NOT_ALLOWED, EngramError, translated
from engram_pg.progress import Advance, Note, silent


@contextmanager
def scratch_database(
    dsn: str | None = None,
    data_dir: Path | None = None,
    *,
    note: Note = silent,
    progress: Advance | None = None,
    empty: bool = False,
) -> Iterator[psycopg.Connection]:
    """An autocommit connection to a new database with the schema in it, unless it is to be empty. The role
    has to be allowed to make one.
    """
    name = f"engram_bench_{os.getpid()}"
    with connecting.connect(dsn, data_dir, note=note) as home:
        try:
            home.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        except psycopg.errors.InsufficientPrivilege as error:
            raise EngramError(
                NOT_ALLOWED,
                "this role may not create the database that a benchmark runs in",
                hint="ALTER ROLE … CREATEDB, or leave --dsn out to use the embedded server.",
            ) from error
        try:
            with translated():
                target = make_conninfo(home.info.dsn, password=home.info.password or None, dbname=name)
                connection = psycopg.connect(target, autocommit=True, prepare_threshold=None)
            try:
                if not empty:
                    connecting.install(connection, progress)
                yield connection
            finally:
                connection.close()
        finally:
            drop_database(home, name)


def drop_database(connection: psycopg.Connection, name: str) -> None:
    """Drops a database and whoever is connected to it."""
    database = sql.Identifier(name)
    try:
        connection.execute(sql.SQL("drop database {} with (force)").format(database))
    except psycopg.errors.InsufficientPrivilege:
        # Only a superuser may end an autovacuum worker by force; asked without, it gives way.
        connection.execute(sql.SQL("drop database {}").format(database))
