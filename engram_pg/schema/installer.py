"""Runs the SQL source in a database, and writes it out as one file for psql."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engram_pg import static_model
from engram_pg.progress import Advance
from engram_pg.schema import program, source
from engram_pg.schema.source import HEAD

if TYPE_CHECKING:
    import psycopg


_FUNCTIONS_SECONDS = 2.0
_STATIC_MODEL_SECONDS = 4.0
_SCANNED_A_SECOND = 200_000
"""Rows a second of what a new partial index reads."""

_OURS = """
    select count(*) = 2
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'engram'
      join pg_attribute a on a.attrelid = c.oid
     where (c.relname, a.attname) in (('setting', 'default_value'), ('alembic_version', 'version_num'))
       and has_schema_privilege(n.oid, 'usage')
"""


@dataclass(frozen=True)
class SchemaState:
    """What a database holds: the revision of its tables (None without the schema), the fingerprint of its
    functions and the version of its token vectors.
    """

    revision: str | None
    functions: str | None
    static_model: str | None

    @property
    def current(self) -> bool:
        """Whether this package and the database fit together with nothing left to install."""
        return (self.revision, self.functions, self.static_model) == (
            HEAD,
            source.fingerprint(),
            static_model.version,
        )


def state(connection: psycopg.Connection[Any]) -> SchemaState:
    """What of engram the database has."""
    found = connection.execute(_OURS.encode()).fetchone()
    if found is None or not found[0]:
        return SchemaState(None, None, None)
    revision = connection.execute("select version_num from engram.alembic_version").fetchone()
    settings = dict(
        connection.execute(
            "select name, value from engram.setting"
            " where name in ('installed.functions', 'static_model.version')"
        ).fetchall()
    )
    return SchemaState(
        program.number(revision[0]) if revision else None,
        settings.get("installed.functions"),
        settings.get("static_model.version"),
    )


def expectation(connection: psycopg.Connection[Any]) -> list[str]:
    """What `install` would do to this database and about how long it takes, as lines; none if nothing."""
    found = state(connection)
    if found.current:
        return []
    seconds = _FUNCTIONS_SECONDS
    if found.revision is None:
        steps = [f"schema engram is new, revision {HEAD}"]
        memories = 0
    else:
        steps = ["the functions are replaced"]
        memories = _estimated_rows(connection)
        if found.revision != HEAD:
            steps.insert(0, f"revision {found.revision} becomes {HEAD}")
            seconds += memories / _SCANNED_A_SECOND
    if found.static_model != static_model.version:
        steps.append("the token vectors are loaded")
        seconds += _STATIC_MODEL_SECONDS
    with_them = f" with about {memories} memories" if memories else ""
    return [
        f"{', '.join(steps)}: about {math.ceil(seconds)} s{with_them}, in one transaction",
        "no table is rewritten; a lock is waited for no longer than lock_timeout, 10 s if that is not set",
    ]


def _estimated_rows(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute(
        "select greatest(reltuples, 0)::bigint from pg_class where oid = to_regclass('engram.memory')"
    ).fetchone()
    return row[0] if row else 0


def try_beginning(connection: psycopg.Connection[Any]) -> None:
    """What every installation begins with, in a transaction that is rolled back: fails as that would."""
    with connection.transaction(force_rollback=True):
        connection.execute(source.prelude().text.encode())


def install(connection: psycopg.Connection[Any], progress: Advance | None = None) -> SchemaState:
    """Brings the database to this package's schema and loads the static model; a no-op where that is done.

    The connection must be outside of a transaction. Everything happens in one transaction: it is there whole
    or not at all. Two installers at once wait for each other.
    """
    report = progress or (lambda what, done, total: None)
    autocommit = connection.autocommit
    connection.autocommit = False
    try:
        connection.execute("select pg_advisory_xact_lock(hashtextextended('engram installer', 0))")
        if not state(connection).current:
            from engram_pg.schema.migrate import upgrade

            upgrade(connection)
            run_functions(connection, lambda done, total: report("schema", done, total))
            load_static_model(connection, lambda done, total: report("token vectors", done, total))
            connection.commit()
        return state(connection)
    finally:
        connection.rollback()
        connection.autocommit = autocommit


def run_tables(connection: psycopg.Connection[Any], revision: str) -> None:
    """The body of a revision: runs its files of ``sql/tables``, each once in the life of a database."""
    for file in (source.prelude(), source.revising(), *source.tables(revision)):
        connection.execute(file.text.encode())


def run_functions(connection: psycopg.Connection[Any], progress: Callable[[int, int], None]) -> None:
    """Ends every upgrade: runs all functions and seeds of this package, which replace what was there."""
    files = list(program.functions())
    connection.execute(source.prelude().text.encode())
    for done, file in enumerate(files, start=1):
        connection.execute(file.text.encode())
        progress(done, len(files))


def load_static_model(
    connection: psycopg.Connection[Any], progress: Callable[[int, int], None] | None = None
) -> None:
    """Fills ``engram.static_token`` unless this version of the static model is there already."""
    if state(connection).static_model == static_model.version:
        return
    with connection.cursor() as cursor:
        cursor.execute("truncate engram.static_token")
        static_model.copy_binary(cursor, progress=progress)
        cursor.execute("analyze engram.static_token")
        cursor.execute(program.static_model_loaded().encode())


def script(with_static_model: bool = True) -> Iterator[str]:
    """The whole installation or upgrade as text for ``psql -f``, in one transaction."""
    yield "-- engram: memory for agents, in PostgreSQL. Run as the database's owner: psql -f engram.sql\n"
    yield "\\set ON_ERROR_STOP on\n\\set QUIET on\nset client_encoding = 'UTF8';\nbegin;\n"
    yield "set local client_min_messages = warning;\n"
    yield from program.body()
    if with_static_model:
        yield "\n-- the token vectors of the static model\ntruncate engram.static_token;\n"
        yield from static_model.copy_text()
        yield "analyze engram.static_token;\n"
        yield program.static_model_loaded()
    yield "commit;\n"
