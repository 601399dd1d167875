"""Where no Docker engine answers, nobody takes what was not tested for what passed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run_one_test(required: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "ENGRAM_TEST_ENGINE"}
    environment |= {"DOCKER_HOST": "tcp://127.0.0.1:1"}
    if required is not None:
        environment["ENGRAM_TEST_ENGINE"] = required
    test = f"{Path(__file__).with_name('test_image.py')}::test_text_is_utf8_and_sorts_alike_everywhere"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", test],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_suite_says_aloud_that_it_was_skipped() -> None:
    done = run_one_test(None)
    assert done.returncode == 0
    assert "NOT TESTED: 1 tests of the server image were skipped, no Docker engine answers" in done.stdout


def test_where_an_engine_is_required_the_suite_fails() -> None:
    done = run_one_test("required")
    assert done.returncode == 1
    assert "no Docker engine answers" in done.stdout
