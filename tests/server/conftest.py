"""The image on a Docker engine. Without one these tests are skipped, which the summary says, or fail where
ENGRAM_TEST_ENGINE is `required`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from fasteners import InterProcessLock

NO_ENGINE = "no Docker engine answers"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says aloud that nothing was tested."""
    skipped = [
        report for report in terminalreporter.stats.get("skipped", []) if NO_ENGINE in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.section(
            f"NOT TESTED: {len(skipped)} tests of the server image were skipped, {NO_ENGINE}",
            bold=True,
            red=True,
        )


@pytest.fixture(scope="session")
def image() -> str:
    """The tag of the image, freshly built."""
    try:
        import docker

        docker.from_env().ping()
    except Exception as error:
        if os.environ.get("ENGRAM_TEST_ENGINE") == "required":
            pytest.fail(f"{NO_ENGINE}: {error}")
        pytest.skip(NO_ENGINE)

    import containers

    with InterProcessLock(Path(tempfile.gettempdir()) / "engram-test-image.lock"):
        containers.build_image()
    return containers.IMAGE


@pytest.fixture(scope="session")
def server(image: str) -> Iterator[Any]:
    """A running server that the tests of this worker share. What they commit stays: use users of your own."""
    from containers import Server

    with Server() as running:
        yield running


@pytest.fixture
def db(server: Any) -> Iterator[psycopg.Connection[Any]]:
    """An autocommit connection of the owner."""
    with server.connect() as connection:
        yield connection
