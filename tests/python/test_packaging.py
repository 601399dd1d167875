"""The wheel holds what the package reads at run time, and the default installation stays light."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_holds_the_sql_the_migrations_the_examples_and_the_model(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    in_checkout = {
        f"engram_pg/_{file.relative_to(ROOT)}"
        for folder, pattern in (("sql", "*.sql"), ("examples", "*.jsonl"))
        for file in (ROOT / folder).rglob(pattern)
    }
    assert in_checkout
    assert in_checkout <= names
    revisions = {f"engram_pg/migrations/{file.name}" for file in (ROOT / "engram_pg/migrations").glob("*.py")}
    assert revisions
    assert revisions <= names
    assert {"engram_pg/static_model/tokens.bin", "engram_pg/embedders/pairs.jsonl"} <= names
    assert wheel.stat().st_size < 25 * 2**20


def test_no_heavy_package_is_required() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tests = project["optional-dependencies"]["dev"]
    required = " ".join([*project["dependencies"], *tests]).lower()
    assert [name for name in ("torch", "numpy", "transformers") if name in required] == []
