from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PAIRS = [
    (existing, item["incoming"])
    for file in (
        "pairs.jsonl",
        "pairs_more.jsonl",
        "pairs_late.jsonl",
        "pairs_keep.jsonl",
        "pairs_keep_more.jsonl",
    )
    for item in map(json.loads, (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines())
    for existing in item["existing"]
]
FRAMES = [
    "The request timeout is {} seconds.",
    "We keep {} copies of every backup.",
    "Room {} seats many people.",
    "The service listens on port {}.",
    "Invoice {} was paid in March.",
    "备份保留{}天。",
    "{}号会议室在三楼。",
    "会費は{}円です。",
    "Die Frist beträgt {} Tage.",
    "El plazo es de {} días.",
    "Le délai est de {} jours.",
]
NAMED = [
    "{} lives in Quito.",
    "My neighbour is called {}.",
    "The project is owned by {}.",
    "{}住在苏州。",
    "{}さんは紅茶が好きです。",
    "{} wohnt in Graz.",
]
NAMES = ["Anna", "Hanna", "Carlos", "Carla", "Kim", "Okoro", "Ines", "Bruno", "Marek", "Ana"]
CJK_NAMES = ["王芳", "李娜", "赵敏", "田中", "田村", "鈴木"]

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def compare(db: psycopg.Connection[Any], existing: str, incoming: str, similarity: float | None = 0.8) -> Any:
    return db.execute("select * from engram.compare(%s, %s, %s)", [existing, incoming, similarity]).fetchone()


@pytest.mark.parametrize(
    ("existing", "incoming", "verdict"),
    [
        ("The cache expires after 90 s.", "the cache expires after 90 seconds", "duplicate"),
        ("The contract ends on 2031-04-09.", "The contract ends on 9 April 2031.", "duplicate"),
        ("我每月还款6500元。", "我每月还款六千五百元。", "duplicate"),
        ("Standup is at 3 pm.", "Standup is at 15:00.", "duplicate"),
        ("夜はパンを食べません。", "朝はパンを食べます。", "complement"),
        ("食堂中午供应米饭。", "食堂晚上不供应米饭。", "complement"),
        ("周会在下午六点半。", "周会在18:30。", "duplicate"),
        ("周会在下午六点半。", "周会在下午六点。", "contradiction"),
        ("朝会は10時30分です。", "朝会は10:30です。", "duplicate"),
        ("朝会は10時30分です。", "朝会は10時です。", "contradiction"),
        ("Standup is at 3 pm.", "Standup is at 4 pm.", "contradiction"),
        ("We use Vim.", "We no longer use Vim.", "contradiction"),
        ("We no longer use Vim.", "We use Vim.", "contradiction"),
        ("Ada owns the parser.", "Bo owns the parser.", "contradiction"),
        ("Ada outranks Bo.", "Bo outranks Ada.", "contradiction"),
        ("Logging is enabled.", "Logging is disabled.", "contradiction"),
        ("Logging is not disabled.", "Logging is enabled.", "duplicate"),
        ("I live in Oslo.", "I used to live in Bergen.", "complement"),
        ("I live in Oslo.", "I might move to Bergen.", "complement"),
        ("I am allergic to nuts.", "I am also allergic to shellfish.", "complement"),
        ("Ada lives in Oslo.", "My brother lives in Oslo.", "distinct"),
        ("Logs stay 30 days.", "Logs stay 30 days. They are then moved to cold storage.", "complement"),
        ("Kira works at Acme.", "Kira works at Acme. She switched to the sales team in May.", "complement"),
        (
            "Our CEO is Mae Quill.",
            "Mae Quill stepped down as CEO; Bo Ostrow is the CEO now.",
            "contradiction",
        ),
    ],
)
def test_a_verdict_follows_from_what_differs(db, existing, incoming, verdict):
    assert compare(db, existing, incoming).verdict == verdict


@pytest.mark.parametrize("change", [str.upper, str.lower, lambda text: text.rstrip(".。!?") + "!!"])
def test_a_verdict_is_stable_under_case_and_punctuation(db, change):
    for existing, incoming in PAIRS:
        before, after = compare(db, existing, incoming), compare(db, change(existing), change(incoming))
        assert (before.verdict, before.rule) == (after.verdict, after.rule), (existing, incoming)


def test_a_text_is_a_duplicate_of_itself(db):
    for text in {text for pair in PAIRS for text in pair}:
        assert compare(db, text, text, 1.0).verdict == "duplicate", text


def test_the_same_content_is_the_same_both_ways(db):
    for existing, incoming in PAIRS:
        if (rule := compare(db, existing, incoming).rule) in (
            "same_content",
            "value_changed",
            "roles_reversed",
        ):
            assert compare(db, incoming, existing).rule == rule, (existing, incoming)


@quick
@given(st.sampled_from(FRAMES), st.integers(2, 9999), st.integers(2, 9999))
def test_different_numbers_are_never_duplicates(db, frame, one, other):
    verdict = compare(db, frame.format(one), frame.format(other), 0.99).verdict
    assert (verdict == "duplicate") == (one == other)


@quick
@given(st.tuples(*[st.integers(0, 40)] * 3), st.tuples(*[st.integers(0, 40)] * 3))
def test_different_versions_are_never_duplicates(db, one, other):
    texts = [f"core-sdk is at version {'.'.join(map(str, version))}." for version in (one, other)]
    assert (compare(db, *texts, 0.99).verdict == "duplicate") == (one == other)


@pytest.mark.parametrize("frame", NAMED)
def test_different_names_are_never_duplicates(db, frame):
    names = CJK_NAMES if any(ord(character) > 0x3000 for character in frame) else NAMES
    for one in names:
        for other in names:
            verdict = compare(db, frame.format(one), frame.format(other), 0.99).verdict
            assert (verdict == "duplicate") == (one == other), (frame, one, other)


@quick
@given(st.text(max_size=400), st.text(alphabet=string.printable + "ééß中文かなカナ👍🏽\u200d", max_size=400))
def test_any_text_gets_a_verdict(db, one, other):
    one, other = (text.replace("\0", "").encode("utf-8", "ignore").decode() for text in (one, other))
    for existing, incoming in ((one, other), (other, one)):
        judged = compare(db, existing, incoming)
        assert judged.verdict in ("duplicate", "contradiction", "complement", "distinct")
        assert 0 <= judged.confidence <= 1


def test_one_changed_sentence_of_a_long_text_is_found(db):
    def notes(time: str, place: str = "Birch") -> str:
        rest = "Bring the signed form. Lunch is in the yard. The guide waits at the door. No glass. " * 20
        return f"Plan for the visit to the {place} museum. The coach leaves at {time}. {rest}"

    assert compare(db, notes("7:15"), notes("6:45")).verdict == "contradiction"
    assert compare(db, notes("7:15"), notes("7:15")).verdict == "duplicate"
    assert compare(db, notes("7:15"), notes("7:15", "Maple")).verdict in ("complement", "distinct")


def test_a_text_at_the_limit_takes_bounded_time(db):
    db.execute("set local statement_timeout = '3s'")
    for part in ("word ", "字", "1 ", "no ", "a-b_c/", "だ、"):
        text = (part * 65536)[:60000]
        assert compare(db, text, text + "x").verdict is not None


def test_compare_tells_its_rule_and_evidence(db):
    judged = compare(db, "The request timeout is 30 s.", "The request timeout is 60 seconds.")
    assert judged.rule == "value_changed"
    assert judged.evidence["existing_only"] == ["n:30~s"]
    assert judged.evidence["incoming_only"] == ["n:60~s"]
    assert db.execute("select from engram.gate_rule where rule = %s", [judged.rule]).rowcount == 1


def test_the_similarity_comes_from_the_static_model_when_none_is_given(db):
    assert 0 < compare(db, "I like tea.", "I like green tea.", None).evidence["similarity"] < 1


def test_nothing_compares_to_nothing(db):
    assert compare(db, None, "text").verdict is None
