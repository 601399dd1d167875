"""Servers of the embeddings API on loopback: one that behaves as a test tells it, and a real model's."""

from __future__ import annotations

import hashlib
import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMS = 16


def vector_of(text: str) -> list[float]:
    """A vector in which texts with words in common are near each other."""
    sums = [0.001] * DIMS
    for word in text.lower().split():
        digest = hashlib.sha256(word.strip("?.!,").encode()).digest()
        for place in range(DIMS):
            sums[place] += digest[place] / 127.5 - 1
    length = math.sqrt(sum(value * value for value in sums))
    return [value / length for value in sums]


@dataclass
class Reply:
    """What the server says: after some seconds, a status with headers and a body."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0


def embeddings(vectors: Sequence[Sequence[float]], after: float = 0.0) -> Reply:
    entries = [{"index": place, "embedding": list(vector)} for place, vector in enumerate(vectors)]
    return Reply(body={"data": entries}, after=after)


def well(texts: list[str]) -> Reply:
    return embeddings([vector_of(text) for text in texts])


Behaviour = Callable[[list[str]], Reply]


class Server:
    """A server on a free port. `behave` gets the texts of a request; `requests` are the bodies that came."""

    def __init__(self, behave: Behaviour = well) -> None:
        self.behave = behave
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(asked)
                outer.headers.append(dict(self.headers))
                reply = outer.behave(
                    asked["input"] if "input" in asked else [one["content"] for one in asked["messages"]]
                )
                outer.closing.wait(reply.after)
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                try:
                    self.send_response(reply.status)
                    for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):  # the one who asked has given up
                    pass

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def asked(self) -> list[str]:
        """All texts that came, in their order."""
        return [text for request in self.requests for text in request["input"]]

    def wait_for(self, requests: int, seconds: float = 20) -> None:
        """Returns when so many requests have come."""
        deadline = time.monotonic() + seconds
        while len(self.requests) < requests:
            assert time.monotonic() < deadline, f"only {len(self.requests)} requests came"
            time.sleep(0.01)
