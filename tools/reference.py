"""Writes docs/reference from the comments in an installed database.

``python tools/reference.py [--dsn DSN] [--check]``. Without a DSN it installs the schema in an embedded
server of its own and throws that away. ``--check`` writes nothing and fails when a page would change.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import psycopg

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "reference"
NOTE = "<!-- Made by tools/reference.py from comments in the database: change the comment, not this page. -->"

Connection = psycopg.Connection[Any]

AREAS = {
    "write": "Remember",
    "recall": "Recall",
    "memory": "Get, revise, forget",
    "decision": "Decisions and history",
    "graph": "The graph",
    "gate": "The write gate",
    "text": "Text",
    "embedding": "Embedding",
    "strength": "Strength",
    "space": "Spaces and settings",
    "tenancy": "Tenancy",
    "status": "Status",
    "upkeep": "Upkeep",
    "transfer": "Export and import",
}

SQLSTATES = {
    "EG001": ("Content invalid", "The text is empty, too long, or holds what PostgreSQL cannot store."),
    "EG002": ("Argument out of range", "A number, interval, list or object is not what the argument allows."),
    "EG003": ("Unknown name", "No kind, profile, setting, model or job has this name."),
    "EG004": ("Unknown memory or decision", "The id does not exist, or it belongs to another user."),
    "EG005": ("Vector invalid", "The vector has the wrong length, or an element that is not a number."),
    "EG006": (
        "Not open to this session",
        "No tenant is set, or the session is held to another tenant or to other users.",
    ),
    "EG007": ("Cannot be undone", "Nothing is left to restore, or a later change stands in its way."),
    "EG008": (
        "Installation",
        "The schema, or something that it needs, is missing or of another version.",
    ),
    "EG009": ("Model not ready", "The embedding model is in use, not filled, or another one has its name."),
}

FUNCTIONS = """
    select p.oid, p.proname as name, p.prokind as kind, p.provolatile as volatility, p.proretset as many,
           obj_description(p.oid, 'pg_proc') as comment,
           format_type(p.prorettype, null) as returns,
           t.typrelid as composite,
           p.proargnames::text[] as names, p.proargmodes::text[] as modes,
           array(select format_type(a.type, null)
                   from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a(type, i)
                  order by i) as types,
           array(select pg_get_function_arg_default(p.oid, i)
                   from generate_series(1, p.pronargs) i order by i) as defaults
      from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      join pg_type t on t.oid = p.prorettype
     where n.nspname = 'engram' and not starts_with(p.proname, '_') and p.prorettype <> 'trigger'::regtype
     order by p.proname, pg_get_function_identity_arguments(p.oid) collate "C"
"""

RELATIONS = """
    select c.oid, c.relname as name, c.relkind::text as kind, c.relrowsecurity as secured,
           c.relpersistence = 'u' as unlogged,
           coalesce(obj_description(c.oid, 'pg_class'), obj_description(c.reltype, 'pg_type')) as comment
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'engram' and c.relkind in ('r', 'p', 'v', 'm', 'c') and not starts_with(c.relname, '_')
       and c.relname <> 'alembic_version'
     order by c.relname
"""

COLUMNS = """
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
           case a.attidentity when '' then pg_get_expr(d.adbin, d.adrelid) else 'identity' end as preset,
           a.attgenerated <> '' as generated, col_description(a.attrelid, a.attnum) as comment
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = %s and a.attnum > 0 and not a.attisdropped
     order by a.attnum
"""


def render(connection: Connection) -> dict[str, str]:
    """The pages of docs/reference by file name, for the schema this connection sees."""
    connection.execute("set search_path = pg_catalog")  # so that every name is written with its schema
    return {
        "README.md": _index(),
        "functions.md": _functions(connection),
        "tables.md": _tables(connection),
        "settings.md": _settings(connection),
        "errors.md": _errors(connection),
    }


def _index() -> str:
    return _page(
        "Reference",
        [
            "- [Functions](functions.md): every public function with its arguments and what it returns",
            "- [Tables and types](tables.md): columns, keys and policies",
            "- [Settings, kinds and profiles](settings.md): the rows the product ships",
            "- [Errors](errors.md): the SQLSTATEs and who raises them",
        ],
        after_title="Made from the comments in the database, so it says what the installed schema says: "
        "`\\df+ engram.*` and `\\d+ engram.*` in psql show the same texts.",
    )


def _functions(connection: Connection) -> str:
    areas = _areas()
    composites = {row["oid"]: row for row in _rows(connection, RELATIONS) if row["kind"] == "c"}
    by_area: dict[str, list[dict[str, Any]]] = {}
    for function in _rows(connection, FUNCTIONS):
        by_area.setdefault(areas.get(function["name"], "other"), []).append(function)
    lines: list[str] = []
    order = [area for area in AREAS if area in by_area] + sorted(set(by_area) - set(AREAS))
    for area in order:
        links = " · ".join(
            f"[{name}](#{name})" for name in dict.fromkeys(function["name"] for function in by_area[area])
        )
        lines += [f"**{AREAS.get(area, 'Other')}**: {links}", ""]
    for area in order:
        lines += [f"## {AREAS.get(area, 'Other')}", ""]
        previous = None
        for function in by_area[area]:
            if function["name"] != previous:
                lines += [f"### {function['name']}", ""]
            previous = function["name"]
            lines += _function(connection, function, composites)
    return _page(
        "Functions",
        lines,
        after_title="All of them live in the schema `engram`. Call them with named arguments.",
    )


def _function(connection: Connection, function: dict[str, Any], composites: dict[int, Any]) -> list[str]:
    modes = function["modes"] or ["i"] * len(function["types"])
    names = function["names"] or [""] * len(function["types"])
    arguments = list(zip(names, function["types"], modes, strict=True))
    inputs = [(name, kind) for name, kind, mode in arguments if mode in "ibv"]
    outputs = [(name, kind) for name, kind, mode in arguments if mode in "tob"]
    composite = composites.get(function["composite"])
    if not outputs and composite:
        outputs = [(row["name"], row["type"]) for row in _rows(connection, COLUMNS, [composite["oid"]])]
    lines = ["```text", _signature(function, inputs, outputs, composite), "```", ""]
    lines += [_prose(function["comment"]), ""]
    if inputs:
        presets = [_literal(value) for value in function["defaults"]] + [""] * len(inputs)
        rows = [
            (f"`{name}`" if name else "", f"`{_type(kind)}`", f"`{preset}`" if preset else "required")
            for (name, kind), preset in zip(inputs, presets, strict=False)
        ]
        lines += _grid(("argument", "type", "default"), rows)
    if outputs:
        lines += _grid(("column", "type"), [(f"`{name}`", f"`{_type(kind)}`") for name, kind in outputs])
    return lines


def _signature(
    function: dict[str, Any],
    inputs: Sequence[tuple[str, str]],
    outputs: Sequence[tuple[str, str]],
    composite: dict[str, Any] | None,
) -> str:
    head = f"engram.{function['name']}({', '.join(name or _type(kind) for name, kind in inputs)})"
    if function["kind"] == "p":
        return f"call {head}"
    if composite:
        result = f"engram.{composite['name']}"
    elif outputs:
        result = "rows" if function["many"] else "one row"
    else:
        result = _type(function["returns"])
    if function["many"] and result != "rows":
        result = f"rows of {result}"
    volatility = {"i": "immutable", "s": "stable", "v": "volatile"}[function["volatility"]]
    return f"{head} → {result}, {volatility}"


def _tables(connection: Connection) -> str:
    relations = _rows(connection, RELATIONS)
    groups = (
        ("Tables", [row for row in relations if row["kind"] in "rp"]),
        ("Views", [row for row in relations if row["kind"] in "vm"]),
        ("Types", [row for row in relations if row["kind"] == "c"]),
    )
    lines: list[str] = []
    for title, members in groups:
        if members:
            links = " · ".join(f"[{row['name']}](#{row['name']})" for row in members)
            lines += [f"**{title}**: {links}", ""]
    for title, members in groups:
        if members:
            lines += [f"## {title}", ""]
        for relation in members:
            lines += [f"### {relation['name']}", "", _prose(relation["comment"]), ""]
            lines += _relation(connection, relation)
    return _page("Tables and types", lines, after_title="All of them live in the schema `engram`.")


def _relation(connection: Connection, relation: dict[str, Any]) -> list[str]:
    columns = _rows(connection, COLUMNS, [relation["oid"]])
    if relation["kind"] in "rp":
        full = [
            (
                f"`{row['name']}`",
                f"`{_type(row['type'])}`",
                "" if row["required"] else "yes",
                "computed" if row["generated"] else _code(_literal(row["preset"])),
                _cell(row["comment"]),
            )
            for row in columns
        ]
        lines = _grid(("column", "type", "null", "default", "meaning"), full)
    else:
        rows = [(f"`{row['name']}`", f"`{_type(row['type'])}`", _cell(row["comment"])) for row in columns]
        lines = _grid(("column", "type", "meaning"), rows)
    facts = _facts(connection, relation) if relation["kind"] in "rp" else []
    return lines + ([*facts, ""] if facts else [])


def _facts(connection: Connection, relation: dict[str, Any]) -> list[str]:
    keys = _rows(
        connection,
        """select contype::text as kind, pg_get_constraintdef(oid) as definition
             from pg_constraint where conrelid = %s and contype in ('p', 'u', 'f')
            order by array_position(array['p', 'u', 'f'], contype::text), conname""",
        [relation["oid"]],
    )
    indexes = _rows(
        connection,
        """select pg_get_indexdef(i.indexrelid) as definition
             from pg_index i join pg_class c on c.oid = i.indexrelid
            where i.indrelid = %s
              and not exists (select from pg_constraint k
                               where k.conindid = i.indexrelid and k.conrelid = i.indrelid)
            order by c.relname""",
        [relation["oid"]],
    )
    policies = _rows(
        connection,
        "select polname as name from pg_policy where polrelid = %s order by polname",
        [relation["oid"]],
    )
    facts = [f"- {_code(_type(row['definition']))}" for row in keys]
    for row in indexes:
        definition = re.sub(r"^CREATE (UNIQUE )?INDEX .* USING ", r"\1", row["definition"]).strip()
        facts.append(f"- index {_code(_type(definition))}")
    if relation["secured"]:
        names = ", ".join(f"`{row['name']}`" for row in policies)
        facts.append(f"- row-level security: {names or 'enabled'}")
    if relation["unlogged"]:
        facts.append("- unlogged")
    return facts


def _settings(connection: Connection) -> str:
    lines = [
        "The shipped rows. A database may hold its own values; these are the defaults.",
        "",
        "## Settings",
        "",
        *_grid(
            ("name", "default", "what it decides"),
            [
                (f"`{row['name']}`", _code(row["default_value"]), _cell(row["description"]))
                for row in _rows(connection, "select * from engram.setting order by name")
            ],
        ),
        "## Kinds",
        "",
        "`lambda` is the decay a day of a memory of importance 0; importance slows it.",
        "",
        *_table_rows(connection, "kind"),
        "## Profiles",
        "",
        _prose(_comment_of(connection, "scoring_profile")),
        "",
        *_table_rows(connection, "scoring_profile"),
        "## Models",
        "",
        _prose(_comment_of(connection, "embedding_model")),
        "",
        *_table_rows(connection, "embedding_model"),
    ]
    return _page("Settings, kinds and profiles", lines)


def _errors(connection: Connection) -> str:
    raisers: dict[str, set[str]] = {code: set() for code in SQLSTATES}
    for row in _rows(
        connection,
        """select p.proname as name, p.prosrc as body from pg_proc p
            where p.pronamespace = 'engram'::regnamespace order by p.proname""",
    ):
        for code in re.findall(r"'(EG\d{3})'", row["body"] or ""):
            raisers.setdefault(code, set()).add(row["name"])
    rows = []
    for code in sorted(raisers):
        title, meaning = SQLSTATES.get(code, ("", ""))
        names = ", ".join(f"`{name}`" for name in sorted(raisers[code]))
        rows.append((f"`{code}`", title, meaning, names))
    lines = [
        "Every error of ours has a SQLSTATE of class `EG`, a message, often a DETAIL, and a HINT that says "
        "what to do. After such an error nothing of the call has been written. The Python package and the "
        "MCP server pass the message and the hint on.",
        "",
        "psql shows below an error, as CONTEXT, the functions that it came through; "
        "`\\set SHOW_CONTEXT never`, which you may put into `~/.psqlrc`, leaves that out, and "
        "`engram-pg psql` begins with it. `\\errverbose` shows the last error whole, with its SQLSTATE.",
        "",
        "What a role may not do PostgreSQL itself refuses, with SQLSTATE `42501` and the name of the "
        "function that was called: "
        "[which level it takes](../how-to/multi-tenant.md#give-roles-what-they-need-and-no-more).",
        "",
        *_grid(("SQLSTATE", "name", "when", "raised in"), rows),
        "Functions whose names start with `_` are internal: the public functions call them.",
        "",
    ]
    return _page("Errors", lines)


def _table_rows(connection: Connection, table: str) -> list[str]:
    hidden = {"customized"}
    with connection.cursor(row_factory=psycopg.rows.tuple_row) as cursor:
        cursor.execute(f"select * from engram.{table} order by 1".encode())  # one of three literals above
        columns = [column.name for column in cursor.description or []]
        found = cursor.fetchall()
    kept = [index for index, column in enumerate(columns) if column not in hidden]
    rows = [tuple(_value(row[index]) for index in kept) for row in found]
    return _grid(tuple(columns[index] for index in kept), rows)


def _comment_of(connection: Connection, table: str) -> str | None:
    rows = _rows(
        connection, "select obj_description(%s::regclass, 'pg_class') as comment", [f"engram.{table}"]
    )
    comment: str | None = rows[0]["comment"]
    return comment


def _areas() -> dict[str, str]:
    """The folder of sql/functions that each function is defined in."""
    created = re.compile(
        r"^create (?:or replace )?(?:function|procedure|aggregate) engram\.(\w+)",
        re.MULTILINE | re.IGNORECASE,
    )
    return {
        name: path.parent.name
        for path in sorted((ROOT / "sql" / "functions").rglob("*.sql"))
        for name in created.findall(path.read_text(encoding="utf-8"))
    }


def _rows(connection: Connection, query: str, arguments: Sequence[Any] = ()) -> list[dict[str, Any]]:
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        return cursor.execute(query, arguments or None).fetchall()


def _page(title: str, lines: Iterable[str], after_title: str = "") -> str:
    head = [f"# {title}", "", NOTE, ""] + ([after_title, ""] if after_title else [])
    text = "\n".join([*head, *lines])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def _grid(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


def _prose(comment: str | None) -> str:
    if not comment:
        return ""
    return re.sub(r"([*<\[\]])", r"\\\1", comment.strip())


def _cell(comment: str | None) -> str:
    return _prose(comment).replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def _value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return _cell(str(value))


def _type(name: str) -> str:
    """A type or definition without the schema pgvector or engram happens to be in, in its short spelling."""
    short = re.sub(r"\b\w+\.(halfvec|vector|sparsevec)", r"\1", name)
    for long, brief in (
        ("double precision", "float8"),
        ("timestamp with time zone", "timestamptz"),
        ("character varying", "varchar"),
    ):
        short = short.replace(long, brief)
    return short


def _literal(default: str | None) -> str:
    """A default as a person would write it: without the casts that the catalog adds."""
    if not default:
        return ""
    plain = re.sub(r"('(?:[^']|'')*'|NULL|\))::[a-z_. ]+(\[\])?(?:\(\d+\))?", r"\1", default)
    return "null" if plain == "NULL" else plain


def _embedded() -> Iterable[Connection]:
    from engram_pg.connecting import connect
    from engram_pg.embedded import Server

    with tempfile.TemporaryDirectory(prefix="engram-reference-") as folder:
        Path(folder).chmod(0o755)
        try:
            with connect(data_dir=folder) as connection:
                yield connection
        finally:
            Server.at(folder).stop()


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes docs/reference from the comments in a database.")
    parser.add_argument("--dsn", help="an installed database; without one an embedded server is used")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a page would change")
    options = parser.parse_args()
    connections = [psycopg.connect(options.dsn, autocommit=True)] if options.dsn else _embedded()
    stale = []
    for connection in connections:
        for name, text in render(connection).items():
            path = PAGES / name
            if path.is_file() and path.read_text(encoding="utf-8") == text:
                continue
            stale.append(name)
            if not options.check:
                PAGES.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if stale and options.check:
        print(f"docs/reference is stale: {', '.join(stale)}. Run: make reference", file=sys.stderr)
        return 1
    print(f"docs/reference: {len(stale)} page(s) written" if stale else "docs/reference is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
