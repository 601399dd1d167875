"""A score is what its parts make, and the parts are what they are called."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from helpers import Db, call, configure, remember, remember_many, search, use_index, value

PROFILES = ("balanced", "ebbinghaus", "lexical", "vector")
TEXTS = [
    "red apple pie",
    "red red wine and cheese",
    "green apple",
    "blue sky over the sea",
    "apple tart with red glaze and green leaf",
]
QUESTION = "red apple"


@pytest.fixture
def garden(db: Db, user: str) -> list[int]:
    """Five memories of one session with all that moves a score: age, importance, edges, names."""
    ids = [
        remember(
            db, text, user_id=user, importance=0.3 + 0.15 * n, session_id="s", policy="append",
            created_at=f"2026-01-0{n + 1}Z", metadata={"speaker": "Red"} if n == 3 else {},
        ).memory_id
        for n, text in enumerate(TEXTS)
    ]  # fmt: skip
    for n, memory in enumerate(ids):
        db.execute(
            "update engram.memory set reinforced_at = now() - make_interval(days => %s) where memory_id = %s",
            [3 * n, memory],
        )
    call(db, "link", src=ids[0], dst=ids[3], weight=0.5, user_id=user)
    return ids


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", ["exact", "index"])
def test_a_score_is_the_sum_of_its_parts(
    db: Db, user: str, garden: list[int], profile: str, mode: str
) -> None:
    if mode == "index":
        use_index(db, 2)
    weights: Any = db.execute("select * from engram.scoring_profile where profile = %s", [profile]).fetchone()
    hits = search(db, "Red apple", user_id=user, profile=profile)
    assert len(hits) == 5
    for hit in hits:
        assert hit.score == pytest.approx(
            weights.lexical_weight * hit.lexical
            + weights.semantic_weight * hit.semantic * (1 - weights.decay * (1 - hit.strength))
            + hit.graph,
            rel=1e-12,
        )
        assert 0 <= hit.semantic <= 1
        assert 0 <= hit.lexical <= 1
        assert hit.graph >= 0
        assert hit.legs == [leg for leg in ("semantic", "lexical", "graph") if getattr(hit, leg) > 0]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def bm25(question: str) -> dict[str, float]:
    """BM25 of each text by hand; the words of TEXTS are their own stems."""
    words = {
        text: [w for w in re.findall(r"\w+", text) if w not in ("and", "over", "the", "with")]
        for text in TEXTS
    }
    average = sum(map(len, words.values())) / len(words)
    scores = dict.fromkeys(TEXTS, 0.0)
    for term in question.split():
        df = sum(term in document for document in words.values())
        idf = math.log(1 + (len(words) - df + 0.5) / (df + 0.5))
        for text, document in words.items():
            tf = document.count(term)
            scores[text] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(document) / average))
    return scores


def most(question: str) -> float:
    total = 0.0
    for term in question.split():
        df = sum(term in text.split() for text in TEXTS)
        total += math.log(1 + (len(TEXTS) - df + 0.5) / (df + 0.5)) * 2.2
    return total


def test_the_lexical_part_is_bm25_with_the_statistics_of_the_space(
    db: Db, user: str, garden: list[int]
) -> None:
    remember_many(db, [{"content": "red apple " * 9}] * 3, user_id=f"{user}-other", policy="append")
    expected = bm25(QUESTION)
    for hit in search(db, QUESTION, user_id=user, profile="lexical"):
        assert hit.lexical == pytest.approx(expected[hit.content] / most(QUESTION), rel=1e-9)
        assert hit.score == hit.lexical


def test_the_semantic_part_is_the_cosine(db: Db, user: str, garden: list[int]) -> None:
    for hit in search(db, QUESTION, user_id=user, profile="vector"):
        cosine = value(db, "select 1 - (engram.embed(%s) <=> engram.embed(%s))", QUESTION, hit.content)
        assert hit.semantic == pytest.approx(max(cosine, 0), abs=1e-3)


def test_ebbinghaus_is_its_formula_by_hand(db: Db, user: str, garden: list[int]) -> None:
    configure(db, "recall.seeds", "2")
    hits = search(db, QUESTION, user_id=user, profile="ebbinghaus")
    scores = bm25(QUESTION)
    best = max(scores.values())
    cosines = [
        value(db, "select 1 - (engram.embed(%s) <=> engram.embed(%s))", QUESTION, text) for text in TEXTS
    ]
    recall_at, fallback_at = db.execute(
        "select recall_at, fallback_at from engram.embedding_model where active"
    ).fetchone()  # type: ignore[misc]
    cut = recall_at if max(cosines) >= recall_at else fallback_at
    base = {}
    for n, text in enumerate(TEXTS):
        importance = 0.3 + 0.15 * n
        strength = importance * math.exp(-0.16 * (1 - 0.8 * importance) * 3 * n)
        cosine = cosines[n] if cosines[n] >= cut else 0
        base[text] = 0.4 * scores[text] / best + 0.6 * cosine * strength

    seeds = sorted(base, key=lambda text: -base[text])[:2]
    assert TEXTS[0] in seeds
    assert TEXTS[3] not in seeds
    reached = {row.content: row.path_weight for row in paths(db, user, garden, seeds)}
    for hit in hits:
        graph = 0.3 * reached.get(hit.content, 0)
        assert hit.graph == pytest.approx(graph, rel=1e-6, abs=1e-9)
        assert hit.score == pytest.approx(base[hit.content] + graph, abs=1e-3)
    assert reached[TEXTS[3]] == 0.5


def paths(db: Db, user: str, garden: list[int], seeds: list[str]) -> list[Any]:
    """What can be reached from any of the seeds within two hops, by its best path of the fewest hops."""
    found: dict[int, Any] = {}
    for seed in seeds:
        memory = garden[TEXTS.index(seed)]
        for row in call(db, "neighbors", memory_id=memory, depth=2, user_id=user):
            known = found.get(row.memory_id)
            if row.content not in seeds and (
                known is None or (row.hops, -row.path_weight) < (known.hops, -known.path_weight)
            ):
                found[row.memory_id] = row
    return list(found.values())


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mode", ["exact", "index"])
def test_a_missing_vector_spoils_no_score(
    db: Db, user: str, garden: list[int], profile: str, mode: str
) -> None:
    if mode == "index":
        use_index(db, 2)
    db.execute("delete from engram.embedding_1 where memory_id = %s", [garden[0]])
    hits = search(db, QUESTION, user_id=user, profile=profile)
    assert all(hit.score is not None and hit.semantic is not None for hit in hits)
    assert all(hit.semantic > 0 for hit in hits if hit.content == "green apple") or profile == "lexical"
    if profile != "vector":
        assert garden[0] in [hit.memory_id for hit in hits]


def test_without_any_vector_the_words_still_find(db: Db, user: str, garden: list[int]) -> None:
    db.execute("delete from engram.embedding_1")
    for profile in PROFILES[:3]:
        hits = search(db, QUESTION, user_id=user, profile=profile)
        assert hits[0].content == "red apple pie"
        assert all(hit.semantic == 0 for hit in hits)


def test_a_profile_of_ones_own_is_used(db: Db, user: str, garden: list[int]) -> None:
    db.execute(
        """insert into engram.scoring_profile (profile, lexical_weight, semantic_weight, semantic_scale,
                                              description)
           values ('mine', 3, 2, 'cosine', 'x')"""
    )
    for hit in search(db, QUESTION, user_id=user, profile="mine"):
        assert hit.score == pytest.approx(3 * hit.lexical + 2 * hit.semantic)


def test_a_faded_memory_is_found_less(db: Db, user: str) -> None:
    faded = remember(db, "the kettle is blue", user_id=user, policy="append").memory_id
    fresh = remember(db, "the kettle is blue", user_id=user, policy="append").memory_id
    db.execute(
        "update engram.memory set reinforced_at = now() - interval '60 days' where memory_id = %s", [faded]
    )
    for profile in ("balanced", "ebbinghaus"):
        assert [hit.memory_id for hit in search(db, "kettle", user_id=user, profile=profile)] == [
            fresh,
            faded,
        ]


def test_what_was_said_beside_the_best_hit_is_lifted(db: Db, user: str) -> None:
    for n, text in enumerate(
        ["shall we go out", "port 9090 serves metrics", "the sum is seven", "fine by me"]
    ):
        remember(db, text, user_id=user, session_id="s", created_at=f"2026-01-01 10:0{n}Z", policy="append")
    hits = {hit.content: hit for hit in search(db, "port 9090 metrics", user_id=user)}
    assert hits["shall we go out"].graph > 0
    assert hits["the sum is seven"].graph > 0
    assert hits["fine by me"].graph == 0


def test_a_word_that_no_memory_has_shifts_no_other_by_index(db: Db, user: str) -> None:
    texts = ["red apple pie", "red apple tree", "red kettle", "green kettle", "blue door"]
    remember_many(db, [{"content": text} for text in texts], user_id=user, policy="append")
    question = "unheardof red apple anotherunheardof kettle"
    exact = {hit.content: hit.lexical for hit in search(db, question, user_id=user)}
    use_index(db, 2)
    index = {hit.content: hit.lexical for hit in search(db, question, user_id=user)}
    assert index == pytest.approx(exact)


@pytest.mark.parametrize("profile", ["balanced", "ebbinghaus"])
def test_what_was_recalled_a_thousand_times_does_not_push_the_answer_aside(
    db: Db, user: str, profile: str
) -> None:
    answer = remember(db, "the red kettle boils in the kitchen", user_id=user, importance=1).memory_id
    popular = remember(db, "a kettle", user_id=user, importance=1).memory_id
    db.execute(
        "insert into engram.memory_stat (space_id, memory_id, tenant_id, recalls, last_recalled_at)"
        " select space_id, memory_id, tenant_id, 1000, now() from engram.memory where memory_id = %s",
        [popular],
    )
    hits = search(db, "the red kettle boils in the kitchen", user_id=user, profile=profile)
    assert [hit.memory_id for hit in hits] == [answer, popular]
    assert hits[1].strength > 100


def test_a_question_without_an_answer_may_score_more_than_one_that_has_one(db: Db, user: str) -> None:
    texts = (*TEXTS, "The staging database listens on port 6432.")
    remember_many(db, [{"content": text} for text in texts], user_id=user)
    [answer, *_] = search(db, "Any dessert with fruit?", user_id=user)
    [chance, *_] = search(db, "When was the staging database restored?", user_id=user)
    assert answer.content == "red apple pie"
    assert chance.score > answer.score
