"""Containers of the image, driven by testcontainers."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import Any, Self

import psycopg
from psycopg.rows import namedtuple_row

os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")  # its image needs a registry

from testcontainers.core.container import DockerContainer
from testcontainers.core.image import DockerImage
from testcontainers.core.network import Network

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "engram-postgres:test"
PASSWORDS = {"engram": "an engram's secret", "postgres": "a superuser's secret"}


def build_image() -> None:
    """Builds the image of the server; a moment when nothing changed."""
    DockerImage(ROOT, tag=IMAGE, dockerfile_path="docker/Dockerfile", clean_up=False, rm=True).build()


class Bouncer(DockerContainer):
    """PgBouncer in transaction mode, two connections a pool, before the server that the network calls
    `behind`.
    """

    def __init__(self, network: Network) -> None:
        folder = Path(__file__).parent / "pgbouncer"
        image = DockerImage(folder, tag="engram-pgbouncer:test", clean_up=False, rm=True).build()
        super().__init__(str(image))
        self.with_network(network)
        self.port = _free_port()
        self.ports = {"6432/tcp": ("127.0.0.1", self.port)}

    def url(self, database: str = "engram") -> str:
        return dsn(self.port, "engram", database)


class Server(DockerContainer):
    """A container of the image, reached by a port of the loopback address that outlives a restart."""

    def __init__(
        self,
        *settings: str,
        files: dict[Path, str] | None = None,
        network: Network | None = None,
        alias: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(IMAGE, **options)
        self.port = _free_port()
        self.ports = {"5432/tcp": ("127.0.0.1", self.port)}
        self.with_env("ENGRAM_PASSWORD", PASSWORDS["engram"])
        self.with_env("POSTGRES_PASSWORD", PASSWORDS["postgres"])
        if settings:
            self.with_command(["postgres", *(word for setting in settings for word in ("-c", setting))])
        for path, place in (files or {}).items():
            self.with_volume_mapping(path, place)
        if network is not None:
            self.with_network(network)
        if alias is not None:
            self.with_network_aliases(alias)

    def start(self) -> Self:
        super().start()
        self.wait()
        return self

    def url(self, role: str = "engram", database: str = "engram") -> str:
        return dsn(self.port, role, database)

    def connect(self, role: str = "engram", database: str = "engram") -> psycopg.Connection[Any]:
        """An autocommit connection whose rows are named tuples."""
        return psycopg.connect(self.url(role, database), autocommit=True, row_factory=namedtuple_row)

    def wait(self, seconds: float = 120) -> None:
        """Until it answers."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.connect("postgres", "postgres").close()
                return
            except psycopg.OperationalError:
                self.reload()
                if self.status == "exited" or time.monotonic() > deadline:
                    raise AssertionError(f"the server does not answer:\n{self.log()}") from None
                time.sleep(0.2)

    def run(self, *command: str) -> str:
        """What a command prints inside; it has to succeed."""
        code, output = self.get_wrapped_container().exec_run(list(command))
        text = str(output.decode())
        assert code == 0, f"{command}: {text}"
        return text

    def log(self) -> str:
        return "".join(part.decode(errors="replace") for part in self.get_logs())

    def kill(self) -> None:
        """kill -9 of all its processes."""
        self.get_wrapped_container().kill("KILL")

    def restart(self) -> None:
        """Starts it again after it was stopped or killed, or stops it in good order first."""
        self.get_wrapped_container().restart(timeout=20)
        self.wait()


def dsn(port: int, role: str, database: str) -> str:
    password = PASSWORDS[role].replace(" ", "%20").replace("'", "%27")
    return f"postgresql://{role}:{password}@127.0.0.1:{port}/{database}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
