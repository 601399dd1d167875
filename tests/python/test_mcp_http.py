"""The MCP server over HTTP, by the SDK's own client: who gets in, and whose memory a key opens."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from commands import COMMAND, Run, clean_environment
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from starlette.responses import Response

from engram_pg import Engram, EngramError, keys
from engram_pg.mcp import prompt
from engram_pg.mcp.http import is_loopback, make_app, serve_http, web_server
from engram_pg.mcp.keys import KeyVerifier
from engram_pg.mcp.turns import Turns

Conversation = Callable[[ClientSession], Awaitable[Any]]

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPTED = {"accept": "application/json, text/event-stream"}


@contextmanager
def serving(data_dir: Path, log: Path, *options: str, **environment: str) -> Iterator[str]:
    """The URL of a server in a process of its own, whose words on stderr go to `log`."""
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, *COMMAND[1:], "mcp", "--http", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=clean_environment(ENGRAM_DATA_DIR=str(data_dir), **environment),
        )
        try:
            for _ in range(300):
                if found := re.search(r"serving on (\S+)", log.read_text()):
                    break
                assert process.poll() is None, log.read_text()
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.1)
            assert found is not None
            yield found[1]
        finally:
            process.terminate()
            assert process.wait(20) in (0, -15)


@pytest.fixture(scope="module")
def servers(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """URLs of a server on loopback without keys, and of one on every address with keys, and its log."""
    folder = tmp_path_factory.mktemp("http")
    keyed = ("--keys", "--host", "0.0.0.0", "--allow-host", "memory.example", "--tools", "native,mcp-engram")
    with ExitStack() as stack:
        urls = {
            name: stack.enter_context(serving(data_dir, folder / name, *options, ENGRAM_USER="owner"))
            for name, options in (("open", ()), ("keyed", keyed))
        }
        yield {
            "open": urls["open"],
            "keyed": urls["keyed"].replace("0.0.0.0", "127.0.0.1"),
            "log": str(folder / "keyed"),
        }


@pytest.fixture
def key(dsn: str, user: str) -> Callable[..., str]:
    """Makes a key and returns its secret; by default it writes for this user."""

    def make(users: tuple[str, ...] | None = (user,), scope: str = "write", tenant: str | None = None) -> str:
        with psycopg.connect(dsn, autocommit=True) as connection:
            name = f"{user} {scope} {users} {tenant}"
            return str(keys.create(connection, name, users=users, scope=scope, tenant=tenant)["secret"])

    return make


def talk(url: str, conversation: Conversation, secret: str | None = None) -> Any:
    """Runs a conversation with the server of a URL, with a key or without."""
    headers = {} if secret is None else {"authorization": f"Bearer {secret}"}

    async def session() -> Any:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            streamable_http_client(url, http_client=http) as streams,
            ClientSession(*streams) as client,
        ):
            await client.initialize()
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(session(), 60))


def use(url: str, tool: str, secret: str | None = None, **arguments: Any) -> dict[str, Any]:
    """The structured result of one call, or {"error": its text}."""

    async def conversation(client: ClientSession) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        if result.is_error:
            return {"error": result.content[0].text}
        assert result.structured_content is not None
        return dict(result.structured_content)

    return dict(talk(url, conversation, secret))


def post(url: str, **headers: str) -> int:
    return httpx2.post(url, json=INITIALIZE, headers={**ACCEPTED, **headers}).status_code


def test_on_loopback_an_agent_remembers_and_recalls_over_http(servers: dict[str, str], user: str) -> None:
    async def conversation(client: ClientSession) -> list[str]:
        made = await client.call_tool("remember", {"content": "Mei keeps bees", "user_id": user})
        assert not made.is_error
        found = await client.call_tool("recall", {"query": "bees", "user_id": user})
        assert found.structured_content is not None
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"remember", "forget"}
        return [hit["content"] for hit in found.structured_content["hits"]]

    assert talk(servers["open"], conversation) == ["Mei keeps bees"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", "127.0.0.1.example.org", ""])
def test_without_keys_only_loopback_is_served(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(EngramError) as caught:
        serve_http("", host=host, port=0)
    assert caught.value.hint is not None
    assert "--keys" in caught.value.hint


def test_the_command_line_refuses_an_open_address(run: Run) -> None:
    done = run("mcp", "--http", "--host", "0.0.0.0", "--port", "0")
    assert (done.returncode, "--keys" in done.stderr) == (1, True)


def test_a_key_says_whose_memory_it_opens_and_no_option_beside_it(run: Run) -> None:
    done = run("mcp", "--http", "--keys", "--only-user", "--port", "0")
    assert (done.returncode, "key create" in done.stderr) == (1, True)


def test_on_loopback_a_server_of_one_user_opens_no_other(data_dir: Path, tmp_path: Path, user: str) -> None:
    with serving(data_dir, tmp_path / "log", "--only-user", ENGRAM_USER=user) as url:
        assert use(url, "remember", content="bees")["action"] == "new"
        refused = use(url, "recall", query="bees", user_id=f"{user}-other")
    assert f"Open are those of: {user}" in refused["error"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_is_known_by_all_its_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:1234"}, 200),
        ({"host": "attacker.example"}, 421),
        ({"host": "127.0.0.1.attacker.example:80"}, 421),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "https://attacker.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost.attacker.example"}, 403),
        ({"content-type": "text/plain"}, 400),
    ],
)
def test_no_page_of_a_browser_gets_in_by_a_name_of_its_own(
    servers: dict[str, str], headers: dict[str, str], status: int
) -> None:
    assert post(servers["open"], **headers) == status


@pytest.mark.parametrize(
    ("host", "status"), [("memory.example", 200), ("memory.example:8443", 200), ("attacker.example", 421)]
)
def test_another_name_is_served_when_it_is_allowed(
    servers: dict[str, str], key: Any, host: str, status: int
) -> None:
    assert post(servers["keyed"], authorization=f"Bearer {key()}", host=host) == status


def test_a_body_that_is_too_large_is_refused(servers: dict[str, str]) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * (5 * 2**20) + b'"}'
    headers = {**ACCEPTED, "content-type": "application/json"}
    assert httpx2.post(servers["open"], content=body, headers=headers).status_code == 413


def test_no_client_keeps_a_connection_for_a_stream_on_which_nothing_comes(servers: dict[str, str]) -> None:
    refused = httpx2.get(servers["open"], headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


def test_a_key_that_cannot_be_looked_up_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_answer(*_: object) -> None:
        raise EngramError("08006", "the database does not answer")

    async def asked() -> Any:
        transport = httpx2.ASGITransport(make_app("postgresql://127.0.0.1:9/none", keys=True))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/mcp", headers={"authorization": "Bearer engram_x"})

    monkeypatch.setattr(KeyVerifier, "verify_token", no_answer)
    answer = asyncio.run(asked())
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def test_who_waits_for_what_another_holds_gives_its_connection_back(
    servers: dict[str, str], key: Any, dsn: str, user: str
) -> None:
    async def conversation(client: ClientSession) -> Any:
        return await client.call_tool("remember", {"content": "a kettle"})

    secret = key()
    talk(servers["keyed"], conversation, secret)
    with psycopg.connect(dsn) as holder:
        holder.execute("select pg_advisory_xact_lock(engram.space_id(%s, 'default'))", [user])
        result = talk(servers["keyed"], conversation, secret)
    assert result.is_error
    assert "Run this again" in result.content[0].text


@contextmanager
def answering(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Iterator[tuple[str, int]]:
    """The address of an application that says how long a body was, by our web server with this patience."""

    async def length(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http"
        read, more = 0, True
        while more:
            message = await receive()
            read, more = read + len(message.get("body", b"")), message.get("more_body", False)
        await asyncio.sleep(2 * seconds)  # the time that the answer takes is not the client's
        await Response(str(read))(scope, receive, send)

    monkeypatch.setattr(prompt, "REQUEST_SECONDS", seconds)
    server = web_server(length)
    server.config.lifespan = "off"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()
        finally:
            server.should_exit = True
            thread.join()


SLOW = [
    b"",
    b"POST / HTTP/1.1\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
]


@pytest.mark.parametrize("sent", SLOW)
def test_who_does_not_come_to_the_point_is_let_go(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    with answering(monkeypatch, 0.3) as address, socket.create_connection(address, timeout=5) as slow:
        slow.sendall(sent)
        with suppress(ConnectionResetError):
            assert slow.recv(1) == b""


def test_who_drips_is_let_go_too_and_who_asks_again_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(monkeypatch, 0.3) as address, socket.create_connection(address, timeout=5) as slow:
        for _ in range(2):
            slow.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx")
            answer = b""
            while not answer.endswith(b"\r\n\r\n1"):
                answer += slow.recv(1000)
        began = time.monotonic()
        with suppress(ConnectionResetError, BrokenPipeError):
            while time.monotonic() < began + 5:
                slow.sendall(b"G")
                time.sleep(0.05)
        assert time.monotonic() < began + 5


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer engram_x", "Basic engram_x", "Bearer ' or true --", "Bearer %00"],
)
def test_without_a_key_in_force_nobody_gets_in(servers: dict[str, str], authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    assert post(servers["keyed"], **headers) == 401


def test_a_revoked_key_is_out_at_once(servers: dict[str, str], dsn: str, key: Any, user: str) -> None:
    secret = key()
    bearer = {"authorization": f"Bearer {secret}"}
    assert post(servers["keyed"], **bearer) == 200
    with psycopg.connect(dsn, autocommit=True) as connection:
        [made] = [row for row in keys.listed(connection) if row["name"].startswith(user)]
        keys.revoke(connection, str(made["key_id"]))
    assert post(servers["keyed"], **bearer) == 401


def test_an_expired_key_is_out(servers: dict[str, str], dsn: str, key: Any) -> None:
    secret = key()
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("update engram.api_key set expires_at = now() where revoked_at is null")
    assert post(servers["keyed"], authorization=f"Bearer {secret}") == 401


def test_a_call_that_names_nobody_is_for_the_user_of_the_key(
    servers: dict[str, str], dsn: str, key: Any, user: str
) -> None:
    assert use(servers["keyed"], "remember", key(), content="Mei keeps bees")["action"] == "new"
    assert [hit.content for hit in Engram(dsn, user).search("bees")] == ["Mei keeps bees"]


TOOLS_OF_A_USER: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"content": "smuggled"}),
    ("recall", {"query": "secret"}),
    ("context", {"query": "secret"}),
    ("revise", {"memory_id": 1, "content": "smuggled"}),
    ("forget", {"memory_id": 1}),
    ("undo", {"decision_id": 1}),
    ("history", {"memory_id": 1}),
    ("stats", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), TOOLS_OF_A_USER)
def test_a_key_does_not_open_the_memory_of_another_user(
    servers: dict[str, str], dsn: str, key: Any, user: str, tool: str, arguments: dict[str, Any]
) -> None:
    other = f"{user}-other"
    theirs = Engram(dsn, other).remember("their secret")
    arguments = {name: getattr(theirs, name, value) for name, value in arguments.items()}
    secret = key()
    refused = use(servers["keyed"], tool, secret, user_id=other, **arguments)
    assert "not open" in refused["error"]
    assert f"Open are those of: {user}" in refused["error"]
    mine = use(servers["keyed"], tool, secret, **arguments)  # the same, without the name
    assert "their secret" not in str(mine)
    assert [hit.content for hit in Engram(dsn, other).search("secret")] == ["their secret"]


def made_up(schema: dict[str, Any], user: str, id: int) -> dict[str, Any]:
    """Arguments for what a tool requires, by their types, and for the user."""
    values: dict[str, Any] = {
        "string": "bees", "integer": id, "number": 0.5, "boolean": True, "array": ["bees"], "object": {},
    }  # fmt: skip
    found = {"user_id": user} if "user_id" in schema["properties"] else {}
    for name in schema.get("required", []):
        options = schema["properties"][name].get("anyOf", [schema["properties"][name]])
        found[name] = options[0]["enum"][0] if "enum" in options[0] else values[options[0]["type"]]
    return found


@pytest.mark.parametrize("scope", ["read", "write"])
def test_no_tool_of_any_family_goes_beyond_its_key(
    servers: dict[str, str], dsn: str, key: Any, user: str, scope: str
) -> None:
    """The tools are asked for from the server, so one that is new is called as well."""
    other = f"{user}-other"
    theirs = Engram(dsn, other).remember("zqtheirs keeps bees", session_id="s", tags=["bees"]).memory_id
    mine = Engram(dsn, user).remember("zqmine keeps cats", session_id="s").memory_id

    async def conversation(client: ClientSession) -> dict[str, list[str]]:
        answers: dict[str, list[str]] = {}
        for tool in (await client.list_tools()).tools:
            for named in (other, user):
                for id in (theirs, mine):
                    result = await client.call_tool(tool.name, made_up(tool.input_schema, named, id))
                    answers.setdefault(tool.name, []).append(str(result.content))
        return answers

    def state(whose: str) -> list[Any]:
        tables = ("memory", "decision", "recall_event", "edge", "session_recall")
        with psycopg.connect(dsn) as connection:
            query = "select array_agg(t::text order by t::text) from engram.{} t where space_id = {}"
            return [
                connection.execute(query.format(table, "engram.space_id(%s)").encode(), [whose]).fetchone()
                for table in tables
            ]

    before = {whose: state(whose) for whose in (user, other)}
    answers = talk(servers["keyed"], conversation, key(scope=scope))
    assert len(answers) >= 20
    assert [tool for tool, texts in answers.items() if "zqtheirs" in str(texts)] == []
    assert state(other) == before[other]
    if scope == "read":
        assert state(user) == before[user]
    else:
        assert state(user) != before[user]


def test_who_watches_the_process_needs_no_key(servers: dict[str, str]) -> None:
    for name in ("open", "keyed"):
        answer = httpx2.get(servers[name].replace("/mcp", "/health"))
        assert (answer.status_code, answer.text) == (200, "ok\n")


def test_a_key_for_several_users_opens_each_of_them(servers: dict[str, str], key: Any, user: str) -> None:
    secret = key(users=(user, f"{user}-2"))
    use(servers["keyed"], "remember", secret, content="bees", user_id=f"{user}-2")
    assert use(servers["keyed"], "recall", secret, query="bees")["hits"] == []
    assert len(use(servers["keyed"], "recall", secret, query="bees", user_id=f"{user}-2")["hits"]) == 1
    assert "error" in use(servers["keyed"], "recall", secret, query="bees", user_id=f"{user}-3")


def test_a_key_says_the_tenant(servers: dict[str, str], key: Any, user: str) -> None:
    acme, globex = key(tenant="acme"), key(tenant="globex", users=None)
    use(servers["keyed"], "remember", acme, content="the acme secret")
    assert len(use(servers["keyed"], "recall", acme, query="secret")["hits"]) == 1
    assert use(servers["keyed"], "recall", globex, query="secret", user_id=user)["hits"] == []
    assert use(servers["keyed"], "recall", key(users=None), query="secret", user_id=user)["hits"] == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [(tool, given) for tool, given in TOOLS_OF_A_USER if tool in ("remember", "revise", "forget", "undo")],
)
def test_a_key_that_may_read_writes_nothing(
    servers: dict[str, str], dsn: str, key: Any, user: str, tool: str, arguments: dict[str, Any]
) -> None:
    made = Engram(dsn, user).remember("their secret")
    arguments = {name: getattr(made, name, value) for name, value in arguments.items()}
    refused = use(servers["keyed"], tool, key(scope="read"), **arguments)
    assert "may only read" in refused["error"]
    assert "Hint: " in refused["error"]
    assert [hit.content for hit in Engram(dsn, user).search("secret")] == ["their secret"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (tool, arguments)
        for tool, arguments in TOOLS_OF_A_USER
        if tool in ("recall", "context", "history", "stats")
    ],
)
def test_a_key_that_may_read_reads(
    servers: dict[str, str], dsn: str, key: Any, user: str, tool: str, arguments: dict[str, Any]
) -> None:
    made = Engram(dsn, user).remember("their secret")
    arguments = {name: getattr(made, name, value) for name, value in arguments.items()}
    assert "error" not in use(servers["keyed"], tool, key(scope="read"), **arguments)


def test_calls_at_once_each_keep_to_their_own_key(servers: dict[str, str], key: Any, user: str) -> None:
    """Many users through one pool of few connections: a limit that stayed on a connection would show."""
    secrets = {f"{user}-{n}": key(users=(f"{user}-{n}",)) for n in range(8)}

    async def session(name: str, secret: str) -> set[str]:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {secret}"}, timeout=30) as http,
            streamable_http_client(servers["keyed"], http_client=http) as streams,
            ClientSession(*streams) as client,
        ):
            await client.initialize()
            await client.call_tool("remember", {"content": f"the note of {name}"})
            found = set()
            for _ in range(5):
                result = await client.call_tool("recall", {"query": "note"})
                assert result.structured_content is not None
                found |= {hit["content"] for hit in result.structured_content["hits"]}
            return found

    async def all_at_once() -> list[set[str]]:
        return await asyncio.gather(*(session(name, secret) for name, secret in secrets.items()))

    assert asyncio.run(asyncio.wait_for(all_at_once(), 60)) == [{f"the note of {name}"} for name in secrets]


@contextmanager
def held(dsn: str, *users: str) -> Iterator[None]:
    """Writes of these users wait, until the end of the block."""
    with psycopg.connect(dsn) as holder:
        for one in users:
            holder.execute("select pg_advisory_xact_lock(engram.space_id(%s, 'default'))", [one])
        yield


async def talking(stack: AsyncExitStack, url: str, secret: str) -> ClientSession:
    http = await stack.enter_async_context(
        httpx2.AsyncClient(headers={"authorization": f"Bearer {secret}"}, timeout=60)
    )
    streams = await stack.enter_async_context(streamable_http_client(url, http_client=http))
    client = await stack.enter_async_context(ClientSession(*streams))
    await client.initialize()
    return client


def test_a_key_that_asks_for_much_at_once_does_not_keep_the_others_waiting(
    servers: dict[str, str], key: Any, dsn: str, user: str
) -> None:
    """Three keys whose every call waits for a lock, far more calls than connections, and one beside them."""
    greedy = [f"{user}-greedy-{n}" for n in range(3)]

    async def conversation() -> tuple[list[Any], list[float]]:
        async with AsyncExitStack() as stack:
            clients = [await talking(stack, servers["keyed"], key(users=(one,))) for one in greedy]
            beside = await talking(stack, servers["keyed"], key())
            for client in (*clients, beside):  # who comes first makes the space
                assert not (await client.call_tool("remember", {"content": "a kettle"})).is_error
            with held(dsn, *greedy):
                calls = [
                    asyncio.create_task(client.call_tool("remember", {"content": f"lake {n}"}))
                    for n in range(6)
                    for client in clients
                ]
                await asyncio.sleep(1)
                times = []
                for _ in range(3):
                    begun = time.monotonic()
                    assert not (await beside.call_tool("recall", {"query": "kettle"})).is_error
                    times.append(time.monotonic() - begun)
                assert not any(call.done() for call in calls)
            return await asyncio.gather(*calls), times

    done, times = asyncio.run(asyncio.wait_for(conversation(), 60))
    assert max(times) < 2
    assert [answer.is_error for answer in done] == [False] * len(done)


def test_a_key_that_asks_for_too_much_at_once_is_told(
    servers: dict[str, str], key: Any, dsn: str, user: str
) -> None:
    async def conversation() -> list[Any]:
        async with AsyncExitStack() as stack:
            client = await talking(stack, servers["keyed"], key())
            await client.call_tool("remember", {"content": "a kettle"})
            with held(dsn, user):
                calls = [
                    asyncio.create_task(client.call_tool("remember", {"content": f"lake {n}"}))
                    for n in range(30)
                ]
                refused, _ = await asyncio.wait(calls, timeout=6, return_when=asyncio.FIRST_COMPLETED)
                assert refused
                for call in refused:
                    text = call.result().content[0].text
                    assert "too many calls at once" in text
                    assert "Hint: Wait for their answers" in text
            answers = await asyncio.gather(*calls)
            assert not (await client.call_tool("recall", {"query": "kettle"})).is_error
            return list(answers)

    answers = asyncio.run(asyncio.wait_for(conversation(), 60))
    assert 0 < sum(answer.is_error for answer in answers) <= 30 - 22


def test_turns_are_fair_and_none_is_lost() -> None:
    async def story() -> None:
        turns, running = Turns(3, 2, waiting=50, seconds=5), Counter[str]()
        most, order = Counter[str](), list[str]()

        async def call(key: str, seconds: float = 0.005) -> None:
            async with turns.turn(key):
                running[key] += 1
                most[key] = max(most[key], running[key])
                order.append(key)
                try:
                    assert running.total() <= 3
                    await asyncio.sleep(seconds)
                finally:
                    running[key] -= 1

        calls = [asyncio.create_task(call("greedy")) for _ in range(40)]
        await asyncio.sleep(0)
        calls += [asyncio.create_task(call(f"key {n}")) for n in range(6)]
        for given_up in calls[1:40:3]:
            asyncio.get_running_loop().call_later(0.004, given_up.cancel)
        ended = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(one) for one in ended} == {type(None), asyncio.CancelledError}
        assert most["greedy"] == 2
        assert {f"key {n}" for n in range(6)} <= set(order[:20])

        async with turns.turn("greedy"), turns.turn("greedy"):
            late = Turns(1, 1, seconds=0.01)
            async with late.turn("a"):
                with pytest.raises(EngramError, match="1 are under way, 0 wait"):
                    await late._begin("a")
            async with late.turn("a"):
                pass
        await asyncio.gather(*(call("again") for _ in range(9)))

    asyncio.run(story())


def test_the_log_holds_no_secret_and_no_memory(servers: dict[str, str], key: Any) -> None:
    secret = key()
    use(servers["keyed"], "remember", secret, content="the vault opens with 4711")
    use(servers["keyed"], "remember", secret, content="the vault opens with 4711", kind="rumour")
    post(servers["keyed"], authorization="Bearer engram_wrong")
    log = Path(servers["log"]).read_text()
    assert secret not in log
    assert "engram_wrong" not in log
    assert "4711" not in log


def test_keys_are_made_listed_and_revoked_on_the_command_line(run: Run, dsn: str, user: str) -> None:
    made = run("key", "create", f"laptop of {user}", "--user", user, "--scope", "read", "--days", "90")
    assert made.returncode == 0, made.stderr
    secret = made.stdout.strip()
    assert secret.startswith("engram_")
    listed = run("key", "list").stdout
    assert secret not in listed
    assert "active" in listed
    assert run("key", "revoke", f"laptop of {user}").returncode == 0
    again = run("key", "revoke", f"laptop of {user}")
    assert (again.returncode, "revoked already" in again.stderr) == (1, True)
    assert run("key", "create", "x", "--scope", "god").returncode == 1
