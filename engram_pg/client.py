"""The Python SDK: a class whose methods each call one SQL function. What is decided, is decided in the
database.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString, Unpack

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from engram_pg import connecting
from engram_pg.engineering import Engineering
from engram_pg.errors import ARGUMENT_INVALID, INSTALLATION, EngramError, translated
from engram_pg.options import JsonObject, RememberOptions, ReviseOptions
from engram_pg.recalling import Recalling
from engram_pg.results import (
    Change,
    Check,
    Consolidated,
    Job,
    Memory,
    Neighbor,
    Pruned,
    Remembered,
    build,
)
from engram_pg.statements import call

if TYPE_CHECKING:
    from engram_pg.embedders import Embedder


class Engram(Recalling, Engineering):
    """The memory of one user.

    Args:
        dsn: the database; without one ENGRAM_DSN, else the embedded server, which is started when needed.
        user: whose memory it is; `default` where nobody is named.
        tenant: for a database in multi-tenant mode.
        connection: a connection of yours to work on instead. Nothing is committed on it: in a transaction
            of yours, what you roll back was never remembered.
        data_dir: folder of the embedded server, when not the default one.
        embedder: what makes the vectors of questions. "auto" loads the active model when it is one that is
            computed outside the database, and warns once if it cannot; an embedder of yours is used while
            the model of its name is active; None leaves it to the static vectors.
        statement_timeout: seconds after which the server ends a call, on a connection of its own; also behind
            a pooler. On yours your own setting counts.

    A connection of its own is in autocommit mode, is closed by `close()` or at the end of a `with` block,
    and is safe to share between threads, which then wait for each other. After a restart of the server the
    next call has a new one. Every method raises EngramError.
    """

    def __init__(
        self,
        dsn: str | None = None,
        user: str | None = None,
        tenant: str | None = None,
        *,
        connection: psycopg.Connection[Any] | None = None,
        data_dir: str | Path | None = None,
        embedder: Embedder | str | None = "auto",
        statement_timeout: float | None = None,
    ) -> None:
        if statement_timeout is not None and not 0.001 <= statement_timeout <= 86_400:
            raise EngramError(
                ARGUMENT_INVALID,
                f"statement_timeout is {statement_timeout}",
                hint="Give seconds, from 0.001 to a day, or None for the limit that the server sets.",
            )
        super().__init__(
            "default" if user is None else user,
            tenant,
            connection,
            lambda: connecting.connect(dsn, data_dir),
            statement_timeout,
        )
        self._embedder = embedder
        self._named = user is not None

    def remember(self, content: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Stores a text, unless the gate finds it known: `action` of the result says what became of it."""
        return build(Remembered, self._row("remember", content=content, user_id=self.user, **options))

    def remember_many(
        self, memories: Iterable[JsonObject | str], policy: str | None = None
    ) -> list[Remembered]:
        """Stores many texts in one call, in their order: plain texts, or objects with the arguments of
        `remember`.
        """
        if isinstance(memories, str):
            raise TypeError("remember_many takes a list of texts; a single text is for remember")
        items = [{"content": item} if isinstance(item, str) else dict(item) for item in memories]
        rows = self._rows("remember_many", memories=items, user_id=self.user, policy=policy)
        return [build(Remembered, row) for row in rows]

    def get(self, memory_id: int) -> Memory:
        """One memory, whatever its state."""
        return build(Memory, self._row("get", memory_id=memory_id, user_id=self.user))

    def revise(
        self, memory_id: int, content: str | None = None, **options: Unpack[ReviseOptions]
    ) -> Remembered:
        """Changes a memory. What it was stays in its history, and `undo` brings it back."""
        row = self._row("revise", memory_id=memory_id, content=content, user_id=self.user, **options)
        return build(Remembered, row)

    def forget(
        self, memory_id: int | None = None, *, filter: JsonObject | None = None, hard: bool = False
    ) -> dict[str, Any]:
        """Forgets one memory, or those that a filter means, {"all": true} being all of this user.

        `hard` erases them for good; else `undo` brings each back by the receipt's `decision_ids`. Returns the
        receipt.
        """
        if memory_id is None and filter is None:
            raise EngramError(
                ARGUMENT_INVALID,
                "forget takes either a memory_id or a filter",
                hint='{"all": true} means all memories of this user; erase() removes the user altogether.',
            )
        return dict(self._value("forget", memory_id=memory_id, filter=filter, hard=hard, user_id=self.user))

    def erase(self) -> dict[str, Any]:
        """Erases this user, who has to be named, for good: every memory with all that was made of it, the
        history and the name. Returns the receipt: how many rows went from each table.
        """
        if not self._named and self.user == "default":
            raise EngramError(
                ARGUMENT_INVALID,
                "erase erases a person, and none is named",
                hint='Engram(user="default").erase() erases the user whom an Engram without one means.',
            )
        return dict(self._value("erase_user", user_id=self.user))

    def undo(self, decision_id: int) -> Remembered:
        """Takes a decision back, be it the gate's or a person's."""
        return build(Remembered, self._row("undo", decision_id=decision_id, user_id=self.user))

    def history(self, memory_id: int) -> list[Change]:
        """What happened to a memory, and to those it replaced."""
        return [build(Change, row) for row in self._rows("history", memory_id=memory_id, user_id=self.user)]

    def forecast(self, memory_id: int) -> datetime | None:
        """When a memory will have faded so far that `prune` may archive it, if nobody recalls it before; a
        time in the past if it has already, None if it never will.
        """
        moment: datetime | None = self._value("forecast", memory_id=memory_id, user_id=self.user)
        return moment

    def prune(self, *, dry_run: bool = False) -> list[Pruned]:
        """Archives what has faded; a row for each such memory says whether it went, and why it did or not.
        `undo` brings each back. `dry_run` says what would go and changes nothing.
        """
        return [build(Pruned, row) for row in self._rows("prune", dry_run=dry_run, user_id=self.user)]

    def consolidate(
        self,
        threshold: float | None = None,
        *,
        across_kinds: bool = False,
        again: bool = False,
        dry_run: bool = False,
    ) -> list[Consolidated]:
        """Makes one memory of those that say the same or add to each other; a row for each that was made.
        `undo` parts them again. `threshold` is a cosine, above 0 and up to 1; without it that of the active
        model counts, and only what changed is looked at. `dry_run` does it in a transaction that is rolled
        back.
        """
        with (
            translated(),
            self._watched() as connection,
            connection.transaction(force_rollback=True) if dry_run else nullcontext(),
        ):
            rows = self._rows(
                "consolidate",
                threshold=threshold,
                across_kinds=across_kinds,
                again=again,
                user_id=self.user,
            )
        return [build(Consolidated, {**row, "decision_id": None} if dry_run else row) for row in rows]

    def link(self, src: int, dst: int, relation: str | None = None, weight: float | None = None) -> None:
        """Draws an edge between two memories, or changes its weight, above 0 and up to 1."""
        self._rows("link", src=src, dst=dst, relation=relation, weight=weight, user_id=self.user)

    def unlink(self, src: int, dst: int, relation: str | None = None) -> None:
        """Removes an edge."""
        self._rows("unlink", src=src, dst=dst, relation=relation, user_id=self.user)

    def neighbors(self, memory_id: int, depth: int | None = None) -> list[Neighbor]:
        """The memories around one, nearest first, `depth` edges away at most."""
        rows = self._rows("neighbors", memory_id=memory_id, depth=depth, user_id=self.user)
        return [build(Neighbor, row) for row in rows]

    def stats(self) -> dict[str, Any]:
        """Counts of this user's memory."""
        return dict(self._value("stats", user_id=self.user))

    def doctor(self) -> list[Check]:
        """Checks of the installation, each with what would mend it; also whether it is what this package
        installs, and whether the clocks here and there agree. Without one it says why none can be made here,
        if so.
        """
        from engram_pg.schema import source

        now = datetime.now(UTC)
        try:
            rows = self._rows("doctor", functions=source.fingerprint(), client_time=now)
        except EngramError as error:
            idle = self.connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            if error.sqlstate == INSTALLATION and idle:
                connecting.refuse_unfit(self.connection)
            raise
        return [build(Check, row) for row in rows]

    def maintain(self, jobs: Sequence[str] | None = None) -> None:
        """Does what upkeep is due, or these jobs; outside of a transaction it commits step by step."""
        named = sql.Literal(list(jobs)) if jobs else sql.SQL("")
        with translated(), self._watched() as connection:
            connection.execute(sql.SQL("call engram.maintain({})").format(named), prepare=False)

    def jobs(self) -> list[Job]:
        """The jobs of the upkeep: what each did last, and when it is due."""
        with (
            translated(),
            self._watched() as connection,
            connection.cursor(row_factory=dict_row) as cursor,
        ):
            return [build(Job, row) for row in cursor.execute("select * from engram.job_status").fetchall()]

    def export(self) -> Iterator[dict[str, Any]]:
        """Everything of this user as JSON objects, for `restore`; streamed from the server."""
        return self._streamed("export", user_id=self.user)

    def export_all(self) -> Iterator[dict[str, Any]]:
        """Everything of all users of the tenant, one after the other, for `restore_all`; streamed from the
        server, as of one moment.
        """
        return self._streamed("export_all")

    def restore(self, entries: Iterable[JsonObject]) -> dict[str, Any]:
        """Puts objects of an export into this user's memory as they were; what is there already is left.

        Returns how many memories were new. The memories of an export have to come before its other objects.
        """
        return self._restored(entries, user_id=self.user)

    def restore_all(self, entries: Iterable[JsonObject]) -> dict[str, Any]:
        """The same into the memory of the users whom the objects name."""
        return self._restored(entries)

    def _streamed(self, function: LiteralString, **arguments: Any) -> Iterator[dict[str, Any]]:
        statement, values = call(function, arguments)
        with translated(), self._watched() as connection, connection.transaction():
            self._set_up(connection)
            with connection.cursor(name="engram_export") as cursor:
                cursor.itersize = 1000
                cursor.execute(statement, values)
                for (entry,) in cursor:
                    yield entry

    def _restored(self, entries: Iterable[JsonObject], **arguments: Any) -> dict[str, Any]:
        """All in one transaction, so many at a time that no memory here has to hold them all."""
        counts: Counter[str] = Counter(memories=0, edges_and_decisions=0)
        rest, done = iter(entries), 0
        with translated(), self.connection.transaction():
            while batch := list(islice(rest, 500)):
                try:
                    counts.update(self._value("import", entries=batch, **arguments))
                except EngramError as error:
                    raise _counted_on(error, done) from error
                done += len(batch)
        return dict(counts)

    def adopt(self, entries: Iterable[JsonObject], source: str) -> dict[str, Any]:
        """Takes over memories, and edges between them, from another system named `source`; again, it adds
        nothing. Returns what became of them.
        """
        return dict(self._value("adopt", entries=list(entries), source=source, user_id=self.user))


def _counted_on(error: EngramError, before: int) -> EngramError:
    """The error of an entry with its place among all of them."""
    message = re.sub(r"^entry (\d+):", lambda found: f"entry {int(found[1]) + before}:", error.message)
    return EngramError(error.sqlstate, message, error.detail, error.hint)
