"""${message}."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Runs ``sql/tables/${up_revision}/``; all functions and seeds follow by themselves."""
    run_tables(context.config.attributes["psycopg"], revision)
