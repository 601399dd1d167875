from __future__ import annotations

import pytest
from helpers import Db, configure, error_of, value

EFFECTIVE = "select coalesce(value, default_value) from engram.setting where name = %s"


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("recall.seeds", "many"),
        ("recall.seeds", "-1"),
        ("recall.seeds", "NaN"),
        ("handoff.asked", "(unclosed"),
        ("handoff.doing_fr", "(unclosed"),
        ("handoff.articles", "(unclosed"),
        ("consolidate.left_alone", "notes/\\"),
        ("tenancy", "required"),
        ("installed.functions", None),
        ("static_model.version", "9"),
        ("gate.lexicon", "1"),
    ],
)
def test_what_would_break_a_function_or_the_installation_cannot_be_set(
    db: Db, name: str, setting: str | None
) -> None:
    before = value(db, EFFECTIVE, name)
    error = error_of(db, lambda: configure(db, name, setting))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint
    assert value(db, EFFECTIVE, name) == before


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("recall.seeds", "7"),
        ("handoff.asked", "left off|继续"),
        ("consolidate.left_alone", "notes/%"),
        ("consolidate.apart_by", ""),
    ],
)
def test_a_setting_holds_until_it_is_taken_back(db: Db, name: str, setting: str) -> None:
    shipped = value(db, EFFECTIVE, name)
    configure(db, name, setting)
    assert value(db, EFFECTIVE, name) == setting
    configure(db, name, None)
    assert value(db, EFFECTIVE, name) == shipped


def test_a_setting_that_does_not_exist_is_an_error(db: Db) -> None:
    assert error_of(db, lambda: configure(db, "recall.seed", "7")).sqlstate == "EG003"
