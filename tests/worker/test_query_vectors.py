"""A question gets a vector of the active model, or the answer of the static one, but never waits for long."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from embedding_servers import DIMS, Reply, Server, vector_of
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from engram_pg import Engram, EngramError, models
from engram_pg.embedders import Model
from engram_pg.query_cache import LONGEST, QueryCache
from engram_pg.querying import QueryVectors
from engram_pg.worker import Worker

Connection = psycopg.Connection[Any]
NAME = "openai:words"


@pytest.fixture
def filled(base: Connection, model: Model, new_worker: Callable[..., Worker]) -> Model:
    """The model, with two memories embedded, and active."""
    for text in ("Kenta drinks green tea", "the staging port is 6432"):
        base.execute("select engram.remember(%s)", [text])
    new_worker().run()
    models.activate(base, NAME)
    return model


@pytest.fixture
def engram(database_url: str) -> Iterator[Engram]:
    with Engram(database_url) as opened:
        yield opened


def test_a_question_is_embedded_once_and_found_by_meaning(
    engram: Engram, filled: Model, server: Server
) -> None:
    before = len(server.requests)
    for _ in range(3):
        hits = engram.recall("who drinks tea")
        assert hits[0].content == "Kenta drinks green tea"
        assert "semantic" in (hits[0].legs or [])
    engram.context("who drinks tea")
    engram.search("who drinks tea")
    assert [request["input"] for request in server.requests[before:]] == [["who drinks tea"]]


def test_a_vector_that_is_passed_is_taken_as_it_is(engram: Engram, filled: Model, server: Server) -> None:
    before = len(server.requests)
    [first, *_] = engram.recall("?", embedding=vector_of("Kenta drinks green tea"))
    assert first.content == "Kenta drinks green tea"
    assert len(server.requests) == before


def test_a_switch_of_models_is_followed_at_once(
    engram: Engram, filled: Model, server: Server, base: Connection
) -> None:
    engram.recall("tea")
    before = len(server.requests)
    models.activate(base, "static")
    assert engram.recall("tea")[0].content == "Kenta drinks green tea"
    assert engram.recall("green tea")[0].content == "Kenta drinks green tea"
    assert len(server.requests) == before


def test_without_an_embedder_the_static_vectors_answer(
    database_url: str, filled: Model, server: Server
) -> None:
    before = len(server.requests)
    [first, *_] = Engram(database_url, embedder=None).recall("who drinks tea")
    assert first.content == "Kenta drinks green tea"
    assert "static" in (first.legs or [])
    assert len(server.requests) == before


def test_an_embedder_of_ones_own_serves_the_model_of_its_name(
    database_url: str, base: Connection, server: Server
) -> None:
    class Words:
        name, dims = "caller:words", DIMS

        def __init__(self) -> None:
            self.asked: list[str] = []

        def embed_query(self, text: str) -> list[float]:
            self.asked.append(text)
            return vector_of(text)

        def embed_passages(self, texts: Any) -> list[list[float]]:
            return [vector_of(text) for text in texts]

    models.register(base, Model("caller:words", "caller", DIMS))
    own = Words()
    with Engram(database_url, embedder=own) as engram:
        engram.recall("before it is active")
        models.activate(base, "caller:words")
        engram.remember("Kenta drinks tea", embedding=vector_of("Kenta drinks tea"))
        assert engram.recall("who drinks tea")[0].legs == ["semantic", "lexical"]
    assert own.asked == ["who drinks tea"]


@pytest.mark.parametrize(
    "reply",
    [Reply(500, {}), Reply(401, {}), Reply(200, b"garbage"), Reply(200, {"data": [{"embedding": [1.0]}]})],
)
def test_a_model_that_fails_is_warned_of_once_and_left_alone(
    engram: Engram, filled: Model, server: Server, reply: Reply
) -> None:
    server.behave = lambda _: reply
    before = len(server.requests)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for query in ("who drinks tea", "tea", "green tea"):
            assert engram.recall(query)[0].content == "Kenta drinks green tea"
    assert len(caught) == 1
    assert NAME in str(caught[0].message)
    assert len(server.requests) == before + 1


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(
    engram: Engram, base: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.register(base, Model("sentence-transformers:any", "sentence-transformers", 8))
    models.activate(base, "sentence-transformers:any", force=True)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    engram.remember("Kenta drinks green tea")
    with pytest.warns(RuntimeWarning, match=r"pip install sentence-transformers"):
        assert engram.recall("tea")[0].content == "Kenta drinks green tea"


def test_a_hung_model_does_not_hang_recalls(database_url: str, filled: Model, server: Server) -> None:
    server.behave = lambda _: Reply(200, {}, after=30)
    vectors = QueryVectors(answer_seconds=0.5, warn=lambda _: None)
    active = {"name": NAME, "provider": "openai", "dims": DIMS, "options": {**filled.options, "timeout": 60}}
    model = vectors.prepare(active)
    assert model is not None
    times: list[float] = []

    def ask(place: int) -> None:
        before = time.monotonic()
        assert vectors.vector(model, f"question {place}") is None
        times.append(time.monotonic() - before)

    threads = [threading.Thread(target=ask, args=[place]) for place in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(times) == 20
    assert max(times) < 2
    ask(20)
    assert times[-1] < 0.1


def test_a_model_that_takes_long_to_load_answers_later(filled: Model) -> None:
    release = threading.Event()

    class Slow:
        name, dims = NAME, DIMS

        def embed_query(self, text: str) -> list[float]:
            return vector_of(text)

        def embed_passages(self, texts: Any) -> list[list[float]]:
            return []

    def opened(_: Model) -> Slow:
        release.wait(20)
        return Slow()

    said: list[str] = []
    vectors = QueryVectors(load_seconds=0.2, warn=said.append, opened=opened)
    assert vectors.vector(filled, "tea") is None
    assert "being loaded" in said[0]
    release.set()
    time.sleep(0.1)
    assert vectors.vector(filled, "tea") == vector_of("tea")


def test_over_mcp_a_hung_model_delays_neither_other_tools_nor_the_pool(
    database_url: str, base: Connection, filled: Model, server: Server
) -> None:
    server.behave = lambda _: Reply(200, {}, after=60)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ENGRAM_", "PG"))}
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-c", "from engram_pg.cli import main; main()", "mcp"],
        env={**kept, "PYTHONPATH": os.pathsep.join(sys.path), "ENGRAM_DSN": database_url},
    )

    async def converse() -> tuple[list[float], float, Any]:
        async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
            await client.initialize()

            async def recall(place: int) -> float:
                before = time.monotonic()
                answer = await client.call_tool("recall", {"query": f"who drinks tea {place}"})
                assert not answer.is_error, answer.content
                assert "green tea" in str(answer.structured_content)
                return time.monotonic() - before

            recalls = [asyncio.create_task(recall(place)) for place in range(8)]
            await asyncio.sleep(1)
            before = time.monotonic()
            made = await client.call_tool("remember", {"content": "Mei sings"})
            assert not made.is_error
            quick = time.monotonic() - before
            busy = base.execute(
                "select count(*) from pg_stat_activity where datname = current_database()"
                " and application_name = 'engram-pg mcp' and state <> 'idle'"
            ).fetchone()
            return await asyncio.gather(*recalls), quick, busy

    waited, quick, busy = asyncio.run(asyncio.wait_for(converse(), 60))
    assert busy == (0,)
    assert quick < 3
    assert max(waited) < 10


def test_the_cache_keeps_what_was_asked_last_and_no_more() -> None:
    cache = QueryCache(2)
    cache.put("m", "a", [1.0])
    cache.put("m", "b", [2.0])
    assert cache.get("m", "a") == [1.0]
    cache.put("m", "c", [3.0])
    assert (cache.get("m", "b"), cache.get("m", "a"), cache.get("m", "c")) == (None, [1.0], [3.0])
    assert cache.get("other", "a") is None
    cache.put("m", "x" * (LONGEST + 1), [4.0])
    assert len(cache) == 2
    assert cache.get("m", "x" * (LONGEST + 1)) is None
    empty = QueryCache(0)
    empty.put("m", "a", [1.0])
    assert len(empty) == 0


def test_threads_share_the_cache(filled: Model) -> None:
    cache = QueryCache(50)

    def use(start: int) -> None:
        for place in range(2000):
            cache.put("m", str((start + place) % 100), [float(place)])
            cache.get("m", str(place % 100))

    threads = [threading.Thread(target=use, args=[start]) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 50


class Reader:
    """A cross-encoder that counts common words."""

    def predict(self, pairs: list[tuple[str, str]], show_progress_bar: bool) -> list[float]:
        return [float(len(set(query.lower().split()) & set(text.lower().split()))) for query, text in pairs]


def test_rerank_orders_the_first_hits_anew_and_notes_those_that_are_kept(
    engram: Engram, base: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engram_pg.rerank._model", Reader)
    for place in range(20):
        engram.remember(f"note {place} about tea", policy="append")
    engram.remember("the tea of Kenta is green and hot", policy="append")
    hits = engram.recall("is the tea of Kenta hot", k=3, rerank=True)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert hits[0].content == "the tea of Kenta is green and hot"
    assert hits[0].rerank == 6.0
    noted = base.execute("select array_agg(memory_id order by memory_id) from engram.recall_event").fetchone()
    assert noted == (sorted(hit.memory_id for hit in hits),)

    engram.search("is the tea of Kenta hot", k=3, rerank=True)
    assert base.execute("select count(*) from engram.recall_event").fetchone() == (3,)
    assert engram.recall("tea", k=3)[0].rerank is None
    assert engram.recall("tea", rerank=True, kinds=["strategy"]) == []
    with pytest.raises(EngramError) as caught:
        engram.recall("tea", k=0, rerank=True)
    assert caught.value.sqlstate == "EG002"


@pytest.mark.parametrize("scores", [[float("nan")], [float("inf")], [[0.1, 0.9]], [], [0.1, 0.2], ["high"]])
def test_a_cross_encoder_that_gives_no_number_a_text_is_an_error(
    engram: Engram, monkeypatch: pytest.MonkeyPatch, scores: list[object]
) -> None:
    class Broken:
        def predict(self, pairs: object, show_progress_bar: bool) -> list[object]:
            return scores

    monkeypatch.setattr("engram_pg.rerank._model", Broken)
    engram.remember("a note about tea")
    with pytest.raises(EngramError) as caught:
        engram.recall("tea", rerank=True)
    assert (caught.value.sqlstate, bool(caught.value.hint)) == ("EG009", True)


def test_rerank_without_a_model_is_an_error_that_says_what_to_set(
    engram: Engram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ENGRAM_RERANKER", raising=False)
    with pytest.raises(EngramError) as caught:
        engram.recall("tea", rerank=True)
    assert (caught.value.sqlstate, "ENGRAM_RERANKER" in (caught.value.hint or "")) == ("EG003", True)

    monkeypatch.setenv("ENGRAM_RERANKER", "no/such-model")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EngramError) as caught:
        engram.recall("tea", rerank=True)
    assert (caught.value.sqlstate, caught.value.hint) == ("EG008", "pip install sentence-transformers")


def test_notes_of_recalls_are_limited_to_memories_of_the_user(base: Connection) -> None:
    [(mine,)] = base.execute("select memory_id from engram.remember('mine')")
    [(theirs,)] = base.execute("select memory_id from engram.remember('theirs', user_id => 'other')")
    assert base.execute("select engram.note_recall(%s)", [[mine, 10**9]]).fetchone() == (1,)
    assert base.execute("select engram.note_recall(%s, 'nobody')", [[mine, theirs]]).fetchone() == (0,)
    base.execute("set default_transaction_read_only = on")
    assert base.execute("select engram.note_recall(%s)", [[mine]]).fetchone() == (0,)
