"""What a revision does: in our own alembic environment it runs its table files; in the tree of somebody else
the newest revision of the branch does the whole installation, and keeps its hands off their tables.
"""

from __future__ import annotations

from alembic import op
from alembic.autogenerate import comparators
from alembic.autogenerate.api import AutogenContext
from alembic.operations.ops import UpgradeOps
from alembic.util import DispatchPriority, PriorityDispatchResult
from sqlalchemy import Connection

from engram_pg import static_model
from engram_pg.errors import INSTALLATION, EngramError
from engram_pg.schema import program
from engram_pg.schema.source import HEAD

OWN = "engram_pg.connection"
"""Name of the attribute of alembic's configuration by which our own environment hands over its connection."""


def upgrade(revision: str) -> None:
    """The body of `upgrade()` of a revision."""
    from engram_pg.schema.installer import run_tables

    context = op.get_context()
    config = context.config
    own = None if config is None else config.attributes.get(OWN)
    number = program.number(revision)
    if own is not None:
        run_tables(own, number)
    elif number == HEAD:  # functions of earlier releases aren't in this package, so nothing between is
        if context.as_sql:
            for statement in program.guarded():
                context.impl.static_output(f"{statement};\n")
        else:
            _install(op.get_bind())


def downgrade(revision: str) -> None:
    """The body of `downgrade()` of a revision: a schema without memories goes, any other one is refused."""
    context = op.get_context()
    statement = program.uninstallation()
    if context.as_sql:
        context.impl.static_output(f"{statement};\n")
    else:
        _run(op.get_bind(), statement)


def _install(connection: Connection) -> None:
    opening, everything, closing = program.guarded(with_static_model=False)
    _run(connection, opening)
    if connection.exec_driver_sql("select current_setting('engram.installing', true)").scalar() != "on":
        raise EngramError(
            INSTALLATION,
            "alembic runs this migration outside of a transaction",
            hint="Let env.py open one, with context.begin_transaction(), on a connection without AUTOCOMMIT.",
        )
    _run(connection, everything)
    there = connection.exec_driver_sql(
        "select coalesce(value, default_value) from engram.setting where name = 'static_model.version'"
    ).scalar_one()
    if there != static_model.version:
        for statement in program.static_model_rows():
            _run(connection, statement)
    _run(connection, closing)


def _run(connection: Connection, statement: str) -> None:
    """The statement as it is: no driver may look for placeholders in the bodies of functions."""
    connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


def _leave_out(_: AutogenContext, __: UpgradeOps, schemas: set[str | None]) -> PriorityDispatchResult:
    """Before tables are compared: those of schema engram aren't read."""
    schemas.discard("engram")
    return PriorityDispatchResult.CONTINUE


def _take_out(_: AutogenContext, found: UpgradeOps, __: set[str | None]) -> PriorityDispatchResult:
    """After they were compared: what a project knows of schema engram is no change of its own."""
    found.ops[:] = [change for change in found.ops if getattr(change, "schema", None) != "engram"]
    return PriorityDispatchResult.CONTINUE


comparators.dispatch_for("schema", priority=DispatchPriority.FIRST)(_leave_out)
comparators.dispatch_for("schema", priority=DispatchPriority.LAST)(_take_out)
