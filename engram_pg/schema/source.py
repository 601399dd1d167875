"""Finds the files of ``sql/`` and puts them in an order in which they can run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256

from engram_pg._paths import resource

HEAD = "0002"
"""The revision that this package installs."""

_CREATED = re.compile(
    r"create\s+(?:or\s+replace\s+)?(?:function|procedure|view|aggregate)\s+engram\.(\w+)", re.IGNORECASE
)
_REFERENCE = re.compile(r"engram\.(\w+)")
_LATE_BOUND = re.compile(r"\bas\s+\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|--[^\n]*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class SqlFile:
    """One file of ``sql/``: its path below that folder, and its text."""

    name: str
    text: str

    @property
    def defines(self) -> list[str]:
        """The names, without schema, of the functions, procedures and views that the file creates."""
        return [name.lower() for name in _CREATED.findall(self.text)]


def prelude() -> SqlFile:
    """What opens every installation: checks of the server, the schema, the pinned search_path."""
    return _read("prelude.sql")


def revising() -> SqlFile:
    """What precedes the tables of a revision: functions of an older version let go of the rows of tables."""
    return _read("revising.sql")


def replacing() -> SqlFile:
    """The procedures by which functions take the place of those of an older version."""
    return _read("replacing.sql")


def revisions() -> list[str]:
    """The revisions of the tables, oldest first, up to the one that this package installs."""
    return [f"{number:04}" for number in range(1, int(HEAD) + 1)]


def tables(revision: str = "") -> list[SqlFile]:
    """The stateful files of a revision, or of all, in the order of their numbers."""
    return _folder(f"tables/{revision}".rstrip("/"))


def seeds() -> list[SqlFile]:
    """The rows the product ships, as idempotent upserts."""
    return _folder("seeds")


@cache
def functions() -> tuple[SqlFile, ...]:
    """The idempotent files, each after those that its definition needs at creation.

    A plpgsql or quoted body is bound when it is called, so only what stands outside of bodies, strings and
    comments counts. Files that define nothing (policies, triggers) come last.
    """
    files = {file.name: file for file in _folder("functions")}
    defines: dict[str, str] = {}
    for file in files.values():
        for created in file.defines:
            defines[created] = file.name
    needs = {
        file.name: {
            defines[reference.lower()]
            for reference in _REFERENCE.findall(_LATE_BOUND.sub("", file.text))
            if defines.get(reference.lower(), file.name) != file.name
        }
        for file in files.values()
    }
    try:
        order = list(TopologicalSorter({name: sorted(needs[name]) for name in sorted(needs)}).static_order())
    except CycleError as error:
        raise RuntimeError(
            f"SQL functions need each other at creation: {' -> '.join(error.args[1])}"
        ) from error
    defining = set(defines.values())
    return tuple(files[name] for name in sorted(order, key=lambda name: name not in defining))


@cache
def fingerprint() -> str:
    """Changes with any function or seed: by it a database knows whether it has those of this package."""
    digest = sha256()
    for file in (replacing(), *_folder("functions"), *_folder("seeds")):
        digest.update(f"{file.name}\0{file.text}\0".encode())
    return digest.hexdigest()[:16]


def _folder(name: str) -> list[SqlFile]:
    root = resource("sql")
    return [_read(str(path.relative_to(root))) for path in sorted((root / name).rglob("*.sql"))]


def _read(name: str) -> SqlFile:
    return SqlFile(name, (resource("sql") / name).read_text(encoding="utf-8"))
