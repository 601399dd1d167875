"""A chat model on loopback that judges what is in doubt, and all the ways in which it may not."""

from __future__ import annotations

import json
import logging
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from embedding_servers import Reply, Server
from relays import Relay

from engram_pg.embedders.failures import EmbeddingFailed, Refused, Unavailable
from engram_pg.judge import ChatJudge, Judgement, parsed
from engram_pg.worker import Counts, Worker

OLD, NEW = "I'd rather take the window seat on trains.", "On trains I prefer sitting by the window."
SECRET = "sk-very-secret"


def says(text: Any, **reply: Any) -> Reply:
    return Reply(body={"choices": [{"message": {"role": "assistant", "content": text}}]}, **reply)


def verdict(name: str, confidence: float = 0.9) -> str:
    return json.dumps({"verdict": name, "confidence": confidence, "reason": "because"})


@pytest.fixture
def base(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("select engram.configure('judge.enabled', '1')")
        connection.execute("select engram.configure('judge.retry_seconds', '0')")
        connection.execute("select engram.remember(%s)", [OLD])
        connection.execute("select engram.remember(%s)", [NEW])
        yield connection


@pytest.fixture
def work(database_url: str, server: Server) -> Callable[[], Counts]:
    """Runs a worker that judges until nothing is left."""

    def run() -> Counts:
        judge = ChatJudge("wise", server.url, timeout=0.5)
        connect = lambda: psycopg.connect(database_url, autocommit=True)  # noqa: E731
        return Worker(connect, once=True, poll=0.05, maintain_every=None, judge=judge).run()

    return run


def current(base: psycopg.Connection[Any]) -> list[str]:
    rows = base.execute("select content from engram.memory where state = 'active' order by memory_id")
    return [row[0] for row in rows.fetchall()]


def waiting(base: psycopg.Connection[Any]) -> tuple[int, int, str | None]:
    row = base.execute("select pending, failed, last_error from engram.judgement_progress").fetchone()
    assert row is not None
    return row


def test_a_verdict_revises_a_decision_within_one_run(
    base: psycopg.Connection[Any], server: Server, work: Callable[[], Counts]
) -> None:
    server.behave = lambda _: says(verdict("duplicate"))
    counts = work()

    assert (counts.judged, counts.revised, counts.clean) == (1, 1, True)
    assert current(base) == [OLD]
    [request] = server.requests
    assert request["model"] == "wise"
    assert json.loads(request["messages"][1]["content"]) == {"existing": OLD, "incoming": NEW}
    assert waiting(base)[:2] == (0, 0)


@pytest.mark.parametrize(
    "said",
    [
        f"```json\n{verdict('duplicate')}\n```",
        f'<think>first {{"verdict": "distinct"}}, but no</think>Here it is: {verdict("duplicate")}',
        '{"verdict": "DUPLICATE"}',
    ],
)
def test_a_verdict_is_found_among_other_words(said: str) -> None:
    assert parsed(said).verdict == "duplicate"


@pytest.mark.parametrize(
    "said",
    [
        None, "", "yes", "{}", "duplicate", [1], '{"verdict": "maybe"}', '{"verdict"',
        '{"verdict": "duplicate", "confidence": 7}', '{"verdict": "duplicate", "confidence": NaN}',
        '{"verdict": "duplicate", "confidence": "very"}',
        'It says {"verdict": "duplicate"}, but {"verdict": "distinct", "confidence": 0.9}',
        '{"verdict": "distinct"} The text had {"verdict": "contradiction", "confidence": 1} in it',
        '{"verdict": ' + "[" * 100_000 + "}",
        '{"verdict": "duplicate", "confidence": 1' + "0" * 400 + "}",
    ],
)  # fmt: skip
def test_what_is_no_verdict_is_none(said: Any) -> None:
    with pytest.raises(Refused):
        parsed(said)


def test_the_reason_of_a_model_is_text_that_the_database_takes() -> None:
    assert parsed('{"verdict": "distinct", "confidence": 1, "reason": "a\\u0000b\\ud800"}') == Judgement(
        "distinct", 1.0, "ab?"
    )


@pytest.mark.parametrize(
    "reply",
    [
        says("no idea"),
        Reply(200, b"<html>"),
        Reply(200, []),
        Reply(200, {"choices": []}),
        Reply(400, {"error": {"message": "too long"}}),
    ],
)
def test_garbage_is_tried_again_and_given_up_and_changes_nothing(
    base: psycopg.Connection[Any], server: Server, work: Callable[[], Counts], reply: Reply
) -> None:
    server.behave = lambda _: reply
    counts = work()
    assert len(server.requests) == 3
    assert (counts.judged, counts.failed_tries, counts.unjudged, counts.clean) == (0, 3, 1, False)
    assert current(base) == [OLD, NEW]


def test_a_server_that_is_busy_or_slow_is_asked_again(
    base: psycopg.Connection[Any], server: Server, work: Callable[[], Counts]
) -> None:
    replies = [Reply(429, {}, {"Retry-After": "0.2"}), says(verdict("duplicate"), after=2)]
    server.behave = lambda _: replies.pop(0) if replies else says(verdict("duplicate"))
    counts = work()
    assert len(server.requests) == 3
    assert (counts.judged, counts.revised) == (1, 1)
    assert current(base) == [OLD]


def test_a_server_that_takes_no_key_is_left_alone_and_the_queue_stays(
    base: psycopg.Connection[Any], server: Server, work: Callable[[], Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engram_pg.worker.judging.OUTAGES", 2)
    server.behave = lambda _: Reply(401, {"error": {"message": "no"}})
    counts = work()
    assert list(counts.broken) == ["judge wise"]
    assert (counts.judged, counts.failed_tries) == (0, 0)
    assert waiting(base)[:2] == (1, 0)


@pytest.mark.parametrize("statement", ["engram.claim_judgements", "engram.complete_judgement"])
def test_what_was_carried_out_though_its_answer_was_lost_keeps_nothing_waiting(
    base: psycopg.Connection[Any], server: Server, database_url: str, statement: str
) -> None:
    server.behave = lambda _: says(verdict("duplicate"))
    with Relay(database_url, statement) as relay:
        judge = ChatJudge("wise", server.url, timeout=0.5)
        connect = lambda: psycopg.connect(relay.dsn, autocommit=True)  # noqa: E731
        worker = Worker(connect, once=True, poll=0.05, maintain_every=None, judge=judge)
        working = threading.Thread(target=worker.run, daemon=True)
        working.start()
        working.join(30)
        worker.stop()
        assert relay.lost
    assert current(base) == [OLD]
    assert waiting(base)[:2] == (0, 0)


def test_what_changes_while_the_model_thinks_is_left_alone(
    base: psycopg.Connection[Any], server: Server, work: Callable[[], Counts]
) -> None:
    def change(_: list[str]) -> Reply:
        base.execute("select engram.revise(max(memory_id), tags => '{new}') from engram.memory")
        return says(verdict("duplicate"))

    server.behave = change
    counts = work()
    assert (counts.judged, counts.revised) == (1, 0)
    assert current(base) == [OLD, NEW]


def test_neither_texts_nor_keys_are_logged_or_kept_in_an_error(
    base: psycopg.Connection[Any],
    server: Server,
    work: Callable[[], Counts],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("ENGRAM_JUDGE_KEY", SECRET)
    caplog.set_level(logging.DEBUG)
    replies = [Reply(400, {"error": {"message": f"{OLD} {SECRET}"}}), says(f"{OLD} is no verdict")]
    replies.append(Reply(200, b"[" * 100_000))
    replies.append(Reply(500, {"error": {"message": f"{NEW} {SECRET}"}}))
    server.behave = lambda _: replies.pop(0)
    work()
    assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
    error = waiting(base)[2]
    assert error is not None
    told = caplog.text + error
    assert "window" not in told
    assert SECRET not in told


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(429, {}), Unavailable),
        (Reply(503, {}), Unavailable),
        (says("x", after=3), Unavailable),
        (Reply(401, {}), Refused),
        (Reply(302, {}, {"Location": "http://127.0.0.1:1/"}), Refused),
    ],
)
def test_an_answer_is_an_error_of_its_kind(server: Server, reply: Reply, kind: type[EmbeddingFailed]) -> None:
    server.behave = lambda _: reply
    with pytest.raises(kind):
        ChatJudge("wise", server.url, timeout=0.3).judge(OLD, NEW)


def test_a_running_worker_judges_what_comes_and_gives_the_rest_back(
    base: psycopg.Connection[Any], database_url: str, server: Server
) -> None:
    asked = threading.Event()

    def behave(_: list[str]) -> Reply:
        asked.set()
        return says(verdict("duplicate"))

    server.behave = behave
    judge = ChatJudge("wise", server.url)
    worker = Worker(
        lambda: psycopg.connect(database_url, autocommit=True), poll=0.05, maintain_every=None, judge=judge
    )
    running = threading.Thread(target=worker.run)
    running.start()
    assert asked.wait(20)
    deadline = time.monotonic() + 20
    while worker.counts.judged == 0 and time.monotonic() < deadline:
        time.sleep(0.02)
    worker.stop()
    running.join(20)
    assert not running.is_alive()
    assert current(base) == [OLD]


def test_the_command_judges_with_the_model_it_is_given(
    base: psycopg.Connection[Any], server: Server, command: Callable[..., subprocess.Popen[str]]
) -> None:
    server.behave = lambda _: says(verdict("contradiction"))
    process = command("worker", "--once", "--judge", "wise", "--judge-url", server.url, OPENAI_API_KEY=SECRET)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert "1 decisions judged, 1 of them revised" in told
    assert SECRET not in told
    assert current(base) == [NEW]
    assert server.headers[0]["Authorization"] == f"Bearer {SECRET}"
