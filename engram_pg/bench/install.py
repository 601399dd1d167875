"""How long it takes to install, and to upgrade a database of an earlier release with many memories."""

from __future__ import annotations

import gzip
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from engram_pg import schema
from engram_pg.bench.texts import sentences
from engram_pg.progress import Advance, silent
from engram_pg.statements import to_json

USER_MEMORIES = 1000
_FILES = """
    select c.oid::regclass::text, pg_relation_filenode(c.oid) from pg_class c
     where c.relnamespace = 'engram'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> 'static_token'
"""


def run(
    connection: psycopg.Connection[Any],
    release: Path | None = None,
    memories: int = 100_000,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Installs into the empty database of `connection`, then upgrades one of `release`, an `engram.sql` of an
    earlier one, with memories in it; without a release the functions of this one are replaced.
    """
    before = time.perf_counter()
    schema.install(connection, advance)
    result: dict[str, Any] = {"install_seconds": time.perf_counter() - before, "memories": memories}
    if release is not None:
        connection.execute("drop schema engram cascade")
        connection.execute(_sql(release).encode())
        _load_static_model(connection)
    result["from_revision"] = schema.state(connection).revision
    for start in range(0, memories, USER_MEMORIES):
        texts = sentences(min(USER_MEMORIES, memories - start), seed=start)
        connection.execute(
            "select count(*) from engram.remember_many(%s::jsonb, %s, 'append')",
            [to_json([{"content": text} for text in texts]), f"user {start // USER_MEMORIES}"],
        )
        advance("remembering", start, memories)
    connection.execute("analyze")
    files = dict(connection.execute(_FILES.encode()).fetchall())
    if release is None:
        connection.execute("update engram.setting set value = 'none' where name = 'installed.functions'")
    result["expected"] = schema.expectation(connection)
    before = time.perf_counter()
    schema.install(connection, advance)
    result["upgrade_seconds"] = time.perf_counter() - before
    now = dict(connection.execute(_FILES.encode()).fetchall())
    result["rewritten"] = sorted(name for name, file in files.items() if now[name] != file)
    result["to_revision"] = schema.state(connection).revision
    return result


def _sql(release: Path) -> str:
    """The text of an installer without what only psql reads."""
    data = release.read_bytes()
    text = (gzip.decompress(data) if release.suffix == ".gz" else data).decode()
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("\\"))


def _load_static_model(connection: psycopg.Connection[Any]) -> None:
    from engram_pg.schema.installer import load_static_model

    with connection.transaction():
        load_static_model(connection)


def show(result: Mapping[str, Any]) -> None:
    """The times as lines."""
    print(f"installed in {result['install_seconds']:.1f} s")
    print(
        f"revision {result['from_revision']} to {result['to_revision']} with {result['memories']} memories in"
        f" {result['upgrade_seconds']:.1f} s; tables rewritten: {', '.join(result['rewritten']) or 'none'}"
    )
    for line in result["expected"]:
        print(f"announced: {line}")
