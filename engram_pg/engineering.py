"""The methods of the SDK for the state of work: hand-offs, failures, progress, tasks, outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from engram_pg.calls import Calls
from engram_pg.results import Failure, Feature, Remembered, Task, Weighed, build

TaskRef = int | str
"""A task: its number, or its name."""


class HandoffOptions(TypedDict, total=False):
    """Where work stands, in lists, and what it belongs to."""

    completed: Sequence[str] | None
    in_progress: Sequence[str] | None
    blocked: Sequence[str] | None
    next_steps: Sequence[str] | None
    session_id: str | None
    task_id: TaskRef | None


class FailureOptions(TypedDict, total=False):
    """What is known of a failure: `severity` is critical, major or minor."""

    severity: str | None
    root_cause: str | None
    fix: str | None
    related_test_ids: Sequence[str] | None
    session_id: str | None
    task_id: TaskRef | None


class ProgressOptions(TypedDict, total=False):
    """How far a feature is: `completion` 0..100, `quality_score` 0..1."""

    completion: float | None
    blockers: Sequence[str] | None
    quality_score: float | None
    notes: str | None
    session_id: str | None
    task_id: TaskRef | None


class TaskOptions(TypedDict, total=False):
    """What a task is for, and where it stands."""

    goal: str | None
    status: str | None
    metadata: Mapping[str, Any] | None


class Engineering(Calls):
    """What `Engram` does for agents that work on something over many sessions."""

    def session_handoff(self, summary: str, **options: Unpack[HandoffOptions]) -> Remembered:
        """Leaves word of where work stands. The newest hand-off is on top of `context` and among the hits of
        `recall`.
        """
        row = self._row("session_handoff", summary=summary, user_id=self.user, **self._numbered(options))
        return build(Remembered, row)

    def last_handoff(self, task_id: TaskRef | None = None) -> dict[str, Any] | None:
        """The newest hand-off, or that of a task, with the state of each step, done or open, and why."""
        found: dict[str, Any] | None = self._value(
            "last_handoff", user_id=self.user, task_id=self._number(task_id)
        )
        return found

    def track_failure(self, error: str, component: str, **options: Unpack[FailureOptions]) -> Remembered:
        """Keeps what went wrong in a component; the same error again is counted, and takes what is new."""
        given = self._numbered(options)
        row = self._row("track_failure", error=error, component=component, user_id=self.user, **given)
        return build(Remembered, row)

    def list_failures(self, component: str | None = None) -> list[Failure]:
        """What went wrong and is not forgotten, last seen first, or that of a component."""
        rows = self._rows("list_failures", component=component, user_id=self.user)
        return [build(Failure, row) for row in rows]

    def track_progress(self, feature: str, status: str, **options: Unpack[ProgressOptions]) -> Remembered:
        """Keeps where a feature stands; its former state is retired and stays in the history."""
        given = self._numbered(options)
        row = self._row("track_progress", feature=feature, status=status, user_id=self.user, **given)
        return build(Remembered, row)

    def list_features(self, status: str | None = None, feature: str | None = None) -> list[Feature]:
        """Where each feature stands, last changed first, those of a status, or the one of a name."""
        rows = self._rows("list_features", status=status, feature=feature, user_id=self.user)
        return [build(Feature, row) for row in rows]

    def create_task(self, name: str, **options: Unpack[TaskOptions]) -> Task:
        """Makes a task, or returns the open one of that name."""
        return build(Task, self._row("create_task", name=name, user_id=self.user, **options))

    def update_task(self, task_id: TaskRef, **options: Unpack[TaskOptions]) -> Task:
        """Changes the status, goal or metadata of a task; the former values stay in its history."""
        number = self._number(task_id)
        return build(Task, self._row("update_task", task_id=number, user_id=self.user, **options))

    def get_task(self, task_id: TaskRef) -> dict[str, Any]:
        """A task with the hand-offs, failures, progress and other memories that hang on it."""
        return dict(self._value("get_task", task_id=self._number(task_id), user_id=self.user))

    def list_tasks(self, status: str | None = None) -> list[Task]:
        """The tasks, last changed first, or those of a status."""
        return [build(Task, row) for row in self._rows("list_tasks", status=status, user_id=self.user)]

    def session_outcome(self, session_id: str, outcome: str, notes: str | None = None) -> list[Weighed]:
        """Weighs what was recalled in a session by how it ended, success or failure."""
        rows = self._rows(
            "session_outcome", session_id=session_id, outcome=outcome, notes=notes, user_id=self.user
        )
        return [build(Weighed, row) for row in rows]

    def _number(self, task: TaskRef | None) -> int | None:
        """The number of a task that may be given by its name."""
        if not isinstance(task, str):
            return task
        number: int = self._value("task_id", task=task, user_id=self.user)
        return number

    def _numbered(self, options: HandoffOptions | FailureOptions | ProgressOptions) -> dict[str, Any]:
        """The options with the number of the task."""
        return {**options, "task_id": self._number(options.get("task_id"))}
