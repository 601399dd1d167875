"""The command `engram-pg` as a subprocess, and a folder for the server that it starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from engram_pg.embedded import Server

Run = Callable[..., subprocess.CompletedProcess[str]]

COMMAND = (sys.executable, "-c", "from engram_pg.cli import main; main()")


def clean_environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ENGRAM_", "PG"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100", **more}


class folder_for_a_server:
    """A folder that the system user of a server started by root can reach; removed in the end."""

    def __enter__(self) -> Path:
        self.folder = Path(tempfile.mkdtemp(prefix="engram-"))
        self.folder.chmod(0o755)
        return self.folder

    def __exit__(self, *error: object) -> None:
        for version in (18, 16):
            Server(self.folder, version).stop()
        shutil.rmtree(self.folder)
