"""What the gate read out of a memory is kept, and read anew where it no longer holds."""

from __future__ import annotations

import pytest
from helpers import Db, call, remember, value

OLD, NEW = "The API timeout is 30 seconds.", "The API timeout is 60 seconds."


def stored(db: Db, user: str) -> dict[str, list[str]]:
    return dict(
        db.execute(
            """select m.content, (c.claims).tokens
                 from engram.memory_claims c join engram.memory m using (space_id, memory_id)
                where c.space_id = engram.space_id(%s)""",
            [user],
        ).fetchall()
    )


def lexicon(db: Db) -> int:
    return int(value(db, "select engram._setting_number('gate.lexicon')"))


def test_what_was_read_is_kept_with_the_memory(db: Db, user: str) -> None:
    remember(db, OLD, user_id=user)
    assert stored(db, user) == {OLD: ["w:api", "w:timeout", "n:30~s"]}


def test_an_appended_memory_is_read_when_it_is_first_a_candidate(db: Db, user: str) -> None:
    old = remember(db, OLD, user_id=user, policy="append")
    assert stored(db, user) == {}

    new = remember(db, NEW, user_id=user)

    assert (new.action, new.related_id) == ("replace", old.memory_id)
    assert set(stored(db, user)) == {OLD, NEW}


def test_maintain_reads_what_came_in_past_the_gate(db: Db, user: str) -> None:
    remember(db, OLD, user_id=user, policy="append")
    db.execute("call engram.maintain(array['read'])")
    assert stored(db, user) == {OLD: ["w:api", "w:timeout", "n:30~s"]}

    db.execute("insert into engram.polarity_term values ('en', 'gizmo', 'synonym', 'widget')")
    gone = remember(db, "The gizmo hums.", user_id=user, policy="append").memory_id
    db.execute("update engram.memory set state = 'archived' where memory_id = %s", [gone])
    rows = "select last_rows from engram.job_status where job = 'read'"
    db.execute("call engram.maintain(array['read'])")
    assert value(db, rows) == 1  # by the new lexicon; what is archived is no candidate
    db.execute("call engram.maintain(array['read'])")
    assert value(db, rows) == 0


def test_they_are_read_in_steps_over_all_spaces(db: Db) -> None:
    db.execute("select engram.configure('maintain.batch', '2')")
    for n in range(3):
        for m in range(n + 1):
            remember(db, f"note {m} of {n}", user_id=f"reader {n}", policy="append")
    db.execute("call engram.maintain(array['read'])")
    assert value(db, "select count(*) from engram.memory_claims") == 6


def test_they_are_read_for_every_tenant(db: Db) -> None:
    for tenant in ("acme", "globex"):
        db.execute("select set_config('engram.tenant', %s, true)", [tenant])
        remember(db, OLD, policy="append")
    db.execute("call engram.maintain(array['read'])")
    assert value(db, "select last_rows from engram.job_status where job = 'read'") == 2
    assert value(db, "select count(distinct tenant_id) from engram.memory_claims") == 2


def test_a_change_of_the_lexicon_counts_for_what_is_remembered_already(db: Db, user: str) -> None:
    memory = remember(db, "The gizmo hums at night.", user_id=user)
    before = lexicon(db)
    for term in ("gizmo", "widget"):
        db.execute("insert into engram.polarity_term values ('en', %s, 'synonym', 'gizmo')", [term])
    assert lexicon(db) > before

    again = remember(db, "The widget hums at night.", user_id=user)

    assert (again.action, again.memory_id) == ("reinforce", memory.memory_id)


def test_a_revised_memory_is_read_anew(db: Db, user: str) -> None:
    old = remember(db, "The API timeout is 10 apples.", user_id=user)
    call(db, "revise", memory_id=old.memory_id, content=OLD, user_id=user)

    new = remember(db, NEW, user_id=user)

    assert (new.action, new.related_id) == ("replace", old.memory_id)


def test_nothing_of_an_erased_memory_stays(db: Db, user: str) -> None:
    memory = remember(db, OLD, user_id=user)
    call(db, "forget", memory_id=memory.memory_id, user_id=user, hard=True)
    assert stored(db, user) == {}


@pytest.mark.parametrize(
    ("one", "other", "action"),
    [
        ("Omar: I live in Lyon.", "Omar: I moved to Ghent.", "replace"),
        ("Omar: I live in Lyon.", "Lena: I moved to Ghent.", "new"),
        (
            "[9:05, 2 May 2031] Omar: I live in Lyon.",
            "[9:15, 3 June 2031] Omar: I moved to Ghent.",
            "replace",
        ),
        ("[9:05, 2 May 2031] Omar: I live in Lyon.", "[9:15, 3 June 2031] Lena: I moved to Ghent.", "new"),
        ("[9:05, 2 May 2031] Omar: Thanks, Lena!", "[9:15, 3 June 2031] Omar: Thanks a lot!", "new"),
        ("[9:05, 2 May 2031] Omar: I ran a race.", "[9:15, 3 June 2031] Omar: I ran a race!", "new"),
        ("I live in Lyon.", "Do you live in Ghent now?", "new"),
        ("Metrics: on port 8080", "Metrics: on port 8090", "replace"),
    ],
)
def test_a_turn_speaks_for_its_teller(db: Db, user: str, one: str, other: str, action: str) -> None:
    remember(db, one, user_id=user)
    assert remember(db, other, user_id=user).action == action


def test_the_speaker_of_the_metadata_is_the_teller(db: Db, user: str) -> None:
    old = remember(db, "I live in Lyon.", user_id=user, metadata={"speaker": "Omar"})
    assert remember(db, "I moved to Ghent.", user_id=user, metadata={"speaker": "Lena"}).action == "new"
    moved = remember(db, "I moved to Cork.", user_id=user, metadata={"speaker": "omar"})
    assert (moved.action, moved.related_id) == ("replace", old.memory_id)


def test_of_two_changes_in_a_row_each_replaces_the_one_before(db: Db, user: str) -> None:
    texts = [
        f"The report is {when}." for when in ("due on 3 March", "now due on 2 April", "now due on 10 April")
    ]
    assert [remember(db, text, user_id=user).action for text in texts] == ["new", "replace", "replace"]
