"""The first release."""

from __future__ import annotations

from alembic import context

from engram_pg.schema.installer import run_tables

revision = "0001"
down_revision = None
branch_labels = ("engram",)
depends_on = None

TABLES = (
    "001_setting.sql",
    "002_space.sql",
    "003_kind.sql",
    "004_scoring_profile.sql",
    "005_embedding_model.sql",
    "006_memory_filter.sql",
    "007_job_run.sql",
    "010_memory.sql",
    "011_lexeme_key.sql",
    "012_edge.sql",
    "013_decision.sql",
    "014_draft.sql",
    "015_neighborhood.sql",
    "016_rows.sql",
    "020_static_token.sql",
    "030_polarity_term.sql",
    "031_gate_types.sql",
    "032_contrast.sql",
    "033_gate_rule.sql",
    "034_relation.sql",
    "035_memory_claims.sql",
    "040_embedding_job.sql",
    "041_model_default.sql",
    "042_embedding_claim.sql",
)


def upgrade() -> None:
    """Creates the tables."""
    run_tables(context.config.attributes["psycopg"], TABLES)
