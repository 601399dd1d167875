from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, call, error_of, remember, search
from psycopg.types.json import Jsonb

PORT = {
    "type": "memory", "id": "1", "content": "The staging port is 6432.", "created_at": "2025-03-01T00:00:00Z",
    "reinforced_at": "2025-04-01T00:00:00Z", "recalls": 3, "last_recalled_at": "2025-05-01T00:00:00Z",
}  # fmt: skip
TEA = {
    "type": "memory",
    "id": "2",
    "content": "Kenta drinks green tea.",
    "importance": 0.9,
    "kind": "strategy",
}
EDGE = {"type": "edge", "src": "2", "dst": "1", "relation": "similar", "weight": 0.4}


def adopt(db: Db, user: str, *entries: dict[str, Any], source: str = "elsewhere") -> dict[str, Any]:
    return call(db, "adopt", "adopted", entries=Jsonb(list(entries)), source=source, user_id=user)[0].adopted


def stored(db: Db, user: str) -> list[Any]:
    return db.execute(
        "select m.*, s.recalls, s.last_recalled_at from engram.memory m"
        " left join engram.memory_stat s using (space_id, memory_id)"
        " where space_id = engram.space_id(%s) order by memory_id",
        [user],
    ).fetchall()


def test_memories_and_their_edges_are_taken_over_once(db: Db, user: str) -> None:
    assert adopt(db, user, PORT, TEA, EDGE)["counts"] == {"new": 2, "edge": 1}
    first = stored(db, user)
    assert adopt(db, user, PORT, TEA, EDGE)["counts"] == {"known": 2, "known_edge": 1}
    assert stored(db, user) == first
    port, tea = first
    assert (port.recalls, str(port.reinforced_at)[:10], str(port.last_recalled_at)[:10]) == (
        3, "2025-04-01", "2025-05-01",
    )  # fmt: skip
    assert (tea.importance, tea.kind, tea.recalls) == (0.9, "strategy", None)
    assert {hit.content for hit in search(db, "green tea", user_id=user)} >= {TEA["content"]}


def test_the_same_text_is_one_memory_that_keeps_both_counts(db: Db, user: str) -> None:
    remember(db, "The staging port is 6432.", user_id=user)
    twin = {**PORT, "id": "9"}
    assert adopt(db, user, PORT, twin, {**EDGE, "src": "9"})["counts"] == {"same_text": 2, "known_edge": 1}
    [port] = stored(db, user)
    assert port.recalls == 6


def test_sources_and_users_have_numbers_of_their_own(db: Db, user: str) -> None:
    other = {**PORT, "content": "The billing port is 7777."}
    assert adopt(db, user, PORT)["counts"] == {"new": 1}
    assert adopt(db, user, other, source="another")["counts"] == {"new": 1}
    assert adopt(db, user + "-b", PORT)["counts"] == {"new": 1}
    assert adopt(db, user + "-b", EDGE)["counts"] == {"edge_without_memory": 1}


def test_a_text_that_changed_there_is_revised_and_can_be_undone(db: Db, user: str) -> None:
    adopt(db, user, PORT)
    newer = {**PORT, "content": "The staging port is 7432."}
    assert adopt(db, user, newer)["counts"] == {"revised": 1}
    assert [row.content for row in stored(db, user)] == [newer["content"]]
    assert adopt(db, user, newer)["counts"] == {"known": 1}
    [row] = stored(db, user)
    [revision] = [
        entry
        for entry in call(db, "history", memory_id=row.memory_id, user_id=user)
        if entry.action == "revise"
    ]
    call(db, "undo", decision_id=revision.decision_id, user_id=user)
    assert [row.content for row in stored(db, user)] == [PORT["content"]]


def test_a_text_that_changed_on_both_sides_is_a_conflict_and_stays(db: Db, user: str) -> None:
    adopt(db, user, PORT, TEA)
    port, tea = stored(db, user)
    call(db, "revise", memory_id=port.memory_id, content="The port is secret.", user_id=user)
    call(db, "forget", memory_id=tea.memory_id, user_id=user)
    first = stored(db, user)
    changed = [{**entry, "content": entry["content"] + " Really."} for entry in (PORT, TEA)]
    assert adopt(db, user, *changed) == {"counts": {"conflict": 2}, "conflicts": ["1", "2"]}
    assert stored(db, user) == first


def test_what_is_erased_leaves_no_trace_of_where_it_came_from(db: Db, user: str) -> None:
    adopt(db, user, PORT)
    call(db, "forget", memory_id=stored(db, user)[0].memory_id, user_id=user, hard=True)
    [row] = db.execute("select count(*) from engram.origin where space_id = engram.space_id(%s)", [user])
    assert row.count == 0


@pytest.mark.parametrize(
    ("entry", "code", "message"),
    [
        ({"type": "rumour"}, "EG002", "neither a memory with an id nor an edge"),
        ({**PORT, "id": None}, "EG002", "neither a memory"),
        ({**PORT, "id": "x" * 1001}, "EG002", "neither a memory"),
        ({**PORT, "content": " "}, "EG001", "content is empty"),
        ({**PORT, "kind": "rumour"}, "EG003", "rumour"),
        ({**PORT, "contnet": "x"}, "EG002", "contnet"),
        ({**PORT, "recalls": "many"}, "EG002", "many"),
        ({**PORT, "reinforced_at": "-infinity"}, "EG002", "years 1 to 9999"),
        ({**EDGE, "weight": 0}, "EG002", "weight"),
        ({**EDGE, "relation": ""}, "EG002", "relation"),
    ],
)
def test_a_bad_entry_is_named_and_undoes_the_call(
    db: Db, user: str, entry: dict[str, Any], code: str, message: str
) -> None:
    error = error_of(db, lambda: adopt(db, user, TEA, entry))
    assert error.sqlstate == code
    assert str(error).startswith("entry 2: ")
    assert message in str(error)
    assert stored(db, user) == []
