from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from helpers import Db, at_once, call, contents, error_of, recall, remember, search, value

UNKNOWN = 9_000_000_000


def get(db: Db, memory_id: int, user: str) -> Any:
    return call(db, "get", memory_id=memory_id, user_id=user)[0]


def of_another(db: Db, user: str) -> int:
    return int(remember(db, "somebody else's secret", user_id=f"{user}-other").memory_id)


@pytest.mark.parametrize(
    "act",
    [
        "engram.get(%(id)s, %(user)s)",
        "engram.revise(%(id)s, 'mine now', %(user)s)",
        "engram.forget(%(id)s, %(user)s)",
        "engram.forget(%(id)s, %(user)s, hard => true)",
        "engram.history(%(id)s, %(user)s)",
        "engram.neighbors(%(id)s, user_id => %(user)s)",
        "engram.link(%(id)s, %(mine)s, user_id => %(user)s)",
        "engram.link(%(mine)s, %(id)s, user_id => %(user)s)",
        "engram.unlink(%(id)s, %(mine)s, user_id => %(user)s)",
        "engram.unlink(%(mine)s, %(id)s, user_id => %(user)s)",
        "engram.undo(%(decision)s, %(user)s)",
    ],
)
@pytest.mark.parametrize("whose", ["nobody", "another", "null"])
def test_an_id_that_is_not_this_users_does_not_exist(db: Db, user: str, act: str, whose: str) -> None:
    mine = remember(db, "my own note", user_id=user).memory_id
    other = of_another(db, user)
    decision = value(db, "select decision_id from engram.decision where memory_id = %s", other)
    ids = {"nobody": (UNKNOWN, UNKNOWN), "another": (other, decision), "null": (None, None)}[whose]
    # Without an id, forget() asks for a filter.
    expected = "EG002" if whose == "null" and "forget" in act else "EG004"
    error = error_of(
        db,
        lambda: db.execute(
            f"select * from {act}".encode(), {"id": ids[0], "decision": ids[1], "mine": mine, "user": user}
        ),
    )
    assert error.sqlstate == expected
    assert error.diag.message_hint
    assert get(db, other, f"{user}-other").content == "somebody else's secret"


def test_after_a_revision_the_old_text_is_not_found_and_the_new_one_is(db: Db, user: str) -> None:
    memory = remember(db, "the heron nests by the canal", user_id=user)
    call(db, "revise", memory_id=memory.memory_id, content="Quarterly revenue grew", user_id=user)

    for profile in ("lexical", "balanced", "ebbinghaus", "vector"):
        new = search(db, "Quarterly revenue grew", user_id=user, profile=profile)
        assert contents(new) == ["Quarterly revenue grew"]
    assert search(db, "Quarterly revenue grew", user_id=user, profile="vector")[0].semantic == pytest.approx(
        1, abs=1e-3
    )
    assert search(db, "heron canal", user_id=user, profile="lexical")[0].lexical == 0
    assert search(db, "the heron nests by the canal", user_id=user, profile="vector")[0].semantic < 0.5


def test_a_revision_without_a_vector_of_the_new_text_drops_the_old_vector(db: Db, user: str) -> None:
    db.execute(
        """select engram.register_model('mine', 'caller', 3, floor => 0, link_at => 0.5, relation_at => 0.6,
                                        reinforce_at => 0.99, consolidate_at => 0.8)"""
    )
    db.execute("update engram.embedding_model set active = false")
    db.execute("update engram.embedding_model set active = true where name = 'mine'")
    memory = remember(db, "first text", user_id=user, embedding=[1.0, 0.0, 0.0])
    assert search(db, "zzz", user_id=user, embedding=[1.0, 0.0, 0.0], profile="vector")[0].semantic == 1

    call(db, "revise", memory_id=memory.memory_id, content="second text", user_id=user)
    assert search(db, "zzz", user_id=user, embedding=[1.0, 0.0, 0.0], profile="vector")[0].semantic < 0.5

    call(db, "revise", memory_id=memory.memory_id, content="third", user_id=user, embedding=[0.0, 1.0, 0.0])
    assert search(db, "zzz", user_id=user, embedding=[0.0, 1.0, 0.0], profile="vector")[0].semantic == 1


def test_a_revision_leaves_what_it_does_not_name(db: Db, user: str) -> None:
    before = get(
        db,
        remember(
            db, "x y z", user_id=user, kind="strategy", importance=0.8, collection="work", tags=["a"],
            metadata={"k": 1}, session_id="s", source_type="chat", created_at="2026-01-01Z",
            valid_until="2027-01-01Z",
        ).memory_id,
        user,
    )  # fmt: skip
    call(db, "revise", memory_id=before.memory_id, importance=0.1, user_id=user)
    after = get(db, before.memory_id, user)
    assert after.importance == 0.1
    for column in before._fields:
        if column not in ("importance", "updated_at", "reinforced_at"):
            assert getattr(after, column) == getattr(before, column), column


def test_a_change_of_labels_does_not_embed_again(db: Db, user: str) -> None:
    memory = remember(db, "x y z", user_id=user).memory_id
    place = "select ctid::text from engram.embedding_1 where memory_id = %s"
    before = value(db, place, memory)
    call(db, "revise", memory_id=memory, tags=["a"], metadata={"a": 1}, user_id=user)
    assert value(db, place, memory) == before


@pytest.mark.parametrize(
    ("change", "sqlstate"),
    [
        ({"content": " "}, "EG001"),
        ({"importance": 2.0}, "EG002"),
        ({"kind": "rumour"}, "EG003"),
        ({"metadata": "[]"}, "EG002"),
        ({"valid_from": "2026-02-01Z", "valid_until": "2026-01-01Z"}, "EG002"),
        ({"valid_until": "1999-01-01Z"}, "EG002"),
        ({"collection": ""}, "EG002"),
        ({"embedding": [1.0]}, "EG005"),
    ],
)
def test_a_bad_revision_changes_nothing(db: Db, user: str, change: dict[str, object], sqlstate: str) -> None:
    memory = remember(db, "x y z", user_id=user).memory_id
    before = get(db, memory, user)
    assert (
        error_of(db, lambda: call(db, "revise", memory_id=memory, user_id=user, **change)).sqlstate
        == sqlstate
    )
    assert get(db, memory, user) == before


def test_a_memory_replaced_at_once_can_still_be_revised(db: Db, user: str) -> None:
    old = remember(db, "The API timeout is 30 seconds.", user_id=user)
    remember(db, "The API timeout is 60 seconds.", user_id=user)
    call(db, "revise", memory_id=old.memory_id, tags=["history"], user_id=user)
    assert get(db, old.memory_id, user).tags == ["history"]


def test_revisions_at_the_same_moment_each_keep_what_was_before_them(connect: Any, user: str) -> None:
    db = connect()
    memory = remember(db, "revision zero", user_id=user).memory_id
    rows = at_once(
        [
            partial(call, connect(), "revise", memory_id=memory, content=f"revision {n}", user_id=user)
            for n in range(1, 5)
        ]
    )
    seen = {row.evidence["content"] for (row,) in rows} | {get(db, memory, user).content}
    assert len(seen) == 5
    assert "revision zero" in seen


def test_a_revised_memory_is_recalled_with_its_new_strength(db: Db, user: str) -> None:
    memory = remember(db, "the kettle is blue", user_id=user, importance=0.2).memory_id
    call(db, "revise", memory_id=memory, importance=0.9, user_id=user)
    assert recall(db, "kettle", user_id=user)[0].strength == 0.9
