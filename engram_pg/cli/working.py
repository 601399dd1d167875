"""handoff, failure, progress, outcome: the state of work that goes over many sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from engram_pg.cli._options import Json, Place, on_memory
from engram_pg.cli._output import note, print_json, show_fields, show_table
from engram_pg.errors import UNKNOWN_MEMORY, EngramError
from engram_pg.results import Change, Failure, Feature, Remembered

Items = list[str] | None
Session = Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")]
TaskOption = Annotated[str | None, typer.Option("--task", help="Name or number of the task it hangs on.")]


def register(app: typer.Typer, command: str) -> None:
    """Adds a command of this module."""
    app.command(command, rich_help_panel="Work")(_COMMANDS[command])


@on_memory
def handoff(
    place: Place,
    summary: Annotated[
        str | None, typer.Argument(help="Where the work stands; without it the last one is shown.")
    ] = None,
    completed: Annotated[
        Items, typer.Option("--completed", help="What is done. Repeatable, as the others.")
    ] = None,
    in_progress: Annotated[Items, typer.Option("--in-progress", help="What is begun and not done.")] = None,
    blocked: Annotated[Items, typer.Option("--blocked", help="What cannot go on, and why.")] = None,
    next_step: Annotated[Items, typer.Option("--next", help="What to do next.")] = None,
    session: Session = None,
    task: TaskOption = None,
    json: Json = False,
) -> None:
    """Leave word of where the work stands, or see the last word and which of its steps are done."""
    if summary is None and (completed or in_progress or blocked or next_step or session):
        raise typer.BadParameter("say in a sentence where the work stands: handoff SUMMARY --next …")
    with place.open() as engram:
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
        note("there is no hand-off yet; handoff SUMMARY leaves one")
    else:
        show_handoff(found)


@on_memory
def failure(
    place: Place,
    error: Annotated[
        str | None, typer.Argument(help="What went wrong; without it the failures are listed.")
    ] = None,
    component: Annotated[str | None, typer.Argument(help="Where.")] = None,
    severity: Annotated[str | None, typer.Option("--severity", help="critical, major or minor.")] = None,
    root_cause: Annotated[str | None, typer.Option("--root-cause", help="Why.")] = None,
    fix: Annotated[str | None, typer.Option("--fix", help="What mended it.")] = None,
    test: Annotated[Items, typer.Option("--test", help="A test that shows it. Repeatable.")] = None,
    of: Annotated[str | None, typer.Option("--of", help="List only those of this component.")] = None,
    session: Session = None,
    task: TaskOption = None,
    json: Json = False,
) -> None:
    """Keep what went wrong in a component, or list what did; the same error again is counted."""
    if error is not None and component is None:
        raise typer.BadParameter("name the component too: failure ERROR COMPONENT")
    with place.open() as engram:
        if error is not None and component is not None:
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
            return _said(made, json)
        failures = engram.list_failures(of)
    if json:
        print_json(failures)
    else:
        _show_failures(failures)


@on_memory
def progress(
    place: Place,
    feature: Annotated[
        str | None, typer.Argument(help="Its short name; without it every feature is listed.")
    ] = None,
    status: Annotated[
        str | None,
        typer.Argument(
            help="planning, in_progress, blocked, review, done or cancelled; without it, where it stands."
        ),
    ] = None,
    completion: Annotated[float | None, typer.Option("--completion", help="From 0 to 100.")] = None,
    blocker: Annotated[Items, typer.Option("--blocker", help="What it waits for. Repeatable.")] = None,
    quality: Annotated[float | None, typer.Option("--quality", help="From 0 to 1.")] = None,
    notes: Annotated[str | None, typer.Option("--notes", help="What else matters.")] = None,
    only: Annotated[str | None, typer.Option("--status", help="List only features of this status.")] = None,
    session: Session = None,
    task: TaskOption = None,
    json: Json = False,
) -> None:
    """Keep where a feature stands, or see where one or all of them do."""
    if status is None and (completion is not None or blocker or quality is not None or notes or task):
        raise typer.BadParameter("say where it stands: progress FEATURE STATUS")
    with place.open() as engram:
        if feature is not None and status is not None:
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
            return _said(made, json)
        features = engram.list_features(only, feature)
        changes = engram.history(features[0].memory_id) if feature and features else []
    if json:
        print_json(features)
    elif feature is None:
        _show_features(features, only)
    else:
        _show_feature(feature, features, changes)


@on_memory
def outcome(
    place: Place,
    session_id: Annotated[str, typer.Argument(help="The session, as recall was told.", show_default=False)],
    result: Annotated[str, typer.Argument(help="success or failure.", show_default=False)],
    notes: Annotated[str | None, typer.Option("--notes", help="What to learn from a failure.")] = None,
    json: Json = False,
) -> None:
    """Weigh what was recalled in a session by how it ended."""
    with place.open() as engram:
        weighed = engram.session_outcome(session_id, result, notes)
    if json:
        print_json(weighed)
        return
    rows = [
        (str(one.memory_id), f"{one.quality_score:.3f}", f"{one.importance:.3f}", one.content)
        for one in weighed
    ]
    show_table(
        ("id", "quality", "importance", "memory"),
        rows,
        wide="memory",
        empty=f"nothing to weigh: since its last outcome session {session_id} recalled nothing that is still"
        f" kept. A recall names its session: engram-pg recall … --session {session_id}",
    )
    if notes and result == "failure":
        note("the notes are remembered as a failure")


def show_handoff(found: dict[str, Any]) -> None:
    """A hand-off, with the state of its steps."""
    print(f"{found['created_at'][:10]}  {found['summary']}  (memory {found['memory_id']})")
    for step in found["steps"]:
        by = f" by memory {step['by']}" if "by" in step else ""
        print(f"{step['state']}{by}: {step['step']}  ({step['list'].replace('_', ' ')})")
    for item in found["completed"]:
        print(f"completed: {item}")


def _said(made: Remembered, json: bool) -> None:
    if json:
        print_json(made)
    else:
        print(f"{made.action}: memory {made.memory_id}")


def _show_failures(failures: list[Failure]) -> None:
    rows = [
        (
            str(one.memory_id),
            one.component or "",
            one.severity or "",
            str(one.occurrences),
            f"{one.last_seen:%Y-%m-%d}",
            "\n".join([one.error, *_named("cause", one.root_cause), *_named("fix", one.fix)]),
        )
        for one in failures
    ]
    headers = ("id", "component", "severity", "times", "last seen", "error")
    show_table(headers, rows, wide="error", empty="no failures are kept; failure ERROR COMPONENT keeps one")


def _show_features(features: list[Feature], status: str | None) -> None:
    rows = [
        (
            one.feature,
            one.status or "",
            _percent(one),
            f"{one.since:%Y-%m-%d}",
            str(one.memory_id),
            "\n".join([*_named("blocked by", ", ".join(one.blockers)), *([one.notes] if one.notes else [])]),
        )
        for one in features
    ]
    headers = ("feature", "status", "done", "since", "id", "notes")
    nothing = f"no feature is {status}" if status else "no feature is kept; progress FEATURE STATUS keeps one"
    show_table(headers, rows, wide="notes", empty=nothing)


def _show_feature(name: str, features: list[Feature], changes: list[Change]) -> None:
    if not features:
        raise EngramError(
            UNKNOWN_MEMORY, f"no feature is called {name!r}", hint="engram-pg progress lists the features."
        )
    [found] = features
    fields = {
        "feature": found.feature,
        "status": found.status,
        "done": _percent(found),
        "since": f"{found.since:%Y-%m-%d %H:%M}",
        "blocked by": ", ".join(found.blockers),
        "quality": found.quality_score,
        "notes": found.notes,
        "task": found.task_id,
        "memory": found.memory_id,
    }
    show_fields({field: value for field, value in fields.items() if value not in (None, "")})
    for change in changes:
        if change.memory_id != found.memory_id and change.content and not change.undone_at:
            first = change.content.splitlines()[0]
            print(f"before: {change.decided_at:%Y-%m-%d}  {first}  (memory {change.memory_id})")


def _percent(feature: Feature) -> str:
    return "" if feature.completion is None else f"{feature.completion:.0f}%"


def _named(name: str, text: str | None) -> list[str]:
    return [f"{name}: {text}"] if text else []


_COMMANDS: dict[str, Callable[..., None]] = {
    "handoff": handoff,
    "failure": failure,
    "progress": progress,
    "outcome": outcome,
}
