"""Sixteen who write and four who delete, at once, on one user and on many: nobody is a deadlock's victim, no
text is there twice, and what was acknowledged is there.

ENGRAM_TEST_STORM_SECONDS makes it longer than a moment; -s shows the counts.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from random import Random
from threading import Lock
from time import monotonic
from typing import Any

import psycopg
import pytest
from helpers import at_once, call, remember, remember_many, value

SECONDS = float(os.environ.get("ENGRAM_TEST_STORM_SECONDS", "2"))
WRITERS, DELETERS, WORKERS = 16, 4, 1
SUBJECTS = 12


class Storm:
    """What each session did, and what it was told."""

    def __init__(self, users: list[str]) -> None:
        self.users = users
        self.until = monotonic() + SECONDS
        self.told: dict[int, str] = {}
        self.gone: set[int] = set()
        self.counts: Counter[str] = Counter()
        self.lock = Lock()

    def write(self, db: psycopg.Connection[Any], number: int) -> None:
        random = Random(number)
        while monotonic() < self.until:
            user = random.choice(self.users)
            subject, amount = random.randrange(SUBJECTS), random.randrange(4)
            text = f"The timeout of service{subject} is {amount} seconds."
            act = random.choice(["remember", "remember", "append", "many", "revise", "link"])
            try:
                self.count(act, getattr(self, f"_{act}")(db, user, text, f"note {number} {random.random()}"))
            except psycopg.Error as error:
                if error.sqlstate not in ("EG004", "EG007"):  # somebody else was quicker
                    raise
                self.count("missed", None)

    def _remember(self, db: Any, user: str, text: str, own: str) -> Any:
        return remember(db, text, user_id=user)

    def _append(self, db: Any, user: str, text: str, own: str) -> Any:
        return remember(db, own, user_id=user, policy="append", session_id="s")

    def _many(self, db: Any, user: str, text: str, own: str) -> None:
        for row in remember_many(db, [{"content": text}, {"content": own}, {"content": text}], user_id=user):
            self.count("of many", row)

    def _revise(self, db: Any, user: str, text: str, own: str) -> None:
        rows = call(db, "search", query="timeout", user_id=user, k=3)
        if rows:
            call(db, "revise", memory_id=rows[-1].memory_id, user_id=user, importance=0.9)

    def _link(self, db: Any, user: str, text: str, own: str) -> None:
        rows = call(db, "recall", query="timeout note", user_id=user, k=4)
        if len(rows) > 1:
            call(db, "link", src=rows[-1].memory_id, dst=rows[0].memory_id, user_id=user)

    def delete(self, db: psycopg.Connection[Any], number: int) -> None:
        random = Random(100 + number)
        while monotonic() < self.until:
            user = random.choice(self.users)
            rows = call(db, "search", query="note timeout", user_id=user, k=20)
            ids = [row.memory_id for row in random.sample(rows, min(3, len(rows)))]
            for id in ids:
                try:
                    hard = random.random() < 0.5
                    receipt = call(db, "forget", memory_id=id, user_id=user, hard=hard)[0].forget
                except psycopg.Error as error:
                    if error.sqlstate != "EG004":
                        raise
                    continue
                if hard and receipt["memories"]:
                    with self.lock:
                        assert id not in self.gone, "one memory was erased twice"
                        self.gone.add(id)
                self.count("erased" if hard else "archived", None)

    def tend(self, db: psycopg.Connection[Any], number: int) -> None:
        while monotonic() < self.until:
            db.execute("call engram.maintain()")
            self.count("upkeep", None)

    def count(self, what: str, row: Any) -> None:
        with self.lock:
            self.counts[what] += 1
            if row is not None:
                self.told[row.memory_id] = row.action


@pytest.mark.parametrize("users", [1, 8])
def test_writers_and_deleters_at_once_lose_and_double_nothing(connect: Any, user: str, users: int) -> None:
    storm = Storm([f"{user}-{number}" for number in range(users)])
    acts = [
        *(partial(storm.write, connect(), number) for number in range(WRITERS)),
        *(partial(storm.delete, connect(), number) for number in range(DELETERS)),
        *(partial(storm.tend, connect(), number) for number in range(WORKERS)),
    ]
    at_once(acts)  # an error of any of them, a deadlock above all, is raised here

    db = connect()
    print(f"{users} users, {SECONDS} s: {dict(storm.counts)}")
    assert storm.counts.total() > 50
    spaces = "space_id in (select space_id from engram.space where user_id = any (%s))"
    found = {
        row.memory_id: row
        for row in db.execute(
            f"select space_id, memory_id, content, state from engram.memory where {spaces}".encode(),
            [storm.users],
        ).fetchall()
    }
    # Lost updates: what was told to be there is there, but for what was erased.
    assert storm.told.keys() - found.keys() <= storm.gone
    assert not storm.gone & found.keys()
    # Duplicates: of a service one timeout is current in a space, and no text is there twice.
    current = Counter((row.space_id, row.content) for row in found.values() if row.state == "active")
    assert [text for text, count in current.items() if count > 1] == []
    # Half-written memories: each has its words and its vector, and nothing hangs on one that is gone.
    for query in HALF_WRITTEN:
        assert value(db, query) == 0, query


HALF_WRITTEN = (
    """select count(*) from engram.memory m left join engram.lexeme_key k using (space_id, memory_id)
        where k is null""",
    """select count(*) from engram.memory m left join engram.embedding_1 e using (space_id, memory_id)
        where e.content_hash is distinct from m.content_hash""",
    """select count(*) from engram.edge e
         left join engram.memory m on (m.space_id, m.memory_id) = (e.space_id, e.src) where m is null""",
    """select count(*) from engram.memory m where m.superseded_by is not null and not exists
              (select from engram.memory n
                where (n.space_id, n.memory_id) = (m.space_id, m.superseded_by))""",
    """select count(*) from engram.memory m where not exists
              (select from engram.decision d where (d.space_id, d.memory_id) = (m.space_id, m.memory_id))""",
)
