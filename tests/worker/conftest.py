"""A database with a model of a server on loopback, and the worker as a subprocess."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from commands import COMMAND, clean_environment
from embedding_servers import DIMS, Server

from engram_pg import models
from engram_pg.embedders import Model
from engram_pg.worker import Worker

NAME = "openai:words"


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def base(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """An autocommit connection to a database of the test's own, where nothing waits before it is tried
    again.
    """
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("select engram.configure('embedding.retry_seconds', '0')")
        yield connection


@pytest.fixture
def model(base: psycopg.Connection[Any], server: Server) -> Model:
    """A model that is registered and served by `server`."""
    made = Model(NAME, "openai", DIMS, {"model": "words", "base_url": server.url, "timeout": 2})
    models.register(base, made)
    return made


@pytest.fixture
def new_worker(database_url: str, model: Model) -> Callable[..., Worker]:
    def make(**options: Any) -> Worker:
        given = {"once": True, "poll": 0.05, "maintain_every": None, **options}
        return Worker(lambda: psycopg.connect(database_url, autocommit=True), **given)

    return make


@pytest.fixture
def command(database_url: str) -> Callable[..., subprocess.Popen[str]]:
    """Starts `engram-pg` with arguments on the test's database; keywords are environment variables."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(**{"ENGRAM_DSN": database_url, "COLUMNS": "120", **environment}),
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
