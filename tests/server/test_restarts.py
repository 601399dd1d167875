"""The Python side beside a server that comes late, goes away and comes back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engram_pg import Engram, EngramError


@pytest.fixture(scope="module")
def restarted(image: str) -> Iterator[Any]:
    """A server of this file's own, since others would not like what happens to it."""
    from containers import Server

    with Server() as running:
        yield running


def crash(server: Any) -> None:
    server.kill()
    server.restart()


def restart(server: Any) -> None:
    server.restart()


BACK = pytest.mark.parametrize("happens", [restart, crash], ids=["restart", "kill -9"])


@BACK
def test_the_next_call_has_a_new_connection(restarted: Any, happens: Any) -> None:
    with Engram(restarted.url(), user=happens.__name__, tenant="default") as memory:
        memory.remember("Standup is at nine")
        happens(restarted)
        assert [hit.content for hit in memory.recall("standup")] == ["Standup is at nine"]
        assert memory.remember("Lunch is at twelve").action == "new"


@BACK
def test_a_transaction_is_not_continued_on_another_connection(restarted: Any, happens: Any) -> None:
    user = f"transaction {happens.__name__}"
    with Engram(restarted.url(), user=user) as memory:
        with memory.connection.transaction():
            memory.remember("First half")
            happens(restarted)
            for _ in range(2):
                with pytest.raises(EngramError):
                    memory.remember("Second half")
        with pytest.raises(EngramError, match="lost inside a transaction"):
            memory.remember("Third half")
    with Engram(restarted.url(), user=user) as memory:
        assert memory.search("half") == []


def test_a_client_waits_for_a_server_that_comes_late(restarted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_CONNECT_SECONDS", "60")
    container = restarted.get_wrapped_container()
    container.stop(timeout=20)
    starting = threading.Timer(2, container.start)
    starting.start()
    with Engram(restarted.url(), user="late") as memory:
        assert memory.remember("Better late than never").action == "new"
    starting.join()


def test_a_server_that_is_not_there_is_named_at_once(restarted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGRAM_CONNECT_SECONDS", raising=False)
    container = restarted.get_wrapped_container()
    container.stop(timeout=20)
    started = time.monotonic()
    with pytest.raises(EngramError, match="no connection") as caught:
        Engram(restarted.url())
    assert time.monotonic() - started < 5
    assert "secret" not in str(caught.value)
    restarted.restart()


@BACK
def test_mcp_tools_work_again(restarted: Any, happens: Any) -> None:
    from mcp import Client

    from engram_pg.mcp.server import make_server

    async def converse() -> list[Any]:
        async with Client(make_server(restarted.url(), f"mcp {happens.__name__}")) as client:
            found = [await client.call_tool("remember", {"content": "Standup is at nine"})]
            await asyncio.to_thread(happens, restarted)
            found += [await client.call_tool("recall", {"query": "standup"}) for _ in range(5)]
            return found

    answers = asyncio.run(converse())
    assert [answer for answer in answers if answer.is_error] == []
    assert "Standup is at nine" in str(answers[-1].structured_content)


def test_mcp_starts_before_its_server(restarted: Any) -> None:
    from mcp import Client

    from engram_pg.mcp.server import make_server

    container = restarted.get_wrapped_container()
    container.stop(timeout=20)

    async def converse() -> Any:
        async with Client(make_server(restarted.url(), "mcp early")) as client:
            assert (await client.list_tools()).tools
            await asyncio.to_thread(restarted.restart)
            return await client.call_tool("remember", {"content": "Standup is at nine"})

    assert not asyncio.run(converse()).is_error


def test_a_worker_goes_on_after_a_restart(restarted: Any) -> None:
    from engram_pg import connecting
    from engram_pg.worker import Worker

    class Fake:
        name = "fake"

        def embed_passages(self, texts: Any) -> list[list[float]]:
            return [[1.0, 0.0, 0.5] for _ in texts]

    with restarted.connect() as db:
        db.execute(
            "select engram.register_model('openai:fake', 'openai', 3,"
            """ '{"model": "fake", "base_url": "http://127.0.0.1:1"}')"""
        )
    worker = Worker(
        lambda: connecting.open_dsn(restarted.url()),
        poll=0.1,
        maintain_every=0.2,
        load=lambda _: Fake(),  # type: ignore[arg-type,return-value]
    )
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    crash(restarted)
    with restarted.connect() as db:
        db.execute("select engram.remember('Written after the crash', user_id => 'worker')")
        deadline = time.monotonic() + 60
        left = "select from engram.embedding_job"
        while db.execute(left).rowcount:
            assert time.monotonic() < deadline, "the worker does not come back"
            assert thread.is_alive()
            time.sleep(0.2)
    worker.stop()
    thread.join(30)
    assert not thread.is_alive()


def test_a_statement_that_takes_too_long_ends_with_a_hint(restarted: Any) -> None:
    with restarted.connect() as owner:
        owner.execute("alter role engram set statement_timeout = '1ms'")
        try:
            with Engram(restarted.url()) as memory, pytest.raises(EngramError) as caught:
                memory.recall("standup " * 500)
        finally:
            with restarted.connect("postgres") as superuser:
                superuser.execute("alter role engram reset statement_timeout")
    assert caught.value.sqlstate == "57014"
    assert "statement_timeout" in str(caught.value.hint)
