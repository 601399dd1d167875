"""A relay before PostgreSQL that loses an answer, as a server does that dies right after a commit."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress
from typing import Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

READY = b"Z\x00\x00\x00\x05I"
"""What ends an answer: the server has committed and waits for the next statement."""


class Relay:
    """A port on loopback before the server of a DSN. Of the statements that hold `word`, the server carries
    out the one of number `place`; its answer is lost, and with it the connection.
    """

    def __init__(self, dsn: str, word: str, place: int = 1) -> None:
        self._behind = conninfo_to_dict(dsn)
        self._word, self._left = word.encode(), place
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def dsn(self) -> str:
        through = {"host": "127.0.0.1", "port": self._listener.getsockname()[1]}
        return make_conninfo("", **{**self._behind, **through, "sslmode": "disable", "gssencmode": "disable"})

    @property
    def lost(self) -> bool:
        """Whether it has lost its answer."""
        return self._left <= 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            server, losing = self._connect(), threading.Event()
            for pump in (self._ask, self._answer):
                threading.Thread(target=pump, args=(client, server, losing), daemon=True).start()

    def _connect(self) -> socket.socket:
        host, port = str(self._behind.get("host") or ""), int(self._behind.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host or "127.0.0.1", port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(os.path.join(host, f".s.PGSQL.{port}"))
        return server

    def _ask(self, client: socket.socket, server: socket.socket, losing: threading.Event) -> None:
        while data := _received(client):
            if self._word in data:
                self._left -= 1
                if self._left == 0:
                    losing.set()
            server.sendall(data)
        _hang_up(server)

    def _answer(self, client: socket.socket, server: socket.socket, losing: threading.Event) -> None:
        while data := _received(server):
            if not losing.is_set():
                client.sendall(data)
            elif data.endswith(READY):
                break
        _hang_up(client)


def _received(of: socket.socket) -> bytes:
    try:
        return of.recv(65536)
    except OSError:
        return b""


def _hang_up(on: socket.socket) -> None:
    with suppress(OSError):  # gone already
        on.shutdown(socket.SHUT_RDWR)
