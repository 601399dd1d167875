"""handoff, failure, progress, task, outcome: the state of work that goes over many sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from engram_pg.cli._options import DataDir, Dsn, Json, Tenant, User, open_engram
from engram_pg.cli._output import note, print_json, show_fields, show_table
from engram_pg.cli.writing import Metadata, json_object
from engram_pg.results import Remembered, Task

Items = list[str] | None
Session = Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")]
TaskOption = Annotated[int | None, typer.Option("--task", help="Number of the task it hangs on.")]
Status = Annotated[
    str | None,
    typer.Option("--status", help="planning, in_progress, blocked, review, done or cancelled."),
]
Goal = Annotated[str | None, typer.Option("--goal", help="What is true when it is done.")]
TaskId = Annotated[int, typer.Argument(help="The number that task list shows.", show_default=False)]


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    if command == "task":
        app.add_typer(_task_commands(), name="task", rich_help_panel="Work")
    else:
        app.command(command, rich_help_panel="Work")(_COMMANDS[command])


def handoff(
    summary: Annotated[
        str | None, typer.Argument(help="Where the work stands; without it the last one is shown.")
    ] = None,
    completed: Annotated[Items, typer.Option("--completed", help="Repeatable, as the others.")] = None,
    in_progress: Annotated[Items, typer.Option("--in-progress")] = None,
    blocked: Annotated[Items, typer.Option("--blocked")] = None,
    next_step: Annotated[Items, typer.Option("--next")] = None,
    session: Session = None,
    task: TaskOption = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Leave word of where the work stands, or see the last word and which of its steps are done."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        if summary is not None:
            made = engram.session_handoff(
                summary,
                completed=completed,
                in_progress=in_progress,
                blocked=blocked,
                next_steps=next_step,
                session_id=session,
                task_id=task,
            )
            return _said(made, json)
        found = engram.last_handoff(task)
    if json:
        print_json(found)
    elif found is None:
        note("there is no hand-off")
    else:
        _show_handoff(found)


def failure(
    error: Annotated[str, typer.Argument(help="What went wrong.", show_default=False)],
    component: Annotated[str, typer.Argument(help="Where.", show_default=False)],
    severity: Annotated[str | None, typer.Option("--severity", help="critical, major or minor.")] = None,
    root_cause: Annotated[str | None, typer.Option("--root-cause", help="Why.")] = None,
    fix: Annotated[str | None, typer.Option("--fix", help="What mended it.")] = None,
    test: Annotated[Items, typer.Option("--test", help="A test that shows it. Repeatable.")] = None,
    session: Session = None,
    task: TaskOption = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Keep what went wrong in a component; again, it is counted and takes what is new."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        made = engram.track_failure(
            error,
            component,
            severity=severity,
            root_cause=root_cause,
            fix=fix,
            related_test_ids=test,
            session_id=session,
            task_id=task,
        )
    _said(made, json)


def progress(
    feature: Annotated[str, typer.Argument(help="Its short name.", show_default=False)],
    status: Annotated[str, typer.Argument(help="planning, in_progress, blocked, review, done or cancelled.")],
    completion: Annotated[float | None, typer.Option("--completion", help="From 0 to 100.")] = None,
    blocker: Annotated[Items, typer.Option("--blocker", help="Repeatable.")] = None,
    quality: Annotated[float | None, typer.Option("--quality", help="From 0 to 1.")] = None,
    notes: Annotated[str | None, typer.Option("--notes")] = None,
    session: Session = None,
    task: TaskOption = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Keep where a feature stands; its former state stays in its history."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        made = engram.track_progress(
            feature,
            status,
            completion=completion,
            blockers=blocker,
            quality_score=quality,
            notes=notes,
            session_id=session,
            task_id=task,
        )
    _said(made, json)


def outcome(
    session_id: Annotated[str, typer.Argument(help="The session, as recall was told.", show_default=False)],
    result: Annotated[str, typer.Argument(help="success or failure.", show_default=False)],
    notes: Annotated[str | None, typer.Option("--notes", help="What to learn from a failure.")] = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Weigh what was recalled in a session by how it ended."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        weighed = engram.session_outcome(session_id, result, notes)
    if json:
        print_json(weighed)
        return
    rows = [
        (str(one.memory_id), f"{one.quality_score:.3f}", f"{one.importance:.3f}", one.content)
        for one in weighed
    ]
    show_table(("id", "quality", "importance", "memory"), rows, wide="memory")


def create(
    name: Annotated[str, typer.Argument(help="Its short name.", show_default=False)],
    goal: Goal = None,
    status: Status = None,
    metadata: Metadata = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Make a task, or return the open one of that name."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        made = engram.create_task(
            name, goal=goal, status=status, metadata=json_object(metadata, "--metadata")
        )
    _show_task(made, json)


def update(
    task_id: TaskId,
    goal: Goal = None,
    status: Status = None,
    metadata: Metadata = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Change the status, goal or metadata of a task."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        made = engram.update_task(
            task_id, goal=goal, status=status, metadata=json_object(metadata, "--metadata")
        )
    _show_task(made, json)


def show(
    task_id: TaskId,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """Show a task with what hangs on it."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        found = engram.get_task(task_id)
    if json:
        print_json(found)
        return
    show_fields({key: value for key, value in found["task"].items() if value not in (None, {})})
    if found["last_handoff"] is not None:
        _show_handoff(found["last_handoff"])
    parts = ("handoffs", "failures", "progress", "memories")
    rows = [
        (part, str(entry["memory_id"]), entry["content"].replace("\n", " "))
        for part in parts
        for entry in found[part]
    ]
    show_table(("what", "id", "memory"), rows, wide="memory")


def listed(
    status: Status = None,
    user: User = "default",
    tenant: Tenant = None,
    dsn: Dsn = None,
    data_dir: DataDir = None,
    json: Json = False,
) -> None:
    """List the tasks, last changed first."""
    with open_engram(dsn, data_dir, user, tenant) as engram:
        tasks = engram.list_tasks(status)
    if json:
        print_json(tasks)
        return
    rows = [(str(one.task_id), one.name, one.status, one.goal or "") for one in tasks]
    show_table(("id", "name", "status", "goal"), rows, wide="goal")


def _task_commands() -> typer.Typer:
    commands = typer.Typer(help="Tasks that hand-offs, failures and progress hang on.", no_args_is_help=True)
    for name, command in (("create", create), ("update", update), ("show", show), ("list", listed)):
        commands.command(name)(command)
    return commands


def _said(made: Remembered, json: bool) -> None:
    if json:
        print_json(made)
    else:
        print(f"{made.action}: memory {made.memory_id}")


def _show_task(task: Task, json: bool) -> None:
    if json:
        print_json(task)
    else:
        print(f"task {task.task_id}: {task.name}, {task.status}")


def _show_handoff(found: dict[str, Any]) -> None:
    print(f"{found['created_at'][:10]}  {found['summary']}  (memory {found['memory_id']})")
    for step in found["steps"]:
        by = f" by memory {step['by']}" if "by" in step else ""
        print(f"{step['state']}{by}: {step['step']}  ({step['list'].replace('_', ' ')})")
    for item in found["completed"]:
        print(f"completed: {item}")


_COMMANDS: dict[str, Callable[..., None]] = {
    "handoff": handoff,
    "failure": failure,
    "progress": progress,
    "outcome": outcome,
}
