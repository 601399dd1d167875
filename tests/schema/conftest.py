"""The files of the extension, where the server of the tests finds them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from catalog import program
from psycopg.conninfo import conninfo_to_dict

from engram_pg.schema import extension


@pytest.fixture(scope="session")
def extension_path(server_url: str) -> Iterator[Path]:
    """The folder into which `make install` put the extension; skips where the server cannot look there."""
    with psycopg.connect(server_url) as db:
        if db.info.server_version < 180000:
            pytest.skip("extension_control_path came with PostgreSQL 18")
    # The server may run as another user, who cannot enter a folder of pytest.
    folder = Path(tempfile.mkdtemp(prefix="engram-extension-"))
    try:
        extension.write(folder / "source")
        subprocess.run(
            ["make", "--silent", "install", f"prefix={folder}", f"PG_CONFIG={program('pg_config')}"],
            cwd=folder / "source",
            check=True,
            timeout=60,
        )
        folder.chmod(0o755)
        yield folder / "share" / "postgresql"
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def can_create_extension(server_url: str, extension_path: Path) -> Callable[[str], None]:
    """Tells the server that new sessions of a database find the extension."""

    def tell(url: str) -> None:
        with psycopg.connect(server_url, autocommit=True) as admin:
            name = conninfo_to_dict(url)["dbname"]
            path = f"{extension_path}:$system"
            admin.execute(f"alter database {name} set extension_control_path = '{path}'".encode())

    return tell
