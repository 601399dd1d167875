"""Files into memory, and out of it again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Run

from engram_pg import Engram, EngramError, importers

LOCOMO = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_2_date_time": "9:05 am on 1 June, 2023",
            "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "The boat is sold."}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a boat."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "What colour is it?"},
            ],
        },
        "qa": [],
    }
]


def lines(*entries: Any) -> str:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


@pytest.fixture
def engram(dsn: str, user: str) -> Engram:
    return Engram(dsn, user)


def test_memories_go_to_the_users_that_the_lines_name(engram: Engram, dsn: str) -> None:
    other = engram.user + "-other"
    text = lines(
        {"content": "A line separator \u2028 is no end of a line", "importance": 0.9, "tags": ["a"]},
        {"content": "Bo keeps bees", "user_id": other, "created_at": "2026-01-02T03:04:05+00:00"},
    )
    format, items = importers.read(text)
    done = importers.load(engram, items)

    assert format == "memories"
    assert {user: dict(counts) for user, counts in done.users.items()} == {
        engram.user: {"new": 1},
        other: {"new": 1},
    }
    [hit] = Engram(dsn, other).search("bees")
    assert hit.created_at.isoformat().startswith("2026-01-02")


def test_a_second_import_doubles_nothing(engram: Engram) -> None:
    text = lines({"content": "Bo keeps bees"}, {"content": "Ana sails"})
    importers.load(engram, importers.read(text)[1])
    again = importers.load(engram, importers.read(text)[1])
    assert again.users[engram.user] == {"reinforce": 2}
    assert engram.stats()["total"] == 2


def test_a_chat_keeps_roles_and_times(engram: Engram) -> None:
    text = lines(
        {"role": "user", "content": "We moved staging to port 6432.", "ts": "2026-03-16T09:40:00+01:00"},
        {"role": "assistant", "content": "Noted: port 6432 it is.", "ts": 1773650405},
        {"role": "user", "content": "The linter is ruff now.", "ts": 1773650405000},
    )
    format, items = importers.read(text)
    importers.load(engram, items, policy="append")
    assert format == "chat"
    found = {hit.content: hit for hit in engram.search("port linter ruff staging noted")}
    assert found["Noted: port 6432 it is."].metadata == {"role": "assistant"}
    assert len({hit.created_at.date() for hit in found.values()}) == 1


def test_locomo_turns_keep_their_order_and_name_their_session() -> None:
    format, items = importers.read(json.dumps(LOCOMO))
    memories = [item.memory for item in items if isinstance(item, importers.Item)]
    assert format == "locomo"
    assert [memory["content"] for memory in memories] == [
        "[1:56 pm on 8 May, 2023] Ana: I bought a boat.",
        "[1:56 pm on 8 May, 2023] Bo: What colour is it?",
        "[9:05 am on 1 June, 2023] Bo: The boat is sold.",
    ]
    assert [memory["created_at"] for memory in memories] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-08T13:56:01+00:00",
        "2023-06-01T09:05:00+00:00",
    ]
    assert memories[2]["session_id"] == "session_2"
    assert memories[2]["metadata"] == {"dia_id": "D2:1", "speaker": "Bo"}
    assert {item.user for item in items if isinstance(item, importers.Item)} == {"talk-1"}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{nonsense", "no JSON"),
        ("[1]", "not a JSON object"),
        ('{"content": 5}', '"content" is missing'),
        ('{"content": "a", "contnet": "b"}', 'unknown key "contnet"'),
        ('{"content": " "}', "empty"),
        ('{"content": "a", "importance": 7}', "importance"),
        ('{"content": "a", "importance": "high"}', "high"),
        ('{"content": "a", "kind": "rumour"}', "rumour"),
        ('{"content": "a", "tags": {"no": "list"}}', ""),
        ('{"content": "a\\u0000b"}', "NUL"),
        ('{"content": "a\\ud800b"}', "surrogate"),
    ],
)
def test_a_bad_line_is_named_and_undoes_the_file(engram: Engram, bad: str, reason: str) -> None:
    text = lines({"content": "a good line"}, {"content": "another"}) + bad + "\n"
    with pytest.raises(EngramError, match=r"^line 3: ") as caught:
        importers.load(engram, importers.read(text)[1])
    assert reason in caught.value.message
    assert engram.stats()["total"] == 0


def test_with_keep_going_only_the_bad_lines_are_left_out(engram: Engram) -> None:
    text = lines({"content": "first"}, {"content": " "}, {"content": "third"}) + "{\n"
    done = importers.load(engram, importers.read(text)[1], keep_going=True)
    assert [bad.line for bad in sorted(done.bad, key=lambda bad: bad.line)] == [2, 4]
    assert engram.stats()["total"] == 2


@pytest.mark.parametrize("text", ["", "\n", "plain text", '{"text": "x"}', '[{"content": "x"}]', "[]"])
def test_another_format_is_refused_with_what_is_taken(text: str) -> None:
    with pytest.raises(EngramError, match="in none of the formats") as caught:
        importers.read(text)
    assert '{"content": …}' in str(caught.value.hint)


NONSENSE = [
    "null",
    "5",
    "1e999",
    "-1e300",
    "9" * 5000,
    '"text"',
    "[1]",
    '{"a": 1}',
    "[" * 200_000,
    "NaN",
    "1" + "0" * 400,
]


@pytest.mark.parametrize("value", NONSENSE, ids=range(len(NONSENSE)))
@pytest.mark.parametrize(
    "line",
    [
        '{"content": %s}',
        '{"content": "a", "user_id": %s}',
        '{"role": %s, "content": "a"}',
        '{"role": "user", "content": %s}',
        '{"role": "user", "content": "a", "ts": %s}',
        '{"role": "user", "content": "a", "user_id": %s}',
        '{"engram_export": 1, "type": %s}',
        '{"engram_export": 1, "type": "memory", "user_id": %s}',
        '{"conversation": %s}',
        '{"conversation": {"session_1": %s}}',
        '{"conversation": {"session_1": [%s]}}',
        '{"conversation": {"session_1": [{"speaker": "Ana", "text": "a", "dia_id": %s}]}}',
        '{"conversation": {"session_%s": []}}',
    ],
)
def test_whatever_a_file_holds_is_read_or_refused_by_name(line: str, value: str) -> None:
    try:
        _, items = importers.read(line % value)
    except EngramError as error:
        assert "in none of the formats" in str(error)  # noqa: PT017
    else:
        users = [item.user for item in items if isinstance(item, importers.Item)]
        assert all(user is None or isinstance(user, str) for user in users)


def test_an_export_imported_elsewhere_gives_the_same_memory(engram: Engram, other_dsn: str) -> None:
    first = engram.remember("I live in Gothenburg.", session_id="s", tags=["home"], metadata={"a": [1, None]})
    engram.remember("The cat is called Pixel.", session_id="s", importance=0.9)
    engram.forget(engram.remember("to be forgotten").memory_id)
    engram.revise(first.memory_id, "I live in Malmö.")
    engram.recall("cat")
    exported = list(engram.export())

    copy = Engram(other_dsn, engram.user)
    done = importers.load(copy, importers.read(lines(*exported))[1])

    assert done.users[engram.user]["restored"] == 3
    assert list(copy.export()) == exported
    assert [hit.content for hit in copy.search("cat", k=1)] == ["The cat is called Pixel."]
    again = importers.load(copy, importers.read(lines(*exported))[1])
    assert again.users[engram.user]["restored"] == 0
    assert copy.remember("new after the import").memory_id > max(
        entry.get("memory_id") or 0 for entry in exported
    )


def test_the_command_prints_users_and_actions_and_pipes(
    run: Run, user: str, tmp_path: Path, other_dsn: str
) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(lines({"content": "Bo keeps bees"}, {"content": "Ana sails"}), encoding="utf-8")
    shown = run("import", str(file), "--user", user)
    assert shown.returncode == 0, shown.stderr
    assert user in shown.stdout
    assert "new" in shown.stdout

    exported = run("export", "--user", user).stdout
    piped = run("import", "-", "--dsn", other_dsn, "--json", stdin=exported)
    assert json.loads(piped.stdout)["format"] == "export"
    assert run("export", "--user", user, "--dsn", other_dsn).stdout == exported


@pytest.fixture
def tenant(dsn: str, user: str) -> str:
    """One with three users, who remember three things each."""
    for number in range(3):
        with Engram(dsn, f"{user}-{number}", f"tenant of {user}") as engram:
            engram.remember_many([f"note {note} of {number}" for note in "abc"], policy="append")
    return f"tenant of {user}"


def test_all_users_are_exported_and_restored(dsn: str, other_dsn: str, tenant: str, user: str) -> None:
    with Engram(dsn, tenant=tenant) as here, Engram(other_dsn, tenant=tenant) as there:
        exported = list(here.export_all())
        assert [entry["user_id"] for entry in exported if entry["type"] == "memory"] == [
            f"{user}-{number}" for number in range(3) for _ in "abc"
        ]
        assert there.restore_all(iter(exported))["memories"] == 9
        assert list(there.export_all()) == exported
        assert there.restore_all(exported)["memories"] == 0


def test_what_cannot_be_restored_is_named_and_undoes_it_all(other_dsn: str, user: str) -> None:
    row = {"engram_export": 1, "type": "memory", "user_id": user, "kind": "fact"}
    rows = [{**row, "memory_id": n, "content": f"note {n}"} for n in range(1, 605)]
    rows[601]["kind"] = "no such kind"
    with Engram(other_dsn, user) as engram:
        with pytest.raises(EngramError, match=r"^entry 602: "):
            engram.restore_all(rows)
        assert engram.stats()["total"] == 0
        assert engram.restore_all(rows[:601])["memories"] == 601


def test_the_command_moves_a_tenant(run: Run, tenant: str, user: str, tmp_path: Path, other_dsn: str) -> None:
    file, there = tmp_path / "all.jsonl", {"ENGRAM_TENANT": tenant, "ENGRAM_DSN": other_dsn}
    receipt = run("export", "--all", "-o", str(file), "--json", ENGRAM_TENANT=tenant)
    told = json.loads(receipt.stdout)
    assert (told["users"], told["lines"]["memory"]) == (3, 9)
    assert run("export", "--all", ENGRAM_TENANT=tenant).stdout == file.read_text()

    done = json.loads(run("import", str(file), "--json", **there).stdout)
    assert {name: counts["restored"] for name, counts in done["users"].items()} == {
        f"{user}-{number}": 3 for number in range(3)
    }
    assert run("export", "--all", **there).stdout == file.read_text()
    assert run("export", "--all", "--json").returncode == 2


def test_an_export_is_read_as_it_is_written(other_dsn: str, user: str) -> None:
    """So that it may be larger than memory: of its lines none is kept."""
    taken = 0

    def file() -> Iterator[bytes]:
        nonlocal taken
        for n in range(1, 1001):
            row = {
                "engram_export": 1,
                "type": "memory",
                "user_id": user,
                "memory_id": n,
                "content": f"note {n}",
            }
            taken += 1
            yield json.dumps({**row, "kind": "fact"}).encode() + b"\n"

    seen: list[tuple[int, int]] = []
    with Engram(other_dsn) as engram:
        importers.load(
            engram,
            importers.read_lines(file())[1],
            advance=lambda _, done, total: seen.append((done, taken - done)),
        )
        assert seen[-1] == (1000, 0)
        assert max(ahead for _, ahead in seen) <= 1
        assert Engram(other_dsn, user).stats()["total"] == 1000


def test_what_no_line_is_to_blame_for_is_told_as_it_is(run: Run, other_dsn: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(lines({"content": "Bo keeps bees"}), encoding="utf-8")
    with Engram(other_dsn) as engram:
        engram.connection.execute("select engram.require_tenant()")
    refused = run("import", str(file), "--dsn", other_dsn)
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: no tenant is set, and this database requires one (EG006)\n")


def test_a_bad_line_late_in_an_export_undoes_all_of_it(
    run: Run, tenant: str, user: str, tmp_path: Path, other_dsn: str
) -> None:
    file, there = tmp_path / "all.jsonl", {"ENGRAM_TENANT": tenant, "ENGRAM_DSN": other_dsn}
    good = run("export", "--all", ENGRAM_TENANT=tenant).stdout.encode()
    for bad in (b"{}\n", b"{\n", b"\xff\n"):
        file.write_bytes(good + bad)
        refused = run("import", str(file), **there)
        assert refused.returncode == 1
        assert f"line {len(good.splitlines()) + 1}: " in refused.stderr
        assert run("export", "--all", **there).stdout == ""


def test_a_dry_run_says_what_would_be_imported_and_imports_nothing(
    run: Run, user: str, tmp_path: Path
) -> None:
    file = tmp_path / "notes.jsonl"
    for second, more in (({"content": "Ana sails"}, []), ({"content": ""}, ["--keep-going"])):
        file.write_text(lines({"content": "Bo keeps bees"}, second), encoding="utf-8")
        tried = run("import", str(file), "--user", user, "--dry-run", "--json", *more)
        told = json.loads(tried.stdout)
        assert (told["dry_run"], told["users"][user]["new"]) == (True, 1 if more else 2)
        assert (tried.returncode, len(told["bad"])) == ((1, 1) if more else (0, 0))
        assert json.loads(run("stats", "--user", user, "--json").stdout)["total"] == 0
    assert "nothing was changed" in run("import", str(file), "-u", user, "--dry-run", "--keep-going").stderr


def test_the_command_names_a_bad_line_without_a_traceback(run: Run, user: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_bytes(b'{"content": "fine"}\n{"content": "\xff"}\n')
    result = run("import", str(file), "--user", user)
    assert result.returncode == 1
    assert "line 2: not UTF-8" in result.stderr
    assert "Traceback" not in result.stderr
    assert run("import", str(tmp_path / "missing"), "--user", user).returncode == 1
