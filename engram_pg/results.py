"""What the calls return: one small frozen class a row type, with the columns of the SQL function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

Row = TypeVar("Row")


def build(kind: type[Row], row: Mapping[str, Any]) -> Row:
    """A row as its class. Columns that a newer schema added are left out, so that an old shim works on."""
    known = kind.__annotations__
    return kind(**{name: value for name, value in row.items() if name in known})


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a text. `action` is new, reinforce, reject, replace or merge; `similarity` a cosine to
    `related_id`.
    """

    memory_id: int
    action: str
    related_id: int | None = None
    similarity: float | None = None
    evidence: dict[str, Any] | None = None
    decision_id: int | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory found, best first, with the parts of its score, which compare the hits of one question only.
    `legs` says which searches found it; `rerank` is what the cross-encoder gave, where one was asked for.
    """

    rank: int
    memory_id: int
    content: str
    kind: str
    importance: float
    tags: list[str]
    metadata: dict[str, Any]
    created_at: datetime
    valid_from: datetime | None
    valid_until: datetime | None
    score: float
    semantic: float | None
    lexical: float | None
    strength: float | None
    graph: float | None
    legs: list[str] | None = None
    rerank: float | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory as it is kept. `state` is active, retired (replaced, kept for history) or archived
    (forgotten).
    """

    memory_id: int
    content: str
    kind: str | None = None
    importance: float | None = None
    confidence: float | None = None
    collection: str | None = None
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    source_type: str | None = None
    session_id: str | None = None
    pinned: bool | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    reinforced_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    expires_at: datetime | None = None
    state: str | None = None
    superseded_by: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a memory's history: what was decided, why, and whether it was undone."""

    decision_id: int
    decided_at: datetime
    action: str
    memory_id: int
    related_id: int | None = None
    similarity: float | None = None
    evidence: dict[str, Any] | None = None
    before: dict[str, Any] | None = None
    content: str | None = None
    state: str | None = None
    actor: str | None = None
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A memory reached over edges: `hops` edges away, `path_weight` the product of their weights."""

    memory_id: int
    hops: int
    path_weight: float
    content: str
    kind: str | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A finding of `doctor`. `status` is ok, warning or error; `fix` the command that helps."""

    check: str
    status: str
    detail: str | None = None
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the upkeep: its last run, and when it is due. `last_outcome` is done, partial, failed or
    interrupted.
    """

    job: str
    enabled: bool
    running: bool
    last_started_at: datetime | None = None
    last_finished_at: datetime | None = None
    last_seconds: float | None = None
    last_rows: int | None = None
    last_outcome: str | None = None
    last_detail: dict[str, Any] | None = None
    next_due_at: datetime | None = None
    due: bool = True
    overdue: bool = False
    last_error: str | None = None
    last_error_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Pruned:
    """A memory that has faded: whether it goes, or went, and by which rule it does or stays."""

    memory_id: int
    content: str
    kind: str
    strength: float
    gone: bool
    rule: str
    reason: str
    protected_by: int | None = None
    protector_strength: float | None = None
    decision_id: int | None = None


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Memories that became one: `kept` with its text now, those folded into it, and those that a later one
    contradicts. No `decision_id` after a dry run.
    """

    kept: int
    content: str
    folded: list[int]
    retired: list[int]
    decision_id: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What hand-offs, failures and progress hang on. `status` is planning, in_progress, blocked, review, done
    or cancelled.
    """

    task_id: int
    name: str
    goal: str | None
    status: str
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Feature:
    """Where a feature stands since a moment. `memory_id` holds this state: its history shows those before."""

    feature: str
    status: str | None
    completion: float | None
    blockers: list[str]
    quality_score: float | None
    notes: str | None
    task_id: int | None
    memory_id: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in a component, and how often."""

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


@dataclass(frozen=True, slots=True)
class Weighed:
    """A memory that the outcome of a session weighed: its importance now, and what it was worth, 0..1."""

    memory_id: int
    content: str
    recalls: int
    importance: float
    quality_score: float
    decision_id: int | None = None
