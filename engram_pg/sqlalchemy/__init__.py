"""The memory in a session of SQLAlchemy of your own: functions as statements, and the tables.

    from engram_pg import sqlalchemy as engram

    with Session(engine) as session:
        session.add(Order(...))
        session.execute(engram.remember("Mei ordered a kettle", user_id="mei"))
        for hit in session.execute(engram.recall("what did Mei order?", user_id="mei", k=3)):
            print(hit.content, hit.score)
        session.commit()

Each function returns a statement, so it works in a Session and in an AsyncSession alike, and in their
transaction: what is rolled back was never remembered. An argument may be a value or an expression of SQL; one
that is None is left out, so that its default stays a matter of the database.
"""

from __future__ import annotations

from engram_pg.sqlalchemy.functions import (
    context,
    erase,
    forget,
    get,
    history,
    in_tenant,
    link,
    neighbors,
    recall,
    remember,
    remember_many,
    revise,
    search,
    space_id,
    undo,
    unlink,
)
from engram_pg.sqlalchemy.tables import (
    decision,
    edge,
    embeddings,
    kind,
    memory,
    memory_stat,
    metadata,
    space,
    tenant,
)

__all__ = [
    "context",
    "decision",
    "edge",
    "embeddings",
    "erase",
    "forget",
    "get",
    "history",
    "in_tenant",
    "kind",
    "link",
    "memory",
    "memory_stat",
    "metadata",
    "neighbors",
    "recall",
    "remember",
    "remember_many",
    "revise",
    "search",
    "space",
    "space_id",
    "tenant",
    "undo",
    "unlink",
]
