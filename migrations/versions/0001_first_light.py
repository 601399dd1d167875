"""Remember and recall by meaning, in SQL alone."""

from __future__ import annotations

from alembic import context

from engram_pg.schema import source
from engram_pg.schema.installer import run_tables

revision = "0001"
down_revision = None
branch_labels = ("engram",)
depends_on = None

NAMES = (file.name.removeprefix("tables/") for file in source.tables())
TABLES = tuple(name for name in NAMES if name < "040")


def upgrade() -> None:
    """Creates the tables."""
    run_tables(context.config.attributes["psycopg"], TABLES)
