"""The MCP server, by a real client over stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import COMMAND, clean_environment
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

TOOLS = {"remember", "recall", "context", "revise", "forget", "history", "stats"}
READ_ONLY = {"recall", "context", "history", "stats"}


@pytest.fixture
def talk(
    data_dir: Path, user: str, tmp_path: Path
) -> Callable[[Callable[[ClientSession], Awaitable[Any]]], Any]:
    """Runs a conversation with a fresh server; what the server writes to stderr is in `talk.log`."""
    log = tmp_path / "stderr"
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[*COMMAND[1:], "mcp"],
        env=clean_environment(ENGRAM_DATA_DIR=str(data_dir), ENGRAM_USER=user),
    )

    def converse(conversation: Callable[[ClientSession], Awaitable[Any]]) -> Any:
        async def session() -> Any:
            with log.open("w") as errors:
                async with (
                    stdio_client(parameters, errlog=errors) as streams,
                    ClientSession(*streams) as client,
                ):
                    await client.initialize()
                    return await conversation(client)

        return asyncio.run(asyncio.wait_for(session(), 60))

    converse.log = log  # type: ignore[attr-defined]
    return converse


async def used(client: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


def test_tools_say_what_they_do_and_what_they_return(talk: Any) -> None:
    async def conversation(client: ClientSession) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in talk(conversation)}
    assert tools.keys() == TOOLS
    for name, tool in tools.items():
        assert "Example: " + name in (tool.description or ""), name
        assert tool.output_schema, name
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint == (name in READ_ONLY), name
        described = tool.input_schema["properties"].values()
        assert all("description" in argument for argument in described), name
    assert tools["forget"].annotations.destructive_hint
    assert not tools["remember"].annotations.destructive_hint


def test_an_agent_remembers_recalls_revises_and_forgets(talk: Any) -> None:
    async def conversation(client: ClientSession) -> None:
        made = await used(
            client, "remember", content="Mei prefers uv over Poetry", tags=["tools"], importance=0.8
        )
        assert made["action"] == "new"
        id = made["memory_id"]

        [hit] = (await used(client, "recall", query="which package manager does Mei like?", k=3))["hits"]
        assert hit["memory_id"] == id
        assert "uv" in (await used(client, "context", query="package manager", max_tokens=50))["text"]

        await used(client, "revise", memory_id=id, content="Mei prefers uv to Poetry")
        changes = (await used(client, "history", memory_id=id))["changes"]
        assert {"new", "revise"} <= {change["action"] for change in changes}
        assert (await used(client, "stats"))["stats"]["total"] == 1

        assert (await used(client, "forget", memory_id=id))["memories"] == 1
        assert (await used(client, "recall", query="Mei"))["hits"] == []

    talk(conversation)


def test_an_argument_names_another_user(talk: Any, user: str) -> None:
    async def conversation(client: ClientSession) -> None:
        await used(client, "remember", content="only theirs", user_id=user + "-other")
        assert (await used(client, "recall", query="theirs"))["hits"] == []
        assert len((await used(client, "recall", query="theirs", user_id=user + "-other"))["hits"]) == 1

    talk(conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("remember", {"content": "  "}, "content is empty"),
        ("remember", {"content": "a", "kind": "rumour"}, "Use one of"),
        ("remember", {"content": "a", "importance": 3}, "0 to 1"),
        ("remember", {"content": "a\x00b"}, "NUL"),
        ("remember", {"content": "a", "metadata": "no object"}, "metadata"),
        ("remember", {}, "content"),
        ("remember", {"content": "a", "created_at": "someday"}, "someday"),
        ("recall", {"query": "a", "k": 0}, "1 to 1000"),
        ("recall", {"query": "a", "k": "many"}, "k"),
        ("recall", {"query": "a", "limit": 5}, "It takes query, k"),
        ("history", {"memory_id": 999999999}, "does not exist"),
        ("forget", {"memory_id": 999999999}, "does not exist"),
    ],
)
def test_bad_arguments_come_back_as_errors_that_say_what_to_do(
    talk: Any, tool: str, arguments: dict[str, Any], says: str
) -> None:
    async def conversation(client: ClientSession) -> Any:
        return await client.call_tool(tool, arguments)

    result = talk(conversation)
    assert result.is_error
    text = result.content[0].text
    assert says in text
    assert "Hint: " in text
    assert "Traceback" not in text
    assert "errors.pydantic.dev" not in text


def test_standard_output_holds_only_messages_and_the_log_no_memories(talk: Any) -> None:
    secret = "the vault opens with 4711"

    async def conversation(client: ClientSession) -> None:
        await used(client, "remember", content=secret)
        await client.call_tool("remember", {"content": secret, "kind": "rumour"})
        await used(client, "recall", query=secret)

    talk(conversation)
    assert "4711" not in talk.log.read_text()


def test_every_line_on_standard_output_is_json_rpc(data_dir: Path, user: str) -> None:
    messages = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]

    async def exchange() -> list[bytes]:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            "mcp",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=clean_environment(ENGRAM_DATA_DIR=str(data_dir), ENGRAM_USER=user),
            limit=2**20,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
        await process.stdin.drain()
        answers = [await asyncio.wait_for(process.stdout.readline(), 30) for _ in range(2)]
        process.stdin.close()
        rest = await asyncio.wait_for(process.stdout.read(), 30)
        await process.wait()
        return [*answers, *rest.splitlines()]

    for line in asyncio.run(exchange()):
        assert json.loads(line)["jsonrpc"] == "2.0"
