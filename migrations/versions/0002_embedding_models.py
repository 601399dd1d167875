"""Embedding models outside the database: their options, and the queue of what they have still to embed."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TABLES = ("040_embedding_model_options.sql", "041_embedding_job.sql", "042_model_default.sql", "043_embedding_claim.sql")


def upgrade() -> None:
    """Creates the tables and drops what a newer signature replaces."""
    connection = context.config.attributes["psycopg"]
    connection.execute(
        "drop function if exists engram.register_model(text, text, integer, double precision,"
        " double precision, double precision, double precision, double precision)"
    )
    run_tables(connection, TABLES)
