"""The benchmarks measure what they say, and leave nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from commands import Run

from engram_pg import schema
from engram_pg.bench import (
    consolidation,
    gate_together,
    install,
    isolation,
    locomo,
    reach,
    recall,
    retrieval,
    speed,
)
from engram_pg.bench.scores import Judged, by_group, latency, summary

CONVERSATION = {
    "sample_id": "talk-1",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a boat in Tromsø."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "My bees swarmed again."},
            {"speaker": "Ana", "dia_id": "D1:3", "text": "Then call the beekeeper."},
        ],
    },
    "qa": [
        {"question": "Where was the boat bought?", "evidence": ["D1:1"], "category": 4},
        {"question": "What did the bees do?", "evidence": ["D1:2; D1:3"], "category": 1},
        {"question": "Left out: adversarial", "evidence": ["D1:1"], "category": 5},
        {"question": "Left out: no evidence", "evidence": [], "category": 4},
        {"question": "Left out: evidence elsewhere", "evidence": ["D9:9"], "category": 4},
    ],
}


@pytest.fixture
def connection(other_dsn: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(other_dsn, autocommit=True) as opened:
        yield opened


def test_scores_are_those_of_their_definitions() -> None:
    answers = [
        Judged("a", ["x", "r", "s"], frozenset({"r", "s", "t"}), 1.0),
        Judged("b", ["y", "z"], frozenset({"r"}), 3.0),
    ]
    assert summary(answers[:1]) == {
        "questions": 1,
        "hit@1": 0.0,
        "hit@5": 100.0,
        "hit@10": 100.0,
        "recall@5": pytest.approx(200 / 3),
        "mrr": 0.5,
    }
    assert by_group(answers)["all"]["hit@5"] == 50.0
    assert by_group(answers)["b"]["mrr"] == 0.0


def test_percentiles_are_values_that_were_measured() -> None:
    assert latency([float(n) for n in range(1, 101)]) == {"p50_ms": 50.0, "p95_ms": 95.0}
    assert latency([7.0]) == {"p50_ms": 7.0, "p95_ms": 7.0}


def test_locomo_asks_the_questions_that_have_an_answer(
    connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    result = locomo.run(connection, file)
    assert (result["memories"], result["users"]) == (3, 1)
    scores = result["profiles"]["balanced"]["scores"]
    assert {group: part["questions"] for group, part in scores.items()} == {
        "1 multi-hop": 1,
        "4 single-hop": 1,
        "all": 2,
    }
    assert scores["all"]["hit@5"] == 100.0
    assert result["profiles"].keys() == {"lexical", "vector", "balanced"}


def test_locomo_can_be_asked_as_if_spaces_were_large(
    connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    result = locomo.run(connection, file, exact_limit=2)
    assert connection.execute("select memories, indexed from engram.space_stat").fetchall() == [(3, True)]
    assert result["profiles"]["balanced"]["scores"]["all"]["hit@5"] == 100.0


def test_locomo_can_be_asked_from_candidates(connection: psycopg.Connection[Any], tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    result = locomo.run(connection, file, whole_limit=2)
    assert connection.execute("select memories, indexed from engram.space_stat").fetchall() == [(3, False)]
    assert result["profiles"]["balanced"]["scores"]["all"]["hit@5"] == 100.0


def test_retrieval_scores_by_kind_of_question(connection: psycopg.Connection[Any], tmp_path: Path) -> None:
    memories, queries = tmp_path / "memories.jsonl", tmp_path / "queries.jsonl"
    texts = {"m1": "女儿怕打雷。", "m2": "The ferry leaves at nine.", "m3": "猫はピクセルという名前です。"}
    memories.write_text("\n".join(json.dumps({"id": id, "text": text}) for id, text in texts.items()))
    queries.write_text(json.dumps({"query": "打雷", "kind": "short", "gold": ["m1"]}) + "\n")
    result = retrieval.run(connection, memories, queries)
    assert result["profiles"]["balanced"]["scores"]["short"]["hit@1"] == 100.0


def test_every_user_gets_all_rows_and_the_right_ones(connection: psycopg.Connection[Any]) -> None:
    result = isolation.run(connection, users=3, memories=30)
    for measured in (result["defaults"], result["index_forced"]):
        assert measured["fewest_rows"] == 10
        assert measured["recall@10"] >= 0.99


def test_speed_counts_what_became_of_the_texts(connection: psycopg.Connection[Any]) -> None:
    result = speed.run(connection, count=5)
    assert sum(result["actions"].values()) == 5
    assert result["per_second"] > 0


@pytest.mark.parametrize("from_file", [True, False])
def test_recalls_through_the_sdk_are_timed(
    connection: psycopg.Connection[Any], tmp_path: Path, from_file: bool
) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    result = recall.run(connection, file if from_file else None, memories=3, count=4)
    assert (result["memories"], result["questions"]) == ((3, 2) if from_file else (15, 4))
    assert 0 < result["recall"]["p50_ms"] <= result["recall"]["p95_ms"]
    assert connection.execute("select count(distinct memory_id) > 0 from engram.recall_event").fetchone() == (
        True,
    )


def test_consolidation_is_asked_before_and_after_and_taken_back(connection: psycopg.Connection[Any]) -> None:
    result = consolidation.run(connection, users=1)
    assert result["clusters"] > 10
    assert result["repeats_folded"] == result["folded"] > result["clusters"]
    assert (result["mixed"], result["lost"]) == ([], [])
    assert result["before"]["all"]["hit@5"] > 90
    assert result["after"]["all"]["hit@5"] >= result["before"]["all"]["hit@5"]
    assert result["same_after_undo"]
    assert all(gone["state"] in ("archived", "retired") for gone in result["reworded"])


def test_what_consolidation_loses_shows(connection: psycopg.Connection[Any]) -> None:
    """A fact that is gone is counted as such: here a trigger spoils the texts that are kept."""
    connection.execute(
        """create function public.spoil() returns trigger language plpgsql as
           $$ begin new.content := 'spoiled'; return new; end $$"""
    )
    connection.execute(
        """create trigger spoil before update of content on engram.memory for each row
           when (new.state = 'active') execute function public.spoil()"""
    )
    result = consolidation.run(connection, users=1)
    assert result["lost"]
    assert any(gone["kept"] == "spoiled" for gone in result["reworded"])


def test_consolidation_of_conversations_keeps_who_said_what(
    connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    result = consolidation.run(connection, file, threshold=0.1)
    assert (result["memories"], result["threshold"], result["before"].keys()) == (
        3,
        0.1,
        result["after"].keys(),
    )
    assert result["same_after_undo"]


def test_reach_asks_the_own_conversation_and_another_one(
    connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    said = [{"speaker": "Cy", "dia_id": "D1:1", "text": "My piano is out of tune."}]
    other = {
        "sample_id": "talk-2",
        "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": said},
        "qa": [],
    }
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([CONVERSATION, other]), encoding="utf-8")
    connection.execute("update engram.embedding_model set recall_at = 0.01, fallback_at = -1")
    everything = reach.run(connection, file)
    assert (everything["questions"], everything["own"]) == (2, 100)
    assert everything["answers_from_fallback_at"] == 100
    assert everything["best"]["own"] > everything["best"]["others"]


def test_a_benchmark_leaves_no_database_and_no_memory_behind(run: Run, dsn: str) -> None:
    result = run("bench", "speed", "--count", "2", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["texts"] == 2
    with psycopg.connect(dsn) as home:
        left = home.execute("select count(*) from pg_database where datname like 'engram_bench%'").fetchone()
        assert left == (0,)
        assert home.execute("select count(*) from engram.space where user_id = 'speed'").fetchone() == (0,)


RELEASE = Path(__file__).resolve().parents[1] / "schema" / "releases" / "0.1.0.sql.gz"


def test_install_measures_an_upgrade_that_rewrites_nothing(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as empty:
        result = install.run(empty, RELEASE, memories=50)
    assert (result["from_revision"], result["to_revision"], result["rewritten"]) == ("0001", schema.HEAD, [])
    assert result["install_seconds"] > 0
    assert result["upgrade_seconds"] > 0
    assert "50 memories" in result["expected"][0]


def test_the_gate_is_measured_among_the_texts_of_all_items(
    connection: psycopg.Connection[Any], tmp_path: Path
) -> None:
    items = [
        ("The invoice job waits 30 seconds.", "The invoice job waits 60 seconds now.", "contradiction"),
        ("Lena is allergic to peanuts.", "Lena is allergic to peanuts.", "duplicate"),
        ("Otto keeps bees in Graz.", "The invoice job waits 30 seconds.", "distinct"),
        ("The billing service listens on port 8080.", "My bees swarmed again.", "contradiction"),
    ]
    pairs = tmp_path / "pairs.jsonl"
    with pairs.open("w", encoding="utf-8") as file:
        for place, (existing, incoming, expected) in enumerate(items):
            item = {"id": f"p{place}", "lang": "en", "existing": [existing], "incoming": incoming}
            file.write(json.dumps({**item, "expected": expected, "target": 0}) + "\n")
    talks = tmp_path / "talks.json"
    talks.write_text(json.dumps([CONVERSATION]), encoding="utf-8")

    result = gate_together.run(connection, pairs, talks, judged=2)
    assert result["memories"] == 4 + 3
    assert result["scores"]["all"]["contradictions_found"] == 50
    assert result["scores"]["all"]["duplicates_found"] == 100
    assert {wrong["id"] for wrong in result["wrong"] if wrong["action"] == "reinforce"} == {"p2", "p3"}
    assert result["others"] == {"reinforce": 2, "replace": 0}
    kept = connection.execute("select count(*) from engram.memory where state = 'active'").fetchone()
    assert kept == (7,)
    assert connection.execute("select engram._setting_number('gate.judged')").fetchone() == (2,)
