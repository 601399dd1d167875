"""The installation as SQL text that any client can run: for psql, CREATE EXTENSION, and alembic of a project.

The text brings a database without engram, or with an older one, to the schema of this package.
"""

from __future__ import annotations

from collections.abc import Iterator

from engram_pg import static_model
from engram_pg.schema import source, structure
from engram_pg.schema.source import HEAD, SqlFile

_PREFIX = "engram_"

_VERSIONS = f"""
do $$
begin
    if to_regclass('engram.alembic_version') is null then
        create table engram.alembic_version (
            version_num varchar(32) not null,
            constraint alembic_version_pkc primary key (version_num)
        );
    end if;
    update engram.alembic_version set version_num = '{_PREFIX}' || version_num where version_num ~ '^[0-9]+$';
    if exists (select from engram.alembic_version where version_num > '{_PREFIX}{HEAD}') then
        raise exception using
            errcode = 'EG008',
            message = format('the database has schema revision %s, newer than {_PREFIX}{HEAD}',
                             (select version_num from engram.alembic_version)),
            hint    = 'Install from a newer release of engram.';
    end if;
end
$$;
"""

_OPENING = """do $engram$
begin
    perform pg_advisory_xact_lock(hashtextextended('engram installer', 0));
    perform set_config('engram.outer_path', current_setting('search_path'), true),
            set_config('engram.outer_bodies', current_setting('check_function_bodies'), true),
            set_config('engram.outer_timeout', current_setting('lock_timeout'), true),
            set_config('engram.installing', 'on', true);
end
$engram$"""

_CLOSING = """do $engram$
begin
    perform set_config('search_path', current_setting('engram.outer_path'), true),
            set_config('check_function_bodies', current_setting('engram.outer_bodies'), true),
            set_config('lock_timeout', current_setting('engram.outer_timeout'), true),
            set_config('engram.installing', 'off', true);
end
$engram$"""

_UNINSTALLATION = """do $engram$
begin
    if to_regclass('engram.memory') is not null then
        perform set_config('row_security', 'off', true);
        if exists (select from engram.memory) then
            raise exception using
                errcode = 'EG008',
                message = 'schema engram holds memories, which a downgrade does not drop',
                hint    = 'To lose them all: DROP SCHEMA engram CASCADE; and then downgrade again.';
        end if;
        perform set_config('row_security', 'on', true);
        drop schema engram cascade;
    end if;
end
$engram$"""

_CHUNK_ROWS = 2048


def revision_id(number: str) -> str:
    """The id of a revision in alembic, which no revision of a project has."""
    return _PREFIX + number


def number(revision: str) -> str:
    """The number of a revision, which is the name of its folder in ``sql/tables``."""
    return revision.removeprefix(_PREFIX)


def versions() -> str:
    """Makes the table that holds the revision, renames those of release 0.1.0, and refuses newer ones."""
    return _VERSIONS


def functions() -> Iterator[SqlFile]:
    """What ends every installation and upgrade: all functions and seeds, which replace what was there."""
    yield source.replacing()
    names: set[str] = set(source.replacing().defines)
    for file in (structure.file(), *source.functions()):
        names.update(file.defines)
        if file.defines:
            defined = "{" + ",".join(file.defines) + "}"
            text = f"call engram._replace('{defined}', {_quoted(file.text, 'engram_file')});\n"
            yield SqlFile(file.name, text)
        else:
            yield file
    yield from source.seeds()
    known = "{" + ",".join(sorted(names)) + "}"
    yield SqlFile(
        "fingerprint",
        f"do $$begin perform engram._renew_model_functions(); end$$;\n"
        f"call engram._drop_older('{known}');\ncall engram._hand_over();\n"
        f"update engram.setting set value = '{source.fingerprint()}' where name = 'installed.functions';\n",
    )


def body() -> Iterator[str]:
    """Everything but the token vectors, as statements that may run one after the other."""
    yield source.prelude().text
    yield versions()
    for revision in source.revisions():
        yield _revision(revision)
    for file in functions():
        yield f"\n-- {file.name}\n{file.text}"


def guarded(with_static_model: bool = True) -> Iterator[str]:
    """The installation as a few statements, each a DO block, for a transaction that does other work as well.

    They leave its search_path as it was, and do nothing where `engram.installing` was turned off in between.
    """
    yield _OPENING
    yield _when_installing("".join(body()))
    if with_static_model:
        yield from static_model_rows()
    yield _CLOSING


def static_model_rows() -> Iterator[str]:
    """The token vectors as DO blocks, unless this version of them is there already."""
    there = "(select coalesce(value, default_value) from engram.setting where name = 'static_model.version')"
    condition = f"{there} <> '{static_model.version}'"
    yield _when_installing("truncate engram.static_token", condition)
    for tokens, components in static_model.encoded(_CHUNK_ROWS):
        yield _when_installing(_static_rows(tokens, components), condition)
    yield _when_installing(
        f"analyze engram.static_token; {static_model_loaded()}",
        condition,
    )


def static_model_loaded() -> str:
    """Notes which version of the token vectors is there."""
    return (
        f"update engram.setting set value = '{static_model.version}' where name = 'static_model.version';\n"
    )


def uninstallation() -> str:
    """Drops the schema if it holds no memory, and refuses to otherwise."""
    return _UNINSTALLATION


def _revision(revision: str) -> str:
    tables = "".join(f"\n-- {file.name}\n{file.text}" for file in source.tables(revision))
    return f"""
do $engram_revision$
begin
    if not exists (select from engram.alembic_version where version_num >= '{_PREFIX}{revision}') then
        execute {_quoted(source.revising().text, "engram_revising")};
        execute {_quoted(tables, "engram_tables")};
        delete from engram.alembic_version;
        insert into engram.alembic_version values ('{_PREFIX}{revision}');
    end if;
end
$engram_revision$;
"""


def _static_rows(tokens: str, components: str) -> str:
    return f"""
insert into engram.static_token (token, vector)
select t.token,
       (select array_agg(((get_byte(d.bytes, {static_model.DIMENSIONS} * (t.n::integer - 1) + i) # 128) - 128)
                         order by i)::real[]::halfvec
          from generate_series(0, {static_model.DIMENSIONS - 1}) i)
  from (select decode('{components}', 'base64') as bytes offset 0) d,
       string_to_table({_quoted(tokens, "engram_tokens")}, E'\\n') with ordinality t(token, n)"""


def _when_installing(text: str, condition: str = "true") -> str:
    """The text as a DO block. The condition is only read while installing: else the schema may be missing."""
    return f"""do $engram_step$
begin
    if current_setting('engram.installing', true) = 'on' then
        if {condition} then
            execute {_quoted(text, "engram_text")};
        end if;
    end if;
end
$engram_step$"""


def _quoted(text: str, tag: str) -> str:
    quote = f"${tag}$"
    if quote in text:
        raise ValueError(f"{quote} occurs in the text that it quotes")
    return f"{quote}{text}{quote}"
