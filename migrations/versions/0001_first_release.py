"""The first release."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = "0001"
down_revision = None
branch_labels = ("engram",)
depends_on = None


def upgrade() -> None:
    """Runs ``sql/tables/0001/``."""
    run_tables(context.config.attributes["psycopg"], revision)
