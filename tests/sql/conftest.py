"""Users and databases for the tests of the SQL."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from psycopg.rows import namedtuple_row

Connect = Callable[[], psycopg.Connection[Any]]


@pytest.fixture
def user() -> str:
    """A user whom no other test has."""
    return f"user-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def connect(module_url: str) -> Iterator[Connect]:
    """Opens sessions on the database of the file, each committing every statement; closed after the test."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(
            psycopg.connect(module_url, autocommit=True, row_factory=namedtuple_row)
        )
