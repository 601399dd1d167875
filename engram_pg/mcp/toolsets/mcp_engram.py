"""The tools of mcp-engram under their names and with their arguments, for agents that are set up for it.
Those for the state of engineering work are the same in both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from engram_pg.importers.mcp_engram import COLLECTIONS
from engram_pg.mcp.memory import Memory
from engram_pg.mcp.toolsets._shared import ADDS, CHANGES, LOOKS, Here, SessionId, UserId, memory_of

INSTRUCTIONS = """Long-term memory that lasts between conversations. Call `recall_memory` before you begin
something that may depend on earlier work, and `store_memory` with one self-contained sentence when you learn
something worth keeping. Contradictions are settled by the memory itself: just store what is true now."""

CALLS = {
    "recall": "recall_memory",
    "remember": "store_memory",
    "revise": "update_memory",
    "consolidate": "consolidate_memory",
    "stats": "memory_stats",
}


class FoundMemory(BaseModel):
    """A memory that was found."""

    id: int
    content: str
    category: str
    importance: float
    strength: float | None = Field(description="How vivid it still is.")
    similarity: float | None = Field(description="Nearness in meaning, scaled within this answer.")
    score: float = Field(description="Orders the memories of one answer; does not say whether any fits.")
    metadata: dict[str, Any] = {}


class FoundMemories(BaseModel):
    """What was found, best first."""

    memoriesFound: int
    memories: list[FoundMemory]


class Done(BaseModel):
    """What became of it."""

    result: str
    memory_id: int


class Cluster(BaseModel):
    """Memories of which one was made."""

    kept: int
    content: str
    removed: list[int] = Field(description="Archived, and superseded by the one kept.")
    decision_id: int = Field(description="Of the entry in the history.")


class Consolidated(BaseModel):
    """What was made one."""

    result: str
    details: list[Cluster]


class Numbers(BaseModel):
    """Counts."""

    total: int
    categories: dict[str, int]
    avg_strength: float
    last_maintenance: str | None
    engineering: dict[str, Any]


def register(server: MCPServer[Memory]) -> None:
    """Adds the tools to a server."""
    server.add_tool(recall_memory, title="Recall", annotations=LOOKS)
    server.add_tool(store_memory, title="Store", annotations=ADDS)
    server.add_tool(update_memory, title="Update a memory", annotations=CHANGES)
    server.add_tool(consolidate_memory, title="Consolidate", annotations=CHANGES)
    server.add_tool(memory_stats, title="Statistics", annotations=LOOKS)


async def recall_memory(
    here: Here,
    query: Annotated[str, Field(description="A question or key words, in the language of the memories.")],
    user_id: UserId = None,
    top_k: Annotated[int, Field(description="How many memories, 1 to 1000.")] = 5,
    session_id: SessionId = None,
    memory_type: Annotated[
        Literal["all", "handoff", "failure", "progress"],
        Field(description="Only records of this type; all: everything, with the newest hand-off among it."),
    ] = "all",
) -> FoundMemories:
    """Find memories by meaning and by words, best first.

    Call it at the start of a task, and before you answer what may depend on earlier sessions. Read what
    comes: memories are found even when nothing is known, and no score tells. Where none of them answers, say
    that nothing is known about it; do not invent.

    Example: recall_memory(query="how do we deploy to staging?")
    """
    memory = memory_of(here)
    rows = await memory.rows(
        "recall",
        user_id,
        query=query,
        k=top_k,
        collections=None if memory_type == "all" else [COLLECTIONS[memory_type]],
        embedding=await memory.vector(query),
        session_id=session_id,
    )
    found = [
        FoundMemory(
            id=row["memory_id"],
            content=row["content"],
            category=row["kind"],
            importance=row["importance"],
            strength=row["strength"],
            similarity=row["semantic"],
            score=row["score"],
            metadata=row["metadata"],
        )
        for row in rows
    ]
    return FoundMemories(memoriesFound=len(found), memories=found)


async def store_memory(
    here: Here,
    content: Annotated[
        str, Field(description="One fact in one self-contained sentence: names instead of pronouns.")
    ],
    importance: Annotated[float, Field(description="0 (trivial) to 1 (must not be lost).")],
    category: Annotated[
        Literal["fact", "assumption", "failure", "strategy"],
        Field(description="How fast it fades: strategy slowest, then fact, assumption, failure."),
    ] = "fact",
    user_id: UserId = None,
    metadata: Annotated[dict[str, Any] | None, Field(description="A JSON object to keep with it.")] = None,
) -> Done:
    """Keep something for later sessions. A repeat reinforces what is known, a contradiction replaces it.

    Call it when you learn a preference, a decision, a fact about the work or a lesson. Never store passwords.

    Example: store_memory(content="The team deploys from the branch release", importance=0.7)
    """
    row = await memory_of(here).row(
        "remember",
        user_id,
        content=content,
        importance=importance,
        kind=category,
        metadata=metadata,
        source_type="mcp",
    )
    return Done(result=_told(row), memory_id=row["memory_id"])


async def update_memory(
    here: Here,
    memory_id: Annotated[int, Field(description="The id that recall_memory or store_memory gave.")],
    new_content: Annotated[str, Field(description="The corrected text, as a whole.")],
    importance: Annotated[float | None, Field(description="0 to 1. Left as it is without one.")] = None,
    user_id: UserId = None,
) -> Done:
    """Correct a memory. What it was stays in its history.

    Call it when the memory itself was wrong; when the world changed, store what is true now.

    Example: update_memory(memory_id=17, new_content="The team deploys from the branch main")
    """
    row = await memory_of(here).row(
        "revise", user_id, memory_id=memory_id, content=new_content, importance=importance
    )
    return Done(result=f"revised memory {row['memory_id']}", memory_id=row["memory_id"])


async def consolidate_memory(here: Here, user_id: UserId = None) -> Consolidated:
    """Make one memory of those that say the same or add to each other. Nothing is lost: `engram-pg undo`
    takes each back by its decision_id.

    It is done by itself now and then; call it after many memories were stored at once.

    Example: consolidate_memory()
    """
    rows = await memory_of(here).rows("consolidate", user_id)
    details = [
        Cluster(
            kept=row["kept"],
            content=row["content"],
            removed=[*row["folded"], *row["retired"]],
            decision_id=row["decision_id"],
        )
        for row in rows
    ]
    removed = sum(len(cluster.removed) for cluster in details)
    return Consolidated(result=f"{len(details)} clusters, {removed} memories archived", details=details)


async def memory_stats(here: Here, user_id: UserId = None) -> Numbers:
    """Count what is remembered: categories, mean strength, failures by component, features that are active.

    Call it to see the state of the memory, or of the work that it knows of.

    Example: memory_stats()
    """
    stats = await memory_of(here).value("stats", user_id)
    return Numbers(
        total=stats["total"],
        categories=stats["kinds"],
        avg_strength=round(stats["mean_strength"] or 0, 4),
        last_maintenance=stats["last_maintenance"],
        engineering=stats["engineering"],
    )


def _told(row: dict[str, Any]) -> str:
    told = {
        "new": "stored as memory {memory_id}",
        "reinforce": "known already, reinforced memory {memory_id}",
        "replace": "stored as memory {memory_id}, which replaces memory {related_id}",
    }
    return told.get(row["action"], "{action}: memory {memory_id}").format(**row)
