"""What the tools of several families share: arguments, a result, and the way to the memory."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from engram_pg.mcp.memory import Memory

LOOKS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
CHANGES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)

Here = Context[Memory, Any]

UserId = Annotated[
    str | None,
    Field(description="Whose memory. Leave out for the user this server is set up for."),
]
MemoryId = Annotated[int, Field(ge=1, description="The memory_id that recall, remember or history gave.")]
Metadata = Annotated[
    dict[str, Any] | None,
    Field(description='A JSON object to keep with it, like {"source": "meeting"}.'),
]
Moment = Annotated[str | None, Field(description="ISO 8601, like 2026-03-01 or 2026-03-01T09:30:00+01:00.")]
SessionId = Annotated[
    str | None,
    Field(
        description="Name of this conversation, always the same in it. Its memories are linked in order, and "
        "its outcome can weigh what it recalled."
    ),
]


class Result(BaseModel):
    """What a tool returns; columns that a newer schema added are left out."""

    model_config = ConfigDict(extra="ignore")


class Remembered(Result):
    """What became of it."""

    memory_id: int = Field(description="The memory that now holds it.")
    action: str = Field(
        description="new; reinforce, reject: known; replace, merge: in place of related_id; revise."
    )
    related_id: int | None = Field(None, description="The memory that it repeated, replaced or joined.")
    similarity: float | None = Field(None, description="Cosine to related_id.")
    evidence: dict[str, Any] | None = Field(None, description="Why.")
    decision_id: int | None = Field(None, description="Of the entry in the history.")


def memory_of(here: Here) -> Memory:
    """The memory that the server works on."""
    return here.request_context.lifespan_context
