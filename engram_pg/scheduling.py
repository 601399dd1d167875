"""The upkeep as jobs of pg_cron."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from engram_pg.errors import translated

_INTERVALS: Mapping[str, LiteralString] = {
    "maintain_every": "maintain_every => %(maintain_every)s::interval",
    "fold_every": "fold_every => %(fold_every)s::interval",
    "expire_every": "expire_every => %(expire_every)s::interval",
    "sweep_every": "sweep_every => %(sweep_every)s::interval",
    "index_every": "index_every => %(index_every)s::interval",
    "keep_history": "keep_history => %(keep_history)s::interval",
}


def register(
    connection: psycopg.Connection[Any], intervals: Mapping[str, str | None]
) -> list[dict[str, Any]]:
    """Registers the jobs, or changes them, and returns them. Intervals as PostgreSQL writes them, like
    '10 minutes'; None is the default. Raises EngramError (EG008) where pg_cron is not in this database.
    """
    return _rows(connection, "select * from engram.schedule({})", intervals)


def statements(connection: psycopg.Connection[Any], intervals: Mapping[str, str | None]) -> str:
    """The SQL that registers them where pg_cron is, in another database of the server."""
    return str(_rows(connection, "select engram.schedule_sql({}) as sql", intervals)[0]["sql"])


def drop(connection: psycopg.Connection[Any]) -> int:
    """Takes the jobs off, and returns how many there were. Raises EngramError as `register`."""
    return int(_rows(connection, "select engram.unschedule({}) as jobs")[0]["jobs"])


def listed(connection: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """The jobs that are registered, each with its last run. Raises EngramError as `register`."""
    return _rows(connection, "select * from engram.schedules({})")


def _rows(
    connection: psycopg.Connection[Any],
    statement: LiteralString,
    intervals: Mapping[str, str | None] | None = None,
) -> list[dict[str, Any]]:
    given = {name: value for name, value in (intervals or {}).items() if value is not None}
    arguments = ", ".join([_INTERVALS[name] for name in given])
    with translated(), connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement.format(arguments), given).fetchall()
