"""The files of ``CREATE EXTENSION engram``, and the statement that hands them to pg_tle.

The script installs into schema ``engram`` and then lets go of all it made: nothing in the schema is a member
of the extension, so a dump holds all of it, and dropping the extension drops no memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from engram_pg import __version__
from engram_pg.schema import program

COMMENT = "Long-term memory for agents: remember() and recall() in SQL"

_CONTROL = f"""comment = '{COMMENT}'
default_version = '{__version__}'
relocatable = false
schema = pg_catalog
requires = 'vector'
superuser = false
"""

_MAKEFILE = """EXTENSION = engram
DATA = $(wildcard engram--*.sql)

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
"""

_ABOUT = """# engram

Long-term memory for AI agents, inside PostgreSQL 16 or newer with pgvector 0.8.0 or newer.

    make install                      # PG_CONFIG=/path/to/pg_config for another server
    psql -c 'create extension engram cascade'

Everything is made in schema engram, which the extension does not own: a dump holds all of it, and
`drop extension engram` leaves every memory where it is. In a database where schema engram is there already
and empty, as in a restore, nothing is made. Where an older engram is, it is brought up to date.
"""

_LOAD_ONLY = (
    '\\echo Use "create extension engram" to load this file. \\quit'  # for psql; the server skips the line
)

_OPENING = """do $engram$
declare
    v_routine record;
begin
    if to_regnamespace('engram') is not null
       and not exists (select from pg_class c where c.relnamespace = to_regnamespace('engram'))
       and not exists (select from pg_proc p where p.pronamespace = to_regnamespace('engram')) then
        raise warning 'schema engram is there and empty, as in a restore: it is left to what fills it'
            using hint = 'To install: DROP EXTENSION engram; DROP SCHEMA engram; CREATE EXTENSION engram;';
        perform set_config('engram.installing', 'off', true);
    elsif exists (select from pg_class c
                   where c.relnamespace = to_regnamespace('engram') and c.relname = 'setting') then
        -- An extension may only replace what belongs to it.
        for v_routine in
            select p.oid::regprocedure as signature from pg_proc p
             where p.pronamespace = 'engram'::regnamespace
        loop
            execute format('alter extension engram add routine %s', v_routine.signature);
        end loop;
        for v_routine in
            select c.oid::regclass as signature from pg_class c
             where c.relnamespace = 'engram'::regnamespace and c.relkind = 'v'
        loop
            execute format('alter extension engram add view %s', v_routine.signature);
        end loop;
    end if;
end
$engram$"""

_LETTING_GO = """do $engram$
declare
    v_member record;
begin
    for v_member in
        select i.type, i.identity, d.classid, d.objid
          from pg_depend d
          join pg_extension e on e.oid = d.refobjid and e.extname = 'engram'
         cross join lateral pg_identify_object(d.classid, d.objid, d.objsubid) i
         where d.refclassid = 'pg_extension'::regclass and d.deptype = 'e'
         order by d.classid <> 'pg_class'::regclass, i.identity like '%[]', i.identity
    loop
        -- The types of a table go with it, and on newer servers the type of its arrays with a type.
        continue when not exists (
            select from pg_depend d
             where d.classid = v_member.classid and d.objid = v_member.objid and d.deptype = 'e');
        execute format('alter extension engram drop %s %s',
                       case v_member.type when 'composite type' then 'type' else v_member.type end,
                       v_member.identity);
    end loop;
end
$engram$"""


def script() -> Iterator[str]:
    """The statements of ``engram--VERSION.sql``, in the order in which they run."""
    opening, *steps = program.guarded()
    for statement in (opening, _OPENING, *steps, _LETTING_GO):
        yield f"{statement};\n"


def pg_tle() -> Iterator[str]:
    """A file for psql that registers the extension with pg_tle, for servers whose files one cannot write."""
    yield "-- Run in a database with pg_tle, then: create extension engram;\n"
    yield f"select pgtle.install_extension('engram', '{__version__}', '{COMMENT}', $_engram_tle_$\n"
    yield from script()
    yield "$_engram_tle_$, '{vector}');\n"


def write(folder: Path) -> list[Path]:
    """Writes what ``make install`` and PGXN need into a folder, and returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "engram.control": _CONTROL,
        "Makefile": _MAKEFILE,
        "META.json": json.dumps(_meta(), indent=2) + "\n",
        "README.md": _ABOUT,
        f"engram--{__version__}.sql": "".join((_LOAD_ONLY, "\n", *script())),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _meta() -> dict[str, object]:
    """The description of the distribution for PGXN, by version 1.0.0 of its specification."""
    return {
        "name": "engram",
        "abstract": COMMENT,
        "version": __version__,
        "maintainer": "engram_pg contributors",
        "license": "mit",
        "provides": {
            "engram": {
                "abstract": COMMENT,
                "file": f"engram--{__version__}.sql",
                "docfile": "README.md",
                "version": __version__,
            }
        },
        "prereqs": {"runtime": {"requires": {"PostgreSQL": "16.0.0", "vector": "0.8.0"}}},
        "generated_by": f"engram-pg {__version__}",
        "meta-spec": {"version": "1.0.0", "url": "https://pgxn.org/meta/spec.txt"},
        "tags": ["memory", "agents", "vector", "retrieval"],
    }
