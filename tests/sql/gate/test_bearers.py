"""What a change is about: the value of one thing says nothing of another's."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

quick = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

THINGS = ["guest", "staff", "harbour", "garden", "winter", "parents", "visitors", "chess"]
MOVES = [
    ("The {} fair starts on {a} May.", "The {} fair moved from {a} May to {b} May."),
    ("The {} shuttle leaves at {a}:30.", "The {} shuttle was moved from {a}:30 to {b}:30."),
    ("The {} quota is {a} GB.", "The {} quota was raised from {a} GB to {b} GB."),
    ("The {} limit is {a} requests.", "The {} limit changed from {a} to {b} requests."),
    ("Die {}-Messe beginnt am {a}. Mai.", "Die {}-Messe wurde vom {a}. Mai auf den {b}. Mai verschoben."),
    ("La reunión {} es el {a} de mayo.", "La reunión {} se ha movido del {a} de mayo al {b} de mayo."),
    ("La fête {} est le {a} juin.", "La fête {} est reportée du {a} juin au {b} juin."),
]
CJK_THINGS = ["王芳", "李娜", "赵敏", "孙磊"]
CJK_MOVES = [
    ("{}的工位在{a}楼。", "{}的工位从{a}楼搬到了{b}楼。"),
    ("{}的体检是5月{a}号。", "{}的体检从5月{a}号改到5月{b}号。"),
]
days = st.lists(st.integers(2, 20), min_size=2, max_size=2, unique=True).map(sorted)


def verdict(db: psycopg.Connection[Any], existing: str, incoming: str) -> str:
    row = db.execute("select (engram.compare(%s, %s)).verdict", [existing, incoming]).fetchone()
    assert row is not None
    return str(row[0])


@quick
@given(st.sampled_from(MOVES), st.lists(st.sampled_from(THINGS), min_size=2, max_size=2), days)
def test_a_move_ends_only_what_it_names(
    db: psycopg.Connection[Any], move: tuple[str, str], things: list[str], days: list[int]
) -> None:
    existing, incoming = (
        frame.format(thing, a=days[0], b=days[1]) for frame, thing in zip(move, things, strict=True)
    )
    assert (verdict(db, existing, incoming) == "contradiction") == (things[0] == things[1])


@quick
@given(st.sampled_from(CJK_MOVES), st.lists(st.sampled_from(CJK_THINGS), min_size=2, max_size=2), days)
def test_a_move_ends_only_what_it_names_in_chinese(
    db: psycopg.Connection[Any], move: tuple[str, str], things: list[str], days: list[int]
) -> None:
    existing, incoming = (
        frame.format(thing, a=days[0], b=days[1]) for frame, thing in zip(move, things, strict=True)
    )
    assert (verdict(db, existing, incoming) == "contradiction") == (things[0] == things[1])


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("Anna's desk is on the third floor.", "Paul's desk moved from the third to the fifth floor."),
        ("Dana's laptop runs Ubuntu.", "Ravi's laptop was switched from Ubuntu to Fedora."),
        ("Tenant A's quota is 5 GB.", "Tenant B's quota was raised from 5 GB to 8 GB."),
    ],
)
def test_what_belongs_to_somebody_else_is_not_replaced(
    db: psycopg.Connection[Any], existing: str, incoming: str
) -> None:
    assert verdict(db, existing, incoming) in ("complement", "distinct")


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("The cluster runs in Frankfurt.", "The cluster runs in Dublin, not in Frankfurt."),
        ("Der Server steht in Bonn.", "Der Server steht nicht in Bonn, sondern in Kiel."),
        ("El servidor está en Cádiz.", "El servidor no está en Cádiz, sino en Vigo."),
        ("Le serveur est à Brest.", "Le serveur est à Lille, pas à Brest."),
        ("服务器在上海。", "服务器在杭州，而不是上海。"),
        ("サーバーは大阪にある。", "サーバーは大阪ではなく福岡にある。"),
    ],
)
def test_a_correction_that_denies_what_is_stored_replaces_it(
    db: psycopg.Connection[Any], existing: str, incoming: str
) -> None:
    assert verdict(db, existing, incoming) == "contradiction"


SENTENCES = [
    "The billing service runs in Oslo.",
    "The mail service runs in Oslo.",
    "The search service runs in Oslo.",
    "备份保留三十天。",
    "会費は五百円です。",
    "Die Frist beträgt zehn Tage.",
    "Le délai est de dix jours.",
]


@quick
@given(st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=5, unique=True), st.data())
def test_a_text_with_a_sentence_more_is_never_a_duplicate(
    db: psycopg.Connection[Any], sentences: list[str], data: st.DataObject
) -> None:
    left_out = data.draw(st.sampled_from(sentences))
    less = " ".join(sentence for sentence in sentences if sentence != left_out)
    assert verdict(db, less, " ".join(sentences)) != "duplicate"


@quick
@given(st.permutations(SENTENCES[:4]), st.permutations(SENTENCES[:4]))
def test_the_same_sentences_in_another_order_are_a_duplicate_both_ways(
    db: psycopg.Connection[Any], one: list[str], two: list[str]
) -> None:
    texts = " ".join(one), " ".join(two)
    assert verdict(db, *texts) == verdict(db, *reversed(texts)) == "duplicate"


@pytest.mark.parametrize(
    ("existing", "incoming", "expected"),
    [
        ("The invoice has not been submitted.", "The invoice was submitted this morning.", "contradiction"),
        ("Write dates in long form.", "Write dates in short form from now on.", "contradiction"),
        ("My boss is Ada.", "My new boss is Bo.", "contradiction"),
        ("Mi jefa es Ada.", "Mi nuevo jefe es Bo.", "contradiction"),
        ("Mein Zahnarzt ist Dr. Kern.", "Mein neuer Zahnarzt ist Dr. Blum.", "contradiction"),
        ("电话组组长是何敏。", "何敏离职了，电话组组长现在是丁浩。", "contradiction"),
        ("昼食にパンを食べる。", "昼食はご飯に変えた。", "contradiction"),
        ("The choir has eighty-four members.", "The choir has 84 members.", "duplicate"),
        ("El coro tiene treinta y dos voces.", "El coro tiene 32 voces.", "duplicate"),
        ("Der Chor hat vierundachtzig Mitglieder.", "Der Chor hat 84 Mitglieder.", "duplicate"),
    ],
)
def test_changes_are_heard_in_the_words_people_use(
    db: psycopg.Connection[Any], existing: str, incoming: str, expected: str
) -> None:
    assert verdict(db, existing, incoming) == expected
