"""init: what it prints and writes for a client, in homes and projects that are nobody's."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import COMMAND, clean_environment

from engram_pg.agents.clients import CLIENTS as CLIENTS_OF
from engram_pg.agents.editing import BEGIN, END
from engram_pg.agents.rules import LANGUAGES, rules
from engram_pg.errors import EngramError

Init = Callable[..., subprocess.CompletedProcess[str]]
CLIENTS = ("claude-code", "claude-desktop", "cursor")
DESKTOP = (
    "Library/Application Support/Claude/claude_desktop_config.json"
    if sys.platform == "darwin"
    else ".config/Claude/claude_desktop_config.json"
)
SECRET = "postgresql://app:hunter2@db.example/app"


@pytest.fixture
def init(tmp_path: Path) -> Init:
    """Runs `engram-pg init` in an empty project, with an empty home beside it."""
    for folder in ("home", "project"):
        (tmp_path / folder).mkdir()

    def command(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, "init", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=tmp_path / "project",
            env=clean_environment(HOME=str(tmp_path / "home"), XDG_CONFIG_HOME="", **environment),
        )

    return command


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def server(path: Path, name: str = "engram") -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(path.read_text())["mcpServers"][name]
    return entry


@pytest.mark.parametrize("client", CLIENTS)
def test_without_write_it_only_prints(init: Init, tmp_path: Path, client: str) -> None:
    done = init(client)
    assert done.returncode == 0
    assert '"mcpServers"' in done.stdout
    assert "call `recall`" in done.stdout
    assert files(tmp_path) == {}


@pytest.mark.parametrize(
    ("client", "scope", "written"),
    [
        ("claude-code", [], {"project/.mcp.json", "project/CLAUDE.md"}),
        ("claude-code", ["--scope", "user"], {"home/.claude/CLAUDE.md"}),
        ("claude-desktop", [], {f"home/{DESKTOP}"}),
        ("cursor", [], {"project/.cursor/mcp.json", "project/.cursor/rules/engram.mdc"}),
        ("cursor", ["--scope", "user"], {"home/.cursor/mcp.json"}),
    ],
)
def test_it_writes_what_the_client_reads_and_a_second_time_nothing(
    init: Init, tmp_path: Path, client: str, scope: list[str], written: set[str]
) -> None:
    assert init(client, *scope, "--yes").returncode == 0
    first = files(tmp_path)
    assert first.keys() == written
    for name, content in first.items():
        if name.endswith(".json"):
            entry = json.loads(content)["mcpServers"]["engram"]
            assert entry["args"][:2] == ["mcp", "--tools"]
            assert Path(entry["command"]).name == "engram-pg"
        else:
            assert BEGIN.encode() in content
    again = init(client, *scope, "--yes")
    assert "set up already" in again.stdout
    assert files(tmp_path) == first


def test_it_asks_before_it_writes(init: Init, tmp_path: Path) -> None:
    refused = init("cursor", "--write", stdin="n\n")
    assert refused.returncode == 1
    assert files(tmp_path) == {}
    assert init("cursor", "--write").returncode == 1  # nobody is there to answer
    assert files(tmp_path) == {}
    assert init("cursor", "--write", stdin="y\n").returncode == 0
    assert files(tmp_path)


def test_what_is_there_stays(init: Init, tmp_path: Path) -> None:
    project = tmp_path / "project"
    others = {
        "$schema": "x",
        "mcpServers": {
            "github": {"command": "gh", "env": {"TOKEN": "é-s3cret"}, "args": ["a"]},
            "engram": {
                "command": "/old/engram-pg",
                "args": ["mcp", "--data-dir", "/data", "--tools", "native"],
                "env": {"ENGRAM_EMBEDDING_KEY": "k", "ENGRAM_USER": "old"},
                "timeout": 5,
            },
        },
        "other": [1.5, None, {"b": 1, "a": 2}],
    }
    (project / ".mcp.json").write_text(json.dumps(others, indent="\t", ensure_ascii=False))
    (project / ".mcp.json").chmod(0o600)
    (project / "CLAUDE.md").write_bytes(b"# Mine\r\n\r\nKeep this.\r\n")
    before = files(project)

    done = init("claude-code", "--yes", "--user", "mei")
    assert done.returncode == 0
    assert "/old/engram-pg" not in (project / ".mcp.json").read_text()
    after = json.loads((project / ".mcp.json").read_text())
    expected = json.loads(json.dumps(others))
    expected["mcpServers"]["engram"] |= {
        "command": after["mcpServers"]["engram"]["command"],
        "args": ["mcp", "--data-dir", "/data", "--tools", "native,engineering"],
        "env": {"ENGRAM_EMBEDDING_KEY": "k", "ENGRAM_USER": "mei"},
    }
    assert after == expected
    assert list(after) == list(others)
    assert (project / ".mcp.json").read_text().startswith('{\n\t"$schema"')
    assert stat.S_IMODE((project / ".mcp.json").stat().st_mode) == 0o600
    rules_now = (project / "CLAUDE.md").read_bytes()
    assert rules_now.startswith(before["CLAUDE.md"] + b"\r\n" + BEGIN.encode())
    assert b"\n" not in rules_now.replace(b"\r\n", b"")
    kept = files(project)
    assert kept[".mcp.json.bak"] == before[".mcp.json"]
    assert kept["CLAUDE.md.bak"] == before["CLAUDE.md"]
    assert stat.S_IMODE((project / ".mcp.json.bak").stat().st_mode) == 0o600
    assert "s3cret" not in done.stdout + done.stderr


def test_the_rules_take_the_place_of_older_ones(init: Init, tmp_path: Path) -> None:
    path = tmp_path / "project" / "CLAUDE.md"
    path.write_text(f"# Mine\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    init("claude-code", "--yes", "--lang", "zh")
    text = path.read_text()
    assert text.startswith(f"# Mine\n\n{BEGIN}\n## 记忆\n")
    assert text.endswith(f"\n{END}\n\nAfter.\n")
    assert "old" not in text
    init("claude-code", "--yes", "--lang", "en")
    assert "记忆" not in path.read_text()
    assert (tmp_path / "project" / "CLAUDE.md.bak1").read_text() == text


def test_a_link_stays_a_link(init: Init, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "AGENTS.md").write_text("# Mine\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    init("claude-code", "--yes")
    assert (project / "CLAUDE.md").is_symlink()
    assert BEGIN in (project / "AGENTS.md").read_text()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".mcp.json", '{"mcpServers": {} // mine\n}'),
        (".mcp.json", '{"mcpServers": {"a": {}, "a": {}}}'),
        (".mcp.json", '{"mcpServers": []}'),
        (".mcp.json", '{"mcpServers": {"engram": "x"}}'),
        (".mcp.json", "[]"),
        (".mcp.json", "[" * 100_000),
        (".mcp.json", '{"a": NaN}'),
        (".mcp.json", '{"a": 1e400}'),
        (".mcp.json", '{"a": 12345678901234567890.123}'),
        (".mcp.json", '{"a": "\\ud800"}'),
        ("CLAUDE.md", f"{BEGIN}\nno end\n"),
        ("CLAUDE.md", f"{END}\n{BEGIN}\n"),
    ],
)
def test_a_file_that_it_does_not_understand_is_left_alone(
    init: Init, tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / "project" / name
    path.write_text(content)
    done = init("claude-code", "--yes")
    assert done.returncode == 1
    assert "hint:" in done.stderr
    assert files(tmp_path / "project") == {name: content.encode()}


@pytest.mark.parametrize(
    ("client", "written"),
    [
        ("claude-code", "${ENGRAM_DSN}"),
        ("cursor", "${env:ENGRAM_DSN}"),
        ("claude-desktop", "user=app dbname=app host=db.example"),
    ],
)
def test_a_password_is_never_written_or_shown(init: Init, tmp_path: Path, client: str, written: str) -> None:
    for given in (["--dsn", SECRET], []):
        done = init(client, *given, "--yes", ENGRAM_DSN="" if given else SECRET)
        assert done.returncode == 0, done.stderr
        assert "password" in done.stderr
        everything = b"".join(files(tmp_path).values()) + (done.stdout + done.stderr).encode()
        assert b"hunter2" not in everything
        [config] = [text for name, text in files(tmp_path).items() if name.endswith(".json")]
        env = json.loads(config)["mcpServers"]["engram"]["env"]
        assert env["ENGRAM_DSN"] == written
    assert "hunter2" not in init(client, "--dsn", SECRET).stdout


def test_a_password_that_is_there_is_left_there(init: Init, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": {"engram": {"command": "x", "env": {"ENGRAM_DSN": SECRET}}}}))
    init("claude-code", "--yes", "--dsn", SECRET)
    assert server(path)["env"]["ENGRAM_DSN"] == SECRET


def test_an_agent_of_mcp_engram_changes_one_entry(init: Init, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"engram": {"command": "engram", "env": {"HF_ENDPOINT": "x"}}}}')
    done = init("cursor", "--yes", "--tools", "mcp-engram")
    assert "its command is replaced" in done.stderr
    assert server(path)["args"] == ["mcp", "--tools", "mcp-engram"]
    text = (path.parent / "rules" / "engram.mdc").read_text()
    assert text.startswith("---\n")
    assert "alwaysApply: true" in text
    assert "`recall_memory`" in text
    assert "`store_memory`" in text


def test_another_name_leaves_the_server_of_that_name(init: Init, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".mcp.json"
    path.write_text('{"mcpServers": {"engram": {"command": "engram"}}}')
    init("claude-code", "--yes", "--name", "memory", "--tenant", "acme")
    assert server(path) == {"command": "engram"}
    assert server(path, "memory")["env"] == {"ENGRAM_TENANT": "acme"}


@pytest.mark.parametrize("client", CLIENTS)
def test_it_says_what_comes_next(init: Init, data_dir: Path, tmp_path: Path, client: str) -> None:
    first = init(client, "--yes", "--data-dir", str(tmp_path / "none")).stderr
    assert CLIENTS_OF[client][next(iter(CLIENTS_OF[client]))].then in first
    assert "engram-pg up" in first, "an agent gives up on a server that is made while it waits"
    assert not (tmp_path / "none").exists()
    for arguments in (["--data-dir", str(data_dir)], ["--dsn", SECRET]):
        assert "engram-pg up" not in init(client, "--yes", *arguments).stderr


def test_what_no_file_holds_is_printed(init: Init) -> None:
    done = init("claude-code", "--scope", "user", "--yes", "--user", "mei")
    assert "claude mcp add engram --scope user --env ENGRAM_USER=mei -- " in done.stdout
    assert "Paste into" in init("claude-desktop", "--yes").stdout


@pytest.mark.parametrize(
    "arguments", [["claude-desktop", "--scope", "project"], ["vim"], ["cursor", "--lang", "fr"], []]
)
def test_what_does_not_exist_is_refused(init: Init, tmp_path: Path, arguments: list[str]) -> None:
    assert init(*arguments, "--yes").returncode == 2
    assert files(tmp_path) == {}


def test_a_toolset_that_does_not_exist_is_refused(init: Init, tmp_path: Path) -> None:
    assert init("cursor", "--yes", "--tools", "native,nothing").returncode == 1
    assert files(tmp_path) == {}


@pytest.mark.parametrize("tools", ["native", "native,engineering", "mcp-engram"])
def test_the_rules_name_only_tools_that_the_agent_has(tools: str) -> None:
    import re

    from engram_pg.mcp.server import make_server

    made = make_server("postgresql://nowhere", tools=tools.split(","))
    there = {tool.name for tool in made._tool_manager.list_tools()}
    arguments = {"engram", "task_id", "session_id"}
    for language in LANGUAGES:
        named = set(re.findall(r"`(\w+)`", rules(language, tools.split(","))))
        assert named - arguments <= there, (language, named - arguments - there)


@pytest.mark.parametrize("tools", ["native", "mcp-engram"])
def test_an_agent_is_told_that_no_score_says_whether_anything_is_known(tools: str) -> None:
    import re

    from engram_pg.mcp.server import make_server

    made = make_server("postgresql://nowhere", tools=[tools])
    there = {tool.name: tool for tool in made._tool_manager.list_tools()}
    recall = there["recall" if tools == "native" else "recall_memory"].description
    assert "nothing is known about it" in " ".join(recall.split())
    assert "nothing is known about it" in rules("en", [tools])
    assert "没有相关记录" in rules("zh", [tools])
    told = [rules(language, [tools]) for language in LANGUAGES]
    told += [f"{tool.description} {tool.output_schema}" for tool in there.values()]
    assert [text for text in told if re.search(r"score[^.。]{0,20}(near|close to|接近) ?0", text)] == []


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    from engram_pg.agents.editing import with_block

    (tmp_path / "file").write_text("")
    with pytest.raises(EngramError, match=r"cannot be (read|written)"):
        with_block(tmp_path / "file" / "CLAUDE.md", "x").write()


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("darwin", "Library/Application Support/Claude"),
        ("win32", "AppData/Roaming/Claude"),
        ("linux", ".config/Claude"),
    ],
)
def test_the_desktop_client_reads_another_folder_on_each_platform(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    [found] = CLIENTS_OF["claude-desktop"].values()
    place = found.servers
    assert place is not None
    assert place(tmp_path / "project", tmp_path) == tmp_path / folder / "claude_desktop_config.json"
