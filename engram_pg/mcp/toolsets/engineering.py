"""Tools for work that goes over many sessions: hand-offs, failures, progress, tasks, outcomes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from pydantic import Field

from engram_pg.mcp.memory import Memory
from engram_pg.mcp.toolsets._engineering_answers import (
    Failure,
    Failures,
    Feature,
    Features,
    Handoff,
    LastHandoff,
    Task,
    Tasks,
    Weighed,
    WeighedMemory,
    WholeTask,
)
from engram_pg.mcp.toolsets._shared import (
    ADDS,
    CHANGES,
    LOOKS,
    Here,
    Metadata,
    Remembered,
    SessionId,
    UserId,
    memory_of,
)

INSTRUCTIONS = """Work that goes over many sessions: begin one with `last_handoff`, and end it with
`session_handoff`, so that the next one knows where you stopped. Call `track_progress` when a feature moves,
`track_failure` when something broke and you know more about it, and `session_outcome` once you know whether
what you recalled helped."""

CALLS: dict[str, str] = {}

Status = Literal["planning", "in_progress", "blocked", "review", "done", "cancelled"]
Items = list[str] | None
TaskId = Annotated[
    int | str | None, Field(description="The task that it belongs to: its task_id, or its name.")
]
WhichTask = Annotated[int | str, Field(description="The task: its task_id, or its name.")]


def register(server: MCPServer[Memory]) -> None:
    """Adds the tools to a server."""
    server.add_tool(session_handoff, title="Hand off a session", annotations=ADDS)
    server.add_tool(last_handoff, title="Last hand-off", annotations=LOOKS)
    server.add_tool(track_failure, title="Track a failure", annotations=ADDS)
    server.add_tool(track_progress, title="Track progress", annotations=ADDS)
    server.add_tool(list_failures, title="Failures", annotations=LOOKS)
    server.add_tool(list_features, title="Features", annotations=LOOKS)
    server.add_tool(create_task, title="Create a task", annotations=ADDS)
    server.add_tool(update_task, title="Update a task", annotations=CHANGES)
    server.add_tool(get_task, title="A task and what hangs on it", annotations=LOOKS)
    server.add_tool(list_tasks, title="Tasks", annotations=LOOKS)
    server.add_tool(session_outcome, title="Outcome of a session", annotations=CHANGES)


async def session_handoff(
    here: Here,
    summary: Annotated[str, Field(description="What this session was about and where it ended.")],
    completed: Annotated[Items, Field(description="What is done, one item an entry.")] = None,
    in_progress: Annotated[Items, Field(description="What is begun and not done.")] = None,
    blocked: Annotated[Items, Field(description="What cannot go on, each with its reason.")] = None,
    next_steps: Annotated[Items, Field(description="What to do next, in order.")] = None,
    session_id: SessionId = None,
    task_id: TaskId = None,
    user_id: UserId = None,
) -> Remembered:
    """Leave word of where the work stands, for the session that goes on with it.

    Call it once, at the end of a session, or before another agent takes over. Use the same words for a step
    as the last hand-off did: what you list as completed settles the steps of earlier ones.

    Example: session_handoff(summary="Login form works, tests pending", next_steps=["write the login tests"])
    """
    row = await memory_of(here).row(
        "session_handoff",
        user_id,
        summary=summary,
        completed=completed,
        in_progress=in_progress,
        blocked=blocked,
        next_steps=next_steps,
        session_id=session_id,
        task_id=await _number(here, task_id, user_id),
    )
    return Remembered.model_validate(row)


async def last_handoff(here: Here, task_id: TaskId = None, user_id: UserId = None) -> LastHandoff:
    """See where the work stopped, and which of its steps were done since.

    Call it at the start of a session that goes on with earlier work.

    Example: last_handoff()
    """
    found = await memory_of(here).value(
        "last_handoff", user_id, task_id=await _number(here, task_id, user_id)
    )
    return LastHandoff(handoff=None if found is None else Handoff.model_validate(found))


async def track_failure(
    here: Here,
    error: Annotated[str, Field(description="What went wrong: the message, or a sentence.")],
    component: Annotated[str, Field(description='Where: a module, a service, a job, like "payment".')],
    root_cause: Annotated[str | None, Field(description="Why, once that is known.")] = None,
    severity: Annotated[
        Literal["critical", "major", "minor"],
        Field(description="How bad it was; the worse, the longer kept."),
    ] = "major",
    fix: Annotated[str | None, Field(description="What mended it, or would.")] = None,
    related_test_ids: Annotated[Items, Field(description="Tests that show it.")] = None,
    session_id: SessionId = None,
    task_id: TaskId = None,
    user_id: UserId = None,
) -> Remembered:
    """Keep what went wrong in a component, so that it comes to mind when that component is worked on.

    Call it when a test, a build, a deployment or the program failed for a reason that is worth knowing. Call
    it again with the same error and component when you know the cause or the fix: they are added.

    Example: track_failure(error="CSRF token missing on checkout", component="payment", severity="critical")
    """
    row = await memory_of(here).row(
        "track_failure",
        user_id,
        error=error,
        component=component,
        root_cause=root_cause,
        severity=severity,
        fix=fix,
        related_test_ids=related_test_ids,
        session_id=session_id,
        task_id=await _number(here, task_id, user_id),
    )
    return Remembered.model_validate(row)


async def track_progress(
    here: Here,
    feature: Annotated[str, Field(description='A short name, always the same, like "login-flow".')],
    status: Annotated[Status, Field(description="Where it stands.")],
    completion: Annotated[float | None, Field(description="How much is done, 0 to 100.")] = None,
    blockers: Annotated[Items, Field(description="What stands in its way.")] = None,
    quality_score: Annotated[float | None, Field(description="How good it is, 0 to 1.")] = None,
    notes: Annotated[str | None, Field(description="Anything else that matters.")] = None,
    session_id: SessionId = None,
    task_id: TaskId = None,
    user_id: UserId = None,
) -> Remembered:
    """Keep where a feature stands. The state before is retired and stays in its history.

    Call it when a feature is begun, moves on, is blocked or done.

    Example: track_progress(feature="login-flow", status="blocked", completion=60, blockers=["API review"])
    """
    row = await memory_of(here).row(
        "track_progress",
        user_id,
        feature=feature,
        status=status,
        completion=completion,
        blockers=blockers,
        quality_score=quality_score,
        notes=notes,
        session_id=session_id,
        task_id=await _number(here, task_id, user_id),
    )
    return Remembered.model_validate(row)


async def list_failures(
    here: Here,
    component: Annotated[str | None, Field(description="Only of this component.")] = None,
    user_id: UserId = None,
) -> Failures:
    """See what went wrong, last seen first, with causes and fixes where they are known.

    Call it before you work on a component that gave trouble, or to give a report.

    Example: list_failures(component="payment")
    """
    rows = await memory_of(here).rows("list_failures", user_id, component=component)
    return Failures(failures=[Failure.model_validate(row) for row in rows])


async def list_features(
    here: Here,
    status: Annotated[Status | None, Field(description="Only features of this status.")] = None,
    user_id: UserId = None,
) -> Features:
    """See where each feature stands, last changed first.

    Call it to see what is in progress or blocked, or under which name a feature is known.

    Example: list_features(status="blocked")
    """
    rows = await memory_of(here).rows("list_features", user_id, status=status)
    return Features(features=[Feature.model_validate(row) for row in rows])


async def create_task(
    here: Here,
    name: Annotated[str, Field(description='A short name, always the same, like "login-refactor".')],
    goal: Annotated[str | None, Field(description="What is true when it is done.")] = None,
    status: Annotated[Status | None, Field(description="Where it stands. Default planning.")] = None,
    metadata: Metadata = None,
    user_id: UserId = None,
) -> Task:
    """Make a task that hand-offs, failures and progress can hang on.

    Call it when work begins that will take several sessions. An open task of that name is returned instead of
    a second one.

    Example: create_task(name="login-refactor", goal="Login works without the old session table")
    """
    row = await memory_of(here).row(
        "create_task", user_id, name=name, goal=goal, status=status, metadata=metadata
    )
    return Task.model_validate(row)


async def update_task(
    here: Here,
    task_id: WhichTask,
    status: Annotated[Status | None, Field(description="Where it stands now.")] = None,
    goal: Annotated[str | None, Field(description="The new goal.")] = None,
    metadata: Annotated[
        dict[str, Any] | None, Field(description="The new object, in place of the old one.")
    ] = None,
    user_id: UserId = None,
) -> Task:
    """Change the status, goal or metadata of a task.

    Call it when a task moves on. Only what you give is changed.

    Example: update_task(task_id="login-refactor", status="done")
    """
    number = await _number(here, task_id, user_id)
    row = await memory_of(here).row(
        "update_task", user_id, task_id=number, status=status, goal=goal, metadata=metadata
    )
    return Task.model_validate(row)


async def get_task(
    here: Here,
    task_id: WhichTask,
    user_id: UserId = None,
) -> WholeTask:
    """See a task with its hand-offs, failures, progress and other memories.

    Call it before you go on with a task that somebody else, or another session, began.

    Example: get_task(task_id="login-refactor")
    """
    number = await _number(here, task_id, user_id)
    return WholeTask.model_validate(await memory_of(here).value("get_task", user_id, task_id=number))


async def list_tasks(
    here: Here,
    user_id: UserId = None,
    status: Annotated[Status | None, Field(description="Only tasks of this status.")] = None,
) -> Tasks:
    """See the tasks, last changed first.

    Call it to find what is open, or the number of a task.

    Example: list_tasks(status="in_progress")
    """
    rows = await memory_of(here).rows("list_tasks", user_id, status=status)
    return Tasks(tasks=[Task.model_validate(row) for row in rows])


async def session_outcome(
    here: Here,
    session_id: Annotated[str, Field(description="The session_id that you gave when you recalled.")],
    outcome: Annotated[Literal["success", "failure"], Field(description="How the session ended.")],
    notes: Annotated[
        str | None, Field(description="What to learn from a failure: it is remembered as one.")
    ] = None,
    user_id: UserId = None,
) -> Weighed:
    """Tell how a session ended: what it recalled becomes more important, or less.

    Call it once, at the end, when it is clear whether the work succeeded.

    Example: session_outcome(session_id="2026-03-01-login", outcome="success")
    """
    rows = await memory_of(here).rows(
        "session_outcome", user_id, session_id=session_id, outcome=outcome, notes=notes
    )
    return Weighed(memories=[WeighedMemory.model_validate(row) for row in rows])


async def _number(here: Here, task: int | str | None, user_id: str | None) -> int | None:
    """The number of a task that may be given by its name."""
    if not isinstance(task, str):
        return task
    number: int = await memory_of(here).value("task_id", user_id, task=task)
    return number
