"""What the tools of engineering work answer with: hand-offs, failures, features, tasks, outcomes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from engram_pg.mcp.toolsets._shared import Result


class Step(Result):
    """A step of a hand-off, and what became of it."""

    list: str = Field(description="Where it stood: next_steps, in_progress or blocked.")
    step: str
    state: str = Field(description="done or open, by the latest record that says something of it.")
    by: int | None = Field(None, description="The memory that says so.")
    rule: str | None = Field(None, description="Why that one was taken to mean this step.")
    item: str | None = Field(None, description="What it says.")


class Handoff(Result):
    """Where work stood."""

    memory_id: int
    created_at: datetime
    summary: str
    completed: list[str] = Field([])
    in_progress: list[str] = Field([])
    blocked: list[str] = Field([])
    next_steps: list[str] = Field([])
    session_id: str | None = None
    task_id: int | None = None
    steps: list[Step] = Field([], description="What was left to do, with its state now.")


class LastHandoff(Result):
    """The newest hand-off, if there is one."""

    handoff: Handoff | None


class Task(Result):
    """A task."""

    task_id: int
    name: str
    goal: str | None = None
    status: str
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime


class Record(Result):
    """A memory that hangs on a task."""

    memory_id: int
    content: str
    importance: float
    created_at: datetime
    metadata: dict[str, Any]


class WholeTask(Result):
    """A task with what hangs on it, newest first."""

    task: Task
    last_handoff: Handoff | None
    handoffs: list[Record]
    failures: list[Record]
    progress: list[Record]
    memories: list[Record]


class Tasks(Result):
    """Tasks, last changed first."""

    tasks: list[Task]


class Feature(Result):
    """Where a feature stands."""

    feature: str
    status: str | None
    completion: float | None = Field(description="How much is done, 0 to 100.")
    blockers: list[str]
    quality_score: float | None
    notes: str | None
    task_id: int | None
    memory_id: int = Field(description="Its history shows the states before.")
    since: datetime


class Features(Result):
    """Features, last changed first."""

    features: list[Feature]


class Failure(Result):
    """What went wrong."""

    memory_id: int
    component: str | None
    error: str
    severity: str | None
    root_cause: str | None
    fix: str | None
    related_test_ids: list[str]
    occurrences: int
    last_seen: datetime
    task_id: int | None


class Failures(Result):
    """Failures, last seen first."""

    failures: list[Failure]


class WeighedMemory(Result):
    """A memory that was weighed."""

    memory_id: int
    content: str
    recalls: int
    importance: float = Field(description="What it is now.")
    quality_score: float = Field(description="What it was worth, 0 to 1.")
    decision_id: int | None = None


class Weighed(Result):
    """What a session had recalled."""

    memories: list[WeighedMemory]
