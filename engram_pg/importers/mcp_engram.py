"""The memory of mcp-engram: a DuckDB file, of any version from 0.1 on, and the graph in JSON beside it.

mcp-engram writes the wall clock of its machine, without a time zone. What names a memory is its number and
that time, as they stand in the file: two files may use the same numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from importlib import import_module
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engram_pg.errors import ARGUMENT_INVALID, INSTALLATION, EngramError
from engram_pg.importers.item import BadLine, Item

NAME = "mcp-engram"
RELATIONS = {"semantic": "similar"}
"""What an edge is called there and here; other names stay."""
COLLECTIONS = {
    "handoff": "engineering/handoff",
    "failure": "engineering/failure",
    "progress": "engineering/progress",
}
"""Where records of a type, which their metadata names, are kept here."""

_COLUMNS = ("user_id", "content", "importance", "category", "recall_count", "created_at", "last_accessed_at")


@dataclass
class Moving:
    """What the files hold. `line` of an item is the number of the memory there; `left` counts by their name
    the things that have no place here.
    """

    memories: list[Item | BadLine] = field(default_factory=list)
    edges: list[Item] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def read(store: Path, graph: Path | None = None, zone: str | None = None) -> Moving:
    """Reads the file, which mcp-engram must not have open, and its graph: by default `graph.json` in the same
    folder, if there is one. `zone` names the time zone of the machine that wrote it, by default that of this
    one. Raises EngramError.
    """
    moving = Moving()
    home = _zone(zone)
    names: dict[int, str] = {}
    owners: dict[int, str] = {}
    with _opened(store) as connection:
        for row in _memories(connection):
            parsed = _memory(row, home)
            moving.memories.append(parsed)
            if isinstance(parsed, Item):
                names[row["id"]], owners[row["id"]] = parsed.memory["id"], parsed.user or ""
        for table, count in _other_tables(connection):
            moving.left[f"rows of {table}"] += count
    beside = store.with_name("graph.json")
    if graph is not None or beside.is_file():
        _edges(graph or beside, names, owners, moving)
    return moving


def _memories(connection: Any) -> Iterator[dict[str, Any]]:
    if "memories" not in _tables(connection):
        raise EngramError(ARGUMENT_INVALID, "the file has no table memories", hint=_HINT)
    there = {name for (name,) in connection.execute("select column_name from (describe memories)").fetchall()}
    missing = sorted({"id", *_COLUMNS} - there)
    if missing:
        raise EngramError(ARGUMENT_INVALID, f'the table "memories" has no column "{missing[0]}"', hint=_HINT)
    metadata = "metadata::varchar" if "metadata" in there else "null"
    # A FLOAT as a text is the short number that was written; as a double it would be 0.800000011920929.
    found = connection.execute(
        "select id::bigint as id, user_id::varchar as user_id, content::varchar as content,"
        " importance::varchar::double as importance, category::varchar as category,"
        " recall_count::bigint as recall_count, created_at::timestamp as created_at,"
        f" last_accessed_at::timestamp as last_accessed_at, {metadata} as metadata from memories order by 1"
    )
    names = [column[0] for column in found.description]
    while rows := found.fetchmany(1000):
        for row in rows:
            yield dict(zip(names, row, strict=True))


def _memory(row: dict[str, Any], home: tzinfo | None) -> Item | BadLine:
    try:
        created, accessed = _moment(row["created_at"], home), _moment(row["last_accessed_at"], home)
    except (ValueError, OverflowError):
        return BadLine(row["id"], "its times are no dates of the years 1 to 9999")
    metadata: Any = {}
    if row["metadata"] is not None:
        try:
            metadata = json.loads(row["metadata"])
        except (ValueError, RecursionError) as error:
            return BadLine(row["id"], f"its metadata is no JSON: {error}")
    if not isinstance(metadata, dict):
        metadata = {} if metadata is None else {"metadata": metadata}
    memory: dict[str, Any] = {
        "type": "memory",
        "id": f"{row['id']}@{row['created_at'].isoformat()}",
        "content": row["content"],
        "kind": row["category"],
        "importance": row["importance"],
        "metadata": metadata,
        "collection": COLLECTIONS.get(str(metadata.get("type"))),
        "source_type": NAME,
        "created_at": created,
        "reinforced_at": accessed,
        "recalls": row["recall_count"],
        "last_recalled_at": accessed if row["recall_count"] else None,
    }
    session = metadata.get("session_id")
    if isinstance(session, str) and session:
        memory["session_id"] = session
    return Item(
        row["id"], {name: value for name, value in memory.items() if value is not None}, row["user_id"]
    )


def _other_tables(connection: Any) -> Iterator[tuple[str, int]]:
    for table in _tables(connection):
        if table in ("memories", "engram_meta"):
            continue
        quoted = table.replace('"', '""')
        [(count,)] = connection.execute(f'select count(*) from "{quoted}"').fetchall()
        if count:
            yield table, count


def _tables(connection: Any) -> list[str]:
    found = connection.execute(
        "select table_name from information_schema.tables"
        " where table_schema = 'main' and table_type = 'BASE TABLE' order by table_name"
    )
    return [name for (name,) in found.fetchall()]


def _edges(file: Path, names: dict[int, str], owners: dict[int, str], moving: Moving) -> None:
    try:
        graph = json.loads(file.read_text(encoding="utf-8"))
        links = graph["links"] if "links" in graph else graph["edges"]
        ends = [(link["source"], link["target"], link) for link in links]
        dict.fromkeys(end for link in ends for end in link[:2])  # a list would be no name of a memory
    except OSError as error:
        raise EngramError(ARGUMENT_INVALID, f"{file} cannot be read: {error.strerror}", hint=_HINT) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise EngramError(ARGUMENT_INVALID, f"{file} is no graph of {NAME}", hint=_HINT) from error
    # An edge of likeness is kept there twice, once each way; here once, from the later memory.
    kept: dict[tuple[int, int, str], float] = {}
    for source, target, link in ends:
        relation = str(link.get("relation") or "semantic")
        weight = link.get("weight")
        if source not in names or target not in names or source == target:
            moving.left["edges of memories that are no more"] += 1
        elif owners[source] != owners[target]:
            moving.left["edges between two users"] += 1
        elif not isinstance(weight, int | float) or not 0 < weight <= 1:
            moving.left["edges without a weight above 0 and up to 1"] += 1
        else:
            src, dst = (
                (max(source, target), min(source, target)) if relation == "semantic" else (source, target)
            )
            key = (src, dst, RELATIONS.get(relation, relation))
            kept[key] = max(kept.get(key, 0.0), float(weight))
    for (src, dst, relation), weight in kept.items():
        edge = {"type": "edge", "src": names[src], "dst": names[dst], "relation": relation, "weight": weight}
        moving.edges.append(Item(src, edge, owners[src]))


@contextmanager
def _opened(store: Path) -> Iterator[Any]:
    """The file, opened to read only, with no way from it to other files or the network: it may come from
    anybody. Raises EngramError, also for what cannot be read in it later.
    """
    try:
        duckdb = import_module("duckdb")
    except ImportError as error:
        raise EngramError(
            INSTALLATION,
            f"the files of {NAME} are read with duckdb, which is not installed",
            hint="pip install duckdb",
        ) from error
    if not store.is_file():
        raise EngramError(ARGUMENT_INVALID, f"{store} is no file", hint=_HINT)
    try:
        connection = duckdb.connect(str(store), read_only=True, config={"enable_external_access": False})
        with closing(connection):
            yield connection
    except duckdb.Error as error:
        reason = str(error).strip().splitlines()[0]
        locked = "lock" in reason
        raise EngramError(
            ARGUMENT_INVALID,
            f"{store} cannot be read: {reason}",
            hint=f"Stop {NAME}, which has it open, and import again." if locked else _HINT,
        ) from error


def _zone(name: str | None) -> tzinfo | None:
    try:
        return None if name is None else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise EngramError(
            ARGUMENT_INVALID, f"time zone {name} does not exist", hint="A name like Asia/Shanghai."
        ) from error


def _moment(naive: object, home: tzinfo | None) -> str:
    """The moment with its offset. Raises ValueError or OverflowError for one that Python has no date for, and
    for none."""
    if not isinstance(naive, datetime):
        raise ValueError
    return (naive.astimezone() if home is None else naive.replace(tzinfo=home)).isoformat()


_HINT = f"Give the files that {NAME} keeps: ~/.engram/memories.duckdb and, if you like, ~/.engram/graph.json."
