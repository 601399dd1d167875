"""Alembic's environment of schema engram; engram_pg.schema.migrate hands it an open connection."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
connection.exec_driver_sql("create schema if not exists engram")
context.configure(connection=connection, version_table_schema="engram", transactional_ddl=False)
context.run_migrations()
