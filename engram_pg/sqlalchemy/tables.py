"""The tables of schema engram that queries of your own may read and join, in a MetaData of their own."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    Interval,
    MetaData,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.types import UserDefinedType

metadata = MetaData(schema="engram")
"""Not for `create_all()`: the tables come with the installation."""

_TIME = DateTime(timezone=True)


def _memory_key(*columns: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["space_id", *columns], ["engram.memory.space_id", "engram.memory.memory_id"])


tenant = Table(
    "tenant",
    metadata,
    Column("tenant_id", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("created_at", _TIME, nullable=False),
)

space = Table(
    "space",
    metadata,
    Column("space_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tenant_id", Integer, ForeignKey("engram.tenant.tenant_id"), nullable=False),
    Column("user_id", Text, nullable=False),
    Column("created_at", _TIME, nullable=False),
)

kind = Table(
    "kind",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("lambda", Double, nullable=False, key="lambda_"),
    Column("time_to_live", Interval),
    Column("description", Text, nullable=False),
    Column("customized", Boolean, nullable=False),
)

memory = Table(
    "memory",
    metadata,
    Column("space_id", BigInteger, ForeignKey("engram.space.space_id"), primary_key=True),
    Column("memory_id", BigInteger, primary_key=True),
    Column("tenant_id", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("content_hash", Uuid, nullable=False),
    Column("kind", Text, ForeignKey("engram.kind.kind"), nullable=False),
    Column("importance", Double, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("collection", Text, nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("source_type", Text),
    Column("session_id", Text),
    Column("pinned", Boolean, nullable=False),
    Column("created_at", _TIME, nullable=False),
    Column("updated_at", _TIME, nullable=False),
    Column("reinforced_at", _TIME, nullable=False),
    Column("valid_from", _TIME, nullable=False),
    Column("valid_until", _TIME),
    Column("expires_at", _TIME),
    Column("state", Text, nullable=False),
    Column("superseded_by", BigInteger),
    Column("lexemes", TSVECTOR, nullable=False),
)

memory_stat = Table(
    "memory_stat",
    metadata,
    Column("space_id", BigInteger, primary_key=True, autoincrement=False),
    Column("memory_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tenant_id", Integer, nullable=False),
    Column("recalls", Integer, nullable=False),
    Column("last_recalled_at", _TIME),
    _memory_key("memory_id"),
)

edge = Table(
    "edge",
    metadata,
    Column("space_id", BigInteger, primary_key=True, autoincrement=False),
    Column("src", BigInteger, primary_key=True, autoincrement=False),
    Column("relation", Text, primary_key=True),
    Column("dst", BigInteger, primary_key=True, autoincrement=False),
    Column("tenant_id", Integer, nullable=False),
    Column("weight", Double, nullable=False),
    Column("created_at", _TIME, nullable=False),
    _memory_key("src"),
    _memory_key("dst"),
)

decision = Table(
    "decision",
    metadata,
    Column("space_id", BigInteger, ForeignKey("engram.space.space_id"), primary_key=True),
    Column("decision_id", BigInteger, primary_key=True),
    Column("tenant_id", Integer, nullable=False),
    Column("decided_at", _TIME, nullable=False),
    Column("action", Text, nullable=False),
    Column("memory_id", BigInteger, nullable=False),
    Column("related_id", BigInteger),
    Column("similarity", Double),
    Column("evidence", JSONB, nullable=False),
    Column("before", JSONB),
    Column("actor", Text, nullable=False),
    Column("undone_at", _TIME),
)


class _HalfVector(UserDefinedType[str]):
    """halfvec without the package pgvector: its text, like [0.1,0.2]."""

    cache_ok = True

    def __init__(self, dims: int) -> None:
        self.dims = dims

    def get_col_spec(self, **_: Any) -> str:
        return f"halfvec({self.dims})"


def embeddings(model_id: int, dims: int) -> Table:
    """The table of vectors of a model, `engram.embedding_<model_id>`: with the type HALFVEC of the package
    pgvector where that is installed, else with vectors as texts.
    """
    name = f"embedding_{model_id}"
    known = metadata.tables.get(f"engram.{name}")
    if known is not None:
        return known
    return Table(
        name,
        metadata,
        Column("space_id", BigInteger, primary_key=True, autoincrement=False),
        Column("memory_id", BigInteger, primary_key=True, autoincrement=False),
        Column("tenant_id", Integer, nullable=False),
        Column("content_hash", Uuid, nullable=False),
        Column("indexed", Boolean, nullable=False),
        Column("embedding", _half_vector(dims), nullable=False),
        _memory_key("memory_id"),
    )


def _half_vector(dims: int) -> UserDefinedType[Any]:
    try:
        types = import_module("pgvector.sqlalchemy")
    except ImportError:
        return _HalfVector(dims)
    vector: UserDefinedType[Any] = types.HALFVEC(dims)
    return vector
