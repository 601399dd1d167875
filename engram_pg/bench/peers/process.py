"""Another system in a process of its own, spoken with in lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from engram_pg.bench.peers.ours import Ours
from engram_pg.bench.peers.sides import Found, Stored
from engram_pg.errors import INSTALLATION, NOT_READY, EngramError
from engram_pg.progress import Advance

SCRIPTS = {"mcp-engram": "mcp_engram_side.py"}
"""What runs beside each peer's code."""

BATCH = 500


class Process:
    """One running peer. What it asks for a vector in between is not part of its time."""

    def __init__(self, peer: str, python: str, home: Path, ours: Ours) -> None:
        self._peer = peer
        self._ours = ours
        script = Path(__file__).with_name(SCRIPTS[peer])
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("ENGRAM", "PYTHON"))}
        try:
            self._process = subprocess.Popen(
                [python, "-P", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**kept, "HOME": str(home), "OMP_NUM_THREADS": "2"},
            )
        except OSError as error:
            raise self._missing(str(error), python) from error
        try:
            self.facts = self.ask("open", dims=len(ours.vector("a first text")))
        except EngramError as error:
            raise self._missing(error.message, python) from error

    def _missing(self, reason: str, python: str) -> EngramError:
        return EngramError(
            INSTALLATION,
            f"{self._peer} does not run in {python}: {reason}",
            hint=f"pip install {self._peer} into an environment of its own; --python that/bin/python",
        )

    def ask(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Its answer. Raises EngramError for what it refuses, and when it is gone."""
        self._send({"do": operation, **arguments})
        return self.answer()

    def start(self, operation: str, **arguments: Any) -> None:
        """Asks without waiting; `answer` then waits."""
        self._send({"do": operation, **arguments})

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            said = json.loads(line)
            if "need" in said:
                self._send({"vector": self._ours.vector(said["need"])})
            elif "error" in said:
                raise EngramError(NOT_READY, f"{self._peer}: {said['error']}")
            else:
                return dict(said)
        raise EngramError(NOT_READY, f"{self._peer} ended with exit code {self._process.wait()}")

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # `answer` says with which exit code it ended
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """Ends it, and waits until its files are written."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=120)
        assert self._process.stdout is not None
        self._process.stdout.close()


class Peer:
    """The other side. Its files are in folders of their own, gone afterwards."""

    def __init__(self, name: str, python: str, ours: Ours) -> None:
        self._name, self._python, self._ours = name, python, ours
        self._home = tempfile.TemporaryDirectory(prefix="engram-peer-")
        self._running: Process | None = None

    def _start(self) -> Process:
        return Process(self._name, self._python, Path(self._home.name), self._ours)

    @property
    def _process(self) -> Process:
        if self._running is None:
            self._running = self._start()
        return self._running

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its version, and what of it works here."""
        return self._process.facts

    def afresh(self) -> None:
        """Goes on with an empty memory: the peer keeps all users in one file, whose size slows each."""
        self.close()
        self._home = tempfile.TemporaryDirectory(prefix="engram-peer-")

    def close(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None
        self._home.cleanup()

    def prepare(self, texts: Sequence[str], advance: Advance) -> None:
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            self._process.ask("know", vectors={text: self._ours.vector(text) for text in batch})
            advance("handing over the vectors", start + len(batch), len(texts))

    def fill(self, user: str, texts: Sequence[str], advance: Advance) -> None:
        for start in range(0, len(texts), BATCH):
            self._process.ask("fill", user=user, texts=texts[start : start + BATCH])
            advance(f"filling {self._name}", min(start + BATCH, len(texts)), len(texts))
        self._process.ask("link", user=user)

    def store(self, user: str, text: str) -> Stored:
        said = self._process.ask("store", user=user, text=text)
        replaced = said["id"] if said["action"] == "replace" else None
        return Stored(said["id"], said["action"], replaced, said["ms"])

    def recall(self, user: str, question: str, k: int) -> Found:
        said = self._process.ask("recall", user=user, text=question, k=k)
        return Found(said["ids"], said["ms"])

    def write_at_once(self, user: str, parts: Sequence[Sequence[str]]) -> Mapping[str, Any]:
        self.afresh()
        answers: list[dict[str, Any]] = []
        writers: list[Process] = []
        try:
            for part in parts:
                try:
                    writer = self._start()
                except EngramError as error:
                    answers.append({"done": [], "refused": error.message})
                    continue
                writers.append(writer)
                writer.ask("know", vectors={text: self._ours.vector(text) for text in part})
            for writer, part in zip(writers, parts, strict=False):
                writer.start("write", user=user, texts=list(part))
            answers += [_written(writer) for writer in writers]
        finally:
            for writer in writers:
                writer.close()
        there = self._process.ask("contents", user=user)["contents"]
        new = [text for answer in answers for text, action in answer["done"] if action != "reinforce"]
        acknowledged = sum(len(answer["done"]) for answer in answers)
        return {
            "texts": sum(map(len, parts)),
            "acknowledged": acknowledged,
            "refused": sum(map(len, parts)) - acknowledged,
            "reason": next((answer["refused"] for answer in answers if answer["refused"]), None),
            "lost": sum(not any(text in content for content in there) for text in new),
        }


def _written(writer: Process) -> dict[str, Any]:
    try:
        return writer.answer()
    except EngramError as error:  # it crashed, which also is a way to refuse
        return {"done": [], "refused": error.message}
