"""The commands of docs/how-to/docker.md, in the order of the page."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
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
            f"{wheel}[openai]",
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
    execute.folder = folder  # type: ignore[attr-defined]
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


COMPOSE = "docker compose --file docker/compose.yaml"


def connect(shell: Any, role: str) -> psycopg.Connection[Any]:
    """As the role of a program, from this machine, with the password of its file."""
    secret = shell.folder / "docker" / "secrets" / f"{role.removeprefix('engram_')}_password"
    port = int(shell.environment["ENGRAM_PORT"])
    password = secret.read_text(encoding="utf-8").strip()
    return psycopg.connect(
        host="127.0.0.1", port=port, user=role, dbname="engram", password=password, autocommit=True
    )


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

    made = shell(f"{COMPOSE} run --rm --no-deps -T migrate key create test --user mei")
    key = made.strip().splitlines()[-1]
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
    services = shell(f"{COMPOSE} ps --services --filter status=running").split()
    assert sorted(services) == ["mcp", "server", "worker"]
    with connect(shell, "engram") as db:
        assert db.execute("select count(*) from engram.schedules()").fetchone() == (6,)


def test_each_program_logs_in_as_a_role_of_its_own(shell: Any) -> None:
    query = "select distinct usename from pg_stat_activity where client_addr is not null order by 1"
    psql = f'{COMPOSE} exec -T server psql -U postgres -d engram -Atc "{query}"'
    assert shell(psql).split() == ["engram_mcp", "engram_worker"]
    for service in ("worker", "mcp"):
        assert shell(f"{COMPOSE} exec -T {service} ls /run/secrets").split() == [f"{service}_password"]


def test_nothing_listens_beyond_the_loopback_address(shell: Any) -> None:
    containers = shell(f"{COMPOSE} ps --quiet").split()
    bound = shell("docker inspect --format '{{json .NetworkSettings.Ports}}' " + " ".join(containers))
    addresses = re.findall(r'"HostIp":"([^"]*)"', bound)
    assert set(addresses) == {"127.0.0.1"}
    assert len(addresses) == 2


MODEL_SERVER = """
import json
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        data = [{"index": place, "embedding": [1.0, len(text), 3.0]} for place, text in enumerate(texts)]
        body = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

HTTPServer(("", 8000), Handler).serve_forever()
"""


def test_the_worker_embeds_for_the_model_of_a_server(shell: Any) -> None:
    name = f"{shell.environment['COMPOSE_PROJECT_NAME']}-model"
    python = f"--entrypoint python3 worker -c {shlex.quote(MODEL_SERVER)}"
    shell(f"{COMPOSE} run --detach --rm --no-deps --name {name} {python}")
    try:
        answers = "import socket; socket.create_connection(('127.0.0.1', 8000))"
        shell(f'for _ in $(seq 60); do docker exec {name} python3 -c "{answers}" && break; sleep 0.5; done')
        add = f"model add openai:fake --base-url http://{name}:8000/v1"
        shell(f"{COMPOSE} run --rm --no-deps -T migrate {add}")
        with connect(shell, "engram_mcp") as db:
            db.execute("select engram.remember('The lift is out of order', user_id => 'mei')")
            progress = "select pending, done from engram.embedding_progress where model = 'openai:fake'"
            deadline = time.monotonic() + 60
            while (found := db.execute(progress).fetchone()) is None or found[0] or found[1] < 2:
                assert time.monotonic() < deadline, f"{found}\n{shell(f'{COMPOSE} logs worker')}"
                time.sleep(0.5)
    finally:
        shell(f"docker rm --force {name}")


RECONFIGURES = (
    "select engram.configure('k', '9')",
    "select engram.require_tenant()",
    "select engram.grant_usage('engram_mcp', 'admin')",
    "select engram.grant_usage('engram_worker', 'admin')",
    "select engram.bind_role('engram_mcp', 'acme')",
    "select engram.create_api_key('mine')",
    "select engram.revoke_api_key(1)",
    "select from engram.api_key",
    "select engram.register_model('mine', 'caller', 3)",
    "select engram.activate_model('openai:fake')",
    "select engram.drop_model('openai:fake')",
    "update engram.setting set value = 'x'",
    "update engram.kind set lambda = 1",
    "insert into engram.write_policy select from engram.write_policy",
    "truncate engram.memory",
    "alter table engram.memory disable row level security",
    "drop policy tenant on engram.memory",
    "create table engram.mine ()",
    "create table public.mine ()",
    "create schema mine",
    "drop schema engram cascade",
    "create role mine",
    "set role engram",
    "select from cron.job",
    "create extension cube",
    "copy (select 1) to program 'true'",
)


@pytest.mark.parametrize("role", ["engram_worker", "engram_mcp"])
def test_the_roles_of_the_programs_cannot_reconfigure(shell: Any, role: str) -> None:
    with connect(shell, role) as db:
        for statement in RECONFIGURES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(statement.encode())
        assert db.execute("select count(*) from engram.memory").fetchone() != (0,)


def test_a_volume_outlives_its_containers_and_an_older_schema_in_it_is_upgraded(shell: Any) -> None:
    """The last test of this file."""
    (release, *_) = sorted(ROOT.glob("tests/schema/releases/*.sql.gz"))
    older = gzip.decompress(release.read_bytes()).decode()
    shell(f"{COMPOSE} down --timeout 5")
    shell(f"{COMPOSE} up --detach --wait server")
    with connect(shell, "engram") as db:
        kept = db.execute("select count(*) from engram.memory").fetchone()
        assert kept != (0,)
        db.execute("drop schema engram cascade")
    into = f"{COMPOSE} exec -T server psql -q -U engram -d engram"
    (shell.folder / "older.sql").write_text(older, encoding="utf-8")
    shell(f"{into} < older.sql")
    shell(f"{COMPOSE} up --detach --wait")
    with connect(shell, "engram_mcp") as db:
        db.execute("select engram.remember('The lift is mended', user_id => 'mei')")
        found = db.execute("select content from engram.search('lift', user_id => 'mei')").fetchone()
        assert found == ("The lift is mended",)
    services = shell(f"{COMPOSE} ps --services --filter status=running").split()
    assert sorted(services) == ["mcp", "server", "worker"]
