"""Each way to install, or to bring an older schema up to date, ends in the same schema, object by object."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from catalog import Snapshot, difference, psql, snapshot

from engram_pg import schema

RELEASES = Path(__file__).parent / "releases"

MEMBERS = """
    select pg_describe_object(d.classid, d.objid, d.objsubid)
      from pg_depend d join pg_extension e on e.oid = d.refobjid where e.extname = 'engram'
"""
ALEMBIC_INI = """
[alembic]
script_location = %(here)s/theirs
path_separator = newline
version_locations =
    %(here)s/theirs/versions
    engram_pg:migrations
"""
ENV = """
import os
from alembic import context
from sqlalchemy import create_engine, pool

engine = create_engine(os.environ["DSN"], poolclass=pool.NullPool)
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
"""


def by_migrate(url: str, folder: Path) -> None:
    with psycopg.connect(url) as db:
        assert schema.install(db).current


def by_psql(url: str, folder: Path) -> None:
    script = folder / "engram.sql"
    if not script.exists():
        script.write_text("".join(schema.script()), encoding="utf-8")
    run = subprocess.run([psql(), "-X", "-f", script, url], capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def by_alembic(url: str, folder: Path) -> None:
    (folder / "theirs" / "versions").mkdir(parents=True, exist_ok=True)
    (folder / "alembic.ini").write_text(ALEMBIC_INI, encoding="utf-8")
    (folder / "theirs" / "env.py").write_text(ENV, encoding="utf-8")
    alembic = [sys.executable, "-W", "error", "-m", "alembic", "upgrade", "heads"]
    environment = {**os.environ, "DSN": url.replace("postgresql://", "postgresql+psycopg://")}
    run = subprocess.run(alembic, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr


def by_extension(url: str, folder: Path) -> None:
    with psycopg.connect(url) as db:
        db.execute("create extension engram")
        members = (
            "select from pg_depend d join pg_extension e on e.oid = d.refobjid where e.extname = 'engram'"
        )
        assert db.execute(members).fetchall() == []


WAYS: dict[str, Callable[[str, Path], None]] = {
    "migrate": by_migrate,
    "psql": by_psql,
    "alembic": by_alembic,
    "extension": by_extension,
}


@pytest.fixture
def ways(request: pytest.FixtureRequest, server_url: str) -> dict[str, Callable[[str, Path], None]]:
    """The ways that this server has: it has to be told where the files of the extension are."""
    with psycopg.connect(server_url) as db:
        if db.info.server_version < 180000:
            return {name: way for name, way in WAYS.items() if name != "extension"}
    tell = request.getfixturevalue("can_create_extension")

    def by_extension_there(url: str, folder: Path) -> None:
        tell(url)
        by_extension(url, folder)

    return {**WAYS, "extension": by_extension_there}


def taken(url: str) -> Snapshot:
    with psycopg.connect(url) as db:
        assert schema.state(db).current
        found = snapshot(db)
        db.rollback()
        assert [tuple(row) for row in db.execute("select * from engram.doctor()") if row[1] != "ok"] == []
        db.execute("select engram.remember('the kettle is blue')")
        assert db.execute("select content from engram.recall('kettle')").fetchone() == ("the kettle is blue",)
        assert db.execute("show is_superuser").fetchone() == ("off",)
        db.rollback()
        return found


@pytest.fixture
def expected(shared_url: str) -> Snapshot:
    """What `schema.install` makes, which made the database of every test."""
    with psycopg.connect(shared_url) as db:
        return snapshot(db)


def test_every_way_to_install_gives_the_same_schema_and_repeats_without_harm(
    ways: dict[str, Callable[[str, Path], None]],
    empty_owned: Callable[..., str],
    tmp_path: Path,
    expected: Snapshot,
) -> None:
    for name, way in ways.items():
        url = empty_owned()
        way(url, tmp_path)
        assert difference(expected, taken(url)) == [], name
        with psycopg.connect(url) as db:
            db.execute("drop extension if exists engram")
        way(url, tmp_path)
        assert difference(expected, taken(url)) == [], f"{name} again"


@pytest.mark.parametrize("release", sorted(RELEASES.glob("*.sql.gz")), ids=lambda path: path.name[:-7])
def test_every_way_brings_an_older_release_up_to_date(
    ways: dict[str, Callable[[str, Path], None]],
    empty_owned: Callable[..., str],
    tmp_path: Path,
    expected: Snapshot,
    release: Path,
) -> None:
    script = tmp_path / "release.sql"
    script.write_bytes(gzip.decompress(release.read_bytes()))
    for name, way in ways.items():
        url = empty_owned()
        subprocess.run([psql(), "-X", "-q", "-f", script, url], check=True, timeout=300)
        with psycopg.connect(url) as db:
            db.execute("insert into engram.tenant (tenant_id, name) values (1, 'kept')")
        way(url, tmp_path)
        assert difference(expected, taken(url)) == [], name
        with psycopg.connect(url) as db:
            assert db.execute("select name from engram.tenant").fetchall() == [("kept",)], name
