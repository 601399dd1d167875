"""The indexes and primary keys that a whole installation has, as a function by which doctor() misses some."""

from __future__ import annotations

import re

from engram_pg.schema import source
from engram_pg.schema.source import SqlFile

_INDEX = re.compile(r"^create (?:unique )?index (\w+)\s+on engram\.\w+[^;]*;", re.IGNORECASE | re.MULTILINE)
_TABLE = re.compile(
    r"^create (?:unlogged )?table engram\.(\w+) \((.*?)^\)[^;]*;", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_KEY = re.compile(
    r"^\s*(?P<rule>primary key \([^)]*\)(?: include \([^)]*\))?)|^\s*(?P<column>\w+) +[^,\n]*\bprimary key\b",
    re.IGNORECASE | re.MULTILINE,
)
_DROPPED = re.compile(r"^drop (?:index|table) (?:if exists )?engram\.(\w+)", re.IGNORECASE | re.MULTILINE)


def expected() -> dict[str, str]:
    """The name of each index and the statement that makes it, from the files of ``sql/tables``."""
    found: dict[str, str] = {}
    for file in source.tables():
        for table, columns in _TABLE.findall(file.text):
            key = _KEY.search(columns)
            if key is not None:
                rule = key["rule"] or f"primary key ({key['column']})"
                found[f"{table}_pkey"] = f"ALTER TABLE engram.{table} ADD {rule};"
        for index in _INDEX.finditer(file.text):
            found[index[1]] = re.sub(
                r"^create (unique )?index", r"CREATE \1INDEX CONCURRENTLY", " ".join(index[0].split())
            )
        for dropped in _DROPPED.findall(file.text):
            found.pop(dropped, None)
            found.pop(f"{dropped}_pkey", None)
    return found


def file() -> SqlFile:
    """The function `_expected_indexes()`."""
    rows = ",\n        ".join(
        f"({_literal(name)}, {_literal(statement)})" for name, statement in sorted(expected().items())
    )
    text = f"""create or replace function engram._expected_indexes() returns table (name text, statement text)
    language sql immutable parallel safe
begin atomic
    select * from (values
        {rows}) e (name, statement);
end;

comment on function engram._expected_indexes is
'The indexes and primary keys of this schema with the statements that make them, from the files of tables.';
"""
    return SqlFile("expected indexes", text)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
