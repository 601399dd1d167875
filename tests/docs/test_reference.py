"""The committed reference says what the schema says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "reference"


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_committed_reference_is_fresh(db: Any, reference: ModuleType) -> None:
    stale = [
        name
        for name, text in reference.render(db).items()
        if not (PAGES / name).is_file() or (PAGES / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, f"run `make reference` and commit {stale}"


def test_every_public_function_has_a_comment(db: Any, reference: ModuleType) -> None:
    silent = [row["name"] for row in reference._rows(db, reference.FUNCTIONS) if not row["comment"]]
    assert silent == []


def test_every_table_view_and_type_has_a_comment(db: Any, reference: ModuleType) -> None:
    silent = [row["name"] for row in reference._rows(db, reference.RELATIONS) if not row["comment"]]
    assert silent == []


def test_every_sqlstate_that_is_raised_is_explained(db: Any, reference: ModuleType) -> None:
    rows = db.execute(
        """select distinct found[1]
             from pg_proc p, regexp_matches(p.prosrc, '''(EG[0-9]{3})''', 'g') found
            where p.pronamespace = 'engram'::regnamespace"""
    ).fetchall()
    assert {row[0] for row in rows} <= set(reference.SQLSTATES)
