"""Whatever happens to memories, in whatever order: no vector and no place in the queue is left behind, and
none is missing.
"""

from __future__ import annotations

import psycopg
import pytest
from helpers import Db, call, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from queues import MODEL, claim, complete, drain, loose_ends, register

TEXTS = (
    "the roof leaks",
    "the rain stopped",
    "the API timeout is 30 seconds",
    "the API timeout is 60 seconds",
)

STEPS = st.one_of(
    st.tuples(st.just("remember"), st.sampled_from(TEXTS)),
    st.tuples(st.just("append"), st.sampled_from(TEXTS)),
    st.tuples(st.just("revise"), st.sampled_from(TEXTS)),
    *(st.just((step, "")) for step in ("claim", "complete", "fill", "soft", "hard", "undo", "switch")),
)


class Life:
    """A user whose memories come, change and go."""

    def __init__(self, db: Db, user: str) -> None:
        self.db, self.user = db, user
        self.claims: list[object] = []
        self.switched = False

    def newest(self) -> int | None:
        query = "select max(memory_id) from engram.memory where space_id = engram.space_id(%s)"
        return value(self.db, query, self.user)  # type: ignore[no-any-return]

    def take(self, step: str, text: str) -> None:
        db, newest = self.db, self.newest()
        match step:
            case "remember" | "append":
                policy = "resolve" if step == "remember" else "append"
                remember(db, text, user_id=self.user, policy=policy)
            case "claim":
                self.claims += claim(db)
            case "complete":
                complete(db, self.claims)
                self.claims = []
            case "fill":
                drain(db)
            case "switch":
                self.switched = not self.switched
                call(db, "activate_model", name=MODEL if self.switched else "static", force=True)
            case "undo":
                self.undo()
            case _ if newest is None:
                return
            case "revise":
                call(db, "revise", memory_id=newest, content=text, user_id=self.user)
            case "soft" | "hard":
                call(db, "forget", memory_id=newest, user_id=self.user, hard=step == "hard")

    def undo(self) -> None:
        last = value(
            self.db,
            "select max(decision_id) from engram.decision"
            " where space_id = engram.space_id(%s) and undone_at is null",
            self.user,
        )
        try:
            with self.db.transaction():
                call(self.db, "undo", decision_id=last, user_id=self.user)
        except psycopg.Error as error:
            if error.sqlstate not in ("EG004", "EG007"):  # what cannot be undone is refused
                raise


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=3, max_size=14))
def test_every_memory_has_a_vector_of_its_text_or_a_place_in_the_queue(
    db: Db, user: str, steps: list[tuple[str, str]]
) -> None:
    with db.transaction(force_rollback=True):
        model, life = register(db), Life(db, user)
        for step, text in steps:
            life.take(step, text)
            assert loose_ends(db, model) == [], f"after {step}"


@pytest.mark.parametrize("embedded", [False, True])
def test_truncate_takes_vectors_and_queue_along(db: Db, user: str, embedded: bool) -> None:
    model = register(db)
    remember(db, "the roof leaks", user_id=user)
    if embedded:
        complete(db, claim(db))
    db.execute("truncate engram.memory cascade")
    for table in (f"embedding_{model}", "embedding_job", "lexeme_key", "edge"):
        assert value(db, f"select count(*) from engram.{table}") == 0


@pytest.mark.parametrize("embedded", [False, True])
def test_a_delete_by_sql_takes_vectors_and_queue_along(db: Db, user: str, embedded: bool) -> None:
    model = register(db)
    remember(db, "the roof leaks", user_id=user)
    if embedded:
        complete(db, claim(db))
    db.execute("delete from engram.memory")
    for table in (f"embedding_{model}", "embedding_1", "embedding_job", "lexeme_key"):
        assert value(db, f"select count(*) from engram.{table}") == 0
