"""${message}."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import apply

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}

TABLES = ()


def upgrade() -> None:
    """Runs the new files of sql/tables, then all functions and seeds."""
    attributes = context.config.attributes
    apply(attributes["psycopg"], TABLES, attributes["progress"])
