"""Upkeep that forgets on purpose, engineering state, and what a server in production needs."""

from __future__ import annotations

from engram_pg.schema import revising

revision = "engram_0002"
down_revision = "engram_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Runs ``sql/tables/0002/``."""
    revising.upgrade(revision)


def downgrade() -> None:
    """Takes away a schema without memories."""
    revising.downgrade(revision)
