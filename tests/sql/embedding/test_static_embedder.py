"""engram.embed: agrees with its reference, reads any text, uses its index."""

from __future__ import annotations

import json
import math
import random
import unicodedata
from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from engram_pg import static_model
from engram_pg.static_model import reference

Connection = psycopg.Connection[Any]

SENTENCES = """
I moved to Lisbon last spring and still miss the old flat. The deployment failed twice because kubectl
timed out
while Caroline reviewed pull request 4821; we'll retry on Friday, 12 March 2024 at 3:45pm, she said. My
dog's vet
appointment costs €45.50! Don't forget: flour, eggs, 2 litres of milk & a cake for Tom's birthday
"""
ENGLISH = SENTENCES.split()
CHINESE = "我昨天在北京的咖啡馆遇到了老同学他现在做数据库开发数据量很大记忆系统需要向量检索女儿喜欢画画"
JAPANESE = "東京の天気は晴れです明日はカフェでコーヒーを飲みながらデータベースを勉強します猫が三匹いるﾊﾝｶｸ"
KOREAN = "저는 서울에서 개발자로 일하고 있어요 주말에는 등산을 갑니다"
EMOJI = "😀🎉🚀❤️👨‍👩‍👧🇯🇵👍🏽∑→☂"
TECHNICAL = """
getUserById HTTPServerError snake_case_name MAX_RETRY_COUNT v2.10.3-rc1 /usr/local/bin/python3 a.b@example.org
0x7fffdeadbeef f47ac10b-58cc-4372-a567-0e02b2c3d479 PostgreSQL16 iPhone15Pro $PATH README.md std::vector<int>
"""
IDENTIFIERS = TECHNICAL.split()
OTHERS = [
    "Привет, как дела? Ёжик ЕДЕТ в Москву",
    "שלום עולם, מה נשמע",
    "مرحبا كيف حالك اليوم",
    "สวัสดีชาวโลกวันนี้อากาศดี",
    "नमस्ते दुनिया आज मौसम अच्छा है",
    "Καλημέρα ΚΌΣΜΕ Σίσυφος",
    "Größe naïve café ÀÉÎÕÜ Łódź Ærø İstanbul ŒUVRE",
    "Tiếng Việt có dấu",
    "Trabajo como enfermera en Sevilla",
    "გამარჯობა მსოფლიო",
    "ａｂｃ１２３Ｄｅｆ ﬁne ½ ²",
    "e\u0301 n\u0303 か\u3099",
    "𠮷野家で𩸽を食べる",
    "\u200b\u200e\ufeff",
    "٣٤٥ ४५",
    "ⅷ ㍿ ㎏",
]

# Characters added to Unicode later than to this Python's tables would be folded by one side only.
ASSIGNED = [c for c in map(chr, range(33, 0x20000)) if unicodedata.category(c) not in ("Cn", "Cs", "Co")]


def varied_texts(count: int, seed: int = 20240501) -> list[str]:
    choose = random.Random(seed)

    def part() -> str:
        kind = choose.randrange(10)
        if kind < 3:
            return " ".join(choose.choices(ENGLISH, k=choose.randint(1, 30)))
        if kind == 3:
            return "".join(choose.choices(CHINESE, k=choose.randint(1, 40)))
        if kind == 4:
            return "".join(choose.choices(JAPANESE, k=choose.randint(1, 40)))
        if kind == 5:
            return choose.choice([KOREAN, *OTHERS])
        if kind == 6:
            return "".join(choose.choices(EMOJI, k=choose.randint(1, 5)))
        if kind == 7:
            return " ".join(choose.choices(IDENTIFIERS, k=choose.randint(1, 6)))
        if kind == 8:
            return "".join(
                choose.choices("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_-.", k=choose.randint(1, 60))
            )
        return "".join(choose.choices(ASSIGNED, k=choose.randint(1, 12)))

    texts = [
        *OTHERS,
        *IDENTIFIERS,
        KOREAN,
        "x" * 3000,
        "大" * 3000,
        "!?…",
        "the of and",
        "½",
        " ".join(ENGLISH * 40),
    ]
    while len(texts) < count:
        texts.append(choose.choice([" ", "", ", "]).join(part() for _ in range(choose.randint(1, 4))))
    return [text for text in texts if text.strip()][:count]


def embedded(db: Connection, text: str) -> list[float] | None:
    row = db.execute("select engram.embed(%s)::text", [text]).fetchone()
    assert row is not None
    return None if row[0] is None else json.loads(row[0])


def cosine(db: Connection, left: str, right: str) -> float:
    a, b = embedded(db, left), embedded(db, right)
    assert a is not None
    assert b is not None
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.fixture(scope="module")
def table() -> dict[str, Sequence[int]]:
    return {token: memoryview(vector).cast("b").tolist() for token, vector in static_model.rows()}


def test_sql_agrees_with_the_reference_on_a_thousand_varied_texts(
    db: Connection, table: dict[str, Sequence[int]]
) -> None:
    texts = varied_texts(1000)
    rows = db.execute(
        "select t.text, engram.embed(t.text)::text from unnest(%s::text[]) as t (text)", [texts]
    ).fetchall()
    wrong = []
    for text, found in rows:
        expected = reference.embed(text, table)
        if found is None or max(abs(x - y) for x, y in zip(json.loads(found), expected, strict=True)) > 1e-3:
            wrong.append(text)
    assert len(rows) == 1000
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "!!!",
        "…",
        "🤷",
        "\u200b",
        "#",
        "x" * 65536,
        "字" * 20000,
        "7",
        "Ж",
        "\U000e0041",
        "'; drop table --",
        "\\.",
    ],
)
def test_any_text_that_is_not_blank_has_a_unit_vector(db: Connection, text: str) -> None:
    vector = embedded(db, text)
    assert vector is not None
    assert len(vector) == static_model.DIMENSIONS
    assert math.sqrt(sum(x * x for x in vector)) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("text", [None, "", " ", "\n\t "])
def test_null_and_blank_text_have_no_vector(db: Connection, text: str | None) -> None:
    assert db.execute("select engram.embed(%s::text) is null", [text]).fetchone() == (True,)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Élan Vital", "elan vital"),
        ("ＦＵＬＬ width", "full width"),
        ("ПРИВЕТ", "привет"),
        ("ΣΊΣΥΦΟΣ", "σισυφος"),
        ("ﾃﾞｰﾀ", "データ"),
        ("hello, world!", "world   hello"),
    ],
)
def test_case_accents_width_and_order_do_not_matter(db: Connection, text: str, same: str) -> None:
    assert cosine(db, text, same) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("My cat is ill", "the kitten is sick", "the invoice was paid on time"),
        ("他喜欢喝咖啡", "他爱喝拿铁", "火车晚点两小时"),
        ("猫を飼っています", "うちに猫がいます", "会議は三時からです"),
        (
            "Soy enfermera en un hospital",
            "Trabajo de enfermera en una clínica",
            "Mañana compro un coche rojo",
        ),
        ("Je mange du pain", "Il mange une baguette de pain", "La réunion commence à midi"),
        ("parseHttpHeader fails", "parse_http_header failed", "walk in the park"),
        ("我养了一只猫", "my cat", "quarterly tax report"),
    ],
)
def test_texts_alike_in_meaning_are_nearer_than_unrelated_ones(
    db: Connection, text: str, near: str, far: str
) -> None:
    assert cosine(db, text, near) > cosine(db, text, far) + 0.1


def test_known_words_and_unknown_ones_are_looked_up_as_documented(db: Connection) -> None:
    def tokens(text: str) -> list[str]:
        row = db.execute("select engram._static_tokens(%s)", [text]).fetchone()
        assert row is not None
        return sorted(row[0])

    assert tokens("Hello, WORLD") == ["hello", "world"]
    assert tokens("helloWorld") == ["hello", "world"]
    assert tokens("hello_world") == ["hello", "world"]
    assert tokens("北京") == sorted(["北", "京", "北京"])
    assert tokens("\U000e0041") == [reference.bucket("\U000e0041")]


def test_look_ups_use_the_primary_key_in_a_generic_plan(db: Connection) -> None:
    db.execute("set local plan_cache_mode = force_generic_plan")
    db.execute("select count(*) from pg_stat_xact_user_tables")
    before = db.execute(
        "select seq_scan from pg_stat_xact_user_tables where relid = 'engram.static_token'::regclass"
    ).fetchone()
    for text in ("getUserByID qzxkvj", "北京 hello", " ".join(ENGLISH * 100), CHINESE * 20):
        db.execute("select engram.embed(%s)", [text])
    after = db.execute(
        "select seq_scan from pg_stat_xact_user_tables where relid = 'engram.static_token'::regclass"
    ).fetchone()
    assert after == before


def test_embed_can_run_in_a_parallel_query_and_is_stable(db: Connection) -> None:
    assert db.execute(
        "select provolatile, proparallel from pg_proc where oid = 'engram.embed(text)'::regprocedure"
    ).fetchone() == ("s", "s")


def test_the_table_holds_every_shipped_row(db: Connection) -> None:
    assert db.execute("select count(*) from engram.static_token").fetchone() == (static_model.count(),)
