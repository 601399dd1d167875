"""Calls of any function of the schema with arguments made up by their types and names, so that a function
that is new is called as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from helpers import Db

HOSTILE = [
    "a_b", "aXb", "a%b", "a", "ab", "a ", "A", "a:b", "1:a", "a/b", "a\\b", "a\\", "a'b", "a''b", "'", '"',
    'a"b', "`", "%", "_", "%%", "a_%", ".*", "^a$", "(a|b)", "[a]", "{a}", "a,b", "{a,b}", "a;b", "--",
    "/* a */", "$$", "$1", "$q$", ":a", "%s", "%(a)s", "{0}", "\\x41", "\\u0041", "E'a'", "null", "NULL",
    "true", "0", "-1", "1e309", "NaN", "infinity", "' or true --", "'; drop table engram.memory; --",
    "') or ('1'='1", "1; select pg_sleep(9)", "a' || 'b", "аb", "ａb", "á", "a\u0301", "ß", "İ", "ﬁ",
    "\u03a9", "\u2126", "a\u200bb", "a\u00adb", "\u202eab", "a\u00a0b", "a\tb", "a\nb", "🦜", "漢字",
    "e\u0301", "default", "postgres", "public", "..", "*", "a\x7fb", "x" * 200,
]  # fmt: skip
"""Names that a careless comparison, pattern or splice would take for another, or for code."""

_FUNCTIONS = """
    select p.proname::text as name, p.prokind = 'p' as procedure, p.pronargdefaults as defaults,
           coalesce(p.proargnames[:p.pronargs], '{}')::text[] as names,
           array(select format_type(t.type, null) from unnest(p.proargtypes) with ordinality t (type, place)
                  order by t.place) as types
      from pg_proc p
     where p.pronamespace = 'engram'::regnamespace and p.prokind in ('f', 'p')
       and p.prorettype <> 'trigger'::regtype
     order by p.oid::regprocedure::text"""

_FIELDS = """
    select t.typname::text as type, array_agg(format_type(a.atttypid, null) order by a.attnum) as fields
      from pg_type t
      join pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
     where t.typnamespace = 'engram'::regnamespace and t.typtype = 'c'
     group by t.typname"""


@dataclass(frozen=True)
class Function:
    """A function or procedure: the names and types of its arguments, of which the last `defaults` may be
    left out.
    """

    name: str
    procedure: bool
    defaults: int
    names: Sequence[str]
    types: Sequence[str]

    @property
    def internal(self) -> bool:
        return self.name.startswith("_")


@dataclass
class Words:
    """What arguments are made of: those of a name that is given have values of their own."""

    texts: Sequence[str]
    ids: Sequence[int]
    named: dict[str, Sequence[Any]] = field(default_factory=dict)


class Fuzzer:
    """Makes calls; the same seed makes the same ones."""

    def __init__(self, db: Db, words: Words, seed: str) -> None:
        self.random, self.words = Random(seed), words
        self.functions = [
            Function(row.name, row.procedure, row.defaults, row.names, row.types)
            for row in db.execute(_FUNCTIONS.encode()).fetchall()
        ]
        self._fields = {row.type: row.fields for row in db.execute(_FIELDS.encode()).fetchall()}

    def call(self, function: Function) -> tuple[str, list[Any]]:
        """A statement that calls it, and its parameters."""
        required = len(function.types) - function.defaults
        places, values = [], []
        named = len(function.names) == len(function.types)
        for place, kind in enumerate(function.types):
            name = function.names[place] if named else ""
            given = self.words.named.get(name)
            if place >= required and (not named or given is None) and self.random.random() < 0.6:
                if not named:
                    break
                continue
            expression, parameters = self._value(kind, given)
            places.append(f'"{name}" => {expression}' if named else expression)
            values += parameters
        what = f"engram.{function.name}({', '.join(places)})"
        return (f"call {what}" if function.procedure else f"select * from {what}"), values

    def _value(self, kind: str, given: Sequence[Any] | None = None, depth: int = 0) -> tuple[str, list[Any]]:
        random = self.random
        composite = kind.removeprefix("engram.").removesuffix("[]")
        if kind.endswith("[]"):
            parts = [self._value(kind[:-2], given, depth + 1) for _ in range(random.randrange(4))]
            return f"array[{', '.join(part for part, _ in parts)}]::{kind}", [
                v for _, vs in parts for v in vs
            ]
        if composite in self._fields:
            if depth > 1 or random.random() < 0.2:
                return f"null::{kind}", []
            parts = [self._value(each, None, depth + 1) for each in self._fields[composite]]
            return f"row({_joined(parts)})::{kind}", _flat(parts)
        if given is None and random.random() < 0.05:
            return f"null::{kind}", []
        value = random.choice(given) if given is not None else self._plain(kind)
        return f"%s::{kind}", [json.dumps(value) if kind == "jsonb" else value]

    def _plain(self, kind: str) -> Any:
        random, words = self.random, self.words
        if kind == "jsonb":
            return self._json()
        made: dict[str, Any] = {
            "text": lambda: random.choice(words.texts),
            "name": lambda: random.choice(HOSTILE)[:60],
            "bigint": lambda: random.choice(words.ids),
            "integer": lambda: random.choice([0, 1, 2, 5, 50, -1]),
            "smallint": lambda: random.choice([0, 1, 5]),
            "boolean": lambda: random.random() < 0.5,
            "double precision": lambda: random.choice([0.0, 0.3, 0.7, 1.0, -1.0]),
            "real": lambda: random.random(),
            "numeric": lambda: random.randrange(100),
            "timestamp with time zone": lambda: f"202{random.randrange(10)}-0{random.randrange(1, 9)}-03Z",
            "interval": lambda: f"{random.randrange(1, 90)} days",
            "uuid": lambda: f"00000000-0000-0000-0000-{random.randrange(10**12):012}",
            "halfvec": lambda: json.dumps([random.random() for _ in range(256)]),
            "regclass": lambda: random.choice(["engram.memory", "engram.edge", "engram.setting"]),
            "tsvector": lambda: "'launch':1 'secret':2",
            "tsquery": lambda: "'launch'",
            "bytea": lambda: "\\x00ff",
            "date": lambda: "2026-01-01",
        }  # fmt: skip
        return made[kind]() if kind in made else None

    def _json(self) -> Any:
        random, words = self.random, self.words
        text, id = random.choice(words.texts), random.choice(words.ids)
        return random.choice(
            [
                {}, [], None, text, id, {text: text}, [text], [id], {"all": True}, {"tags": [text]},
                {"collections": [text], "kinds": ["fact"]}, {"metadata": {text: text}}, {"session_id": text},
                {"source_type": text, "since": "2020-01-01Z"}, {"since": text}, {"tags": text},
                [{"content": text}], [{"content": text, "tags": [text], "metadata": {text: [text]}}],
                [{"engram_export": 1, "type": "memory", "memory_id": id, "content": text}],
                [{"engram_export": 1, "type": "edge", "src": id, "dst": 1, "relation": text, "weight": 1}],
                [{"engram_export": 1, "type": "decision", "memory_id": id, "decision_id": id, "action": text,
                  "before": {str(id): {"content": text}}}],
                [{"label": "duplicate", "a": [1, 0], "b": [0, 1]}],
            ]
        )  # fmt: skip


def _joined(parts: list[tuple[str, list[Any]]]) -> str:
    return ", ".join(expression for expression, _ in parts)


def _flat(parts: list[tuple[str, list[Any]]]) -> list[Any]:
    return [value for _, values in parts for value in values]
