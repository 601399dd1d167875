"""Installs schema ``engram``: one SQL source, run through alembic or printed as a file for psql."""

from __future__ import annotations

from engram_pg.schema.installer import SchemaState, expectation, install, script, state, try_beginning
from engram_pg.schema.source import HEAD

__all__ = ["HEAD", "SchemaState", "expectation", "install", "script", "state", "try_beginning"]
