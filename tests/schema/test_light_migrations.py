"""What an upgrade does to tables that may be large: no rewrite and no long scan while it locks them."""

from __future__ import annotations

import re

import psycopg
import pytest

from engram_pg import schema
from engram_pg.schema import source

LATER = [revision for revision in source.revisions() if revision > "0001"]
CONSTANT = r"default\s+(?:'(?:[^']|'')*'(?:::\w+)?|-?[\d.]+|true|false|null)(?![\w(])"
COLUMN = r"alter table .*\badd (?!constraint |check |foreign |unique |primary |exclude )(?:column )?\w+ "
RULE = r"\badd (?:constraint \w+ )?(?:check|foreign key|unique|primary key|exclude)\b"
HEAVY = {
    "changes the type of a column": r"alter table .*\balter (?:column )?\w+ (?:set data )?type\b",
    "sets NOT NULL, which scans": r"alter table .*\bset not null\b",
    "adds a column with a default that is no constant": rf"{COLUMN}(?!.*{CONSTANT}).*\bdefault\b",
    "adds a column computed for every row": rf"{COLUMN}.*\b(?:generated|(?:big|small)?serial)\b",
    "adds a column checked for every row": rf"{COLUMN}.*\b(?:check|references|unique|primary key)\b",
    "adds a constraint without NOT VALID": rf"alter table .*{RULE}(?!.*\bnot valid\b)",
    "rewrites the table": r"alter table .*\bset (?:logged|unlogged|tablespace|access method)\b",
    "is maintenance": r"(?:cluster|vacuum|reindex)\b",
    "builds a whole index": r"create (?:unique )?index (?!.*\bwhere\b).*",
    "changes rows": r"(?:update|insert into|delete from|merge into)\b",
}
"""Patterns over one statement on a table of an earlier revision, in lower case with single spaces."""

SMALL = {"embedding_model", "gate_rule", "job_run", "kind", "model_default", "polarity_term", "setting"}
SMALL |= {"recall_event", "scoring_profile", "space"}
"""Tables of shipped rows, the log of the upkeep, recalls that wait to be folded, and the users: an index of a
million takes two seconds.
"""


def statements(text: str) -> list[str]:
    """The statements, without comments; quoted bodies stay whole."""
    text = re.sub(r"--[^\n]*", "", text)
    found = re.finditer(r"(?:\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|[^;'])+", text, re.DOTALL)
    texts = [match.group(0) for match in found]
    return [re.sub(r"\s+", " ", statement).strip().lower() for statement in texts if statement.strip()]


def created(revision: str) -> set[str]:
    text = "\n".join(file.text for file in source.tables(revision))
    return set(re.findall(r"create (?:unlogged )?table engram\.(\w+)", text, flags=re.IGNORECASE))


def heavy(statement: str, earlier: set[str]) -> str | None:
    """Why a statement is too heavy for a table of an earlier revision, or None."""
    target = re.match(
        r"(?:alter table|update|insert into|delete from|merge into|cluster|vacuum(?: full)?|reindex table|"
        r"create (?:unique )?index (?:\w+ )?on)(?: only)? engram\.(\w+)",
        statement,
    )
    if target is None or target[1] not in earlier - SMALL:
        return None
    return next((why for why, pattern in HEAVY.items() if re.match(pattern, statement)), None)


def test_no_revision_rewrites_or_scans_a_table_of_an_earlier_one() -> None:
    found = []
    earlier = created("0001")
    for revision in LATER:
        for file in source.tables(revision):
            for statement in statements(file.text):
                why = heavy(statement, earlier)
                if why is not None:
                    found.append(f"{file.name} {why}: {statement[:120]}")
        earlier |= created(revision)
    assert found == []


@pytest.mark.parametrize(
    "statement",
    [
        "alter table engram.memory alter column content type varchar(10)",
        "alter table engram.memory alter content set not null",
        "alter table engram.memory add column seen timestamptz default now()",
        "alter table engram.memory add column seen timestamptz not null default clock_timestamp()",
        "alter table engram.memory add column id uuid default gen_random_uuid()",
        "alter table engram.memory add column number bigserial",
        "alter table engram.memory add column number bigint generated always as identity",
        "alter table engram.memory add column size integer generated always as (length(content)) stored",
        "alter table engram.memory add column kind2 text references engram.kind",
        "alter table engram.memory add constraint short check (length(content) < 10)",
        "alter table engram.memory add check (length(content) < 10)",
        "alter table engram.edge add foreign key (space_id, src) references engram.memory",
        "alter table engram.memory set unlogged",
        "create index memory_tags on engram.memory using gin (tags)",
        "create unique index on engram.memory (space_id, content_hash)",
        "update engram.memory set tags = '{}'",
        "delete from engram.decision where undone_at is not null",
    ],
)
def test_the_check_knows_what_is_heavy(statement: str) -> None:
    assert heavy(statement, created("0001"))


@pytest.mark.parametrize(
    "statement",
    [
        "alter table engram.memory add column origin text",
        "alter table engram.memory add column level integer not null default 0",
        "alter table engram.memory add column words text[] not null default '{}'",
        "alter table engram.memory add column flag boolean default false",
        "alter table engram.memory add constraint short check (length(content) < 10) not valid",
        "create index memory_flag on engram.memory (space_id) where flag",
        "update engram.polarity_term set enabled = false where term = 'x'",
        "create index fresh on engram.brand_new (space_id)",
    ],
)
def test_the_check_lets_light_statements_pass(statement: str) -> None:
    assert heavy(statement, created("0001")) is None


def test_an_installer_does_not_queue_behind_a_long_transaction_for_ever(database_url: str) -> None:
    with psycopg.connect(database_url) as reader, psycopg.connect(database_url) as installer:
        reader.execute("select count(*) from engram.memory")
        reader.execute("lock table engram.setting in access share mode")
        installer.execute("set lock_timeout = '200ms'")
        installer.execute("update engram.setting set value = 'older' where name = 'installed.functions'")
        installer.commit()
        reader.execute("lock table engram.memory in access exclusive mode")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            schema.install(installer)
        assert installer.execute("show lock_timeout").fetchone() == ("200ms",)
        reader.rollback()
        installer.rollback()
        assert schema.install(installer).current
        assert installer.execute("show lock_timeout").fetchone() == ("200ms",)


def test_the_lock_timeout_of_an_installation_ends_with_it(database_url: str) -> None:
    with psycopg.connect(database_url) as db:
        db.execute(source.prelude().text.encode())
        assert db.execute("show lock_timeout").fetchone() == ("10s",)
        db.commit()
        assert db.execute("show lock_timeout").fetchone() == ("0",)


def test_an_installation_says_beforehand_what_it_does(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url) as db:
        expected = schema.expectation(db)
        db.rollback()
        assert re.search(rf"is new, revision {schema.HEAD}, the token vectors .* about \d+ s", expected[0])
        assert "no table is rewritten" in expected[1]
        schema.install(db)
        assert schema.expectation(db) == []
        db.execute("update engram.setting set value = 'older' where name = 'installed.functions'")
        db.execute("update engram.alembic_version set version_num = 'engram_0001'")
        assert schema.expectation(db)[0].startswith(f"revision 0001 becomes {schema.HEAD}, the functions are")
