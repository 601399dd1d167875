"""Any text that may be stored comes back as it was, and is found."""

from __future__ import annotations

import random

import pytest
from helpers import Db, call, contents, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TEXTS = {
    "emoji": ("ship it 🚀👨‍👩‍👧🇯🇵", "🚀"),
    "only emoji": ("🎉🎉", "🎉"),
    "hebrew": ("הפגישה ביום שלישי בחיפה", "שלישי"),
    "arabic": ("الاجتماع يوم الثلاثاء في القاهرة", "القاهرة"),
    "mixed direction": ("the word \u202bשלום\u202c means peace", "שלום"),
    "special token": ("stop at <|endoftext|> and [INST]", "<|endoftext|>"),
    "chinese": ("周三和李雷在上海开会", "上海"),
    "japanese": ("来週東京でライブがある", "東京"),
    "korean": ("다음 주에 부산으로 출장을 간다", "부산으로"),
    "cyrillic": ("Встреча с Ольгой в Киеве", "киеве"),
    "accents": ("Zoë réserve une table à Besançon", "Besancon"),
    "combining": ("cafe\u0301 in Malmo\u0308", "café"),
    "full width": ("ＡＢＣ１２３号棟", "abc123"),
    "thai": ("ประชุมวันพุธที่กรุงเทพ", "ประชุมวันพุธที่กรุงเทพ"),
    "operators": ("a & b | !c :* <-> ( 'quoted' ; drop table", "quoted"),
    "backslashes": (r"C:\new\table\x00", "table"),
    "percent": ("50%_off \\% sale", "sale"),
    "line breaks": ("first\r\nsecond\tthird", "third"),
    "astral han": ("𠮷野家で食べる", "𠮷野家"),
    "stop words": ("to be or not to be", "to be or not to be"),
    "joined stop words": ("to-do", "to-do"),
    "one letter": ("q", "q"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_comes_back_as_it_was_and_is_found(db: Db, user: str, name: str) -> None:
    text, question = TEXTS[name]
    memory = remember(db, text, user_id=user)
    remember(db, "an unrelated line about gardening", user_id=user)

    assert call(db, "get", memory_id=memory.memory_id, user_id=user)[0].content == text
    assert recall(db, question, user_id=user)[0].content == text


@pytest.mark.parametrize("name", [n for n in TEXTS if n not in ("emoji", "only emoji", "stop words")])
def test_a_text_is_found_by_its_words_alone(db: Db, user: str, name: str) -> None:
    text, question = TEXTS[name]
    remember(db, text, user_id=user)
    hit = recall(db, question, user_id=user, profile="lexical")[0]
    assert hit.content == text
    assert hit.lexical > 0


def long_text(rng: random.Random, size: int) -> str:
    words: list[str] = []
    while sum(map(len, words)) + len(words) < size:
        words.append("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))))
    return " ".join(words)[:size]


def test_the_whole_of_a_64_kib_text_is_found(db: Db, user: str) -> None:
    text = long_text(random.Random(7), 65536 - 400)
    half = len(text) // 2
    text = f"{text[:half]} marmalade {text[half:]} chrysanthemum"
    remember(db, text, user_id=user)
    remember(db, "something else", user_id=user)

    for word in ("marmalade", "chrysanthemum", text.split()[0]):
        assert contents(recall(db, word, user_id=user, k=1)) == [text]
    assert recall(db, "chrysanthemum", user_id=user, k=1)[0].content == text


@pytest.mark.parametrize("text", ["数" * 21845, "a1_" * 21845, "x" * 65536, "\U0001f600" * 16384])
def test_the_longest_text_of_any_shape_is_remembered(db: Db, user: str, text: str) -> None:
    memory = remember(db, text, user_id=user)
    assert value(db, "select content from engram.memory where memory_id = %s", memory.memory_id) == text
    assert remember(db, text, user_id=user).action == "reinforce"


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60))
def test_whatever_is_accepted_can_be_asked_for(db: Db, user: str, text: str) -> None:
    text = f"{text}!"
    memory = remember(db, text, user_id=user, policy="append")
    assert value(db, "select content from engram.memory where memory_id = %s", memory.memory_id) == text
    recall(db, text, user_id=user)
