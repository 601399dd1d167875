"""The comparison with another system measures both sides, and leaves nothing behind."""

from __future__ import annotations

import json
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from commands import Run
from test_bench import CONVERSATION


@pytest.mark.skipif(find_spec("engram") is None, reason="mcp-engram is not installed")
def test_both_sides_are_measured_and_writers_lose_nothing_here(run: Run, tmp_path: Path) -> None:
    talks, pairs = tmp_path / "talks.json", tmp_path / "pairs.jsonl"
    talks.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    pairs.write_text(
        "".join(
            json.dumps({"id": expected, "lang": "en", "existing": ["The timeout is 30 seconds."],
                        "incoming": incoming, "expected": expected, "target": 0}) + "\n"
            for incoming, expected in (
                ("The timeout is 30 seconds.", "duplicate"), ("Bo keeps bees in Tromsø.", "distinct"),
            )
        ),
        encoding="utf-8",
    )  # fmt: skip
    before = set(Path(tempfile.gettempdir()).glob("engram-peer-*"))
    shown = run(
        "bench", "peers", "--peer", "mcp-engram", "--locomo", str(talks), "--gate", str(pairs),
        "--sizes", "1", "--calls", "1", "--writers", "2", "--json",
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    result = json.loads(shown.stdout)
    assert result["peer"]["name"] == "mcp-engram"
    assert set(result["locomo"]["ours"]["hit@5"]) == set(result["locomo"]["peer"]["hit@5"])
    assert result["gate"]["ours"]["accuracy"] == result["gate"]["peer"]["accuracy"] == 100.0
    [size] = result["sizes"]
    assert size["memories"] == 1
    assert size["new_to_both"] == 1
    assert set(size["ratios"]) == {"store", "store_of_new", "recall", "recall_after_store"}
    for ratios, figure in (("ratios", "p50_ms"), ("ratios_of_means", "mean_ms")):
        for act, ratio in size[ratios].items():
            assert ratio == pytest.approx(size["peer"][act][figure] / size["ours"][act][figure])
    writers = result["writers"]
    assert writers["ours"] == {"texts": 50, "acknowledged": 50, "refused": 0, "lost": 0}
    assert writers["peer"]["acknowledged"] + writers["peer"]["refused"] == 50
    assert writers["peer"]["refused"] > 0
    assert set(Path(tempfile.gettempdir()).glob("engram-peer-*")) == before


def test_a_python_without_the_peer_is_told_where_to_put_it(run: Run, tmp_path: Path) -> None:
    for python in (sys.executable + "-none", str(_python_without(tmp_path))):
        shown = run("bench", "peers", "--peer", "mcp-engram", "--python", python)
        assert shown.returncode == 1
        assert "pip install mcp-engram into an environment of its own" in shown.stderr
    assert "known: mcp-engram" in run("bench", "peers", "--peer", "nobody").stderr


def _python_without(folder: Path) -> Path:
    """A Python that finds none of the packages of this one."""
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    return python
