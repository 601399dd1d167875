"""What may be said in the calls of the SDK, as typed keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

Time = datetime | str
"""A moment: a datetime or ISO 8601 text. Without a zone it is read in the time zone of the session."""

JsonObject = Mapping[str, Any]


class RememberOptions(TypedDict, total=False):
    """What may be said about a memory: `importance` is 0..1, `policy` resolve, reject, merge or append;
    the rest is as the SQL has it.
    """

    kind: str | None
    importance: float | None
    collection: str | None
    tags: Sequence[str] | None
    metadata: JsonObject | None
    source_type: str | None
    session_id: str | None
    valid_from: Time | None
    valid_until: Time | None
    created_at: Time | None
    embedding: Sequence[float] | None
    policy: str | None


class SearchOptions(TypedDict, total=False):
    """How to search: `k` hits (1..1000), a scoring profile, filters, `as_of` a moment, a `min_score`, a
    query vector of the active model.
    """

    k: int | None
    profile: str | None
    kinds: Sequence[str] | None
    tags: Sequence[str] | None
    collections: Sequence[str] | None
    metadata: JsonObject | None
    since: Time | None
    until: Time | None
    as_of: Time | None
    min_score: float | None
    embedding: Sequence[float] | None


class RecallOptions(SearchOptions, total=False):
    """Also: `rerank` has the cross-encoder of ENGRAM_RERANKER order the 50 best; `session_id` names the
    session that asks, for `session_outcome`, and `search` leaves it out.
    """

    session_id: str | None
    rerank: bool


class ReviseOptions(TypedDict, total=False):
    """What may be changed beside the text."""

    kind: str | None
    importance: float | None
    collection: str | None
    tags: Sequence[str] | None
    metadata: JsonObject | None
    pinned: bool | None
    valid_from: Time | None
    valid_until: Time | None
    embedding: Sequence[float] | None
