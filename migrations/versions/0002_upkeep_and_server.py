"""Upkeep that forgets on purpose, engineering state, and what a server in production needs."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Runs ``sql/tables/0002/``."""
    run_tables(context.config.attributes["psycopg"], revision)
