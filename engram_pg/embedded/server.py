"""The server of one data folder: find it, connect to it, start it, stop it."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from engram_pg.embedded import cluster, data_folder, system
from engram_pg.embedded.cluster import PORT, SUPERUSER
from engram_pg.errors import INSTALLATION, EngramError, from_psycopg
from engram_pg.progress import Note, silent

VERSIONS = (18, 16)
DATABASE = "engram"
OWNER = "engram"
START_SECONDS = 60


@dataclass(frozen=True)
class Status:
    """What `engram-pg status` shows. `size` in bytes, `dsn` only while the server runs."""

    running: bool
    version: int
    data_dir: Path
    pid: int | None
    dsn: str | None
    size: int


@dataclass(frozen=True)
class Server:
    """The server of one data folder. `Server.at()` finds the default one; nothing is touched before
    `start()`.
    """

    data_dir: Path
    version: int = VERSIONS[0]

    @classmethod
    def at(cls, data_dir: str | Path | None = None, version: int | None = None) -> Server:
        """The server of a folder: the one named, else ENGRAM_DATA_DIR, else the platform's data folder."""
        named = data_dir or os.environ.get("ENGRAM_DATA_DIR") or data_folder.default_data_dir()
        wanted = version or int(os.environ.get("ENGRAM_POSTGRES") or VERSIONS[0])
        if wanted not in VERSIONS:
            raise EngramError(
                INSTALLATION,
                f"there is no embedded PostgreSQL {wanted}",
                hint=f"Choose one of {', '.join(map(str, VERSIONS))}, or give the DSN of a server of yours.",
            )
        return cls(Path(named).expanduser().absolute(), wanted)

    @property
    def pgdata(self) -> Path:
        return self.data_dir / f"postgresql-{self.version}"

    @property
    def log(self) -> Path:
        return self.data_dir / f"postgresql-{self.version}.log"

    def dsn(self, database: str = DATABASE, role: str = OWNER) -> str | None:
        """The DSN by the server's own pid file, or None when there is none. Cheap; the server may be dead
        all the same.
        """
        lines = cluster.pid_file(self.pgdata)
        if len(lines) < 8 or lines[7].strip() != "ready":
            return None
        return f"postgresql://{role}@/{database}?host={quote(lines[4], safe='/')}"

    def connect(self, database: str = DATABASE, role: str = OWNER) -> psycopg.Connection | None:
        """A connection to the running server, or None when it does not run."""
        dsn = self.dsn(database, role)
        if dsn is None:
            return None
        try:
            return psycopg.connect(dsn, autocommit=True, prepare_threshold=None, application_name="engram-pg")
        except psycopg.OperationalError as error:
            if error.sqlstate is None:
                return None
            raise from_psycopg(error) from error

    def running(self) -> bool:
        connection = self.connect("postgres", SUPERUSER)
        if connection is None:
            return False
        connection.close()
        return True

    @property
    def made(self) -> bool:
        """Whether its data folder has been made, so that starting it takes a moment only."""
        return (self.pgdata / "PG_VERSION").exists()

    def start(self, note: Note = silent) -> str:
        """Starts the server, making its data folder and database the first time. Returns the DSN.

        Safe when several processes call it at once. `note` hears what takes a while.
        """
        if sys.platform == "win32":
            raise EngramError(
                INSTALLATION,
                "the embedded server needs Linux or macOS",
                hint="Give the DSN of a PostgreSQL with --dsn.",
            )
        with self.locked():
            if not self.running():
                user = system.server_user()
                programs = self._programs()
                if not self.made:
                    note(f"making a PostgreSQL {self.version} in {self.data_dir}")
                    cluster.initialise(self.pgdata, self.version, programs, user)
                cluster.drop_stale_pid_file(self.pgdata)
                note(f"starting PostgreSQL {self.version}")
                self._launch(programs, user)
            self._ensure_database()
            dsn = self.dsn()
        assert dsn is not None
        return dsn

    def stop(self) -> bool:
        """Stops the server; open connections are cut, committed data is safe. False when it did not run."""
        if not self.data_dir.is_dir() or not self.running():
            return False
        with self.locked():
            command = [self._programs() / "pg_ctl", "stop", "-w", "-m", "fast", "-D", self.pgdata]
            sockets = Path(cluster.pid_file(self.pgdata)[4])
            system.run(command, system.server_user(), self.data_dir, "the server did not stop")
            if sockets != self.pgdata:
                sockets.rmdir()
        return True

    def status(self) -> Status:
        running = self.running()
        pid = int(cluster.pid_file(self.pgdata)[0]) if running else None
        dsn = self.dsn() if running else None
        return Status(running, self.version, self.data_dir, pid, dsn, data_folder.size(self.pgdata))

    def binary(self, name: str) -> Path:
        """A program of the server's own version, like psql or pg_dump."""
        with self.locked():
            return self._programs() / name

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of the data folder, which starting, stopping and installing take."""
        with data_folder.locked(self.data_dir):
            yield

    def _programs(self) -> Path:
        from engram_pg.embedded.programs import programs

        return programs(self.data_dir, self.version)

    def _launch(self, programs: Path, user: str | None) -> None:
        if user is not None:
            self.log.touch(mode=0o600)
            shutil.chown(self.log, user, user)
        options = f"-p {PORT} -k '{cluster.socket_dir(self.pgdata, user)}'"
        command = [programs / "pg_ctl", "start", "-w", "-t", START_SECONDS, "-s", "-D", self.pgdata]
        system.run(
            [*command, "-l", self.log, "-o", options],
            user,
            self.data_dir,
            f"the server did not start; its log is {self.log}",
        )
        deadline = time.monotonic() + START_SECONDS
        while not self.running():
            if time.monotonic() > deadline:
                raise self._silent()
            time.sleep(0.02)

    def _ensure_database(self) -> None:
        with self._superuser("postgres") as connection:
            there = connection.execute("select from pg_database where datname = %s", [DATABASE]).rowcount
        if there:
            return
        # Only a superuser may create it, so it is made where every database to come copies it from.
        with self._superuser("template1") as connection:
            connection.execute("create extension if not exists vector")
        with self._superuser("postgres") as connection:
            if not connection.execute("select from pg_roles where rolname = %s", [OWNER]).rowcount:
                connection.execute(sql.SQL("create role {} login createdb").format(sql.Identifier(OWNER)))
            names = sql.Identifier(DATABASE), sql.Identifier(OWNER)
            connection.execute(sql.SQL("create database {} owner {}").format(*names))

    def _superuser(self, database: str) -> psycopg.Connection:
        connection = self.connect(database, SUPERUSER)
        if connection is None:
            raise self._silent()
        return connection

    def _silent(self) -> EngramError:
        return EngramError(INSTALLATION, "the server does not answer", hint=f"Its log says why: {self.log}")
