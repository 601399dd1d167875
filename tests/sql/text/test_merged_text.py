from __future__ import annotations

import re

import pytest
from helpers import Db, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LIMIT = 65536
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

SENTENCES = [
    "The port is 5432.",
    "Backups run at 9.30 on Mondays!",
    "Dr. Okoro approves each release.",
    "Is the cache warm?",
    "Die Messe beginnt am 4. Mai.",
    "La ville dort;",
    "备份保留三十天。",
    "王芳住在苏州！",
    "会費は五百円です。",
]
ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=80)


def merged(db: Db, *texts: str | None, limit: int = LIMIT) -> str | None:
    result: str | None = value(db, "select engram._merged_text(%s::text[], %s)", list(texts), limit)
    return result


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["The port is 5432.", "the port is 5432. The host is db1"], "The port is 5432. The host is db1"),
        (["The port is 5432", "The host is db1."], "The port is 5432. The host is db1."),
        (["备份保留三十天", "备份保留三十天。每周一次"], "备份保留三十天。每周一次"),
        (["- oat milk\n- rye bread", "- rye bread\n- figs"], "- oat milk\n- rye bread\n- figs"),
        (["Ask Bo first; never on Fridays", "never on Fridays"], "Ask Bo first; never on Fridays"),
        (["A first. B second.", "A first. C third."], "A first. C third. B second."),
        # Whose clause it is, and what a pronoun points at, belongs to it.
        (
            ["Ana moved. She likes it.", "Eva moved. She likes it."],
            "Ana moved. She likes it. Eva moved. She likes it.",
        ),
        (["Ana: Paid. It rains.", "Eva: Left. It rains."], "Ana: Paid. It rains. Eva: Left. It rains."),
        # A stop that ends no sentence.
        (["Call Dr. Lund.", "Call Dr. Berg."], "Call Dr. Lund. Call Dr. Berg."),
        (["Start am 4. Mai.", "Ende am 4. Mai."], "Start am 4. Mai. Ende am 4. Mai."),
        (["It runs v1.2.", "It runs v1.3."], "It runs v1.2. It runs v1.3."),
        # A fragment of a clause is not the clause.
        (["The team no longer uses Go.", "uses Go"], "The team no longer uses Go. uses Go"),
        (["Is it open?", "Is it open."], "Is it open? Is it open."),
        (["```\nx\ny\nx\n```", "x"], "```\nx\ny\nx\n```\nx"),
        ([None, "Only this."], "Only this."),
    ],
)
def test_a_merged_text_says_every_clause_once(db: Db, texts: list[str], expected: str) -> None:
    assert merged(db, *texts) == expected


@quick
@given(
    st.lists(
        st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=4
    )
)
def test_merging_keeps_all_clauses_and_repeats_none(db: Db, texts: list[str]) -> None:
    result = merged(db, *texts)
    assert result is not None
    for sentence in SENTENCES:
        assert result.count(sentence) == any(sentence in text for text in texts)


@quick
@given(ANY_TEXT, ANY_TEXT)
def test_merging_again_changes_nothing_and_no_word_is_lost(db: Db, one: str, two: str) -> None:
    result = merged(db, one, two)
    if result is None:
        assert not (one + two).strip(" \t\r\n\u3000\x1e")
        return
    words = set(re.findall(r"[a-zA-Z0-9]+", (one + " " + two).replace("\x1e", " ").lower()))
    assert words <= set(re.findall(r"[a-zA-Z0-9]+", result.lower()))
    assert merged(db, result, result) == merged(db, result)


def test_a_merged_text_that_would_be_too_long_is_null(db: Db) -> None:
    assert merged(db, "One two.", "Three four.", limit=20) == "One two. Three four."
    assert merged(db, "One two.", "Three four.", limit=19) is None
    assert merged(db) is None
