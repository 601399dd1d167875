"""A question in another script than its answer shares no word with it: meaning has to be able to answer."""

from __future__ import annotations

import pytest
from helpers import Db, call, configure, remember, search, use_index

WORDS = "about which the Kenta notes are kept in a box near the window of the room"
ANSWERS = {
    "Cyrillic": "Аллергия на пенициллин у жены.",
    "CJK": "许岚对青霉素过敏，就医时要主动告诉医生。",
    "Hangul": "아내는 페니실린 알레르기가 있다.",
    "Greek": "Η γυναίκα είναι αλλεργική στην πενικιλίνη.",
    "Arabic": "الزوجة تعاني من حساسية البنسلين.",
}
QUESTION = "Which antibiotic must the wife of Kenta never be given by a doctor about to treat her?"


@pytest.fixture
def connecting(db: Db) -> str:
    """An active model that connects languages, whose vectors the tests pass."""
    name = "caller:multilingual"
    call(db, "register_model", name=name, provider="caller", dims=3)
    call(db, "activate_model", name=name)
    assert db.execute("select trusted_coverage from engram.embedding_model where active").fetchone() == (0.3,)
    return name


def fill(db: Db, user: str, answer: str) -> int:
    """An answer that means what is asked, and ten others that share chance words."""
    for n in range(10):
        remember(db, f"{n} {WORDS}", user_id=user, policy="append", embedding=[0.8, 0.6, n / 100])
    return int(remember(db, answer, user_id=user, embedding=[1.0, 0.1, 0.0]).memory_id)


@pytest.mark.parametrize("mode", ["exact", "index"])
@pytest.mark.parametrize("script", ANSWERS)
def test_what_no_word_of_the_question_can_find_is_found_by_meaning(
    db: Db, user: str, connecting: str, script: str, mode: str
) -> None:
    answer = fill(db, user, ANSWERS[script])
    if mode == "index":
        use_index(db, 2)
    hits = search(db, QUESTION, user_id=user, embedding=[1.0, 0.0, 0.0], k=3)
    assert hits[0].memory_id == answer
    assert hits[0].legs == ["semantic"], "no word was found"
    assert 0 < hits[0].lexical <= max(hit.lexical for hit in hits)


def test_it_gets_no_more_than_what_covers_the_question_best(db: Db, user: str, connecting: str) -> None:
    answer = fill(db, user, ANSWERS["CJK"])
    best = max(hit.lexical for hit in search(db, QUESTION, user_id=user, embedding=[0.0, 0.0, 1.0]))
    hits = search(db, QUESTION, user_id=user, embedding=[1.0, 0.0, 0.0])
    [found] = [hit for hit in hits if hit.memory_id == answer]
    assert found.lexical == pytest.approx(best * found.semantic)


@pytest.mark.parametrize(
    "answer", ["Penicillin is dangerous for somebody.", "ペニシリンは penicillin のこと。"]
)
def test_what_shares_the_script_has_to_share_words(db: Db, user: str, connecting: str, answer: str) -> None:
    found = fill(db, user, answer)
    hits = search(db, QUESTION, user_id=user, embedding=[1.0, 0.0, 0.0])
    assert [hit.lexical for hit in hits if hit.memory_id == found] == [0]


def test_a_question_that_words_answer_is_left_to_them(db: Db, user: str, connecting: str) -> None:
    other = fill(db, user, ANSWERS["CJK"])
    remember(db, "The tax adviser is Ms. Okafor.", user_id=user, embedding=[0.9, 0.3, 0.0])
    hits = search(db, "Who is the tax adviser?", user_id=user, embedding=[1.0, 0.0, 0.0])
    assert hits[0].content == "The tax adviser is Ms. Okafor."
    assert [hit.lexical for hit in hits if hit.memory_id == other] == [0]


@pytest.mark.parametrize("profile", ["ebbinghaus", "lexical", "vector"])
def test_other_formulas_stay_as_they_are(db: Db, user: str, connecting: str, profile: str) -> None:
    answer = fill(db, user, ANSWERS["CJK"])
    hits = search(db, QUESTION, user_id=user, embedding=[1.0, 0.0, 0.0], profile=profile, k=50)
    assert [hit.lexical for hit in hits if hit.memory_id == answer] == [0]


def test_a_model_of_one_language_is_not_trusted_with_it(db: Db, user: str) -> None:
    call(db, "register_model", name="caller:english", provider="caller", dims=3)
    call(db, "activate_model", name="caller:english")
    answer = fill(db, user, ANSWERS["CJK"])
    hits = search(db, QUESTION, user_id=user, embedding=[1.0, 0.0, 0.0])
    assert [hit.lexical for hit in hits if hit.memory_id == answer] == [0]


def test_the_one_after_a_match_gets_more_than_the_one_before(db: Db, user: str) -> None:
    for text in ("nothing of note", "what does the ferry cost?", "nine crowns"):
        remember(db, text, user_id=user, session_id="s", policy="append")
    configure(db, "recall.before_share", "0.6")
    lifted = {hit.content: hit.graph for hit in search(db, "the cost of the ferry", user_id=user)}
    assert lifted["nothing of note"] == pytest.approx(0.6 * lifted["nine crowns"])
    assert lifted["nine crowns"] > 0
