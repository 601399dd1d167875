"""A server's answers, by kind: what may be tried again, and what the texts are to blame for."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from embedding_servers import DIMS, Reply, Server, embeddings, vector_of

from engram_pg.embedders import Model, named, openai
from engram_pg.embedders.failures import EmbeddingFailed, Refused, Unavailable
from engram_pg.embedders.openai import OpenAIEmbedder, endpoint, spoken_input_types
from engram_pg.errors import EngramError
from engram_pg.models import described


def embedder(server: Server, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        Model("openai:words", "openai", DIMS, {"base_url": server.url, "timeout": 1, **options})
    )


def test_vectors_come_in_the_order_of_the_texts(server: Server) -> None:
    server.behave = lambda texts: Reply(
        body={
            "data": [
                {"index": place, "embedding": vector_of(texts[place])}
                for place in reversed(range(len(texts)))
            ]
        }
    )
    assert embedder(server).embed_passages(["a", "b", "c"]) == [vector_of(text) for text in "abc"]


def test_the_dimensions_are_found_out_by_asking(server: Server) -> None:
    model, _ = described("openai:words", base_url=server.url)
    assert model.dims == DIMS
    assert model.options == {"model": "words", "base_url": server.url}


def test_fewer_dimensions_are_asked_for_and_have_to_come(server: Server) -> None:
    with pytest.raises(EngramError, match="16 dimensions, not 8"):
        described("openai:words", base_url=server.url, dims=8)
    assert server.requests[-1]["dimensions"] == 8


def test_a_server_that_tells_questions_from_passages_is_told_which(server: Server) -> None:
    server.behave = lambda texts: embeddings(
        [vector_of(f"{server.requests[-1].get('input_type')} {texts[0]}")]
    )
    model, _ = described("openai:e5-small", base_url=server.url)
    assert model.options["query_input_type"] == "query"
    assert model.options["passage_input_type"] == "passage"
    assert "query_prefix" not in model.options


def test_a_server_that_refuses_the_input_type_is_not_asked_with_it(server: Server) -> None:
    server.behave = lambda texts: (
        Reply(400, {"error": {"message": "unknown argument"}})
        if "input_type" in server.requests[-1]
        else embeddings([vector_of(text) for text in texts])
    )
    assert spoken_input_types(Model("openai:words", "openai", DIMS, {"base_url": server.url})) == {}


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("openai:intfloat/multilingual-e5-small", "query: "),
        ("openai:e5-base-v2", "query: "),
        ("openai:multilingual-e5-large-instruct", None),
        ("openai:text-embedding-3-small", None),
        ("openai:the5-small", None),
    ],
)
def test_the_e5_family_gets_its_prefixes(server: Server, name: str, prefix: str | None) -> None:
    model, own = described(name, base_url=server.url)
    assert model.options.get("query_prefix") == prefix
    assert own is not None
    own.embed_query("who?")
    assert server.asked[-1] == (prefix or "") + "who?"


@pytest.mark.parametrize(
    ("reply", "kind", "suspect"),
    [
        (Reply(429, {}), Unavailable, False),
        (Reply(503, {}), Unavailable, False),
        (Reply(529, {}), Unavailable, False),
        (Reply(500, {"error": "inside"}), Unavailable, True),
        (Reply(200, {"data": []}, after=3), Unavailable, True),
        (Reply(400, {"error": {"message": "too long"}}), Refused, None),
        (Reply(401, {"error": {"message": "no key"}}), Refused, None),
        (Reply(302, {}, {"Location": "http://127.0.0.1:1/"}), Refused, None),
        (Reply(200, b"<html>"), Refused, None),
        (Reply(200, b""), Refused, None),
        (Reply(200, []), Refused, None),
        (Reply(200, {"data": None}), Refused, None),
        (Reply(200, {"data": [{"embedding": "AAAA"}, {"embedding": "AAAA"}]}), Refused, None),
        (Reply(200, {"data": [{"embedding": [1.0]}]}), Refused, None),
        (Reply(200, {"data": [{"index": 0, "embedding": [1.0]}] * 2}), Refused, None),
        (Reply(200, b"[" * 100_000), Refused, None),
        (Reply(400, b'{"error": ' + b"[" * 100_000), Refused, None),
        (Reply(200, b'{"data": [{"index": 1e999, "embedding": []}]}'), Refused, None),
        (Reply(200, b'{"data": [{"index": 0, "embedding": [1%s]}]}' % (b"0" * 400)), Refused, None),
        (Reply(200, gzip.compress(b"[" * 3_000_000), {"Content-Encoding": "gzip"}), Unavailable, True),
    ],
)
def test_an_answer_is_an_error_of_its_kind(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    reply: Reply,
    kind: type[EmbeddingFailed],
    suspect: bool | None,
) -> None:
    monkeypatch.setattr(openai, "LARGEST_ANSWER", 2_000_000)
    server.behave = lambda _: reply
    with pytest.raises(kind) as caught:
        embedder(server).embed_passages(["a", "b"])
    assert getattr(caught.value, "suspect", None) == suspect


def test_an_answer_that_drips_does_not_hold_a_worker() -> None:
    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(100):
                connection.sendall(b" ")
                time.sleep(0.1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=drip, args=[listening], daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        began = time.monotonic()
        with pytest.raises(Unavailable, match="did not come to an end"):
            OpenAIEmbedder(
                Model("openai:words", "openai", DIMS, {"base_url": url, "timeout": 0.5})
            ).embed_query("a")
        assert time.monotonic() - began < 5


DIARY = "The diary of Mei: on Monday she went to see a doctor about her knee."


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("This model's maximum context length is 8192 tokens", True),
        (f"cannot embed {DIARY!r}", False),
        (f"too long: …{DIARY[20:40]}…", False),
        ("'okay' is refused", False),
        ("no such key: sk-the-secret-of-the-worker", False),
    ],
)
def test_no_error_repeats_a_text_or_the_key(
    server: Server, monkeypatch: pytest.MonkeyPatch, message: str, kept: bool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-the-secret-of-the-worker")
    server.behave = lambda _: Reply(400, {"error": {"message": message}})
    with pytest.raises(Refused) as caught:
        embedder(server).embed_passages([DIARY, "okay"])
    assert (message in caught.value.message) == kept
    assert ("left out" in caught.value.message) != kept


def test_no_server_is_an_outage() -> None:
    nobody = Model("openai:words", "openai", DIMS, {"base_url": "http://127.0.0.1:9/v1"})
    with pytest.raises(Unavailable) as caught:
        OpenAIEmbedder(nobody).embed_query("a")
    assert not caught.value.suspect


@pytest.mark.parametrize(("given", "seconds"), [("7", 7.0), ("0.5", 0.5), ("soon", None), ("-3", 0.0)])
def test_the_server_says_when_to_come_back(server: Server, given: str, seconds: float | None) -> None:
    server.behave = lambda _: Reply(429, {}, {"Retry-After": given})
    with pytest.raises(Unavailable) as caught:
        embedder(server).embed_query("a")
    assert caught.value.retry_after == seconds


def test_the_server_may_name_a_date_to_come_back(server: Server) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.behave = lambda _: Reply(503, {}, {"Retry-After": soon})
    with pytest.raises(Unavailable) as caught:
        embedder(server).embed_query("a")
    assert caught.value.retry_after is not None
    assert 25 < caught.value.retry_after <= 30


def test_the_key_comes_from_the_environment_and_is_never_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
    monkeypatch.setenv("ENGRAM_EMBEDDING_KEY", "sk-secret")
    server.behave = lambda _: Reply(401, {"error": {"message": "wrong key"}})
    with pytest.raises(Refused) as caught:
        embedder(server).embed_query("a")
    assert server.headers[-1]["Authorization"] == "Bearer sk-secret"
    assert "sk-" not in str(caught.value)
    assert "ENGRAM_EMBEDDING_KEY" in str(caught.value)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (None, "https://api.openai.com/v1/embeddings"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1/embeddings"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/v1/embeddings"),
        ("https://models.example/api/v2/", "https://models.example/api/v2/embeddings"),
    ],
)
def test_the_address_follows_from_the_base_url(url: str | None, address: str) -> None:
    assert endpoint(url) == address


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://x/v1", "http://", "http://me:key@x/v1", "http://x/v1?api_key=a"]
)
def test_a_base_url_that_is_none_or_holds_a_key_is_refused(url: str) -> None:
    with pytest.raises(EngramError) as caught:
        endpoint(url)
    assert (caught.value.sqlstate, bool(caught.value.hint)) == ("EG002", True)


@pytest.mark.parametrize("name", ["words", "openai:", "openai: ", "static:x", "cohere:embed", ""])
def test_a_name_without_a_provider_is_refused_with_an_example(name: str) -> None:
    with pytest.raises(EngramError) as caught:
        named(name)
    assert "openai:NAME" in (caught.value.hint or "")
