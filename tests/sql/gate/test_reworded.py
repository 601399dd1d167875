"""Repeats in other words, quantities said in words, and what a word of ending is about."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

Db = psycopg.Connection[Any]


def compare(db: Db, existing: str, incoming: str) -> Any:
    return db.execute("select * from engram.compare(%s, %s)", [existing, incoming]).fetchone()


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("The ride takes three quarters of an hour.", "The ride takes 45 minutes."),
        ("The talk lasts an hour and a half.", "The talk lasts 90 minutes."),
        ("The shop opens at half past seven.", "The shop opens at 7:30."),
        ("The bus leaves at twenty to seven.", "The bus leaves at 6:40."),
        ("The pool closes at 5:30 pm.", "The pool closes at 17:30."),
        ("The dose is 50 micrograms.", "The dose is 0.05 mg."),
        ("The disk has 2048 MB.", "The disk has 2 GB."),
        ("Retention is two weeks.", "Retention is 14 days."),
        ("首付是120万。", "首付是一百二十万。"),
        ("会议要一个半小时。", "会议要90分钟。"),
        ("会議は一時間半です。", "会議は90分です。"),
        ("El gimnasio cierra a las diez de la noche.", "El gimnasio cierra a las 22:00."),
        ("Der Film beginnt um halb acht.", "Der Film beginnt um 7:30."),
        ("Le train part à 8h30.", "Le train part à 8:30."),
    ],
)
def test_a_quantity_is_the_same_however_it_is_written(db: Db, existing: str, incoming: str) -> None:
    assert compare(db, existing, incoming).verdict == "duplicate"
    assert compare(db, incoming, existing).verdict == "duplicate"


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("The ride takes three quarters of an hour.", "The ride takes a quarter of an hour."),
        ("The dose is 50 micrograms.", "The dose is 50 mg."),
        ("会议要一个半小时。", "会议要半小时。"),
    ],
)
def test_another_quantity_is_no_repeat(db: Db, existing: str, incoming: str) -> None:
    assert compare(db, existing, incoming).verdict == "contradiction"


@pytest.mark.parametrize(
    ("existing", "incoming", "verdict"),
    [
        ("I play the cello.", "I gave up the cello.", "contradiction"),
        ("Martha Quill is our chair.", "Martha Quill gave up smoking.", "keep"),
        ("The book fair is in May.", "The book fair has been called off.", "contradiction"),
        ("The book fair is in May.", "The catering of the fair's cafe was cancelled by Otto.", "keep"),
        ("Our dog is called Pixel.", "Our dog no longer barks.", "keep"),
        ("我每天晚上吃一片褪黑素。", "我不吃褪黑素了。", "contradiction"),
        ("我弟弟打鼓。", "我弟弟戒糖了。", "keep"),
        ("町の祭りは8月に開かれる。", "町の祭りは中止になった。", "contradiction"),
        ("弟はドラムを叩きます。", "弟は甘い物をやめました。", "keep"),
        ("Ich trinke Bier.", "Ich trinke kein Bier mehr.", "contradiction"),
        ("Notre chien s'appelle Pixel.", "Notre chien n'aboie plus.", "keep"),
        ("Fumo en la terraza.", "Ya no fumo en la terraza.", "contradiction"),
    ],
)
def test_giving_up_ends_only_what_it_is_about(db: Db, existing: str, incoming: str, verdict: str) -> None:
    assert (compare(db, existing, incoming).verdict == "contradiction") == (verdict == "contradiction")


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("My rent is 1,250 euros a month.", "I pay €1250 rent each month."),
        ("Don't deploy on Fridays.", "Never ship to production on a Friday."),
        ("We pay our suppliers within 30 days.", "Suppliers get their money from us in 30 days at most."),
        ("数据库每晚两点备份。", "每天凌晨2点备份数据库。"),
    ],
)
def test_a_repeat_in_other_words_is_found(db: Db, existing: str, incoming: str) -> None:
    assert compare(db, existing, incoming).rule == "reworded"


NAMES = ["Anna", "Hanna", "Ravi", "Helen", "Mike", "Yusra", "Lisbon", "Kafka"]


@pytest.mark.parametrize("one", NAMES)
@pytest.mark.parametrize("other", NAMES)
def test_other_words_with_another_name_are_no_repeat(db: Db, one: str, other: str) -> None:
    if one != other:
        existing = f"{one} presents the yearly budget to the board on 4 May at 10:00."
        incoming = f"On 4 May at 10:00 the yearly budget is what {other} shows to the board."
        assert compare(db, existing, incoming).verdict != "duplicate"


def test_the_weights_of_a_repeat_are_rows(db: Db) -> None:
    existing, incoming = "Don't deploy on Fridays.", "Never ship to production on a Friday."
    assert compare(db, existing, incoming).verdict == "duplicate"
    db.execute("update engram.gate_weight set weight = -50 where feature = 'bias'")
    assert compare(db, existing, incoming).verdict != "duplicate"


OFFICES = ["CEO", "CFO", "CTO", "COO", "treasurer", "secretary", "mayor"]


@pytest.mark.parametrize("one", OFFICES)
@pytest.mark.parametrize("other", OFFICES)
def test_what_is_said_of_one_office_is_not_said_of_another(db: Db, one: str, other: str) -> None:
    verdict = compare(db, f"Our {one} speaks Italian.", f"Our {other} can speak Italian.").verdict
    assert (verdict == "duplicate") == (one == other)


@pytest.mark.parametrize("office", OFFICES)
def test_an_office_has_one_holder(db: Db, office: str) -> None:
    assert (
        compare(db, f"Our {office} is Martha Quill.", f"Our {office} is Ben Arden.").verdict
        == "contradiction"
    )


def test_one_attribute_is_no_rewording_of_another(db: Db) -> None:
    assert compare(db, "我住在杭州西湖区。", "我在杭州西湖区上班。").verdict != "duplicate"


@pytest.mark.parametrize(
    ("existing", "incoming"),
    [
        ("私はお酒を飲みません。", "お酒は一切飲まない。"),
        ("他每天喝茶。", "他每天一定喝茶。"),
        ("El servidor se reinicia a las 3:00.", "El servidor se reinicia a las tres de la madrugada."),
    ],
)
def test_a_figure_inside_a_word_is_no_number(db: Db, existing: str, incoming: str) -> None:
    assert compare(db, existing, incoming).verdict == "duplicate"
    assert compare(db, incoming, existing).verdict == "duplicate"


@pytest.mark.parametrize(
    "way", ["I prefer {} to {}.", "Anna prefers {} over {}.", "Here we prefer {} to {}."]
)
def test_what_is_preferred_to_what_is_no_list(db: Db, way: str) -> None:
    for one, other in [("trains", "planes"), ("tea", "black coffee"), ("Python", "Ruby")]:
        assert compare(db, way.format(one, other), way.format(other, one)).rule == "roles_reversed"
        assert compare(db, way.format(one, other), way.format(one, other).lower()).verdict == "duplicate"
    assert compare(db, "I prefer tea and coffee.", "I prefer coffee and tea.").verdict == "duplicate"
