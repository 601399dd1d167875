"""The MCP server, by a real client over stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from commands import COMMAND, Run, clean_environment
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from psycopg.conninfo import make_conninfo

from engram_pg import Engram
from engram_pg.mcp.server import make_server

TOOLS = {"remember", "recall", "context", "revise", "forget", "undo", "history", "stats"}
ENGINEERING = {
    "session_handoff", "last_handoff", "track_failure", "list_failures", "track_progress", "list_features",
    "create_task", "update_task", "get_task", "list_tasks", "session_outcome",
}  # fmt: skip
MCP_ENGRAM = {
    "recall_memory": {"query", "user_id", "top_k"},
    "store_memory": {"content", "importance", "category", "user_id", "metadata"},
    "update_memory": {"memory_id", "new_content", "importance"},
    "consolidate_memory": {"user_id"},
    "memory_stats": {"user_id"},
    "session_handoff": {"summary", "completed", "in_progress", "blocked", "next_steps", "user_id", "task_id"},
    "track_failure": {
        "error", "component", "root_cause", "severity", "fix", "related_test_ids", "user_id", "task_id",
    },
    "track_progress": {
        "feature", "status", "completion", "blockers", "quality_score", "notes", "user_id", "task_id",
    },
    "create_task": {"name", "goal", "status", "user_id", "metadata"},
    "update_task": {"task_id", "status", "goal", "metadata"},
    "get_task": {"task_id", "user_id"},
    "list_tasks": {"user_id", "status"},
    "session_outcome": {"session_id", "outcome", "notes", "user_id"},
}  # fmt: skip
"""What mcp-engram calls its tools and their arguments: those of 0.4, and its later task tools."""
REQUIRED = {
    "recall_memory": {"query"},
    "store_memory": {"content", "importance"},
    "update_memory": {"memory_id", "new_content"},
    "session_handoff": {"summary"},
    "track_failure": {"error", "component"},
    "track_progress": {"feature", "status"},
    "create_task": {"name"},
    "update_task": {"task_id"},
    "get_task": {"task_id"},
    "session_outcome": {"session_id", "outcome"},
}
READ_ONLY = {
    "recall", "context", "history", "stats", "last_handoff", "list_failures", "list_features", "get_task",
    "list_tasks", "recall_memory", "memory_stats",
}  # fmt: skip


@pytest.fixture
def tools() -> str | None:
    return None


@pytest.fixture
def options() -> list[str]:
    return []


@pytest.fixture
def talk(
    data_dir: Path, user: str, tmp_path: Path, tools: str | None, options: list[str]
) -> Callable[[Callable[[ClientSession], Awaitable[Any]]], Any]:
    """Runs a conversation with a fresh server that has the fixtures `tools` and `options`; what the server
    writes to stderr is in `talk.log`.
    """
    log = tmp_path / "stderr"
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[*COMMAND[1:], "mcp", *(["--tools", tools] if tools else []), *options],
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


async def listed(client: ClientSession) -> Any:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (None, TOOLS),
        ("native,engineering", TOOLS | ENGINEERING),
        ("mcp-engram", MCP_ENGRAM.keys() | {"last_handoff", "list_failures", "list_features"}),
        ("mcp-engram, engineering,native", MCP_ENGRAM.keys() | ENGINEERING | TOOLS),
    ],
)
def test_tools_say_what_they_do_and_what_they_return(talk: Any, expected: set[str]) -> None:
    found = talk(listed)
    assert found.keys() == expected
    for name, tool in found.items():
        assert "Example: " + name in (tool.description or ""), name
        assert tool.output_schema, name
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint == (name in READ_ONLY), name
        described = tool.input_schema["properties"].values()
        assert all("description" in argument for argument in described), name
    destroys = {name for name, tool in found.items() if tool.annotations.destructive_hint}
    assert {"forget", "undo", "revise", "update_memory", "update_task"} & found.keys() <= destroys
    assert not {"remember", "store_memory", "session_handoff", "track_failure"} & destroys


@pytest.mark.parametrize("tools", ["mcp-engram"])
def test_an_agent_of_mcp_engram_finds_its_tools_and_arguments(talk: Any) -> None:
    found = talk(listed)
    for name, arguments in MCP_ENGRAM.items():
        assert arguments <= found[name].input_schema["properties"].keys(), name
        assert set(found[name].input_schema.get("required", [])) == REQUIRED.get(name, set()), name


def test_a_family_of_tools_that_does_not_exist_is_refused(run: Run) -> None:
    done = run("mcp", "--tools", "native,nothing")
    assert done.returncode == 1
    assert "native, engineering, mcp-engram" in done.stderr


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


def test_an_agent_takes_back_what_was_a_mistake(talk: Any, dsn: str, user: str) -> None:
    old, new = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."

    async def known(client: ClientSession) -> list[str]:
        return [hit["content"] for hit in (await used(client, "recall", query="API timeout"))["hits"]]

    async def conversation(client: ClientSession) -> None:
        first = await used(client, "remember", content=old)
        second = await used(client, "remember", content=new)
        assert (second["action"], await known(client)) == ("replace", [new])
        before = {"memory_id": first["memory_id"], "content": old}
        after = {"memory_id": second["memory_id"], "content": new}

        undone = await used(client, "undo", decision_id=second["decision_id"])
        assert (undone["undone"], undone["in_force"]) == (second["decision_id"], [before])
        assert await known(client) == [old]
        again = await used(client, "undo", decision_id=undone["decision_id"])
        assert (again["in_force"], await known(client)) == ([after], [new])

        revised = await used(client, "revise", memory_id=second["memory_id"], content="Nonsense.")
        assert (await used(client, "undo", decision_id=revised["decision_id"]))["in_force"] == [after]
        [decision] = (await used(client, "forget", memory_id=second["memory_id"]))["decision_ids"]
        assert (await used(client, "undo", decision_id=decision))["in_force"] == [after]
        only = await used(client, "remember", content="Mei keeps bees")
        assert (await used(client, "undo", decision_id=only["decision_id"]))["in_force"] == []

        twice = await client.call_tool("undo", {"decision_id": decision})
        assert "undone already" in twice.content[0].text
        assert "`history`" in twice.content[0].text
        early = await client.call_tool("undo", {"decision_id": first["decision_id"]})
        assert f"before decision {second['decision_id']}" in early.content[0].text
        assert "`undo`" in early.content[0].text

    talk(conversation)


def test_a_decision_of_another_user_is_not_undone(talk: Any, dsn: str, user: str) -> None:
    theirs = Engram(dsn, f"{user}-other").remember("their secret").decision_id

    async def conversation(client: ClientSession) -> str:
        await used(client, "remember", content="mine")
        result = await client.call_tool("undo", {"decision_id": theirs})
        assert result.is_error
        return str(result.content[0].text)

    told = talk(conversation)
    assert f"decision {theirs} does not exist for user '{user}'" in told
    assert "`history`" in told
    assert [hit.content for hit in Engram(dsn, f"{user}-other").search("secret")] == ["their secret"]


@pytest.mark.parametrize(
    ("tools", "change", "named"),
    [
        ("native", "revise", ["`recall`", "`history`"]),
        ("mcp-engram", "update_memory", ["`recall_memory`"]),
        ("mcp-engram", "get_task", ["`list_tasks`", "`create_task`"]),
    ],
)
def test_a_hint_names_the_tools_that_the_agent_has(talk: Any, change: str, named: list[str]) -> None:
    arguments = {
        "revise": {"memory_id": 999999999, "content": "x"},
        "update_memory": {"memory_id": 999999999, "new_content": "x"},
        "get_task": {"task_id": "logout"},
    }

    async def conversation(client: ClientSession) -> None:
        result = await client.call_tool(change, arguments[change])
        assert result.is_error
        [_, hint] = result.content[0].text.split("Hint: ")
        assert [name for name in named if name not in hint] == []
        assert f"engram.{named[0].strip('`')}" not in hint

    talk(conversation)


@pytest.mark.parametrize("tools", ["native,engineering"])
def test_an_agent_goes_on_where_another_stopped(talk: Any) -> None:
    async def first(client: ClientSession) -> None:
        assert (await used(client, "last_handoff"))["handoff"] is None
        task = (await used(client, "create_task", name="login-refactor", goal="A safe login"))["task_id"]
        await used(client, "track_progress", feature="login form", status="in_progress", task_id=task)
        await used(
            client,
            "track_failure",
            error="CSRF token missing",
            component="auth",
            severity="critical",
            task_id=task,
        )
        await used(
            client,
            "session_handoff",
            summary="The form works",
            completed=["draft the form"],
            next_steps=["login form", "deploy to staging"],
            session_id="monday",
            task_id=task,
        )

    async def second(client: ClientSession) -> None:
        [hit] = (await used(client, "recall", query="where did we stop?", k=1, session_id="tuesday"))["hits"]
        assert "pinned" in hit["legs"]
        assert "The form works" in (await used(client, "context", query="login"))["text"].splitlines()[0]
        await used(client, "track_progress", feature="login form", status="done", completion=100)
        steps = (await used(client, "last_handoff"))["handoff"]["steps"]
        assert [step["state"] for step in steps] == ["done", "open"]
        [task] = (await used(client, "list_tasks", status="planning"))["tasks"]
        [feature] = (await used(client, "list_features", status="done"))["features"]
        assert (feature["feature"], feature["completion"]) == ("login form", 100)
        [failure] = (await used(client, "list_failures", component="auth"))["failures"]
        assert failure["occurrences"] == 1
        whole = await used(client, "get_task", task_id=task["name"])
        assert whole == await used(client, "get_task", task_id=task["task_id"])
        assert [len(whole[part]) for part in ("handoffs", "failures", "progress")] == [1, 1, 1]
        assert whole["last_handoff"]["session_id"] == "monday"
        assert (await used(client, "update_task", task_id=task["task_id"], status="done"))["status"] == "done"
        [weighed] = (await used(client, "session_outcome", session_id="tuesday", outcome="success"))[
            "memories"
        ]
        assert weighed["memory_id"] == hit["memory_id"]
        assert weighed["quality_score"] > 0.9
        counts = (await used(client, "stats"))["stats"]["engineering"]
        assert counts["failures"]["by_component"] == {"auth": 1}
        assert counts["tasks"]["by_status"] == {"done": 1}

    talk(first)
    talk(second)


@pytest.mark.parametrize("tools", ["mcp-engram"])
def test_an_agent_of_mcp_engram_works_as_before(talk: Any) -> None:
    async def conversation(client: ClientSession) -> None:
        made = await used(client, "store_memory", content="Mei prefers uv over Poetry", importance=0.8)
        id = made["memory_id"]
        found = await used(client, "recall_memory", query="package manager", top_k=3, session_id="s")
        assert found["memoriesFound"] == 1
        assert found["memories"][0]["id"] == id
        assert found["memories"][0]["category"] == "fact"
        again = await used(client, "store_memory", content="Mei prefers uv over Poetry", importance=0.8)
        assert again["memory_id"] == id
        await used(
            client, "update_memory", memory_id=id, new_content="Mei prefers uv to Poetry", importance=0.9
        )
        await used(client, "session_handoff", summary="Moved to uv", next_steps=["pin versions"])
        await used(client, "track_failure", error="lock is stale", component="ci-pipeline")
        await used(client, "track_progress", feature="uv", status="blocked", completion=30)
        for kind, words in (
            ("handoff", "Moved to uv"),
            ("failure", "lock is stale"),
            ("progress", "blocked"),
        ):
            found = await used(client, "recall_memory", query="uv", memory_type=kind)
            assert [words in memory["content"] for memory in found["memories"]] == [True], kind
        stats = await used(client, "memory_stats")
        assert stats["total"] == 4
        assert stats["categories"] == {"fact": 1, "strategy": 2, "failure": 1}
        assert 0 < stats["avg_strength"] <= 1.5
        assert stats["engineering"]["failures"]["by_component"] == {"ci-pipeline": 1}
        assert stats["engineering"]["features"]["active"] == {"uv": {"status": "blocked", "completion": 30}}
        assert (await used(client, "consolidate_memory"))["details"] == []
        result = await client.call_tool("store_memory", {"content": "x", "importance": 7})
        assert result.is_error
        assert "0 to 1" in result.content[0].text

    talk(conversation)


@pytest.mark.parametrize("tools", ["mcp-engram"])
def test_consolidate_memory_makes_one_of_what_says_the_same(talk: Any, dsn: str, user: str) -> None:
    same = ("The deploy runs every Friday at noon", "Every Friday at noon the deploy runs")
    with Engram(dsn, user) as engram:
        engram.remember_many(same, policy="append")

    async def conversation(client: ClientSession) -> None:
        [cluster] = (await used(client, "consolidate_memory"))["details"]
        assert len(cluster["removed"]) == 1
        assert (await used(client, "memory_stats"))["total"] == 1

    talk(conversation)


def test_the_text_of_an_answer_is_compact_and_says_what_the_structured_content_says(
    talk: Any, user: str
) -> None:
    place = {"lat": 59.329323456, "lon": None, "notes": []}

    async def conversation(client: ClientSession) -> None:
        empty = await client.call_tool("recall", {"query": "bees"})
        assert empty.content[0].text == '{"hits":[]}'
        for n in range(3):
            await used(client, "remember", content=f"Mei 养蜂 {n} on Möllevången", metadata={"place": place})
        result = await client.call_tool("recall", {"query": "where does Mei keep bees?"})
        text, structured = result.content[0].text, result.structured_content
        assert "\n" not in text
        assert "养蜂" in text
        assert len(structured["hits"]) == 3
        for told, hit in zip(json.loads(text)["hits"], structured["hits"], strict=True):
            said = {name: value for name, value in hit.items() if value not in (None, [], {})}
            assert told.keys() == said.keys()
            for name, value in said.items():
                assert told[name] == (round(value, 4) if isinstance(value, float) else value), name
            assert told["metadata"] == {"place": place}
            assert "tags" not in told
            assert hit["tags"] == []
        assert len(json.dumps(structured, ensure_ascii=False)) > 1.3 * len(text)
        for tool, arguments in (("remember", {"content": "Mei likes tea"}), ("stats", {})):
            told = (await client.call_tool(tool, arguments)).content[0].text
            assert "null" not in told
            assert "\n" not in told

    talk(conversation)


@pytest.mark.parametrize("tools", ["engineering"])
def test_an_answer_that_is_nothing_says_so(talk: Any) -> None:
    async def conversation(client: ClientSession) -> list[str]:
        tools = ("last_handoff", "list_tasks", "list_failures")
        return [(await client.call_tool(tool, {})).content[0].text for tool in tools]

    assert talk(conversation) == ['{"handoff":null}', '{"tasks":[]}', '{"failures":[]}']


def test_many_calls_at_once_share_a_few_connections(dsn: str, user: str) -> None:
    async def connections(db: psycopg.AsyncConnection[Any]) -> set[int]:
        ours = "select pid from pg_stat_activity where application_name = 'engram-pg mcp'"
        return {pid for (pid,) in await (await db.execute(ours)).fetchall()}

    async def converse() -> int:
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as db:
            of_others = await connections(db)
            async with Client(make_server(dsn, user)) as client:
                await client.call_tool("remember", {"content": "Standup is at nine"})
                calls = asyncio.gather(*(client.call_tool("recall", {"query": "standup"}) for _ in range(60)))
                most = 0
                while not calls.done():
                    most = max(most, len(await connections(db) - of_others))
                    await asyncio.sleep(0.01)
                assert not any(answer.is_error for answer in await calls)
                return most

    assert 1 <= asyncio.run(converse()) <= 4


def test_an_argument_names_another_user(talk: Any, user: str) -> None:
    async def conversation(client: ClientSession) -> None:
        await used(client, "remember", content="only theirs", user_id=user + "-other")
        assert (await used(client, "recall", query="theirs"))["hits"] == []
        assert len((await used(client, "recall", query="theirs", user_id=user + "-other"))["hits"]) == 1

    talk(conversation)


@pytest.mark.parametrize("options", [["--only-user"]])
@pytest.mark.parametrize("tools", ["native,engineering,mcp-engram"])
def test_a_server_of_one_user_opens_no_other(talk: Any, dsn: str, user: str) -> None:
    """The tools are asked for from the server, so one that is new is called as well."""
    other = f"{user}-other"
    theirs = Engram(dsn, other).remember("their secret").memory_id
    values: dict[str, Any] = {"string": "secret", "integer": theirs, "number": 0.5}

    def made_up(schema: dict[str, Any]) -> dict[str, Any]:
        properties = schema["properties"]
        options = {name: properties[name].get("anyOf", [properties[name]])[0] for name in schema["required"]}
        return {
            name: kind["enum"][0] if "enum" in kind else values[kind["type"]]
            for name, kind in options.items()
        }

    async def conversation(client: ClientSession) -> None:
        for name, tool in (await listed(client)).items():
            arguments = made_up({"required": [], **tool.input_schema})
            result = await client.call_tool(name, {**arguments, "user_id": other})
            assert result.is_error, name
            assert f"Open are those of: {user}" in result.content[0].text, name
        await used(client, "remember", content="mine")
        assert [hit["content"] for hit in (await used(client, "recall", query="secret"))["hits"]] == ["mine"]
        made = await used(client, "remember", content="also mine", user_id=user)
        assert (await used(client, "undo", decision_id=made["decision_id"]))["in_force"] == []

    talk(conversation)
    assert [hit.content for hit in Engram(dsn, other).search("secret")] == ["their secret"]


@pytest.mark.parametrize("tenant", [None, "acme"])
def test_the_users_of_a_connection_are_the_users_of_its_server(
    dsn: str, user: str, tenant: str | None
) -> None:
    limited = make_conninfo(dsn, options=f'-c engram.users=["{user}"]')

    async def converse() -> list[Any]:
        async with Client(make_server(limited, user, tenant)) as client:
            return [
                await client.call_tool("remember", {"content": "bees", "user_id": name})
                for name in (user, f"{user}-other")
            ]

    mine, theirs = asyncio.run(converse())
    assert not mine.is_error
    assert theirs.is_error
    assert f"Open are those of: {user}" in theirs.content[0].text


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
        *[
            ("forget", {"memory_id": id, "hard": True}, "greater than or equal to 1")
            for id in (0, False, -1, -(2**63))
        ],
        ("forget", {"memory_id": None, "hard": True}, "memory_id"),
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
