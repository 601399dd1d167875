"""Drives alembic in our own environment, on a connection that is already open."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from engram_pg._paths import PACKAGE
from engram_pg.schema import program, source

if TYPE_CHECKING:
    import psycopg


_ALEMBIC = threading.Lock()
"""Alembic keeps the migration at hand in module globals: one thread at a time."""


def upgrade(connection: psycopg.Connection[Any]) -> None:
    """Brings the tables to the head revision inside the transaction that is open on ``connection``."""
    from engram_pg.schema.revising import OWN

    engine = create_engine(
        "postgresql+psycopg://", creator=lambda: connection, poolclass=StaticPool, pool_reset_on_return=None
    )
    bound = engine.connect()
    bound.begin()  # else alembic would commit
    # An engine first rolls back on a connection, which lets go of the lock; the prelude takes it again.
    connection.execute(source.prelude().text.encode())
    connection.execute(program.versions().encode())
    scripts = ScriptDirectory(str(PACKAGE), version_locations=[str(PACKAGE / "migrations")])
    config = Config(attributes={OWN: connection})
    with (
        _ALEMBIC,
        EnvironmentContext(
            config, scripts, fn=lambda found, _: scripts._upgrade_revs("head", found), destination_rev="head"
        ) as environment,
    ):
        environment.configure(connection=bound, version_table_schema="engram", transactional_ddl=False)
        environment.run_migrations()
