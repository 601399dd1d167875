"""From a DSN, or none, to an open connection with the schema in place. What every command and the SDK begin
with.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from engram_pg.embedded import START_SECONDS, Server
from engram_pg.errors import ARGUMENT_INVALID, INSTALLATION, EngramError, bad_dsn, translated
from engram_pg.progress import Advance, Note, silent

if TYPE_CHECKING:
    from engram_pg.schema import SchemaState


LIVELY = {
    "connect_timeout": 10,
    "keepalives_idle": 60,
    "keepalives_interval": 10,
    "keepalives_count": 6,
    "tcp_user_timeout": 120_000,
}
"""What a DSN that says nothing else gets, as libpq has it: seconds, a count, and milliseconds. A proxy that
takes a connection for a server that died, or a network that forgot one, keeps nobody waiting for long.
"""

SECRET = ("password", "sslpassword")
"""What is never shown of a DSN."""

_STARTING = re.compile(r"the database system is (starting up|not yet accepting|in recovery)")
_LASTING = re.compile(r"(?i)authentication failed|no password supplied|(database|role) .* does not exist")
"""What no other try mends. By the server's words, since libpq tells no SQLSTATE of a failed connection."""


def connect(
    dsn: str | None = None,
    data_dir: str | Path | None = None,
    *,
    note: Note = silent,
    progress: Advance | None = None,
) -> psycopg.Connection:
    """An autocommit connection to the database of `dsn`, of ENGRAM_DSN, or of the embedded server, in this
    order. A `data_dir` means the embedded server. No statement is prepared on it: poolers dislike that, and
    nothing here needs it.

    That server is started, and the schema in it installed or brought up to date, where needed. In a database
    of your own only `engram-pg migrate` changes anything. Raises EngramError.
    """
    wanted = given_dsn(dsn, data_dir)
    return open_dsn(wanted) if wanted else embedded(Server.at(data_dir), note=note, progress=progress)


def given_dsn(dsn: str | None, data_dir: str | Path | None) -> str | None:
    """The DSN that the caller or the environment names, or None for the embedded server."""
    return dsn or (None if data_dir else os.environ.get("ENGRAM_DSN")) or None


def bare(
    dsn: str | None = None, data_dir: str | Path | None = None, *, note: Note = silent
) -> psycopg.Connection:
    """As `connect`, but whatever the schema's state; for installing it."""
    wanted = given_dsn(dsn, data_dir)
    return open_dsn(wanted or Server.at(data_dir).start(note))


def embedded(server: Server, *, note: Note = silent, progress: Advance | None = None) -> psycopg.Connection:
    """An autocommit connection to an embedded server that runs by then and has the schema."""
    connection = server.connect() or open_dsn(server.start(note))
    try:
        _bring_up_to_date(server, connection, note, progress)
    except BaseException:
        connection.close()
        raise
    return connection


def open_dsn(dsn: str) -> psycopg.Connection:
    """An autocommit connection to a server of one's own. Raises EngramError, without the password."""
    complete = lively(plain(dsn))
    patience = connect_seconds()
    with translated():
        return _patient(
            lambda: psycopg.connect(
                complete, autocommit=True, prepare_threshold=None, application_name="engram-pg"
            ),
            patience,
        )


def lively(dsn: str) -> str:
    """The DSN, with what it leaves open about time. Raises EngramError."""
    said = {n: v for n, v in parts(dsn).items() if v != "" or n not in LIVELY}
    if any("@" in host[1:] for host in str(said.get("host", "")).split(",")):
        raise bad_dsn()  # the end of a password without escapes would be shown as a host
    patience = said.get("connect_timeout") or os.environ.get("PGCONNECT_TIMEOUT") or "0"
    try:
        int(float(patience))
    except (ValueError, OverflowError):
        raise EngramError(
            ARGUMENT_INVALID,
            f"connect_timeout is {patience!r}, which is no number",
            hint="connect_timeout=10 in the DSN, or PGCONNECT_TIMEOUT=10, waits ten seconds for an answer.",
        ) from None
    if "service" in said or "PGSERVICE" in os.environ:  # its file may say so
        return dsn
    if os.environ.get("PGCONNECT_TIMEOUT"):
        said.setdefault("connect_timeout", patience)
    complete: dict[str, str | int] = {**LIVELY, **said}
    return make_conninfo("", **complete)


def connect_seconds() -> float:
    """ENGRAM_CONNECT_SECONDS: how long to wait for a server that is not there yet; by default not at all."""
    given = os.environ.get("ENGRAM_CONNECT_SECONDS") or "0"
    try:
        return float(given)
    except ValueError:
        raise EngramError(
            ARGUMENT_INVALID,
            f"ENGRAM_CONNECT_SECONDS is {given!r}, which is no number",
            hint="ENGRAM_CONNECT_SECONDS=60 waits a minute for the server.",
        ) from None


def _patient(connect: Callable[[], psycopg.Connection], patience: float) -> psycopg.Connection:
    """Tries again while the server starts, and while none is there for `patience` seconds."""
    started = time.monotonic()
    pause = 0.1
    while True:
        try:
            return connect()
        except psycopg.OperationalError as error:
            limit = max(patience, START_SECONDS if _STARTING.search(str(error)) else 0)
            if _LASTING.search(str(error)) or time.monotonic() - started + pause > limit:
                raise
        time.sleep(pause)
        pause = min(1.5 * pause, 2.0)


def plain(dsn: str) -> str:
    """The DSN as libpq reads it: SQLAlchemy's way to name a driver is taken off."""
    return re.sub(r"^postgres(?:ql)?\+\w+://", "postgresql://", dsn)


def parts(dsn: str) -> dict[str, str]:
    """What a DSN says, by libpq's names. Raises EngramError, which shows nothing of it."""
    try:
        return {name: str(value) for name, value in conninfo_to_dict(plain(dsn)).items()}
    except (psycopg.Error, UnicodeEncodeError):
        raise bad_dsn() from None  # the cause shows the password


def refuse_unfit(connection: psycopg.Connection) -> None:
    """Raises the EngramError that `install` would, for a database that it cannot install in, and leaves no
    trace.
    """
    from engram_pg import schema

    with translated():
        _refuse_newer(schema.state(connection))
        schema.try_beginning(connection)


def install(connection: psycopg.Connection, progress: Advance | None = None) -> str:
    """Installs the schema, or brings it up to date; returns its revision. Raises EngramError."""
    from engram_pg import schema

    with translated():
        found = schema.state(connection)
        _refuse_newer(found)
        return str(schema.install(connection, progress).revision)


def _bring_up_to_date(
    server: Server, connection: psycopg.Connection, note: Note, progress: Advance | None
) -> None:
    from engram_pg import schema

    with translated():
        if schema.state(connection).current:
            return
        with server.locked():  # of several processes that find it missing one installs, the others wait
            found = schema.state(connection)
            if not found.current:
                note("installing the schema" if found.revision is None else "bringing the schema up to date")
                install(connection, progress)


def _refuse_newer(found: SchemaState) -> None:
    from engram_pg import schema

    if found.revision is not None and found.revision > schema.HEAD:
        raise EngramError(
            INSTALLATION,
            f"the database has schema revision {found.revision}, this package only knows {schema.HEAD}",
            hint="pip install --upgrade engram-pg",
        )
