"""${message}."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}

TABLES = ()


def upgrade() -> None:
    """Runs the new files of sql/tables; all functions and seeds follow by themselves."""
    run_tables(context.config.attributes["psycopg"], TABLES)
