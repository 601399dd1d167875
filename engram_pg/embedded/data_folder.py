"""The folder that holds the data of an embedded server, its programs, its log and its lock."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engram_pg.errors import INSTALLATION, EngramError

ROOT_DATA_DIR = Path("/var/lib/engram-pg")


def default_data_dir() -> Path:
    """The platform's folder for application data. For root one outside the home, which another user may not
    enter.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        return ROOT_DATA_DIR
    import platformdirs

    return Path(platformdirs.user_data_dir("engram-pg", appauthor=False))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the lock of a data folder, which is made if it is missing. Raises EngramError."""
    import fcntl

    try:
        folder.mkdir(mode=0o755 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise EngramError(
            INSTALLATION,
            f"the data folder {folder} cannot be used: {error.strerror}",
            hint="Choose a folder of your own with --data-dir or ENGRAM_DATA_DIR.",
        ) from error
    try:
        if os.geteuid() == 0:
            _check_way(folder)
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except FileNotFoundError:  # the server removes files while one counts
            continue
    return total


def _check_way(data_dir: Path) -> None:
    """As root the server runs as another user, who has to reach the folder; no folder is opened up for
    that.
    """
    for folder in (data_dir, *data_dir.parents):
        if not folder.stat().st_mode & 0o001:
            raise EngramError(
                INSTALLATION,
                f"the server's system user cannot reach {data_dir}: {folder} is closed to others",
                hint=f"Choose a folder outside of it, like {ROOT_DATA_DIR}, with --data-dir.",
            )
