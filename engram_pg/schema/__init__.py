"""Installs schema ``engram``: one SQL source, run through alembic or printed as a file for psql."""

from __future__ import annotations

from engram_pg.schema.installer import HEAD, SchemaState, install, script, state

__all__ = ["HEAD", "SchemaState", "install", "script", "state"]
