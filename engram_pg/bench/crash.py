"""A server killed in the middle of a storm of writes, again and again: what was acknowledged is there, and
nothing is half there.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import psycopg

from engram_pg.bench.texts import sentences
from engram_pg.client import Engram
from engram_pg.embedded import DATABASE, OWNER, SUPERUSER, Server
from engram_pg.errors import EngramError
from engram_pg.progress import Advance, silent

SHARED = "everybody"


class Target(Protocol):
    """A server that may be killed."""

    def dsn(self, superuser: bool = False) -> str: ...

    def kill(self) -> None:
        """SIGKILL to all its processes."""

    def start(self) -> None:
        """Starts it again, and returns when it answers."""


@dataclass
class Writer:
    """One client, and what the server told it: memory id → content, None when that may differ."""

    user: str
    seed: int
    known: dict[int, str | None] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    erased: set[int] = field(default_factory=set)
    acknowledged: int = 0
    unknown: int | None = None
    """The memory that the call at the moment of the crash was about; None for a new one."""

    def write(self, dsn: str, texts: Iterator[str]) -> None:
        """Writes until the connection is lost."""
        chance = random.Random(self.seed)
        try:
            with Engram(dsn, self.user, embedder=None) as memory:
                while True:
                    self._act(memory, chance, texts)
                    self.acknowledged += 1
        except EngramError as error:
            if not error.sqlstate.startswith(("08", "57P")):
                raise

    def _act(self, memory: Engram, chance: random.Random, texts: Iterator[str]) -> None:
        roll = chance.random()
        chosen = chance.choice(list(self.known)) if self.known and roll > 0.6 else None
        self.unknown = chosen
        if chosen is not None and roll > 0.7 and self.user != SHARED:
            self._change(memory, chosen, chance.random(), texts)
            return
        if chosen is not None and roll > 0.7:
            memory.recall("who met whom, and where?")
            return
        self.unknown = None
        content = next(texts)
        stored = memory.remember(content)
        for other in self.known.keys() & {stored.memory_id, stored.related_id}:
            self.known[other] = None
        if stored.action in ("new", "replace") and stored.memory_id not in self.known:
            self.known[stored.memory_id] = content

    def _change(self, memory: Engram, chosen: int, roll: float, texts: Iterator[str]) -> None:
        if roll < 0.5:
            content = next(texts)
            memory.revise(chosen, content)
            self.known[chosen] = content
            return
        hard = roll > 0.8
        memory.forget(chosen, hard=hard)
        del self.known[chosen]
        (self.erased if hard else self.forgotten).add(chosen)

    def lost(self, db: psycopg.Connection[Any]) -> list[str]:
        """What was acknowledged and is not so."""
        rows = db.execute(
            "select memory_id, content, state from engram.memory where space_id = engram.space_id(%s)",
            [self.user],
        )
        there = {memory_id: (content, state) for memory_id, content, state in rows.fetchall()}
        wrong, changed = [], []
        for memory_id, content in self.known.items():
            if memory_id == self.unknown and self.user != SHARED:
                continue
            if memory_id not in there:
                wrong.append(f"memory {memory_id} of {self.user} is gone")
            elif self.user != SHARED and content not in (None, there[memory_id][0]):
                changed.append(f"memory {memory_id} of {self.user} has another text")
        # The text that was being remembered may have been merged into one that was there.
        wrong += changed if self.unknown is not None else changed[1:]
        for memory_id in self.forgotten - {self.unknown}:
            if memory_id not in there or there[memory_id][1] == "active":
                wrong.append(f"memory {memory_id} of {self.user} was forgotten and is back")
        wrong += [
            f"memory {memory_id} of {self.user} was erased and is back"
            for memory_id in (self.erased - {self.unknown}) & there.keys()
        ]
        return wrong

    def learn(self, db: psycopg.Connection[Any]) -> None:
        """What became of the call that the crash cut off is known from here on."""
        if self.unknown is not None and self.user != SHARED:
            row = db.execute(
                "select content, state from engram.memory"
                " where space_id = engram.space_id(%s) and memory_id = %s",
                [self.user, self.unknown],
            ).fetchone()
            self.known.pop(self.unknown, None)
            if row is None:
                self.erased.add(self.unknown)
            elif row[1] == "active":
                self.known[self.unknown] = row[0]
        self.unknown = None


HALF_WRITTEN = {
    "memories whose hash is of another text": """
        select count(*) from engram.memory m where m.content_hash <> engram.content_hash(m.content)""",
    "memories whose words are of another text": """
        select count(*) from engram.memory m where m.lexemes <> engram.lexemes(m.content)""",
    "memories that no word finds": """
        select count(*) from engram.memory m
         where m.lexemes <> ''
           and not exists (select from engram.lexeme_key l
                            where l.space_id = m.space_id and l.memory_id = m.memory_id)""",
    "memories without a vector of their text": """
        select count(*) from engram.memory m
         where not exists (select from {vectors} e
                            where e.space_id = m.space_id and e.memory_id = m.memory_id
                              and e.content_hash = m.content_hash)""",
    "memories that no decision made": """
        select count(*) from engram.memory m
         where not exists (select from engram.decision d
                            where d.space_id = m.space_id and d.memory_id = m.memory_id)""",
    "vectors, words, counts or edges of no memory": """
        select count(*)
          from (select space_id, memory_id from {vectors}
                union all select space_id, memory_id from engram.lexeme_key
                union all select space_id, memory_id from engram.memory_stat
                union all select space_id, src from engram.edge
                union all select space_id, dst from engram.edge) o
         where not exists (select from engram.memory m
                            where m.space_id = o.space_id and m.memory_id = o.memory_id)""",
    "retired memories whose successor is not there": """
        select count(*) from engram.memory m
         where m.superseded_by is not null
           and not exists (select from engram.memory s
                            where s.space_id = m.space_id and s.memory_id = m.superseded_by)""",
}


def half_written(db: psycopg.Connection[Any]) -> list[str]:
    """What is in one table and not in the other, or an index that is not valid."""
    table = db.execute("select engram._embedding_table(model_id) from engram.embedding_model").fetchone()
    assert table is not None
    found = []
    for what, query in HALF_WRITTEN.items():
        row = db.execute(query.format(vectors=table[0]).encode()).fetchone()
        if row is None or row[0]:
            found.append(f"{row and row[0]} {what}")
    broken = db.execute("select \"check\", detail from engram.doctor() where status = 'error'").fetchall()
    return found + [f"{check}: {detail}" for check, detail in broken]


def checked_indexes(db: psycopg.Connection[Any]) -> int | None:
    """How many B-tree indexes amcheck found whole, each with an entry for every row; None without amcheck.
    Raises what amcheck raises.
    """
    if not db.execute("select from pg_available_extensions where name = 'amcheck'").rowcount:
        return None
    db.execute("create extension if not exists amcheck")
    return db.execute(
        """select bt_index_check(i.indexrelid, heapallindexed => true)
             from pg_index i
             join pg_class c on c.oid = i.indexrelid
             join pg_am a on a.oid = c.relam
            where a.amname = 'btree' and c.relpersistence = 'p' and c.relkind = 'i'
              and c.relnamespace in ('engram'::regnamespace, 'pg_catalog'::regnamespace)"""
    ).rowcount


def run(
    target: Target,
    rounds: int = 20,
    seconds: float = 2.0,
    writers: int = 6,
    advance: Advance = silent,
) -> dict[str, Any]:
    """Lets writers write, each about a user of its own and two about the same, kills the server at a moment
    of chance, starts it again and looks, `rounds` times. Raises EngramError at the first fault.
    """
    everyone = [Writer(f"writer {number}", number) for number in range(max(writers - 2, 1))]
    everyone += [Writer(SHARED, 1000 + number) for number in range(2)]
    chance = random.Random(rounds)
    recovery, indexes = 0.0, None
    for number in range(rounds):
        advance("killing the server", number, rounds)
        texts = [iter(sentences(20000, seed=100 * number + place)) for place in range(len(everyone))]
        threads = [
            threading.Thread(target=writer.write, args=(target.dsn(), text), daemon=True)
            for writer, text in zip(everyone, texts, strict=True)
        ]
        for thread in threads:
            thread.start()
        time.sleep(seconds * chance.uniform(0.5, 1.5))
        target.kill()
        for thread in threads:
            thread.join(60)
        began = time.monotonic()
        target.start()
        recovery = max(recovery, time.monotonic() - began)
        with psycopg.connect(target.dsn(), autocommit=True) as db:
            faults = [fault for writer in everyone for fault in writer.lost(db)] + half_written(db)
            for writer in everyone:
                writer.learn(db)
        with psycopg.connect(target.dsn(superuser=True), autocommit=True) as db:
            indexes = checked_indexes(db)
        if faults:
            raise EngramError("XX001", f"after {number + 1} crashes: " + "; ".join(faults[:10]))
    return {
        "rounds": rounds,
        "writers": len(everyone),
        "acknowledged": sum(writer.acknowledged for writer in everyone),
        "lost": 0,
        "half_written": 0,
        "indexes_checked": indexes,
        "slowest_start_seconds": recovery,
    }


class Embedded:
    """An embedded server of its own, which writes through to the disk as one in production does."""

    def __init__(self, folder: Path) -> None:
        self._server = Server.at(folder)

    def dsn(self, superuser: bool = False) -> str:
        found = self._server.dsn(DATABASE, SUPERUSER if superuser else OWNER)
        assert found is not None
        return found

    def kill(self) -> None:
        pid = self._server.status().pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)  # no new child while they are listed
        pids = [pid, *_children(pid)]
        for each in pids:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        while any(_alive(each) for each in pids):
            time.sleep(0.02)

    def start(self) -> None:
        self._server.start()


@contextmanager
def embedded() -> Iterator[Embedded]:
    """A fresh embedded server with the schema, deleted afterwards."""
    from engram_pg import connecting

    with tempfile.TemporaryDirectory(prefix="engram-crash-") as folder:
        os.chmod(folder, 0o755)
        server = Server.at(folder)
        connecting.embedded(server).close()
        try:
            yield Embedded(Path(folder))
        finally:
            server.stop()


def _children(pid: int) -> list[int]:
    return [int(word) for word in _ps("--ppid", pid, "pid=").split()]


def _alive(pid: int) -> bool:
    return _ps("-p", pid, "stat=").strip() not in ("", "Z", "Zs")


def _ps(choose: str, pid: int, column: str) -> str:
    listed = subprocess.run(
        ["ps", choose, str(pid), "-o", column], capture_output=True, text=True, check=False
    )
    return listed.stdout
