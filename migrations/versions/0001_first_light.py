"""Remember and recall by meaning, in SQL alone."""

from __future__ import annotations

from alembic import context

from engram_pg.schema import source
from engram_pg.schema.installer import apply

revision = "0001"
down_revision = None
branch_labels = ("engram",)
depends_on = None

TABLES = tuple(file.name.removeprefix("tables/") for file in source.tables())


def upgrade() -> None:
    """Creates the schema."""
    attributes = context.config.attributes
    apply(attributes["psycopg"], TABLES, attributes["progress"])
