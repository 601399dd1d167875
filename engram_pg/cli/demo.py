"""demo: a conversation of some weeks is stored, questions are asked, and the way to go on is shown."""

from __future__ import annotations

import json as json_module
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from engram_pg.cli._options import DataDir, Dsn, Place, Tenant

if TYPE_CHECKING:
    from engram_pg.client import Engram

USER = "demo"
HITS = 3
MARKS = {1: "✓", 2: "2nd", 3: "3rd"}


def demo(tenant: Tenant = None, dsn: Dsn = None, data_dir: DataDir = None) -> None:
    """Store an example conversation as user `demo`, ask it questions, and show how to go on."""
    from engram_pg import importers
    from engram_pg._paths import resource
    from engram_pg.cli._output import console, note, progress_bar, show_hits

    notes = (resource("examples") / "notes.jsonl").read_text(encoding="utf-8")
    questions = (resource("examples") / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    place = Place(dsn, data_dir, USER, tenant)
    with place.open() as engram:
        _, items = importers.read(notes)
        with progress_bar("storing the conversation") as advance:
            done = importers.load(engram, items, user=USER, advance=advance)
        counts = done.users[USER]
        by_action = ", ".join(f"{count} {action}" for action, count in counts.most_common())
        note(f"stored {counts.total()} notes and messages of a developer: {by_action}")
        first = within = 0
        for question in map(json_module.loads, questions):
            hits = engram.search(question["question"], k=HITS)
            expected = question["expect"].casefold()
            rank = next((hit.rank for hit in hits if expected in hit.content.casefold()), None)
            first += rank == 1
            within += rank is not None
            console().print(f"\n[bold]{question['question']}[/bold]  {MARKS.get(rank or 0, '·')}")
            show_hits(hits)
        asked = len(questions)
        console().print(f"\nThe first hit answers {first} of {asked} (✓), the first {HITS} hits {within}.\n")
        _what_changed(engram, place, json_module.loads(questions[0])["question"])
    _how_to_go_on(tenant, dsn, data_dir)


def _what_changed(engram: Engram, place: Place, question: str) -> None:
    """What became of the answer to a question before, and how to go back."""
    from engram_pg.cli._hints import undoing
    from engram_pg.cli._output import console, show_changes

    [answer] = engram.search(question, k=1)
    changes = engram.history(answer.memory_id)
    console().print("A fact that changed is not lost. What the first answer replaced, and why:")
    show_changes(changes)
    print(f"{undoing(changes[-1].decision_id, place)} would take the last decision back.\n")


def _how_to_go_on(tenant: str | None, dsn: str | None, data_dir: Path | None) -> None:
    from engram_pg.agents.server import command, server
    from engram_pg.cli._output import note
    from engram_pg.connecting import given_dsn
    from engram_pg.embedded import Server
    from engram_pg.errors import without_password

    given = given_dsn(dsn, data_dir)
    shown = without_password(given) if given else Server.at(data_dir).dsn()
    made = server("native", None, USER, tenant, given, data_dir)
    print(f"""Go on in psql ({made.entry["command"]} psql opens it too):

  psql {shlex.quote(shown or "")}
  select memory_id, content, score from engram.recall('where does she live now?', user_id => '{USER}');

or give it to an agent over MCP: `engram-pg init claude-code --user {USER}` writes what follows, and rules.

Claude Code:

  {command("engram", made.entry)}

Claude Desktop (claude_desktop_config.json) and Cursor (.cursor/mcp.json):

{json_module.dumps({"mcpServers": {"engram": made.entry}}, indent=2)}""")
    for line in made.notes:
        note(line)
