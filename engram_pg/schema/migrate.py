"""Drives alembic in its own environment, on a connection that is already open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from engram_pg._paths import resource

if TYPE_CHECKING:
    import psycopg


def config() -> Config:
    """Alembic's configuration of our environment: ``migrations/``, no ini file."""
    made = Config()
    made.set_main_option("path_separator", "newline")
    made.set_main_option("script_location", str(resource("migrations")).replace("%", "%%"))
    return made


def upgrade(connection: psycopg.Connection[Any]) -> None:
    """Brings the tables to the head revision inside the transaction that is open on ``connection``."""
    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: connection, poolclass=StaticPool, pool_reset_on_return=None
    )
    made = config()
    made.attributes.update(connection=engine.connect(), psycopg=connection)
    command.upgrade(made, "head")
