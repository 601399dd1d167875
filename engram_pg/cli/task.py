"""task: what hand-offs, failures and progress hang on."""

from __future__ import annotations

from typing import Annotated

import typer

from engram_pg.cli._options import Json, Place, on_memory
from engram_pg.cli._output import print_json, show_fields, show_table
from engram_pg.cli.working import show_handoff
from engram_pg.cli.writing import Metadata, json_object
from engram_pg.results import Task

app = typer.Typer(help="Tasks that hand-offs, failures and progress hang on.", no_args_is_help=True)

Status = Annotated[
    str | None,
    typer.Option("--status", help="planning, in_progress, blocked, review, done or cancelled."),
]
Goal = Annotated[str | None, typer.Option("--goal", help="What is true when it is done.")]
Which = Annotated[str, typer.Argument(metavar="TASK", help="Its name or its number.", show_default=False)]


def register(parent: typer.Typer, command: str) -> None:
    """Adds the group."""
    parent.add_typer(app, name=command, rich_help_panel="Work")


@app.command()
@on_memory
def create(
    place: Place,
    name: Annotated[str, typer.Argument(help="Its short name.", show_default=False)],
    goal: Goal = None,
    status: Status = None,
    metadata: Metadata = None,
    json: Json = False,
) -> None:
    """Make a task, or return the open one of that name."""
    with place.open() as engram:
        made = engram.create_task(
            name, goal=goal, status=status, metadata=json_object(metadata, "--metadata")
        )
    _show(made, json)


@app.command()
@on_memory
def update(
    place: Place,
    task: Which,
    goal: Goal = None,
    status: Status = None,
    metadata: Metadata = None,
    json: Json = False,
) -> None:
    """Change the status, goal or metadata of a task."""
    if goal is None and status is None and metadata is None:
        raise typer.BadParameter("say what changes: --status, --goal or --metadata")
    with place.open() as engram:
        made = engram.update_task(
            task, goal=goal, status=status, metadata=json_object(metadata, "--metadata")
        )
    _show(made, json)


@app.command()
@on_memory
def show(
    place: Place,
    task: Which,
    json: Json = False,
) -> None:
    """Show a task with what hangs on it."""
    with place.open() as engram:
        found = engram.get_task(task)
    if json:
        print_json(found)
        return
    about = found["task"]
    fields = ("task_id", "name", "goal", "status", "metadata")
    dates = {name: about[f"{name}_at"][:16].replace("T", " ") for name in ("created", "updated")}
    show_fields({**{name: about[name] for name in fields if about[name] not in (None, {})}, **dates})
    if found["last_handoff"] is not None:
        show_handoff(found["last_handoff"])
    parts = ("handoffs", "failures", "progress", "memories")
    rows = [
        (part, str(entry["memory_id"]), entry["content"].replace("\n", " "))
        for part in parts
        for entry in found[part]
    ]
    show_table(
        ("what", "id", "memory"),
        rows,
        wide="memory",
        empty="nothing hangs on it yet; handoff, failure and progress take --task",
    )


@app.command("list")
@on_memory
def list_(
    place: Place,
    status: Status = None,
    json: Json = False,
) -> None:
    """List the tasks, last changed first."""
    with place.open() as engram:
        tasks = engram.list_tasks(status)
    if json:
        print_json(tasks)
        return
    rows = [(str(one.task_id), one.name, one.status, one.goal or "") for one in tasks]
    nothing = f"no task is {status}" if status else "there is no task yet; task create NAME makes one"
    show_table(("id", "name", "status", "goal"), rows, wide="goal", empty=nothing)


def _show(task: Task, json: bool) -> None:
    if json:
        print_json(task)
    else:
        print(f"task {task.task_id}: {task.name}, {task.status}")
