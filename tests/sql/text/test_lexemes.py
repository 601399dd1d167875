from __future__ import annotations

import pytest
from helpers import Db, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FOUND = [
    ("max_retry_count is 5", ["max_retry_count", "retry", "count", "MAX_RETRY_COUNT", "max retry"]),
    ("call getUserById first", ["getUserById", "getuserbyid", "user", "get user"]),
    ("parse with HTTPServerError", ["HTTPServerError", "httpservererror"]),
    (
        "logs are in /var/log/nginx/error.log",
        ["/var/log/nginx/error.log", "nginx", "error.log", "nginx/error.log"],
    ),
    ("upgrade to v2.10.3-rc1", ["v2.10.3-rc1", "2.10.3", "v2.10.3", "rc1"]),
    ("write to ada.lovelace@example.org", ["ada.lovelace@example.org", "lovelace", "example.org", "ada"]),
    ("issue ABC-1234 is open", ["ABC-1234", "abc-1234", "1234"]),
    ("std::vector<int> is fine", ["std::vector", "vector"]),
    ("C:\\Users\\ada\\notes.txt", ["notes.txt", "ada"]),
    ("it starts at 09:30", ["09:30"]),
    ("she was running tests", ["run", "runs", "test"]),
    ("我们在上海见面", ["上海", "见面", "海"]),
    ("明天去北京开会", ["北京", "开会"]),
    ("数据库的连接数是三十", ["数据库", "连接数"]),
    ("東京タワーに登った", ["東京", "タワー"]),
    ("내일 서울에서 만나요", ["서울"]),
    ("Das Gerät heißt Größe", ["Größe", "gerat", "GERÄT"]),
    ("crème brûlée à Orléans", ["creme", "brulee", "orleans", "CRÈME"]),
    ("Привет ИЗ Москвы", ["привет", "ПРИВЕТ", "москвы", "МОСКВЫ"]),
    ("ΚΑΛΗΜΕΡΑ κόσμε", ["καλημερα", "Καλημέρα", "κοσμε"]),
    ("ﬁne ﬂow", ["fine", "flow"]),
    ("使用PostgreSQL数据库", ["postgresql", "数据库", "使用"]),
]


@pytest.mark.parametrize(("text", "question"), [(text, q) for text, questions in FOUND for q in questions])
def test_words_find_the_text(db: Db, user: str, text: str, question: str) -> None:
    remember(db, text, user_id=user)
    hit = recall(db, question, user_id=user, profile="lexical")[0]
    assert hit.lexical > 0


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我们在上海见面", "海上"),
        ("upgrade to v2.10.3", "v7.11"),
        ("call getUserById", "byname"),
        ("foobar", "foo"),
    ],
)
def test_other_words_do_not(db: Db, user: str, text: str, question: str) -> None:
    remember(db, text, user_id=user)
    assert recall(db, question, user_id=user, profile="lexical")[0].lexical == 0


@pytest.mark.parametrize(
    "identifier", ["max_retry_count", "v2.10.3-rc1", "/var/log/nginx/error.log", "getUserById"]
)
def test_a_whole_identifier_beats_its_parts(db: Db, user: str, identifier: str) -> None:
    parts = " ".join(
        [
            "max",
            "retry",
            "count",
            "v2",
            "10",
            "3",
            "rc1",
            "var",
            "log",
            "nginx",
            "error",
            "log",
            "get",
            "user",
            "by",
            "id",
        ][::-1]
    )
    remember(db, parts, user_id=user, policy="append")
    whole = remember(db, f"see {identifier} there", user_id=user, policy="append").memory_id
    assert recall(db, identifier, user_id=user, profile="lexical")[0].memory_id == whole


@pytest.mark.parametrize("question", ["海", "a", "I", "7", "é", "?", "🚀", "ж"])
def test_a_question_of_one_character_is_answered(db: Db, user: str, question: str) -> None:
    for text in ("海", "answer a", "number 7", "é", "🚀", "ж"):
        remember(db, text, user_id=user, policy="append")
    assert len(recall(db, question, user_id=user)) == 6


def test_the_lexemes_of_a_text_do_not_depend_on_its_composition(db: Db) -> None:
    assert value(db, "select engram.lexemes(%s) = engram.lexemes(%s)", "Malmo\u0308 cafe\u0301", "Malmö café")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_lexemes_of_any_text_are_made_and_match_its_question(db: Db, text: str) -> None:
    asked = set(value(db, "select engram._query_lexemes(%s)", text))
    indexed = set(value(db, "select tsvector_to_array(engram.lexemes(%s))", text))
    assert len(asked) == 200 or asked <= indexed


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("word" * 10, 10), ("记忆", 2), ("ab记忆cd", 3)])
def test_tokens_are_estimated(db: Db, text: str, tokens: int) -> None:
    assert value(db, "select engram.estimate_tokens(%s)", text) == tokens


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a  b\n", "a b", True),
        ("cafe\u0301", "café", True),
        ("A b", "a b", False),
        ("a b.", "a b", False),
    ],
)
def test_texts_that_differ_in_space_only_have_one_hash(db: Db, one: str, other: str, same: bool) -> None:
    assert value(db, "select engram.content_hash(%s) = engram.content_hash(%s)", one, other) is same
