"""The system user that the server runs as, and commands run as that user. PostgreSQL refuses to run as
root.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from engram_pg.errors import INSTALLATION, EngramError

SYSTEM_USER = "engram-pg"


def server_user() -> str | None:
    """Whom the server runs as: None for the user who calls, or the system user when that is root, made if
    missing. Raises EngramError.
    """
    if os.geteuid() != 0:
        return None
    import pwd

    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
        try:
            subprocess.run(["useradd", *options, SYSTEM_USER], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise EngramError(
                INSTALLATION,
                f"the system user {SYSTEM_USER} could not be made",
                "PostgreSQL does not run as root.",
                "Make that user and a group of its name, or run engram-pg as a plain user.",
            ) from error
    return SYSTEM_USER


def uid(user: str | None) -> int:
    """The number of that user."""
    import pwd

    return os.geteuid() if user is None else pwd.getpwnam(user).pw_uid


def run(command: list[object], user: str | None, folder: Path, failure: str) -> None:
    """Runs a command in a folder as that user. Raises EngramError with the message `failure` and the end of
    what the command said.
    """
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
            cwd=folder,
            env=environment,
            check=False,
            **identity,  # type: ignore[call-overload]
        )
        output.seek(0)
        if result.returncode != 0:
            raise EngramError(INSTALLATION, failure, output.read().strip()[-2000:] or None)
