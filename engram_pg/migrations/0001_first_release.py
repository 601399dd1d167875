"""The first release."""

from __future__ import annotations

from engram_pg.schema import revising

revision = "engram_0001"
down_revision = None
branch_labels = ("engram",)
depends_on = None


def upgrade() -> None:
    """Runs ``sql/tables/0001/``."""
    revising.upgrade(revision)


def downgrade() -> None:
    """Takes away a schema without memories."""
    revising.downgrade(revision)
