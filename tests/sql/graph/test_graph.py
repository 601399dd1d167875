from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from helpers import Db, call, configure, contents, error_of, recall, remember, remember_many, value


def notes(db: Db, user: str, count: int) -> list[int]:
    rows = remember_many(
        db, [{"content": f"node {chr(97 + n)}{n}"} for n in range(count)], user_id=user, policy="append"
    )
    return [row.memory_id for row in rows]


def link(db: Db, user: str, src: int, dst: int, weight: float = 1.0, relation: str = "related") -> None:
    call(db, "link", src=src, dst=dst, weight=weight, relation=relation, user_id=user)


def around(db: Db, user: str, memory_id: int, depth: int = 1) -> dict[int, tuple[int, float]]:
    rows = call(db, "neighbors", memory_id=memory_id, depth=depth, user_id=user)
    assert len({row.memory_id for row in rows}) == len(rows)
    return {row.memory_id: (row.hops, round(row.path_weight, 6)) for row in rows}


def edges(db: Db, user: str, relation: str) -> list[Any]:
    return db.execute(
        "select src, dst, weight from engram.edge where space_id = engram.space_id(%s) and relation = %s"
        " order by src, dst",
        [user, relation],
    ).fetchall()


def test_a_new_memory_is_linked_to_its_five_nearest(db: Db, user: str) -> None:
    animals = ["cat", "dog", "horse", "sheep", "goat", "hen", "duck", "goose"]
    for animal in animals:
        remember(db, f"The {animal} on the farm was fed at noon by {animal} keeper", user_id=user)
    last = remember(db, "The donkey on the farm was fed at noon by donkey keeper", user_id=user)

    linked = [edge for edge in edges(db, user, "similar") if edge.src == last.memory_id]
    nearest = db.execute(
        """select o.memory_id from engram.embedding_1 o, engram.embedding_1 n
            where n.memory_id = %s and o.memory_id < n.memory_id and o.space_id = n.space_id
            order by o.embedding <=> n.embedding limit 5""",
        [last.memory_id],
    ).fetchall()
    assert {edge.dst for edge in linked} == {row.memory_id for row in nearest}
    assert all(0.45 <= edge.weight <= 1 for edge in linked)


def test_memories_far_in_meaning_are_not_linked(db: Db, user: str) -> None:
    remember(db, "Lena likes jasmine tea", user_id=user)
    remember(db, "port 9090 serves metrics", user_id=user)
    assert edges(db, user, "similar") == []


@pytest.mark.parametrize("policy", ["resolve", "append"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_the_memories_of_a_session_follow_one_another_in_time(
    db: Db, user: str, policy: str, order: tuple[int, ...]
) -> None:
    turns = {
        n: remember(
            db, ["hello there", "port 9090", "Lena likes tea", "see you"][n], user_id=user, session_id="s",
            created_at=f"2026-01-01 10:0{n}Z", policy=policy,
        ).memory_id
        for n in order
    }  # fmt: skip
    remember(db, "of another session", user_id=user, session_id="t", created_at="2026-01-01 10:01Z")
    assert {(edge.src, edge.dst) for edge in edges(db, user, "next")} == set(
        pairwise(turns[n] for n in range(4))
    )


def test_a_memory_is_met_once_at_its_fewest_hops_by_the_best_path(db: Db, user: str) -> None:
    a, b, c, d = notes(db, user, 4)
    link(db, user, a, b, 0.9)
    link(db, user, c, a, 0.5)
    link(db, user, b, d, 0.5)
    link(db, user, d, c, 0.8)
    assert around(db, user, a) == {b: (1, 0.9), c: (1, 0.5)}
    assert around(db, user, a, 2) == {b: (1, 0.9), c: (1, 0.5), d: (2, 0.45)}


def test_a_cycle_ends(db: Db, user: str) -> None:
    ring = notes(db, user, 4)
    for src, dst in pairwise([*ring, ring[0]]):
        link(db, user, src, dst, 0.5)
    assert around(db, user, ring[0], 5) == {ring[1]: (1, 0.5), ring[3]: (1, 0.5), ring[2]: (2, 0.25)}


def test_from_a_hub_only_the_strongest_edges_are_followed(db: Db, user: str) -> None:
    hub, *spokes = notes(db, user, 60)
    for n, spoke in enumerate(spokes, 1):
        link(db, user, hub, spoke, n / 100)
    assert set(around(db, user, hub)) == set(spokes[-10:])
    assert len(around(db, user, spokes[-1], 5)) == 10

    configure(db, "recall.fan_out", "3")
    assert set(around(db, user, hub)) == set(spokes[-3:])


def test_recall_lifts_what_the_best_hits_are_linked_to(db: Db, user: str) -> None:
    best = remember(db, "the database migration failed on Monday", user_id=user).memory_id
    for n in range(6):
        remember(db, f"a database migration of table {n}", user_id=user, policy="append")
    remote = remember(db, "Lena forgot the index", user_id=user).memory_id
    plain = {hit.memory_id: hit for hit in recall(db, "the migration failed on Monday", user_id=user)}
    link(db, user, best, remote, 1, "caused_by")
    lifted = {hit.memory_id: hit for hit in recall(db, "the migration failed on Monday", user_id=user)}

    assert plain[remote].graph == 0
    assert lifted[remote].graph > 0
    assert "graph" in lifted[remote].legs


def test_the_order_of_a_session_is_no_neighbourhood(db: Db, user: str) -> None:
    one = remember(db, "Lena likes tea", user_id=user, session_id="s").memory_id
    remember(db, "port 9090", user_id=user, session_id="s")
    assert around(db, user, one, 2) == {}


def test_a_second_link_sets_the_weight(db: Db, user: str) -> None:
    a, b = notes(db, user, 2)
    link(db, user, a, b, 0.2)
    link(db, user, a, b, 0.7)
    assert [edge.weight for edge in edges(db, user, "related")] == [0.7]


def test_unlink_removes_one_relation_or_all_of_one_direction(db: Db, user: str) -> None:
    a, b = notes(db, user, 2)
    for relation in ("likes", "knows", "owes"):
        link(db, user, a, b, relation=relation)
        link(db, user, b, a, relation=relation)

    def unlink(**arguments: object) -> int:
        return call(db, "unlink", src=a, dst=b, user_id=user, **arguments)[0].unlink

    assert [unlink(relation="likes"), unlink(relation="likes"), unlink(), unlink()] == [1, 0, 2, 0]
    assert around(db, user, a) == {b: (1, 1)}
    assert value(db, "select count(*) from engram.edge where space_id = engram.space_id(%s)", user) == 3


@pytest.mark.parametrize("weight", [0, -0.5, 1.01, float("nan"), None])
def test_a_weight_out_of_range_is_refused(db: Db, user: str, weight: float | None) -> None:
    a, b = notes(db, user, 2)
    error = error_of(db, lambda: call(db, "link", src=a, dst=b, weight=weight, user_id=user))
    assert error.sqlstate == "EG002"


@pytest.mark.parametrize("relation", ["", "  ", "r" * 1001, None])
def test_a_relation_needs_a_name(db: Db, user: str, relation: str | None) -> None:
    a, b = notes(db, user, 2)
    error = error_of(db, lambda: call(db, "link", src=a, dst=b, relation=relation, user_id=user))
    assert error.sqlstate == "EG002"


def test_a_memory_is_not_linked_to_itself(db: Db, user: str) -> None:
    (a,) = notes(db, user, 1)
    assert error_of(db, lambda: link(db, user, a, a)).sqlstate == "EG002"


@pytest.mark.parametrize("depth", [0, -1, 6, None])
def test_a_depth_out_of_range_is_refused(db: Db, user: str, depth: int | None) -> None:
    (a,) = notes(db, user, 1)
    error = error_of(db, lambda: call(db, "neighbors", memory_id=a, depth=depth, user_id=user))
    assert error.sqlstate == "EG002"


def test_what_is_forgotten_is_no_neighbour(db: Db, user: str) -> None:
    a, b, c = notes(db, user, 3)
    link(db, user, a, b, 0.5)
    link(db, user, a, c, 0.5)
    call(db, "forget", memory_id=b, user_id=user)
    assert set(around(db, user, a)) == {c}
    assert "node b1" not in contents(recall(db, "node", user_id=user))
