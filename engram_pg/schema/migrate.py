"""Drives alembic in its own environment, on a connection that is already open."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from engram_pg._paths import resource

if TYPE_CHECKING:
    import psycopg


_ALEMBIC = threading.Lock()
"""Alembic keeps the migration at hand in module globals: one thread at a time."""


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
    # An engine first rolls back on a connection, which lets go of the lock that was held.
    connection.execute("select pg_advisory_xact_lock(hashtextextended('engram installer', 0))")
    with _ALEMBIC:
        command.upgrade(made, "head")
