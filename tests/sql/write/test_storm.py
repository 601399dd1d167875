"""Sixteen who write and four who delete, at once, on one user and on many: nobody is a deadlock's victim, no
text is there twice, and what was acknowledged is there. And all that changes a memory at once, in every level
of isolation, beside who erases whole users and who ends sessions: no deadlock, and nothing by halves.

ENGRAM_TEST_STORM_SECONDS makes it longer than a moment; -s shows the counts.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from random import Random
from threading import Lock
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from helpers import at_once, call, remember, remember_many, value
from psycopg.rows import namedtuple_row

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


LEVELS = ("read committed", "repeatable read", "serializable")
MAY_FAIL = {
    "EG002", "EG004", "EG007",  # somebody else was quicker
    "40001",  # what these levels of isolation may answer
    "57P01",  # this session was ended
}  # fmt: skip


class Unruly:
    """Every function that changes a memory, called by many at once."""

    def __init__(self, users: list[str], connect: Any) -> None:
        self.users, self.connect = users, connect
        self.until = monotonic() + SECONDS
        self.counts: Counter[str] = Counter()

    def act(self, number: int, acts: list[str]) -> None:
        """A session that does these, each by itself in a transaction; made anew when it was ended."""
        random, db = Random(number), None
        while monotonic() < self.until:
            if db is None or db.closed:
                db = self.connect()
                db.execute(f"set default_transaction_isolation = '{LEVELS[number % 3]}'")
            what, user = random.choice(acts), random.choice(self.users)
            try:
                getattr(self, f"_{what}")(db, user, random)
                self.counts[what] += 1
            except psycopg.Error as error:
                if error.sqlstate not in MAY_FAIL and not (db.closed and error.sqlstate is None):
                    raise
                self.counts["ended" if db.closed else "again" if error.sqlstate == "40001" else "missed"] += 1

    def _remember(self, db: Any, user: str, random: Random) -> None:
        text = f"The timeout of service{random.randrange(SUBJECTS)} is {random.randrange(4)} seconds."
        remember(db, text, user_id=user, policy=random.choice([None, "resolve", "append", "merge", "reject"]))

    def _some(self, db: Any, user: str, random: Random) -> int:
        rows = call(db, "search", query="timeout", user_id=user, k=30)
        return random.choice(rows).memory_id if rows else 1

    def _revise(self, db: Any, user: str, random: Random) -> None:
        content = f"The timeout of service{random.randrange(SUBJECTS)} was {random.random()} seconds."
        call(db, "revise", memory_id=self._some(db, user, random), content=content, user_id=user)

    def _undo(self, db: Any, user: str, random: Random) -> None:
        rows = call(db, "history", memory_id=self._some(db, user, random), user_id=user)
        if rows:
            call(db, "undo", decision_id=random.choice(rows).decision_id, user_id=user)

    def _forget(self, db: Any, user: str, random: Random) -> None:
        hard = random.random() < 0.5
        call(db, "forget", memory_id=self._some(db, user, random), user_id=user, hard=hard)

    def _consolidate(self, db: Any, user: str, random: Random) -> None:
        call(db, "consolidate", user_id=user, threshold=0.7)

    def _prune(self, db: Any, user: str, random: Random) -> None:
        call(db, "prune", user_id=user)

    def _recall(self, db: Any, user: str, random: Random) -> None:
        call(db, "recall", query="timeout", user_id=user, session_id="s")

    def _outcome(self, db: Any, user: str, random: Random) -> None:
        call(db, "session_outcome", session_id="s", outcome="success", user_id=user)

    def _embed(self, db: Any, user: str, random: Random) -> None:
        for one in call(db, "claim_embeddings", worker="w", model="caller:storm", batch=20):
            given = [[one.space_id], [one.memory_id], [one.content_hash], ["[1,0]"]]
            db.execute("select engram.complete_embeddings('w', 'caller:storm', %s, %s, %s, %s)", given)

    def _erase(self, db: Any, user: str, random: Random) -> None:
        call(db, "erase_user", user_id=user)
        sleep(0.2)

    def _maintain(self, db: Any, user: str, random: Random) -> None:
        db.execute("call engram.maintain()")

    def _end(self, db: Any, user: str, random: Random) -> None:
        sleep(0.3)
        db.execute(
            """select pg_terminate_backend(a.pid) from pg_stat_activity a
                where a.datname = current_database() and a.pid <> pg_backend_pid()
                  and a.application_name = 'unruly' order by random() limit 1"""
        )


def test_whatever_changes_a_memory_does_so_at_once_without_deadlock_or_orphan(database_url: str) -> None:
    def connect() -> psycopg.Connection[Any]:
        return psycopg.connect(
            database_url, autocommit=True, row_factory=namedtuple_row, application_name="unruly"
        )

    db = connect()
    db.execute("set application_name = 'looking on'")
    call(db, "register_model", name="caller:storm", provider="caller", dims=2)
    db.execute("select engram.configure('prune.below', '0.9')")
    unruly = Unruly(["ann", "bob", "cem"], connect)
    changes = ["remember", "remember", "revise", "undo", "forget", "recall", "outcome"]
    sessions = [changes] * 6 + [["consolidate", "prune"], ["embed"], ["erase"], ["maintain"], ["end"]]
    at_once(partial(unruly.act, number, acts) for number, acts in enumerate(sessions))

    print(f"{len(sessions)} sessions, {SECONDS} s: {dict(unruly.counts)}")
    assert unruly.counts.total() > 50
    for query in HALF_WRITTEN:
        assert value(db, query) == 0, query
    model = value(db, "select model_id from engram.embedding_model where name = 'caller:storm'")
    late = f"""select count(*) from engram.embedding_{model} e
                 join engram.memory m using (space_id, memory_id) where e.content_hash <> m.content_hash"""
    assert value(db, late) == 0
    db.close()


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
