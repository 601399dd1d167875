"""Runs mcp-engram (0.4 or later) for the comparison: a line of JSON in, a line of JSON out.

Started as a script by the Python that has mcp-engram, so it imports nothing of this package. The code of
mcp-engram is used as it is, through the handlers that its tools call; only its model is replaced by vectors
that come with the texts. HOME is a folder for this run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

VECTORS: dict[str, list[float]] = {}
ACTIONS = {"Stored": "new", "Reinforced": "reinforce", "Replaced": "replace", "Merged": "merge"}

replies = sys.stdout
sys.stdout = sys.stderr  # whatever a library prints must not get among the answers
waited = 0.0


def say(**message: Any) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


def embed(text: str) -> list[float]:
    """The vector that came with the text; that of a text mcp-engram made itself is asked for."""
    global waited
    if text not in VECTORS:
        before = time.perf_counter()
        say(need=text)
        VECTORS[text] = json.loads(sys.stdin.readline())["vector"]
        waited += time.perf_counter() - before
    return VECTORS[text]


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    global waited
    waited = 0.0
    before = time.perf_counter()
    answer = act()
    return answer, (time.perf_counter() - before - waited) * 1000


class Side:
    """The operations, by their names in the messages."""

    def open(self, dims: int) -> dict[str, Any]:
        place_extensions()
        setattr(import_module("engram.embedding"), "embed", embed)  # noqa: B010 - mypy knows no such module
        self.handlers = import_module("engram.handlers")
        self.config = import_module("engram.config")
        home = Path(os.environ["HOME"], ".engram")
        self.db = import_module("engram.db").MemoryDB(str(home / "memories.duckdb"), dim=dims)
        self.graph = import_module("engram.graph").MemoryGraph(str(home / "graph.json"))
        self.filled: list[tuple[int, str]] = []
        text_index = self.db.conn.execute(
            "select count(*) from duckdb_extensions() where extension_name = 'fts' and loaded"
        ).fetchone()[0]
        return {
            "version": version("mcp-engram"),
            "duckdb": version("duckdb"),
            "text_index": bool(text_index),
        }

    def know(self, vectors: dict[str, list[float]]) -> dict[str, Any]:
        VECTORS.update(vectors)
        return {}

    def store(self, user: str, text: str) -> dict[str, Any]:
        answer, ms = timed(lambda: self.handlers.handle_store(self.db, self.graph, text, 0.5, user_id=user))
        if "error" in answer:
            return {"error": str(answer["error"])}
        return {"id": answer["memory_id"], "action": ACTIONS[answer["result"].split()[0]], "ms": ms}

    def recall(self, user: str, text: str, k: int) -> dict[str, Any]:
        answer, ms = timed(lambda: self.handlers.handle_recall(self.db, self.graph, text, user, k))
        return {"ids": [memory["id"] for memory in answer["memories"]], "ms": ms}

    def fill(self, user: str, texts: list[str]) -> dict[str, Any]:
        for text in texts:
            self.filled.append((self.db.insert(text, embed(text), user_id=user), text))
        return {}

    def link(self, user: str) -> dict[str, Any]:
        """The edges that mcp-engram itself would have made, each memory with those before it; computed at
        once instead of by a search for each.
        """
        numpy = import_module("numpy")
        ids = [id for id, _ in self.filled]
        vectors = numpy.array([embed(text) for _, text in self.filled], dtype="float32")
        with self.graph._lock:
            for start in range(0, len(ids), 500):
                likeness = vectors[start : start + 500] @ vectors[: start + 500].T
                for row, near in enumerate(likeness):
                    place = start + row
                    node = {"user_id": user, "strength": 1.0, "importance": 0.5, "category": "fact"}
                    self.graph._graph.add_node(ids[place], **node)
                    most = min(self.config.MAX_EDGES, place)
                    for other in numpy.argpartition(-near[:place], most - 1)[:most] if place else ():
                        if near[other] >= self.config.EDGE_THRESHOLD:
                            edge = {
                                "relation": "semantic",
                                "weight": float(near[other]) * self.config.EDGE_WEIGHT,
                            }
                            self.graph._graph.add_edge(ids[place], ids[int(other)], **edge)
                            self.graph._graph.add_edge(ids[int(other)], ids[place], **edge)
            self.graph._mark_dirty()
            self.graph.flush()
        self.filled.clear()
        return {}

    def write(self, user: str, texts: list[str]) -> dict[str, Any]:
        done, refused = [], None
        for text in texts:
            try:
                answer = self.store(user, text)
            except Exception as error:  # what kind it is depends on the version
                answer = {"error": str(error)}
            if "error" in answer:
                refused = answer["error"]
            else:
                done.append((text, answer["action"]))
        return {"done": done, "refused": refused}

    def contents(self, user: str) -> dict[str, Any]:
        return {"contents": [memory.content for memory in self.db.get_all(user)]}


def place_extensions() -> None:
    """Puts DuckDB's extensions where it looks for them, from packages where they are installed so; without
    them it would download them.
    """
    for name in ("fts", "vss"):
        try:
            package = Path(str(import_module(f"duckdb_extension_{name}").__file__)).parent
        except ImportError:
            continue
        for file in package.glob("extensions/v*/*.duckdb_extension"):
            platform = import_module("duckdb").execute("pragma platform").fetchone()[0]
            target = Path(os.environ["HOME"], ".duckdb", "extensions", file.parent.name, platform, file.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)


def main() -> None:
    side = Side()
    for line in sys.stdin:
        message = json.loads(line)
        try:
            say(**getattr(side, message.pop("do"))(**message))
        except Exception as error:
            say(error=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
