"""Made-up notes of one user that say the same facts again and again, with the questions that they answer. The
same seed gives the same notes.

Facts come in families that are alike but for a name and a value ("booking-api listens on port 8080",
"boarding-api listens on port 8090"), which nobody may put together.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_PEOPLE = ("Ada", "Bruno", "Chiyo", "Dmitri", "Elif", "Farah", "Goran", "Hana")
_PARTS = ("booking-api", "boarding-api", "billing-api", "mailer", "search-index", "login-proxy", "exporter")
_TOWNS = ("Lisbon", "Bergen", "Graz", "Leiden", "Porto", "Ghent", "Turku", "Basel")
_PORTS = ("8080", "8090", "5432", "6432", "9200", "3000", "8443")
_DAYS = ("7", "14", "30", "45", "60", "90", "120")
_MEMBERS = ("王芳", "李娜", "张伟", "陈静", "刘洋", "赵敏")
_CITIES = ("杭州", "成都", "南京", "厦门", "西安", "青岛")
_NAMES = ("佐藤", "鈴木", "高橋", "田中", "渡辺", "山本")
_PLACES = ("札幌", "福岡", "京都", "仙台", "金沢", "松山")


@dataclass(frozen=True, slots=True)
class Family:
    """Facts of one form: about whom or what, the values, how they are told, the question, an addition."""

    subjects: tuple[str, ...]
    values: tuple[str, ...]
    told: tuple[str, ...]
    asked: str
    added: str


FAMILIES = {
    "en port": Family(
        _PARTS, _PORTS,
        ("The {s} listens on port {v}.", "the {s} listens on port {v}!", "{s} listens on port {v}.",
         "Port {v} is the port of the {s}."),
        "Which port does the {s} use?",
        "The {s} listens on port {v}. Its port is closed to the outside.",
    ),
    "en logs": Family(
        _PARTS, _DAYS,
        ("Logs of the {s} are kept for {v} days.", "The logs of the {s} are kept for {v} days.",
         "We keep the logs of the {s} for {v} days."),
        "How long are the logs of the {s} kept?",
        "Logs of the {s} are kept for {v} days. They are then moved to cold storage.",
    ),
    "en home": Family(
        _PEOPLE, _TOWNS,
        ("{s} lives in {v}.", "{s} lives in {v}", "{s} is living in {v}.", "{s}'s home is in {v}."),
        "Where does {s} live?",
        "{s} lives in {v}, near the river.",
    ),
    "en allergy": Family(
        _PEOPLE, ("peanuts", "shellfish", "penicillin", "pollen", "soy", "latex", "kiwi", "sesame"),
        ("{s} is allergic to {v}.", "{s} is allergic to {v}!", "{s} has an allergy to {v}."),
        "What is {s} allergic to?",
        "{s} is allergic to {v}. The reaction is severe.",
    ),
    "en meeting": Family(
        _PARTS, ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        ("The {s} team meets every {v}.", "Every {v} the {s} team meets.",
         "The {s} team has its meeting every {v}."),
        "When does the {s} team meet?",
        "The {s} team meets every {v}. The meeting is in the small room.",
    ),
    "zh home": Family(
        _MEMBERS, _CITIES,
        ("{s}住在{v}。", "{s}住在{v}", "{s}现在住在{v}。"),
        "{s}住在哪里？",
        "{s}住在{v}，离公司很近。",
    ),
    "ja home": Family(
        _NAMES, _PLACES,
        ("{s}さんは{v}に住んでいます。", "{s}さんは{v}に住んでいる。", "{s}さんの家は{v}にあります。"),
        "{s}さんはどこに住んでいますか？",
        "{s}さんは{v}に住んでいます。駅の近くです。",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: its family, what it is about, its value, the notes that tell it and a question for it."""

    family: str
    subject: str
    value: str
    notes: tuple[str, ...]
    question: str


def facts(seed: int) -> Iterator[Fact]:
    """One fact for each subject of each family, told once to four times, and often with something added."""
    source = random.Random(seed)
    for name, family in FAMILIES.items():
        values = source.sample(family.values, len(family.values))
        for subject, value in zip(family.subjects, values, strict=False):
            told = source.sample(family.told, source.randint(1, len(family.told)))
            if source.random() < 0.4:
                told.append(family.added)
            notes = tuple(text.format(s=subject, v=value) for text in told)
            yield Fact(name, subject, value, notes, family.asked.format(s=subject))
