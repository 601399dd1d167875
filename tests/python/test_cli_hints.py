"""The hints of the database, as the command line shows them: in commands where there are some."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import psycopg
import pytest
import typer
from commands import Run

from engram_pg.cli import _hints
from engram_pg.cli._app import build
from engram_pg.cli._hints import COMMANDS, in_commands
from engram_pg.errors import who_may

SQL = Path(__file__).resolve().parents[2] / "sql" / "functions"


def hints() -> list[str]:
    """Every hint that a function of the schema gives, with something in its gaps."""
    found = set()
    for file in SQL.rglob("*.sql"):
        for hint in re.findall(r"hint\s*=\s*(.*?);\n", file.read_text(encoding="utf-8"), flags=re.DOTALL):
            for literal in re.findall(r"'((?:[^']|'')*)'", hint):
                found.add(literal.replace("''", "'").replace("%L", "'mei'").replace("%s", "7"))
    return sorted(found)


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("Undo the later one first: SELECT engram.undo(7, user_id => 'mei');",
         "Undo the later one first: engram-pg undo 7 --user mei"),
        ("engram.list_tasks() returns the tasks; engram.create_task() makes one.",
         "engram-pg task list returns the tasks; engram-pg task create makes one."),
        ("SELECT * FROM engram.job_status; shows the last error of each job.",
         "engram-pg maintain --status shows the last error of each job."),
        ("CALL engram.maintain(array['fold']);", "engram-pg maintain fold"),
        ("SELECT engram.drop_model(…);", "engram-pg model drop …"),
        ("engram.history(memory_id) shows it.", "engram-pg history … shows it."),
        ("engram.create_api_key('laptop of Mei', users => array['mei', 'b c'], scope => 'write',"
         " expires_at => now() + interval '90 days')",
         "engram-pg key create 'laptop of Mei' --user mei --user 'b c' --scope write --days 90"),
        ("engram.forget(filter => '{\"tags\": [\"it''s\"]}')",
         "engram-pg forget --filter '{\"tags\": [\"it'\"'\"'s\"]}'"),
        ("SELECT set_config('engram.tenant', 'your tenant', true); in the same transaction.",
         "Name it with --tenant or ENGRAM_TENANT."),
        ("engram.remember('x', embedding => '[1]')", "engram-pg remember"),
        ("SELECT engram.configure('content.max_bytes', …);",
         "SELECT engram.configure('content.max_bytes', …); (engram-pg psql takes SQL)"),
        ("A superuser runs: GRANT USAGE ON SCHEMA cron TO app;",
         "A superuser runs: GRANT USAGE ON SCHEMA cron TO app;"),
        ("Leave engram.tenant unset.", "Leave engram.tenant unset."),
        ("engram-pg migrate", "engram-pg migrate"),
        ("", ""),
    ],
)  # fmt: skip
def test_sql_becomes_a_command(sql: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGRAM_USER", raising=False)
    assert in_commands(sql) == shown


def test_a_user_whom_the_environment_names_is_not_named_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_USER", "mei")
    assert in_commands("SELECT engram.undo(7, user_id => 'mei');") == "engram-pg undo 7"
    assert in_commands("SELECT engram.undo(7, user_id => 'kenta');") == "engram-pg undo 7 --user kenta"


def test_what_the_owner_has_to_run_is_not_for_psql_of_ones_own() -> None:
    hint = who_may("permission denied for function remember")
    assert "SELECT engram.grant_usage('role', 'writer');" in hint
    assert in_commands(hint) == hint


def test_no_hint_names_a_function_that_a_command_stands_for() -> None:
    found = hints()
    assert len(found) > 60
    for hint in found:
        shown = in_commands(hint)
        left = set(re.findall(r"engram\.(\w+)\b(?!\.)", shown)) & COMMANDS.keys()
        assert not left, f"{hint!r} is shown as {shown!r}"
        is_sql = bool(re.search(r"engram\.\w+\(|\b(SELECT|CALL|CREATE|GRANT) ", shown))
        assert ("takes SQL" in shown) == (is_sql and "superuser" not in shown)


def test_every_command_that_is_named_exists() -> None:
    root = typer.main.get_command(build([]))
    context = typer.Context(root)
    for words in (*COMMANDS.values(), "psql"):
        command = root
        for word in (word for word in words.split() if not word.startswith("-")):
            command = command.get_command(context, word)  # type: ignore[attr-defined]
            assert command is not None, words
        options = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in words.split() if word.startswith("-")} <= options


@pytest.mark.parametrize(
    ("given", "text", "shown"),
    [
        ({"dsn": "postgresql://h/x"}, "engram-pg migrate", "engram-pg migrate --dsn postgresql://h/x"),
        ({"dsn": "host=h dbname=x"}, "SELECT engram.undo(7);", "engram-pg undo --dsn 'host=h dbname=x' 7"),
        ({"dsn": "postgresql://me:s3cret@h/x"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"dsn": "host=h password=s3cret"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"dsn": "postgresql://h/x?password=s3cret"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"dsn": "no s3cret dsn"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"dsn": "host=h dbname=\udcff"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"dsn": "postgresql+psycopg://me:s3cret@h/x"}, "engram-pg migrate", "engram-pg migrate --dsn …"),
        ({"data_dir": "/a b"}, "engram-pg migrate", "engram-pg migrate --data-dir '/a b'"),
        ({"data_dir": "/a"}, "engram.job_status shows it.",
         "engram-pg maintain --data-dir /a --status shows it."),
        ({"data_dir": "/a"}, "engram-pg model retry NAME and engram-pg model list",
         "engram-pg model retry --data-dir /a NAME and engram-pg model list --data-dir /a"),
        ({"dsn": "postgresql://h/x", "data_dir": "/a"}, "engram-pg up", "engram-pg up --data-dir /a"),
        ({"dsn": "postgresql://h/x"}, "engram-pg up, engram-pg sql", "engram-pg up, engram-pg sql"),
        ({"dsn": "postgresql://h/x"}, "without either, engram-pg starts one",
         "without either, engram-pg starts one"),
        ({"dsn": "postgresql://h/x"}, "SELECT engram.configure('a', …);",
         "SELECT engram.configure('a', …); (engram-pg psql --dsn postgresql://h/x takes SQL)"),
    ],
)  # fmt: skip
def test_a_command_is_for_the_database_that_the_command_line_named(
    given: dict[str, str], text: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_hints, "given", given)
    assert in_commands(text) == shown


def test_the_commands_that_take_a_database_are_known() -> None:
    root = typer.main.get_command(build([]))
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        if name == "bench":  # measures by itself, in a database or without one
            continue
        for one in getattr(command, "commands", {"": command}).values():
            options = {option for parameter in one.params for option in parameter.opts}
            assert ("--dsn" in options) == (name not in (*_hints._EMBEDDED, *_hints._ANYWHERE)), name
            assert ("--data-dir" in options) == (name not in _hints._ANYWHERE), name
        assert hasattr(command, "commands") == (name in _hints._GROUPS), name


def test_hints_and_notes_name_the_database_of_the_command_line(
    run: Run, dsn: str, other_dsn: str, user: str
) -> None:
    with psycopg.connect(other_dsn) as connection:
        connection.execute("drop schema engram cascade")
    secret = psycopg.conninfo.make_conninfo(other_dsn, password="s3cret")
    for option, shown in ((other_dsn, shlex.quote(other_dsn)), (secret, "…")):
        done = run("doctor", "--dsn", option)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"hint: engram-pg migrate --dsn {shown}\n" in done.stderr
        assert "s3cret" not in done.stderr
    assert "hint: engram-pg migrate\n" in run("doctor", ENGRAM_DSN=other_dsn).stderr
    id = re.findall(r"\d+", run("remember", "a note", "-u", user).stdout)[0]
    assert f" --dsn {shlex.quote(dsn)} " in run("forget", id, "-u", user, "--dsn", dsn).stdout
