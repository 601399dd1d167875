"""Moving in from mcp-engram: files that its own code wrote, of an early version, of 0.4 and of a late one."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import psycopg
import pytest
from commands import Run

from engram_pg import Engram, EngramError
from engram_pg.importers import mcp_engram
from engram_pg.importers.adopt import adopt

FOLDER = Path(__file__).parent / "mcp_engram"
VERSIONS = ("0.1.2", "0.4.5", "0.20.1")
ZONE = "Asia/Shanghai"
"""Where the machine stood that wrote the files beside this one."""


def unpacked(version: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    store = folder / "memories.duckdb"
    store.write_bytes(gzip.decompress((FOLDER / version / "memories.duckdb.gz").read_bytes()))
    shutil.copy(FOLDER / version / "graph.json", folder)
    return store


@pytest.fixture(params=VERSIONS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return unpacked(request.param, tmp_path)


@pytest.fixture
def late(tmp_path: Path) -> Path:
    return unpacked("0.20.1", tmp_path)


@pytest.fixture
def engram(dsn: str, user: str) -> Engram:
    return Engram(dsn, user)


def rows(store: Path) -> list[dict[str, Any]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        found = connection.execute("select * from memories order by id")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def exported(engram: Engram) -> dict[str, list[dict[str, Any]]]:
    kinds: dict[str, list[dict[str, Any]]] = {"memory": [], "edge": [], "decision": [], "origin": []}
    for entry in engram.export():
        kinds[entry["type"]].append(entry)
    return kinds


def test_texts_dates_counts_kinds_and_metadata_come_over(store: Path, engram: Engram) -> None:
    done = adopt(engram, mcp_engram.read(store, zone=ZONE), "mcp-engram", user=engram.user)
    there = rows(store)
    here = {memory["content"]: memory for memory in exported(engram)["memory"]}

    assert done.users[engram.user].total() > 0
    assert set(here) == {row["content"] for row in there}
    for row in there:
        memory = here[row["content"]]
        assert memory["kind"] == row["category"]
        assert memory["importance"] == pytest.approx(row["importance"], abs=1e-6)
        assert len(str(memory["importance"])) <= 4  # as it was written, not the nearest float
        assert memory["recalls"] == row["recall_count"]
        moved = {
            column: row[column].replace(tzinfo=ZoneInfo(ZONE)) for column in row if column.endswith("_at")
        }
        if row["content"] != "Failure in billing: connection refused":  # one of two with the same text
            assert memory["metadata"] == json.loads(row.get("metadata") or "{}")
            assert datetime.fromisoformat(memory["created_at"]) == moved["created_at"]
            assert datetime.fromisoformat(memory["reinforced_at"]) == moved["last_accessed_at"]
        if row["recall_count"]:
            assert datetime.fromisoformat(memory["last_recalled_at"]) == moved["last_accessed_at"]
    assert [hit.content for hit in engram.search("tabs in Makefiles", k=1)] == [there[0]["content"]]


def test_each_memory_goes_to_the_user_it_had(store: Path, dsn: str, user: str) -> None:
    tenant = user  # where nobody else is called default
    done = adopt(Engram(dsn, tenant=tenant), mcp_engram.read(store, zone=ZONE), "mcp-engram")
    assert set(done.users) == {"default", "kenta"}
    assert Engram(dsn, "kenta", tenant=tenant).stats()["total"] == 1


def test_edges_come_over_once_with_their_weight(store: Path, engram: Engram) -> None:
    moving = mcp_engram.read(store, zone=ZONE)
    graph = json.loads(store.with_name("graph.json").read_text(encoding="utf-8"))
    pairs = {frozenset((edge["source"], edge["target"])): edge["weight"] for edge in graph["edges"]}
    adopt(engram, moving, "mcp-engram", user=engram.user)
    texts = {memory["memory_id"]: memory["content"] for memory in exported(engram)["memory"]}
    numbers = {row["id"]: row["content"] for row in rows(store)}
    expected = {
        frozenset(numbers[number] for number in pair): weight
        for pair, weight in pairs.items()
        if len({numbers[number] for number in pair}) == 2
    }
    edges = [edge for edge in exported(engram)["edge"] if edge["relation"] == "similar"]
    assert {frozenset((texts[edge["src"]], texts[edge["dst"]])): edge["weight"] for edge in edges} == expected
    assert len(edges) == len(expected) > 0


def test_a_second_import_adds_nothing_and_changes_nothing(store: Path, engram: Engram) -> None:
    adopt(engram, mcp_engram.read(store, zone=ZONE), "mcp-engram", user=engram.user)
    first = exported(engram)
    again = adopt(engram, mcp_engram.read(store, zone=ZONE), "mcp-engram", user=engram.user)
    assert set(again.users[engram.user]) <= {"known", "known_edge"}
    assert exported(engram) == first


def test_what_was_changed_or_forgotten_here_stays_so(late: Path, engram: Engram) -> None:
    adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    tabs, port = (engram.search(query, k=1)[0].memory_id for query in ("tabs in Makefiles", "staging port"))
    engram.revise(tabs, "Ada gave up tabs.")
    engram.forget(port)
    first = exported(engram)
    adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    assert exported(engram) == first


def test_a_text_that_changed_there_is_revised_here_unless_it_changed_here_too(
    late: Path, engram: Engram
) -> None:
    adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    deploy = engram.search("Deploy on Wednesdays", k=1)[0].memory_id
    with duckdb.connect(str(late)) as connection:
        connection.execute("update memories set content = 'Ada uses spaces now.' where id = 1")
        connection.execute("update memories set content = 'Deploy on Fridays.' where id = 3")
    engram.revise(deploy, "Deploy whenever you like.")

    done = adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    assert done.users[engram.user]["revised"] == 1
    assert done.conflicts == [3]
    texts = {memory["content"] for memory in exported(engram)["memory"]}
    assert {"Ada uses spaces now.", "Deploy whenever you like."} <= texts
    assert "Deploy on Fridays." not in texts


def test_two_files_that_use_the_same_numbers_lose_nothing(tmp_path: Path, engram: Engram) -> None:
    stores = [unpacked(version, tmp_path / version) for version in VERSIONS]
    for store in stores:
        adopt(engram, mcp_engram.read(store, zone=ZONE), "mcp-engram", user=engram.user)
    texts = {memory["content"] for memory in exported(engram)["memory"]}
    assert texts == {
        row["content"] for version in VERSIONS for row in rows(tmp_path / version / "memories.duckdb")
    }
    assert len(exported(engram)["memory"]) == len(texts)


def test_a_memory_that_cannot_come_is_named_and_undoes_the_import(late: Path, engram: Engram) -> None:
    with duckdb.connect(str(late)) as connection:
        connection.execute("update memories set content = ' ' where id = 3")
    with pytest.raises(EngramError, match=r"^memory 3: .*empty"):
        adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    assert engram.stats()["total"] == 0
    moving = mcp_engram.read(late, zone=ZONE)
    done = adopt(engram, moving, "mcp-engram", user=engram.user, keep_going=True)
    assert [bad.line for bad in done.bad] == [3]
    assert engram.stats()["total"] == len(rows(late)) - 2  # and one of two with the same text


def test_edges_that_lead_nowhere_are_counted(late: Path) -> None:
    with duckdb.connect(str(late)) as connection:
        connection.execute("delete from memories where id = 1")
        connection.execute("update memories set user_id = 'kenta' where id = 8")
    left = mcp_engram.read(late, zone=ZONE).left
    assert left["edges of memories that are no more"] == 6
    assert left["edges between two users"] == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda store: store.unlink(), "is no file"),
        (lambda store: store.write_bytes(b"not a database"), "cannot be read"),
        (lambda store: _replaced(store, "create table other (a int)"), "has no table memories"),
        (lambda store: _replaced(store, "create table memories (id int)"), 'has no column "category"'),
        (lambda store: store.write_text('{"links": []}'), "cannot be read"),
        *[
            (lambda store, graph=graph: store.with_name("graph.json").write_text(graph), "is no graph")
            for graph in (
                "[]",
                '{"links": [{"source": [1], "target": {}}]}',
                '{"links": ["ab"]}',
                "[" * 200_000,
            )
        ],
    ],
)
def test_a_file_of_something_else_is_refused(late: Path, make: Any, message: str) -> None:
    make(late)
    with pytest.raises(EngramError, match=message) as caught:
        mcp_engram.read(late)
    assert "~/.engram/memories.duckdb" in str(caught.value.hint)


MEMORIES = """
create table memories (
    id bigint, user_id varchar, content varchar, importance float, category varchar, recall_count bigint,
    created_at timestamp, last_accessed_at timestamp, metadata varchar)"""


def test_a_view_in_the_file_reads_no_other_file_of_this_machine(late: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the password of the machine")
    looks = f"select content from read_text('{secret}')"
    columns = (
        "1 as id, 'u' as user_id, 0.5::float as importance, 'fact' as category, 0 as recall_count,"
        " current_timestamp as created_at, current_timestamp as last_accessed_at"
    )
    _replaced(late, f"create view memories as select content, {columns} from ({looks})")
    with pytest.raises(EngramError, match="has no table memories"):
        mcp_engram.read(late)
    _replaced(late, f"{MEMORIES}; create view other as {looks}")
    assert "rows of other" not in mcp_engram.read(late, zone=ZONE).left


@pytest.mark.parametrize(
    "values",
    [
        "1, 'u', 'a', 0.5, 'fact', 0, null, null, null",
        "1, 'u', 'a', 0.5, 'fact', 0, 'infinity', '2026-01-01', null",
        "1, 'u', 'a', 0.5, 'fact', 0, '290000-01-01', '2026-01-01', null",
        "1, 'u', 'a', 0.5, 'fact', 0, '0044-03-15 (BC)', '2026-01-01', null",
        "1, 'u', 'a', 0.5, 'fact', 0, '2026-01-01', '0001-01-01', null",
        "1, 'u', 'a', 0.5, 'fact', 0, '2026-01-01', '2026-01-01', repeat('[', 200000)",
        "1, 'u', 'a', 0.5, 'fact', 0, '2026-01-01', '2026-01-01', '{\"a\": NaN}'",
        "1, 'u', 'a', 'nan', 'fact', 0, '2026-01-01', '2026-01-01', null",
        "1, 'u', 'a', 0.5, 'fact', 9223372036854775807, '2026-01-01', '2026-01-01', null",
        "1, 'u', null, 0.5, 'fact', 0, '2026-01-01', '2026-01-01', null",
        "1, 'u', 'a', 0.5, 'rumour', 0, '2026-01-01', '2026-01-01', null",
    ],
)
def test_a_memory_that_cannot_be_is_left_out_by_its_number(late: Path, engram: Engram, values: str) -> None:
    good = "2, 'u', 'a good one', 0.5, 'fact', 0, '2026-01-01', '2026-01-01', null"
    _replaced(late, f"{MEMORIES}; insert into memories values ({values}), ({good})")
    late.with_name("graph.json").unlink()
    moving = mcp_engram.read(late, zone=ZONE)
    done = adopt(engram, moving, "mcp-engram", user=engram.user, keep_going=True)
    assert [bad.line for bad in done.bad] == [1]
    assert done.users[engram.user] == {"new": 1}


def test_columns_of_other_types_are_refused(late: Path) -> None:
    _replaced(late, MEMORIES.replace("id bigint", "id varchar") + "; insert into memories (id) values ('a')")
    with pytest.raises(EngramError, match="cannot be read"):
        mcp_engram.read(late)


def _replaced(store: Path, statement: str) -> None:
    store.unlink()
    with duckdb.connect(str(store)) as connection:
        connection.execute(statement)


def test_a_file_that_mcp_engram_has_open_says_what_to_do(late: Path) -> None:
    holder = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(late)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(EngramError) as caught:
            mcp_engram.read(late)
        assert "Stop mcp-engram" in str(caught.value.hint)
        process.communicate()


def test_without_duckdb_the_error_names_the_extra(late: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(EngramError) as caught:
        mcp_engram.read(late)
    assert caught.value.hint == "pip install duckdb"


def test_a_time_zone_that_does_not_exist_is_refused(late: Path) -> None:
    with pytest.raises(EngramError, match="time zone Mars/Olympus does not exist"):
        mcp_engram.read(late, zone="Mars/Olympus")


def test_the_command_reports_what_came_over_and_what_stayed(
    run: Run, late: Path, user: str, dsn: str
) -> None:
    with duckdb.connect(str(late)) as connection:
        connection.execute("insert into tasks (name) values ('the login page')")
    arguments = ("import", "mcp-engram", str(late), "--into", user, "--time-zone", ZONE)
    shown = run(*arguments)
    assert shown.returncode == 0, shown.stderr
    assert "same text" in shown.stdout
    assert "stayed behind: 1 rows of tasks" in shown.stderr
    again = json.loads(run(*arguments, "--json").stdout)
    assert set(again["users"][user]) == {"known", "known_edge"}
    assert again["left"]["rows of tasks"] == 1
    with psycopg.connect(dsn) as connection:
        statement = "select count(*) from engram.origin where space_id = engram.space_id(%s)"
        assert connection.execute(statement, [user]).fetchone() == (len(rows(late)),)


def test_the_command_refuses_what_it_cannot_read(run: Run, late: Path) -> None:
    assert "one FILE at a time" in run("import", str(late), str(late)).stderr
    assert "--policy is for texts" in run("import", "mcp-engram", str(late), "--policy", "append").stderr
    missing = run("import", "mcp-engram", str(late) + ".gone")
    assert missing.returncode == 1
    assert "is no file" in missing.stderr


@pytest.mark.skipif(find_spec("engram") is None, reason="mcp-engram is not installed")
def test_a_file_that_the_installed_mcp_engram_writes_comes_over(tmp_path: Path, engram: Engram) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run(
        [sys.executable, str(FOLDER / "write_home.py")], env=environment, check=True, capture_output=True
    )
    store = tmp_path / ".engram" / "memories.duckdb"
    adopt(engram, mcp_engram.read(store), "mcp-engram", user=engram.user)
    here = exported(engram)["memory"]
    assert {memory["content"] for memory in here} == {row["content"] for row in rows(store)}
    now = datetime.now().astimezone()
    ages = [(now - datetime.fromisoformat(memory["created_at"])).total_seconds() for memory in here]
    assert 0 <= min(ages) <= max(ages) < 120


def test_records_come_over_as_the_state_of_work(late: Path, engram: Engram) -> None:
    adopt(engram, mcp_engram.read(late, zone=ZONE), "mcp-engram", user=engram.user)
    counts = engram.stats()["engineering"]
    handoff = engram.last_handoff()
    assert counts["failures"]["by_severity"] == {"critical": 1}
    assert counts["handoffs"]["total"] >= 1
    assert handoff is not None
    assert [step["state"] for step in handoff["steps"]] == ["open"] * len(handoff["steps"])
    assert "pinned" in (engram.recall("where did we stop?", k=1)[0].legs or [])
