"""The worker under fire: each row gets exactly one vector, of its current text, or an error that is kept."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from embedding_servers import DIMS, Reply, Server, embeddings, vector_of, well
from psycopg.types.json import Jsonb
from relays import Relay

from engram_pg import models
from engram_pg.embedders import Model
from engram_pg.worker import Worker
from engram_pg.worker.embedding import HARMLESS, parts_of
from engram_pg.worker.state import Pause, Row
from engram_pg.worker.upkeep import Upkeep

NewWorker = Callable[..., Worker]
Connection = psycopg.Connection[Any]
Command = Callable[..., "subprocess.Popen[str]"]
NAME = "openai:words"


def remember(base: Connection, *texts: str, user: str = "default") -> list[int]:
    rows = base.execute(
        "select memory_id from engram.remember_many("
        "(select jsonb_agg(jsonb_build_object('content', t) order by n)"
        " from unnest(%s::text[]) with ordinality u (t, n)), %s, 'append') order by position",
        [list(texts), user],
    )
    return [row[0] for row in rows]


def numbered(count: int, word: str = "note") -> list[str]:
    return [f"{word} number {place} about topic{place}" for place in range(count)]


def table(base: Connection) -> str:
    [(id,)] = base.execute("select model_id from engram.embedding_model where name = %s", [NAME])
    return f"engram.embedding_{id}"


def assert_complete(base: Connection, rows: int) -> None:
    """Each memory has exactly one vector, and it is that of its text."""
    found = base.execute(
        f"select m.content, e.embedding::text, e.content_hash = m.content_hash"
        f"  from engram.memory m left join {table(base)} e using (space_id, memory_id)".encode()
    ).fetchall()
    assert len(found) == rows
    for content, vector, current in found:
        assert vector is not None, content
        assert current, content
        stored = [float(number) for number in vector.strip("[]").split(",")]
        assert stored == pytest.approx(vector_of(content), abs=2e-3), content
    assert progress(base)["pending"] == 0


def progress(base: Connection) -> dict[str, Any]:
    [row] = [row for row in models.progress(base) if row["model"] == NAME]
    return row


def job(base: Connection, memory_id: int) -> tuple[Any, ...]:
    row = base.execute(
        "select attempts, leased_by, last_error, failed_at is not null from engram.embedding_job"
        " where memory_id = %s",
        [memory_id],
    ).fetchone()
    assert row is not None
    return tuple(row)


def test_what_is_queued_is_embedded_in_batches(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    remember(base, *numbered(50))
    counts = new_worker(batch=20).run()
    assert (counts.stored, counts.stale, counts.failed, counts.clean) == (50, 0, 0, True)
    assert [len(request["input"]) for request in server.requests] == [20, 20, 10]
    assert_complete(base, 50)


def test_many_workers_share_the_work_and_repeat_none(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    remember(base, *numbered(120))
    server.behave = lambda texts: embeddings([vector_of(text) for text in texts], after=0.05)
    workers = [new_worker(batch=8) for _ in range(4)]
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(worker.counts.stored for worker in workers) == 120
    assert sorted(server.asked) == sorted(numbered(120))
    assert_complete(base, 120)


def test_one_worker_serves_every_tenant(base: Connection, server: Server, new_worker: NewWorker) -> None:
    for tenant in ("acme", "globex", "initech"):
        base.execute("select set_config('engram.tenant', %s, false)", [tenant])
        remember(base, f"a note of {tenant}", f"another note of {tenant}")
    base.execute("reset engram.tenant")
    assert new_worker().run().stored == 6
    assert len(server.requests) == 1  # the batch is filled from several tenants


def test_no_connection_is_in_a_transaction_while_the_model_runs(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    remember(base, *numbered(3))
    seen: list[int] = []

    def look(texts: list[str]) -> Reply:
        time.sleep(0.3)
        [(open_ones,)] = base.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null"
        )
        seen.append(open_ones)
        return well(texts)

    server.behave = look
    new_worker().run()
    assert seen == [0]


def test_an_outage_costs_no_attempt_and_is_waited_out(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    ids = remember(base, *numbered(5))
    attempts: list[int] = []

    def later(texts: list[str]) -> Reply:
        attempts.append(job(base, ids[0])[0])
        return Reply(503, {}) if len(attempts) <= 2 else well(texts)

    server.behave = later
    assert new_worker().run().clean
    assert attempts == [1, 1, 1]
    assert_complete(base, 5)


def test_the_servers_wish_to_be_left_alone_is_kept(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    remember(base, "a note")
    times: list[float] = []

    def busy(texts: list[str]) -> Reply:
        times.append(time.monotonic())
        return Reply(429, {}, {"Retry-After": "2"}) if len(times) == 1 else well(texts)

    server.behave = busy
    assert new_worker().run().clean
    assert times[1] - times[0] >= 2


def test_back_off_grows_with_jitter_and_has_an_end() -> None:
    pause = Pause(first=1, longest=60)
    waits = [pause.extend(now=0.0) for _ in range(12)]
    for place, wait in enumerate(waits):
        assert min(2**place, 60) / 2 <= wait <= min(2**place, 60)
    assert pause.extend(now=0.0, asked=100.0) == 100.0
    pause.reset()
    assert pause.extend(now=0.0) <= 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, {"error": {"message": "no key"}}),
        Reply(404, {"error": {"message": "no such model"}}),
        Reply(200, b"garbage"),
        Reply(200, {"data": []}),
        embeddings([[1.0] * (DIMS + 1)]),
        embeddings([[float("nan")] * DIMS]),
        embeddings([[0.0] * DIMS]),
        embeddings([[1e300] * DIMS]),
    ],
)
def test_a_model_that_is_broken_for_every_text_is_given_up_with_nothing_written(
    base: Connection, server: Server, new_worker: NewWorker, reply: Reply
) -> None:
    remember(base, *numbered(4))

    def broken(texts: list[str]) -> Reply:
        if isinstance(reply.body, dict) and reply.body.get("data"):
            return embeddings([reply.body["data"][0]["embedding"]] * len(texts))
        return reply

    server.behave = broken
    counts = new_worker().run()
    assert list(counts.broken) == [NAME]
    assert not counts.clean
    state = progress(base)
    assert (state["done"], state["pending"], state["failed"]) == (0, 4, 0)
    assert state["last_error"]

    server.behave = well
    assert new_worker().run().clean
    assert_complete(base, 4)


@pytest.mark.parametrize(
    "options", [{"timeout": "soon"}, {"base_url": 5}, {"base_url": "http://[::1"}, {"base_url": ["a"]}]
)
def test_a_model_with_options_that_are_none_is_given_up(
    base: Connection, new_worker: NewWorker, options: dict[str, Any]
) -> None:
    base.execute("update engram.embedding_model set options = options || %s", [Jsonb(options)])
    remember(base, "a kettle")
    counts = new_worker().run()
    assert "cannot be loaded" in counts.broken[NAME].message
    assert progress(base)["pending"] == 1


@pytest.mark.parametrize(
    ("refusal", "attempts"),
    [
        (lambda texts: Reply(500, {"error": "inference failed"}), 5),
        (lambda texts: Reply(200, b"garbage"), 5),
        (lambda texts: Reply(400, {"error": {"message": "too long"}}), 1),
        (
            lambda texts: embeddings(
                [vector_of(t) if "poison" not in t else [float("nan")] * DIMS for t in texts]
            ),
            1,
        ),
        (lambda texts: embeddings([vector_of(t) if "poison" not in t else [1.0] for t in texts]), 1),
    ],
)
def test_a_poison_row_fails_alone_with_its_error_kept(
    base: Connection,
    server: Server,
    new_worker: NewWorker,
    refusal: Callable[[list[str]], Reply],
    attempts: int,
) -> None:
    [poison] = remember(base, "the poison text")
    remember(base, *numbered(30))
    server.behave = lambda texts: refusal(texts) if any("poison" in text for text in texts) else well(texts)
    counts = new_worker(batch=16).run()
    assert (counts.stored, counts.failed, counts.clean) == (30, 1, False)
    tried, leased_by, error, failed = job(base, poison)
    assert (tried, leased_by, failed) == (attempts, None, True)
    assert error
    state = progress(base)
    assert (state["done"], state["pending"], state["failed"], state["last_error"]) == (30, 0, 1, error)
    checks = base.execute("select status, detail from engram.doctor()").fetchall()
    assert any(status != "ok" and "1" in (detail or "") for status, detail in checks)

    server.behave = well
    assert models.retry(base, NAME) == 1
    assert new_worker().run().clean
    assert_complete(base, 31)


def test_a_text_on_which_the_server_hangs_fails_alone(
    base: Connection, server: Server, new_worker: NewWorker, model: Model
) -> None:
    models.register(base, Model(NAME, "openai", DIMS, {**model.options, "timeout": 0.3}))
    base.execute("select engram.configure('embedding.max_attempts', '2')")
    [poison] = remember(base, "the poison text")
    remember(base, *numbered(7))
    server.behave = lambda texts: (
        Reply(200, {}, after=2) if any("poison" in text for text in texts) else well(texts)
    )
    counts = new_worker(batch=8).run()
    assert (counts.stored, counts.failed) == (7, 1)
    assert "in time" in job(base, poison)[2]


def test_a_result_for_a_text_that_changed_meanwhile_is_refused(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    [first, _] = remember(base, "the ferry leaves at nine", "the roof leaks")
    revised: list[int] = []

    def change(texts: list[str]) -> Reply:
        if not revised:
            revised.append(first)
            base.execute("select engram.revise(%s, 'the ferry leaves at noon')", [first])
        return well(texts)

    server.behave = change
    counts = new_worker().run()
    assert (counts.stored, counts.stale) == (2, 1)
    assert_complete(base, 2)


def test_a_memory_that_is_erased_meanwhile_leaves_nothing(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    [first, _] = remember(base, "my number is 4711", "the roof leaks")

    def erase(texts: list[str]) -> Reply:
        if len(server.requests) == 1:
            base.execute("select engram.forget(%s, hard => true)", [first])
        return well(texts)

    server.behave = erase
    counts = new_worker().run()
    assert (counts.stored, counts.stale) == (1, 1)
    assert_complete(base, 1)


def test_a_change_of_tags_or_importance_embeds_nothing(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    [id] = remember(base, "the roof leaks")
    new_worker().run()
    base.execute("select engram.revise(%s, tags => '{home}', importance => 0.9, metadata => '{}')", [id])
    assert new_worker().run().stored == 0
    assert len(server.requests) == 1


def test_a_killed_worker_leaves_its_texts_to_the_next(
    base: Connection, server: Server, command: Command, new_worker: NewWorker
) -> None:
    remember(base, *numbered(40))

    def slow(texts: list[str]) -> Reply:
        return embeddings([vector_of(text) for text in texts], after=0 if len(server.requests) < 2 else 60)

    server.behave = slow
    doomed = command("worker", "--batch", "8", "--lease", "2", "--maintain-every", "0")
    server.wait_for(2)
    doomed.send_signal(signal.SIGKILL)
    doomed.wait(10)
    assert progress(base)["leased"] > 0

    server.behave = well
    assert new_worker(batch=8).run().clean
    assert_complete(base, 40)


def test_sigterm_finishes_the_batch_and_gives_the_rest_back(
    base: Connection, server: Server, model: Model, command: Command
) -> None:
    remember(base, *numbered(40))
    server.behave = lambda texts: embeddings([vector_of(text) for text in texts], after=1)
    stopped = command("worker", "--batch", "8", "--maintain-every", "0")
    server.wait_for(1)
    time.sleep(0.2)
    stopped.send_signal(signal.SIGTERM)
    _, errors = stopped.communicate(timeout=20)
    assert stopped.returncode == 0, errors
    state = progress(base)
    assert (state["leased"], state["failed"]) == (0, 0)
    assert state["done"] + state["pending"] == 40
    assert state["done"] == 8 * len(server.requests)
    [(most,)] = base.execute("select max(attempts) from engram.embedding_job")
    assert most == 0


def test_a_lost_connection_is_made_anew(base: Connection, server: Server, new_worker: NewWorker) -> None:
    remember(base, *numbered(10))

    def cut(texts: list[str]) -> Reply:
        if len(server.requests) == 1:
            base.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
                " and backend_type = 'client backend'"
            )
        return well(texts)

    server.behave = cut
    assert new_worker(batch=5).run().clean
    assert_complete(base, 10)


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("engram.claim_embeddings", 1),
        ("engram.claim_embeddings", 2),
        ("engram.claim_embeddings", 3),
        ("engram.complete_embeddings", 1),
        ("engram.complete_embeddings", 2),
    ],
)
def test_what_was_carried_out_though_its_answer_was_lost_keeps_nothing_waiting(
    base: Connection, server: Server, model: Model, database_url: str, statement: str, place: int
) -> None:
    remember(base, *numbered(11))
    with Relay(database_url, statement, place) as relay:
        worker = Worker(
            lambda: psycopg.connect(relay.dsn, autocommit=True),
            once=True,
            batch=4,
            poll=0.05,
            lease=3600,
            maintain_every=None,
        )
        working = threading.Thread(target=worker.run, daemon=True)
        working.start()
        working.join(30)
        worker.stop()
        assert relay.lost
    assert_complete(base, 11)
    assert worker.counts.clean


def test_a_model_that_is_dropped_meanwhile_ends_its_work(
    base: Connection, server: Server, new_worker: NewWorker
) -> None:
    remember(base, *numbered(4))

    def drop(texts: list[str]) -> Reply:
        models.drop(base, NAME)
        return well(texts)

    server.behave = drop
    counts = new_worker().run()
    assert (counts.stored, counts.clean) == (0, True)


def test_upkeep_runs_beside_the_embedding(base: Connection, new_worker: NewWorker) -> None:
    remember(base, "the roof leaks")
    new_worker(maintain_every=300).run()
    assert base.execute("select count(*) from engram.job_run where job = 'maintain'").fetchone() == (1,)


def test_upkeep_under_way_is_cut_short_when_the_worker_ends(
    base: Connection, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engram_pg.worker.upkeep.GRACE_SECONDS", 1.0)
    monkeypatch.setattr("engram_pg.worker.upkeep.random.random", lambda: 0.0)
    remember(base, "the roof leaks")
    upkeep = Upkeep(lambda: psycopg.connect(database_url, autocommit=True), every=300)
    with base.transaction():
        base.execute("lock table engram.recall_event in access exclusive mode")
        upkeep.tick()
        waits = """select exists (select from pg_locks l join pg_database d on d.oid = l.database
                                   where not l.granted and d.datname = current_database())"""
        end = time.monotonic() + 10
        while base.execute(waits).fetchone() == (False,) and time.monotonic() < end:
            time.sleep(0.02)
        upkeep.close()
    base.execute("call engram.maintain()")
    outcomes = "select array_agg(outcome order by job_run_id) from engram.job_run where job = 'maintain'"
    assert base.execute(outcomes).fetchone() == (["interrupted", "done"],)


def test_the_command_says_what_failed_and_how_to_go_on(
    base: Connection, server: Server, command: Command, model: Model
) -> None:
    remember(base, *numbered(3), "the poison text")
    server.behave = lambda texts: (
        Reply(400, {"error": {"message": "no"}}) if any("poison" in text for text in texts) else well(texts)
    )
    _, errors = (once := command("worker", "--once")).communicate(timeout=60)
    assert once.returncode == 1
    assert "3 vectors" in errors
    assert "1 texts failed for good" in errors
    assert "model retry" in errors
    assert "Traceback" not in errors

    server.behave = well
    retried = command("model", "retry", NAME)
    assert retried.wait(30) == 0
    again = command("worker", "--once")
    again.communicate(timeout=60)
    assert again.returncode == 0


def row(attempts: int) -> Row:
    return Row(1, attempts, "", None, attempts)  # type: ignore[arg-type]


def test_texts_that_failed_before_are_tried_in_smaller_parts() -> None:
    rows = [row(1)] * 64 + [row(2)] * 32 + [row(3)] * 8 + [row(4)] * 2
    assert [len(part) for part in parts_of(rows, 64)] == [64, 16, 16, 4, 4, 1, 1]


def test_the_harmless_text_is_no_memory(base: Connection, server: Server, new_worker: NewWorker) -> None:
    remember(base, "the poison text")
    server.behave = lambda texts: Reply(400, {}) if "poison" in texts[0] else well(texts)
    new_worker().run()
    assert server.asked == ["the poison text", HARMLESS]
