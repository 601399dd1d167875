"""Short forms of calls to the public SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg
from psycopg.types.json import Jsonb

Db = psycopg.Connection[Any]
T = TypeVar("T")


def call(db: Db, function: str, /, *columns: str, **arguments: object) -> list[Any]:
    """The rows of a function of schema engram, called with named arguments; a dict goes as JSON."""
    names = ", ".join(f"{name} => %({name})s" for name in arguments)
    values = {name: Jsonb(value) if isinstance(value, dict) else value for name, value in arguments.items()}
    alias = f" as _ ({', '.join(columns)})" if columns else ""
    return db.execute(f"select * from engram.{function}({names}){alias}".encode(), values).fetchall()


def remember(db: Db, content: str | None, **arguments: object) -> Any:
    return call(db, "remember", content=content, **arguments)[0]


def remember_many(db: Db, memories: Iterable[dict[str, Any]], **arguments: object) -> list[Any]:
    return call(db, "remember_many", memories=Jsonb(list(memories)), **arguments)


def recall(db: Db, query: str, **arguments: object) -> list[Any]:
    return call(db, "recall", query=query, **arguments)


def search(db: Db, query: str, **arguments: object) -> list[Any]:
    return call(db, "search", query=query, **arguments)


def contents(rows: Iterable[Any]) -> list[str]:
    return [row.content for row in rows]


def value(db: Db, query: str, *parameters: object) -> Any:
    """The first column of the first row."""
    row = db.execute(query.encode(), parameters or None).fetchone()
    return None if row is None else row[0]


def error_of(db: Db, act: Callable[[], object]) -> psycopg.Error:
    """The database error that an act raises; what it did before is rolled back."""
    try:
        with db.transaction():
            act()
    except psycopg.Error as error:
        return error
    raise AssertionError("no error was raised")


def configure(db: Db, name: str, setting: str | None) -> None:
    db.execute("select engram.configure(%s, %s)", [name, setting])


def use_index(db: Db, limit: int) -> None:
    """Makes every space of more memories than this a large one, and brings its vectors into the index."""
    configure(db, "recall.exact_limit", str(limit))
    db.execute("call engram.maintain(array['count', 'index'])")


def at_once(acts: Iterable[Callable[[], T]]) -> list[T]:
    """What the acts return, each run in a thread of its own, all started together."""
    waiting = list(acts)
    start = Barrier(len(waiting))

    def run(act: Callable[[], T]) -> T:
        start.wait(timeout=30)
        return act()

    with ThreadPoolExecutor(len(waiting)) as pool:
        return list(pool.map(run, waiting))


def behind(
    db: Db, act: Callable[[], object], waiting: Callable[[], T], then: Callable[[], object] = lambda: None
) -> T:
    """What `waiting` returns, or raises, when it meets what `act` did in a transaction of `db` that commits
    only once the other one waits for it, after it did `then`.
    """
    blocked = (
        "select exists (select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)))"
    )
    with ThreadPoolExecutor(1) as pool:
        with db.transaction():
            act()
            result = pool.submit(waiting)
            end = monotonic() + 10
            while not value(db, blocked) and not result.done() and monotonic() < end:
                sleep(0.02)
            then()
        return result.result(timeout=30)
