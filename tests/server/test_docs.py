"""The commands of docs/how-to/docker.md, in the order of the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "docker.md"
WHEELS = ROOT / "docker" / "wheels"
PLATFORMS = ("manylinux_2_28", "manylinux2014", "manylinux_2_17")
PYTHON = "3.13"  # Debian's


@pytest.fixture(scope="module")
def wheels(image: str) -> Iterator[None]:
    """What the image of the programs is made of, so that its build needs no package index."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    platforms = [f"--platform={name}_{os.uname().machine}" for name in PLATFORMS]
    run([*pip, "wheel", "--no-deps", f"--wheel-dir={WHEELS}", str(ROOT)])
    (wheel,) = WHEELS.glob("engram_pg-*.whl")
    run(
        [
            *pip,
            "download",
            f"--dest={WHEELS}",
            f"--python-version={PYTHON}",
            "--only-binary=:all:",
            *platforms,
            str(wheel),
        ]
    )
    yield
    for path in WHEELS.glob("*.whl"):
        path.unlink()


@pytest.fixture(scope="module")
def shell(wheels: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs commands at the root of a copy of the checkout, in a compose project of its own."""
    folder = tmp_path_factory.mktemp("checkout")
    os.chmod(folder, 0o755)
    kept = ("docker", "engram_pg", "sql", "examples", "tools", "pyproject.toml", "README.md", "LICENSE")
    for name in (*kept, ".dockerignore"):
        path = ROOT / name
        copy = shutil.copytree if path.is_dir() else shutil.copy2
        copy(path, folder / name)
    programs = folder / "bin"
    programs.mkdir()
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        stand_in(programs / "docker", folder)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COMPOSE_PROJECT_NAME": f"engram-{uuid.uuid4().hex[:8]}",
        "ENGRAM_PORT": str(free_port()),
        "ENGRAM_MCP_PORT": str(free_port()),
        "DOCKER_BUILDKIT": "0" if not has_buildx() else "1",
    }

    def execute(commands: str, **more: str) -> str:
        return run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env={**environment, **more})

    execute.environment = environment  # type: ignore[attr-defined]
    yield execute
    execute("docker compose --file docker/compose.yaml down --volumes --timeout 5")


def stand_in(path: Path, folder: Path) -> None:
    """A docker whose `compose` is Debian's, in a container that sees the engine and the folder."""
    from testcontainers.core.image import DockerImage

    context = Path(__file__).parent / "compose"
    DockerImage(context, tag="engram-compose:test", clean_up=False, rm=True).build()
    real = shutil.which("docker")
    assert real is not None
    names = "-e COMPOSE_PROJECT_NAME -e ENGRAM_PORT -e ENGRAM_MCP_PORT -e DOCKER_BUILDKIT"
    path.write_text(
        "#!/bin/sh\n"
        f'[ "$1" = compose ] || exec {real} "$@"\n'
        "shift\n"
        f"exec {real} run --rm -i {names} -v /var/run/docker.sock:/var/run/docker.sock"
        f' -v {folder}:{folder} -w {folder} engram-compose:test "$@"\n',
        encoding="utf-8",
    )
    path.chmod(0o755)


def has_buildx() -> bool:
    return subprocess.run(["docker", "buildx", "version"], capture_output=True).returncode == 0


def free_port() -> int:
    import containers

    return containers._free_port()


def run(command: list[str], **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def blocks() -> list[tuple[str, str]]:
    """Each block of commands, with the lines that the page shows as its output."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^```sh\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", text, flags=re.MULTILINE | re.DOTALL)
    return [(commands, shown) for commands, shown in found]


def test_the_commands_of_the_page_work(shell: Any) -> None:
    assert len(blocks()) > 3
    for commands, shown in blocks():
        printed = shell(commands)
        for line in shown.splitlines():
            assert line.strip() in printed, f"{commands}\nprinted\n{printed}"


def test_the_agent_remembers_over_http_with_a_key(shell: Any) -> None:
    """After the page's commands: the key that it makes opens the memory, and nothing else does."""
    import asyncio

    import httpx2
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    compose = "docker compose --file docker/compose.yaml"
    key = shell(f"{compose} exec -T mcp entrypoint.sh key create test --user mei").strip().splitlines()[-1]
    url = f"http://127.0.0.1:{shell.environment['ENGRAM_MCP_PORT']}/mcp"
    assert httpx2.post(url, json={}).status_code == 401

    async def converse() -> str:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as web,
            streamable_http_client(url, http_client=web) as streams,
            ClientSession(streams[0], streams[1]) as client,
        ):
            await client.initialize()
            return str((await client.call_tool("recall", {"query": "staging"})).structured_content)

    assert "The staging database runs on db7" in asyncio.run(converse())


def test_a_worker_and_the_jobs_of_pg_cron_run(shell: Any) -> None:
    compose = "docker compose --file docker/compose.yaml"
    services = shell(f"{compose} ps --services --filter status=running").split()
    assert sorted(services) == ["mcp", "server", "worker"]
    scheduled = shell(
        f"{compose} exec -T server psql -U engram -d engram -Atc 'select count(*) from engram.schedules()'"
    )
    assert scheduled.strip() == "5"
