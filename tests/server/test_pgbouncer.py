"""Behind a real PgBouncer in transaction mode, where a session's next transaction may run on another
connection.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from engram_pg import Engram


@pytest.fixture(scope="module")
def bouncer(image: str) -> Iterator[Any]:
    """PgBouncer before a server in multi-tenant mode."""
    from containers import Bouncer, Server
    from testcontainers.core.network import Network

    with Network() as network, Server(network=network, alias="behind") as server:
        with server.connect() as db:
            db.execute("select engram.require_tenant()")
        with Bouncer(network) as running:
            deadline = time.monotonic() + 30
            while True:
                try:
                    psycopg.connect(running.url()).close()
                    break
                except psycopg.OperationalError:
                    assert time.monotonic() < deadline, "PgBouncer does not answer"
                    time.sleep(0.2)
            yield running


def test_the_sdk_remembers_and_recalls(bouncer: Any) -> None:
    with Engram(bouncer.url(), user="ann", tenant="acme") as memory:
        memory.remember("The badge printer is on floor three")
        assert [hit.content for hit in memory.recall("badge printer")] == [
            "The badge printer is on floor three"
        ]
        assert list(memory.export())


def test_a_tenant_is_never_anothers_whoever_had_the_connection_before(bouncer: Any) -> None:
    """Sixteen clients of eight tenants over two connections, each with the same user and question."""
    start = threading.Barrier(16)

    def talk(number: int) -> list[str]:
        tenant = f"tenant-{number % 8}"
        wrong: list[str] = []
        with Engram(bouncer.url(), user="ann", tenant=tenant) as memory:
            start.wait(30)
            for turn in range(12):
                memory.remember(f"The door code of {tenant} has the digits {number} and {turn}")
                hits = memory.recall("door code", k=50)
                assert hits
                wrong += [hit.content for hit in hits if tenant not in hit.content.split()]
        return wrong

    with ThreadPoolExecutor(16) as pool:
        assert [wrong for found in pool.map(talk, range(16)) for wrong in found] == []


def test_without_a_tenant_a_pooled_connection_shows_nothing(bouncer: Any) -> None:
    with Engram(bouncer.url(), user="ann", tenant="acme") as memory:
        memory.remember("The safe is behind the picture")
    with psycopg.connect(bouncer.url(), autocommit=True) as connection:
        for _ in range(10):
            assert connection.execute("select count(*) from engram.memory").fetchone() == (0,)
            with pytest.raises(psycopg.Error) as caught:
                connection.execute("select from engram.search('safe', user_id => 'ann')")
            assert caught.value.sqlstate == "EG006"


def test_the_mcp_server_works_and_so_does_the_upkeep(bouncer: Any) -> None:
    from mcp import Client

    from engram_pg.mcp.server import make_server

    async def converse() -> str:
        async with Client(make_server(bouncer.url(), "ann", "mcp")) as client:
            await client.call_tool("remember", {"content": "Standup is at nine"})
            answers = await asyncio.gather(
                *(client.call_tool("recall", {"query": "standup"}) for _ in range(12))
            )
            assert not any(answer.is_error for answer in answers)
            return str(answers[0].structured_content)

    assert "Standup is at nine" in asyncio.run(converse())
    with Engram(bouncer.url(), tenant="mcp") as memory:
        memory.maintain()
