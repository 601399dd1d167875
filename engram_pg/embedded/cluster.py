"""What is on the disk for a server of PostgreSQL: its data, made by initdb, its pid file and its socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from engram_pg.embedded import system
from engram_pg.errors import INSTALLATION, EngramError

SUPERUSER = "postgres"
PORT = 5432

SETTINGS: Mapping[str, str] = {
    "shared_buffers": "256MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "100",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "30min",  # after each one, every page is written whole when it is first changed
    "random_page_cost": "1.1",
    "jit": "off",  # a recall is shorter than its compilation
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "log_min_error_statement": "panic",  # a statement in the log would hold memories
    "log_timezone": "UTC",
    "timezone": "UTC",
}


def initialise(pgdata: Path, version: int, programs: Path, user: str | None) -> None:
    """Makes the data of a new server. It gets its name at the very end. Raises EngramError."""
    new = pgdata.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(new, user, user)
    if version >= 17:
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    else:
        locale = [f"--locale={'en_US.UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}"]
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    command = [programs / "initdb", "-D", new, "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8"]
    system.run(
        [*command, *locale, "--no-instructions", *settings],
        user,
        pgdata.parent,
        "the data folder could not be made",
    )
    new.rename(pgdata)


def pid_file(pgdata: Path) -> list[str]:
    """The lines of the pid file; none when there is none."""
    try:
        return (pgdata / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def drop_stale_pid_file(pgdata: Path) -> None:
    """A pid file left by a crash stops a new server when another program got that pid meanwhile."""
    lines = pid_file(pgdata)
    if not lines:
        return
    name = subprocess.run(["ps", "-o", "comm=", "-p", lines[0]], capture_output=True, text=True, check=False)
    if "postgres" not in name.stdout:
        (pgdata / "postmaster.pid").unlink(missing_ok=True)


def socket_dir(pgdata: Path, user: str | None) -> Path:
    """The data folder itself, or a short one where the path of the socket would be too long."""
    if len(os.fsencode(pgdata / f".s.PGSQL.{PORT}")) < 100 and not set("'\"\\,") & set(str(pgdata)):
        return pgdata
    short = Path(tempfile.gettempdir()) / f"engram-pg-{sha256(os.fsencode(pgdata)).hexdigest()[:12]}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.is_symlink() or short.stat().st_uid not in {os.geteuid(), system.uid(user)}:
        raise EngramError(
            INSTALLATION,
            f"the socket folder {short} belongs to somebody else",
            hint="Use a shorter --data-dir.",
        )
    if user is not None:
        shutil.chown(short, user, user)
    return short
