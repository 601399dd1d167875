"""The functions of schema engram as statements, typed by the rows that they return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, Unpack, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    DateTime,
    Double,
    Integer,
    Select,
    Text,
    bindparam,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.types import TypeEngine

from engram_pg.embedders.vectors import as_array
from engram_pg.errors import ARGUMENT_INVALID, EngramError
from engram_pg.options import JsonObject, RememberOptions, ReviseOptions, SearchOptions
from engram_pg.sqlalchemy.tables import memory
from engram_pg.statements import given, types_of_arguments

_TYPES: Mapping[str, TypeEngine[Any]] = {
    "text": Text(),
    "text[]": ARRAY(Text),
    "bigint": BigInteger(),
    "bigint[]": ARRAY(BigInteger),
    "integer": Integer(),
    "double precision": Double(),
    "double precision[]": ARRAY(Double),
    "boolean": Boolean(),
    "timestamptz": DateTime(timezone=True),
    "jsonb": JSONB(),
}
_ARGUMENTS = {name: _TYPES[sql] for name, sql in types_of_arguments().items()}

_REMEMBERED = {
    "memory_id": "bigint",
    "action": "text",
    "related_id": "bigint",
    "similarity": "double precision",
    "evidence": "jsonb",
    "decision_id": "bigint",
}
_HIT = {
    "rank": "integer",
    "memory_id": "bigint",
    "content": "text",
    "kind": "text",
    "importance": "double precision",
    "tags": "text[]",
    "metadata": "jsonb",
    "created_at": "timestamptz",
    "valid_from": "timestamptz",
    "valid_until": "timestamptz",
    "score": "double precision",
    "semantic": "double precision",
    "lexical": "double precision",
    "strength": "double precision",
    "graph": "double precision",
    "legs": "text[]",
}
_CHANGE = {
    "decided_at": "timestamptz",
    "decision_id": "bigint",
    "action": "text",
    "memory_id": "bigint",
    "related_id": "bigint",
    "content": "text",
    "state": "text",
    "similarity": "double precision",
    "evidence": "jsonb",
    "before": "jsonb",
    "actor": "text",
    "undone_at": "timestamptz",
}
_NEIGHBOR = {
    "memory_id": "bigint",
    "hops": "integer",
    "path_weight": "double precision",
    "content": "text",
    "kind": "text",
    "state": "text",
}

Json: TypeAlias = dict[str, Any]
Number: TypeAlias = "int | ColumnElement[int]"
String: TypeAlias = "str | ColumnElement[str]"

Remembered: TypeAlias = "Select[int, str, int | None, float | None, Json, int | None]"
"""Rows of memory_id, action, related_id, similarity, evidence and decision_id."""

Hits: TypeAlias = (
    "Select[int, int, str, str, float, list[str], Json, datetime, datetime, datetime | None, float,"
    " float | None, float | None, float | None, float | None, list[str]]"
)
"""Rows of rank, memory_id, content, kind, importance, tags, metadata, created_at, valid_from, valid_until,
score, semantic, lexical, strength, graph and legs.
"""


def remember(
    content: String, *, user_id: String | None = None, **options: Unpack[RememberOptions]
) -> Remembered:
    """Stores a text, unless the gate finds it known: `action` of the row says what became of it."""
    return cast(Remembered, _rows("remember", _REMEMBERED, content=content, user_id=user_id, **options))


def remember_many(
    memories: Iterable[JsonObject | str], *, user_id: String | None = None, policy: str | None = None
) -> Select[int, int, str, int | None, float | None, Json, int | None]:
    """Stores many texts in one call, in their order; the rows begin with the position of each."""
    items = [{"content": item} if isinstance(item, str) else dict(item) for item in memories]
    columns = {"position": "integer", **_REMEMBERED}
    found = _rows("remember_many", columns, memories=items, user_id=user_id, policy=policy)
    return cast("Select[int, int, str, int | None, float | None, Json, int | None]", found)


def recall(
    query: String,
    *,
    user_id: String | None = None,
    session_id: String | None = None,
    **options: Unpack[SearchOptions],
) -> Hits:
    """The memories that answer a question, best first. That they were recalled is noted, and keeps them
    strong.

    Where the active model is computed outside the database, its vector of the question is `embedding`.
    """
    given: dict[str, Any] = {"query": query, "user_id": user_id, "session_id": session_id, **options}
    return cast(Hits, _rows("recall", _HIT, **given))


def search(query: String, *, user_id: String | None = None, **options: Unpack[SearchOptions]) -> Hits:
    """Like `recall`, but leaves no trace: for a read-only transaction, and for a hot standby."""
    return cast(Hits, _rows("search", _HIT, query=query, user_id=user_id, **options))


def context(
    query: String,
    *,
    user_id: String | None = None,
    max_tokens: int | None = None,
    profile: str | None = None,
    embedding: Sequence[float] | None = None,
    session_id: String | None = None,
) -> Select[str]:
    """What is known about a question, as text for a prompt of at most about `max_tokens` tokens."""
    return _value(
        "context",
        Text(),
        query=query,
        user_id=user_id,
        max_tokens=max_tokens,
        profile=profile,
        embedding=embedding,
        session_id=session_id,
    )


def get(memory_id: Number, *, user_id: String | None = None) -> Select[*tuple[Any, ...]]:
    """One memory, whatever its state, with the columns of the table `memory`."""
    called = _called("get", memory_id=memory_id, user_id=user_id)
    return select(*called.table_valued(*(column(c.name, c.type) for c in memory.columns)).c)


def revise(
    memory_id: Number,
    content: String | None = None,
    *,
    user_id: String | None = None,
    **options: Unpack[ReviseOptions],
) -> Remembered:
    """Changes a memory. What it was stays in its history, and `undo` brings it back."""
    given: dict[str, Any] = {"memory_id": memory_id, "content": content, "user_id": user_id, **options}
    return cast(Remembered, _rows("revise", _REMEMBERED, **given))


def forget(
    memory_id: Number | None = None,
    *,
    user_id: String | None = None,
    filter: JsonObject | None = None,
    hard: bool = False,
) -> Select[Json]:
    """Forgets one memory, or those that a filter means, and returns the receipt; `hard` erases for good.
    Raises EngramError for neither.
    """
    if memory_id is None and filter is None:
        raise EngramError(
            ARGUMENT_INVALID,
            "forget takes either a memory_id or a filter",
            hint='{"all": true} means all memories of this user; erase() removes a user altogether.',
        )
    return _value("forget", JSONB(), memory_id=memory_id, user_id=user_id, filter=filter, hard=hard)


def erase(user_id: String) -> Select[Json]:
    """Erases a user for good, the history and the name too; returns the receipt."""
    return _value("erase_user", JSONB(), user_id=user_id)


def undo(decision_id: Number, *, user_id: String | None = None) -> Remembered:
    """Takes a decision back, be it the gate's or a person's."""
    return cast(Remembered, _rows("undo", _REMEMBERED, decision_id=decision_id, user_id=user_id))


def history(memory_id: Number, *, user_id: String | None = None) -> Select[*tuple[Any, ...]]:
    """What happened to a memory, and to those it replaced."""
    return _rows("history", _CHANGE, memory_id=memory_id, user_id=user_id)


def link(
    src: Number,
    dst: Number,
    relation: str | None = None,
    weight: float | None = None,
    *,
    user_id: String | None = None,
) -> Select[None]:
    """Draws an edge between two memories, or changes its weight, above 0 and up to 1."""
    given: dict[str, Any] = {"src": src, "dst": dst, "relation": relation, "weight": weight}
    return cast("Select[None]", _value("link", Text(), user_id=user_id, **given))


def unlink(
    src: Number, dst: Number, relation: str | None = None, *, user_id: String | None = None
) -> Select[int]:
    """Removes an edge, and returns how many were removed."""
    return _value("unlink", Integer(), src=src, dst=dst, relation=relation, user_id=user_id)


def neighbors(
    memory_id: Number, depth: int | None = None, *, user_id: String | None = None
) -> Select[int, int, float, str, str, str]:
    """The memories around one, nearest first, `depth` edges away at most."""
    found = _rows("neighbors", _NEIGHBOR, memory_id=memory_id, depth=depth, user_id=user_id)
    return cast("Select[int, int, float, str, str, str]", found)


def in_tenant(name: str) -> Select[str]:
    """Sets the tenant for the rest of the transaction, as multi-tenant mode asks for."""
    return select(func.set_config("engram.tenant", name, True, type_=Text()).label("tenant"))


def space_id(user_id: String, tenant: String | None = None) -> ColumnElement[int]:
    """The key of a user's memories, an expression to compare `memory.c.space_id` with."""
    names = [user_id] if tenant is None else [user_id, tenant]
    made: ColumnElement[int] = func.engram.space_id(*names, type_=BigInteger())
    return made


def _rows(function: str, columns: Mapping[str, str], **arguments: Any) -> Select[*tuple[Any, ...]]:
    called = _called(function, **arguments)
    return select(*called.table_valued(*(column(name, _TYPES[sql]) for name, sql in columns.items())).c)


def _value(function: str, kind: TypeEngine[Any], **arguments: Any) -> Select[Any]:
    return select(_called(function, kind, **arguments).label(function))


def _called(function: str, kind: TypeEngine[Any] | None = None, **arguments: Any) -> Any:
    """The call with its arguments by name."""
    passed = [
        literal_column(name).op("=>")(_argument(name, value))
        for name, value in given(function, arguments).items()
    ]
    return getattr(func.engram, function)(*passed, type_=kind)


def _argument(name: str, value: Any) -> ColumnElement[Any]:
    if isinstance(value, ColumnElement):
        return value
    if hasattr(value, "__clause_element__"):
        return cast("ColumnElement[Any]", value.__clause_element__())
    kind = _ARGUMENTS[name]
    if kind is _TYPES["double precision[]"]:
        value = as_array(value)
    elif isinstance(value, tuple | set | frozenset):
        value = list(value)
    if isinstance(kind, DateTime | ARRAY) and isinstance(value, str):
        return sql_cast(bindparam(None, value, type_=Text()), kind)
    return bindparam(None, value, type_=kind)
