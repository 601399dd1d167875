"""API keys in the database: to make, list and revoke them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.rows import dict_row

from engram_pg.errors import ARGUMENT_INVALID, EngramError, translated

SCOPES = ("read", "write", "admin")

_CREATE = """
select key_id, secret
  from engram.create_api_key(
           %s::text, tenant => %s::text, users => %s::text[], scope => %s::text,
           expires_at => now() + make_interval(days => %s::integer))"""


def create(
    connection: psycopg.Connection[Any],
    name: str,
    *,
    tenant: str | None = None,
    users: Sequence[str] | None = None,
    scope: str = "write",
    days: int | None = None,
) -> dict[str, Any]:
    """Makes a key for the users (None: all of them) of a tenant (None: that of the session), in force for so
    many days (None: until it is revoked). Returns its `key_id` and its `secret`, which cannot be had again.
    """
    return _rows(connection, _CREATE, name, tenant, list(users) if users else None, scope, days)[0]


def listed(connection: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """The keys there are and were."""
    return _rows(connection, "select * from engram.api_keys()")


def revoke(connection: psycopg.Connection[Any], key: str) -> dict[str, Any]:
    """Ends the key of this name or number at once; returns it. Raises EngramError if none is in force."""
    found = [row for row in listed(connection) if key in (row["name"], str(row["key_id"]))]
    in_force = [row for row in found if row["state"] != "revoked"]
    if not in_force:
        raise EngramError(
            ARGUMENT_INVALID,
            f"key {key!r} {'is revoked already' if found else 'does not exist'}",
            hint="engram-pg key list shows them.",
        )
    chosen = next((row for row in in_force if row["name"] == key), in_force[0])
    _rows(connection, "select engram.revoke_api_key(%s)", chosen["key_id"])
    return chosen


def _rows(connection: psycopg.Connection[Any], statement: str, *values: Any) -> list[dict[str, Any]]:
    with translated(), connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement.encode(), values).fetchall()
