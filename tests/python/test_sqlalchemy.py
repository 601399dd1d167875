"""The memory in a session of SQLAlchemy: its transaction, its types, its joins."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import BigInteger, Engine, ForeignKey, ForeignKeyConstraint, Text, create_engine, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import NullPool

from engram_pg import EngramError
from engram_pg import sqlalchemy as engram


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customer"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Order(Base):
    __tablename__ = "order"
    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int] = mapped_column(ForeignKey("customer.id"))
    note: Mapped[str] = mapped_column(Text)
    space_id: Mapped[int | None] = mapped_column(BigInteger)
    memory_id: Mapped[int | None] = mapped_column(BigInteger)
    __table_args__ = (
        ForeignKeyConstraint(
            ["space_id", "memory_id"], [engram.memory.c.space_id, engram.memory.c.memory_id]
        ),
    )


@pytest.fixture(scope="module")
def engine(module_url: str) -> Iterator[Engine]:
    made = create_engine(module_url.replace("postgresql://", "postgresql+psycopg://"), poolclass=NullPool)
    Base.metadata.create_all(made)
    yield made
    made.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as opened:
        yield opened
        opened.rollback()


def test_what_is_rolled_back_was_never_remembered(engine: Engine) -> None:
    with Session(engine) as session:
        session.add(Customer(id=7, name="Mei"))
        session.flush()
        stored = session.execute(engram.remember("Mei ordered a kettle", user_id="rolled")).one()
        assert stored.action == "new"
        assert session.execute(engram.search("kettle", user_id="rolled")).one().memory_id == stored.memory_id
        session.rollback()
        assert session.execute(engram.search("kettle", user_id="rolled")).all() == []
        session.add(Customer(id=7, name="Mei"))
        session.execute(engram.remember("Mei ordered a teapot", user_id="rolled"))
        session.commit()
    with Session(engine) as session:
        [hit] = session.execute(engram.recall("what did Mei order?", user_id="rolled", k=3))
        assert (hit.rank, hit.content) == (1, "Mei ordered a teapot")
        assert session.get_one(Customer, 7).name == "Mei"


def test_every_function_is_a_statement_with_typed_rows(session: Session) -> None:
    many = session.execute(
        engram.remember_many(
            ["The office is in Graz", {"content": "Tea at four", "tags": ["tea"]}], user_id="ann"
        )
    ).all()
    assert [(row.position, row.action) for row in many] == [(1, "new"), (2, "new")]
    moved = session.execute(
        engram.remember("The office moved from Graz to Linz", user_id="ann", metadata={"floor": 2},
                        tags=("place",), importance=0.7)
    ).one()  # fmt: skip
    assert (moved.action, moved.related_id) == ("replace", many[0].memory_id)
    assert moved.evidence["verdict"] == "contradiction"
    [hit] = session.execute(engram.recall("office", user_id="ann", tags=["place"], metadata={"floor": 2}))
    assert (hit.tags, hit.metadata) == (["place"], {"floor": 2})
    assert isinstance(hit.score, float)
    assert "Linz" in session.scalars(engram.context("office", user_id="ann", max_tokens=200)).one()
    since = "2024-02-29T12:00:00+02:00"
    dated = session.execute(engram.remember("Rent is due", valid_from=since, user_id="ann")).one()
    assert session.execute(engram.get(dated.memory_id, user_id="ann")).one().valid_from.year == 2024
    kept = session.execute(engram.get(moved.memory_id, user_id="ann")).one()
    assert (kept.content, kept.importance, kept.state) == (hit.content, 0.7, "active")
    revised = session.execute(engram.revise(moved.memory_id, tags=["seat"], user_id="ann")).one()
    assert [row.action for row in session.execute(engram.history(moved.memory_id, user_id="ann"))]
    session.execute(engram.undo(revised.decision_id, user_id="ann")).one()
    session.execute(engram.link(many[1].memory_id, moved.memory_id, "about", 0.5, user_id="ann"))
    near = session.execute(engram.neighbors(many[1].memory_id, 1, user_id="ann")).all()
    assert (moved.memory_id, 0.5) in {(row.memory_id, row.path_weight) for row in near}
    assert session.scalar(engram.unlink(many[1].memory_id, moved.memory_id, user_id="ann")) >= 1
    receipt = session.scalars(engram.forget(filter={"all": True}, hard=True, user_id="ann")).one()
    assert receipt["memories"] == 4


def test_only_erase_erases_a_user(session: Session) -> None:
    session.execute(engram.remember("Ann sits in Linz", user_id="ann"))
    for nothing in (lambda: engram.forget(None, user_id="ann", hard=True), lambda: engram.forget(hard=True)):
        with pytest.raises(EngramError, match="either a memory_id or a filter"):
            nothing()
    with pytest.raises(DBAPIError, match="does not exist"), session.begin_nested():
        session.execute(engram.forget(0, user_id="ann", hard=True))
    assert session.scalars(engram.erase("ann")).one()["memories"] == 1


def test_an_argument_may_be_an_expression_and_a_call_a_part_of_a_query(session: Session) -> None:
    session.add(Customer(id=1, name="ann"))
    session.add(Order(id=1, customer_id=1, note="Ann wants the blue kettle"))
    session.flush()
    stored = session.execute(
        engram.remember(select(Order.note).where(Order.id == 1).scalar_subquery(), user_id="ann")
    ).one()
    order = session.get_one(Order, 1)
    order.space_id = session.scalar(select(engram.space_id("ann")))
    order.memory_id = stored.memory_id
    session.flush()
    hits = engram.search("kettle", user_id="ann").subquery()
    found = session.execute(
        select(Customer.name, hits.c.content, hits.c.score)
        .join(Order, Order.memory_id == hits.c.memory_id)
        .join(Customer)
        .where(Order.space_id == engram.space_id("ann"))
    ).one()
    assert (found.name, found.content) == ("ann", "Ann wants the blue kettle")
    row = session.execute(
        select(engram.memory.c.content, engram.space.c.user_id)
        .join(engram.space)
        .where(engram.memory.c.space_id == engram.space_id("ann"))
    ).one()
    assert tuple(row) == ("Ann wants the blue kettle", "ann")


def test_an_error_carries_our_sqlstate_and_hint(session: Session) -> None:
    with pytest.raises(DBAPIError) as refused:
        session.execute(engram.remember("   "))
    original = refused.value.orig
    assert isinstance(original, psycopg.Error)
    assert original.sqlstate == "EG001"
    assert original.diag.message_hint


def test_what_is_none_and_must_not_be_is_named(session: Session) -> None:
    nothing: Any = None
    for statement in (engram.recall(nothing), engram.search(nothing), engram.context(nothing)):
        with pytest.raises(DBAPIError, match="query is null"), session.begin_nested():
            session.execute(statement)


@pytest.mark.parametrize(
    "vector", [[0.1] * 256, (1,) * 256, array("f", [0.1] * 256)], ids=["list", "tuple", "array"]
)
def test_a_vector_is_passed(session: Session, vector: Any) -> None:
    stored = session.execute(engram.remember("A kettle", user_id="vec", embedding=vector)).one()
    [hit] = session.execute(engram.search("?", user_id="vec", embedding=vector))
    assert (hit.memory_id, round(hit.semantic, 3)) == (stored.memory_id, 1)


@pytest.mark.parametrize(
    "vector",
    [dict.fromkeys(range(256), 1.0), b"a" * 256, [10**400], "x", [None]],
    ids=["dict", "bytes", "huge", "text", "null"],
)
def test_what_is_no_vector_is_refused_at_once(vector: Any) -> None:
    with pytest.raises(EngramError, match="no list of numbers"):
        engram.search("kettle", embedding=vector)


def test_a_text_where_a_list_belongs_is_refused(session: Session) -> None:
    with pytest.raises(DBAPIError, match="malformed array"):
        session.execute(engram.remember("A kettle", tags="abc"))  # type: ignore[arg-type]


def test_a_tenant_is_chosen_for_the_transaction(session: Session) -> None:
    session.execute(engram.in_tenant("acme"))
    session.execute(engram.remember("Acme sells anvils", user_id="ann"))
    assert session.execute(engram.search("anvils", user_id="ann")).one().content == "Acme sells anvils"
    session.execute(engram.in_tenant("other"))
    assert session.execute(engram.search("anvils", user_id="ann")).all() == []


def test_an_async_session_works_alike(engine: Engine) -> None:
    pytest.importorskip("greenlet")
    from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

    async def run() -> list[str]:
        made = create_async_engine(engine.url, poolclass=NullPool)
        async with AsyncSession(made) as session:
            await session.execute(engram.remember("The async kettle is blue", user_id="soon"))
            await session.rollback()
            await session.execute(engram.remember("The async teapot is red", user_id="soon"))
            await session.commit()
            found = (await session.execute(engram.recall("kettle or teapot", user_id="soon"))).all()
        await made.dispose()
        return [hit.content for hit in found]

    assert asyncio.run(run()) == ["The async teapot is red"]


def test_the_tables_are_those_of_the_database(module_url: str) -> None:
    engram.embeddings(1, 256)
    with psycopg.connect(module_url) as db:
        for table in engram.metadata.sorted_tables:
            found = db.execute(
                """select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull from pg_attribute a
                    where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped
                    order by a.attnum""",
                [f"engram.{table.name}"],
            ).fetchall()
            known = [(c.name, _sql(c.type), not c.nullable) for c in table.columns]
            assert known == found, table.name
            [key] = db.execute(
                """select array(select a.attname::text from pg_attribute a
                                 where a.attrelid = i.indrelid and a.attnum = any (i.indkey))
                     from pg_index i where i.indrelid = %s::regclass and i.indisprimary""",
                [f"engram.{table.name}"],
            )
            assert {c.name for c in table.primary_key} == set(key[0]), table.name


def _sql(kind: Any) -> str:
    from sqlalchemy.dialects import postgresql

    return str(kind.compile(dialect=postgresql.dialect())).lower()


ROWS = {"remember": "remembered", "recall": "hit", "history": "history_entry", "neighbors": "neighbor"}


@pytest.mark.parametrize(("name", "kind"), ROWS.items(), ids=ROWS)
def test_the_rows_are_those_of_the_functions(module_url: str, name: str, kind: str) -> None:
    statement = getattr(engram, name)(1 if name in ("history", "neighbors") else "x")
    with psycopg.connect(module_url) as db:
        found = db.execute(
            """select attname, format_type(atttypid, atttypmod) from pg_attribute a
                where attrelid = %s::regclass and attnum > 0 order by attnum""",
            [f"engram.{kind}"],
        ).fetchall()
    assert [(c.name, _sql(c.type)) for c in statement.selected_columns] == found
