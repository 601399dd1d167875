"""Puts functions in the place of those of an older version, whatever their signatures were."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from psycopg import errors, sql

if TYPE_CHECKING:
    import psycopg

    from engram_pg.schema.source import SqlFile

_NAMED = """
    select p.oid, p.oid::regprocedure::text, p.prokind::text
      from pg_proc p
     where p.pronamespace = 'engram'::regnamespace and p.proname = any (%s::text[])
"""

_UNKNOWN = """
    select p.oid, p.oid::regprocedure::text, p.prokind::text
      from pg_proc p
     where p.pronamespace = 'engram'::regnamespace
       and p.proname like '\\_%%' and p.proname <> all (%s::text[])
"""


class Replacing:
    """Runs the function files of a package inside one transaction, then drops what older versions left."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._older: set[int] = set()

    def run(self, file: SqlFile) -> None:
        """Runs one file. An old signature that stands in its way is moved aside first."""
        before = self._oids(_NAMED, file.defines)
        try:
            with self._connection.transaction():
                self._connection.execute(file.text.encode())
        except (errors.AmbiguousFunction, errors.InvalidFunctionDefinition):
            for oid, (signature, kind) in before.items():
                self._connection.execute(
                    sql.SQL("alter {} {} rename to {}").format(
                        sql.SQL("procedure" if kind == "p" else "function"),
                        sql.SQL(signature),
                        sql.Identifier(f"_older_{oid}"),
                    )
                )
            self._connection.execute(file.text.encode())
        if self._oids(_NAMED, file.defines).keys() - before.keys():
            self._older |= before.keys()

    def drop_older(self, names: Iterable[str]) -> None:
        """Drops the signatures that were replaced, and internal functions that are none of `names`."""
        unknown = self._oids(_UNKNOWN, names)
        self._older |= unknown.keys()
        rows = self._connection.execute(
            "select p.oid::regprocedure::text, p.prokind::text from pg_proc p where p.oid = any (%s)",
            [sorted(self._older)],
        ).fetchall()
        for kind, word in (("f", "function"), ("p", "procedure")):
            signatures = [signature for signature, found in rows if found == kind]
            if signatures:
                self._connection.execute(f"drop {word} {', '.join(signatures)}".encode())

    def _oids(self, query: str, names: Iterable[str]) -> dict[int, tuple[str, str]]:
        rows = self._connection.execute(query.encode(), [sorted(names)]).fetchall()
        return {oid: (signature, kind) for oid, signature, kind in rows}
