"""engram's own tools: remember, recall, context, revise, forget, undo, history, stats."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field

from engram_pg.mcp.memory import Memory
from engram_pg.mcp.toolsets._shared import (
    ADDS,
    CHANGES,
    LOOKS,
    Here,
    MemoryId,
    Metadata,
    Moment,
    Remembered,
    Result,
    SessionId,
    UserId,
    memory_of,
)

INSTRUCTIONS = """Long-term memory that lasts between conversations. Before you answer something that may
depend on earlier talk, call `recall` (or `context` for ready text). When the user tells you something worth
keeping, such as a preference, a decision, a fact about them or their work, call `remember` with one
self-contained sentence. Contradictions are settled by the memory itself: just remember what is true now. What
went wrong, `undo` takes back by the decision_id that each change returns."""

CALLS: dict[str, str] = {}

Kind = Annotated[
    str | None,
    Field(description="strategy, fact, assumption or failure, from slowest to fastest fading. Default fact."),
]
Importance = Annotated[
    float | None,
    Field(description="0 (trivial) to 1 (must not be lost). Default 0.5; important memories fade slower."),
]
Tags = Annotated[list[str] | None, Field(description='Labels to filter by later, like ["work", "deploy"].')]


class Hit(Result):
    """A memory that was found."""

    memory_id: int
    content: str
    score: float = Field(
        description="Made of the four parts below. Orders the hits of one answer, does not say if any fits."
    )
    semantic: float | None = Field(None, description="Nearness in meaning, scaled within this answer.")
    lexical: float | None = Field(
        None, description="Share of the question's words that it covers, rare words first."
    )
    strength: float | None = Field(None, description="How vivid it still is.")
    graph: float | None = Field(None, description="From what it is linked to.")
    rerank: float | None = Field(None, description="The cross-encoder's score, when asked for: it orders.")
    kind: str
    importance: float
    tags: list[str]
    metadata: dict[str, Any]
    created_at: datetime
    valid_until: datetime | None = Field(None, description="Set when it is no longer true.")
    legs: list[str] | None = Field(
        None,
        description="What found it: semantic (or static: by word vectors for now), lexical, graph; pinned: "
        "the newest hand-off, whatever the question; about: a failure of a component in question.",
    )


class Recalled(Result):
    """Hits, best first."""

    hits: list[Hit]


class ContextText(Result):
    """Text for a prompt."""

    text: str


class Forgotten(Result):
    """The receipt."""

    memories: int = Field(description="How many memories were forgotten.")
    hard: bool
    decision_ids: list[int] = Field([], description="For undo, one each; empty when erased for good.")


class InForce(Result):
    """A memory that is as it was."""

    memory_id: int
    content: str


class Undone(Result):
    """What was taken back."""

    undone: int = Field(description="The decision that was taken back.")
    memory_id: int = Field(description="The memory that it was about.")
    decision_id: int = Field(description="Of the undo itself, which undo takes back too.")
    in_force: list[InForce] = Field(
        description="What the decision had changed, as it is known again; empty when that was nothing."
    )


class Change(Result):
    """An entry of the history."""

    decision_id: int
    decided_at: datetime
    action: str
    memory_id: int
    related_id: int | None = None
    similarity: float | None = None
    content: str | None = None
    evidence: dict[str, Any] | None = None
    undone_at: datetime | None = None


class History(Result):
    """Entries, in order of time."""

    changes: list[Change]


class Stats(Result):
    """Counts."""

    stats: dict[str, Any]


def register(server: MCPServer[Memory]) -> None:
    """Adds the tools to a server."""
    server.add_tool(remember, title="Remember", annotations=ADDS)
    server.add_tool(recall, title="Recall", annotations=LOOKS)
    server.add_tool(context, title="Context for a prompt", annotations=LOOKS)
    server.add_tool(revise, title="Revise a memory", annotations=CHANGES)
    server.add_tool(forget, title="Forget", annotations=CHANGES)
    server.add_tool(undo, title="Undo a decision", annotations=CHANGES)
    server.add_tool(history, title="History of a memory", annotations=LOOKS)
    server.add_tool(stats, title="Statistics", annotations=LOOKS)


async def remember(
    here: Here,
    content: Annotated[
        str,
        Field(
            description="One fact in one self-contained sentence: names instead of pronouns, dates in full."
        ),
    ],
    kind: Kind = None,
    importance: Importance = None,
    tags: Tags = None,
    metadata: Metadata = None,
    session_id: SessionId = None,
    created_at: Annotated[
        Moment,
        Field(description="When it was said, if not now. ISO 8601. It fades from now on, however old it is."),
    ] = None,
    valid_from: Annotated[
        Moment, Field(description="From when it is true, if not from created_at. ISO 8601.")
    ] = None,
    valid_until: Annotated[Moment, Field(description="Until when it is true, if known. ISO 8601.")] = None,
    user_id: UserId = None,
) -> Remembered:
    """Keep something for later conversations.

    Call it when the user states a preference, a decision, a fact about them, their work or their people, or
    a lesson learned. Not for passing remarks, and not for what is already in this conversation's documents.
    Repeating a known fact is harmless: it is only reinforced. A fact that contradicts an older one retires
    the older one, which stays in the history. Never keep passwords or keys.

    Example: remember(content="Mei prefers answers with the command first", kind="strategy", importance=0.7)
    """
    row = await memory_of(here).row(
        "remember",
        user_id,
        content=content,
        kind=kind,
        importance=importance,
        tags=tags,
        metadata=metadata,
        session_id=session_id,
        created_at=created_at,
        valid_from=valid_from,
        valid_until=valid_until,
        source_type="mcp",
    )
    return Remembered.model_validate(row)


async def recall(
    here: Here,
    query: Annotated[str, Field(description="A question or key words, in the language of the memories.")],
    k: Annotated[int | None, Field(description="How many hits, 1 to 1000. Default 10.")] = None,
    kinds: Annotated[
        list[str] | None,
        Field(description='Only these kinds, like ["strategy"], which hand-offs and progress are too.'),
    ] = None,
    tags: Annotated[list[str] | None, Field(description="Only memories with these tags.")] = None,
    since: Annotated[
        Moment, Field(description="Only what was said at or after this moment. ISO 8601.")
    ] = None,
    until: Annotated[Moment, Field(description="Only what was said before this moment. ISO 8601.")] = None,
    as_of: Annotated[
        Moment, Field(description="What was current at that moment, instead of now. ISO 8601.")
    ] = None,
    profile: Annotated[
        str | None, Field(description="Scoring: balanced (default), lexical, vector, …")
    ] = None,
    rerank: Annotated[
        bool, Field(description="Read the 50 best once more with a cross-encoder: slower, more precise.")
    ] = False,
    session_id: SessionId = None,
    user_id: UserId = None,
) -> Recalled:
    """Find memories by meaning and by words, best first.

    Call it before you answer anything that may depend on earlier conversations: the user's preferences,
    people, projects, decisions, what was tried before. Read the hits: they come even when nothing is known,
    and no score tells. Where none of them answers, say that nothing is known about it; do not invent. Hits
    are what is current now, unless you give as_of.

    Example: recall(query="which test runner does the team use?", k=5)
    """
    memory = memory_of(here)
    arguments: dict[str, Any] = {
        "query": query,
        "k": k,
        "kinds": kinds,
        "tags": tags,
        "since": since,
        "until": until,
        "as_of": as_of,
        "profile": profile,
        "embedding": await memory.vector(query),
    }
    if rerank:
        rows = await memory.reranked(user_id, session_id, **arguments)
    else:
        rows = await memory.rows("recall", user_id, session_id=session_id, **arguments)
    return Recalled(hits=[Hit.model_validate(row) for row in rows])


async def context(
    here: Here,
    query: Annotated[str, Field(description="What the text will be used for: the question or task at hand.")],
    max_tokens: Annotated[int | None, Field(description="Budget of the text, in tokens.")] = None,
    session_id: SessionId = None,
    user_id: UserId = None,
) -> ContextText:
    """Get what is known about a topic as one text, within a budget of tokens.

    Call it instead of recall when you want material to read, not ids and scores: at the start of a task, or
    to fill another prompt.

    Example: context(query="plan the spring release", max_tokens=500)
    """
    memory = memory_of(here)
    text = await memory.value(
        "context",
        user_id,
        query=query,
        max_tokens=max_tokens,
        embedding=await memory.vector(query),
        session_id=session_id,
    )
    return ContextText(text=text or "")


async def revise(
    here: Here,
    memory_id: MemoryId,
    content: Annotated[str | None, Field(description="The corrected text, as a whole.")] = None,
    kind: Kind = None,
    importance: Importance = None,
    tags: Annotated[list[str] | None, Field(description="The new labels, in place of the old ones.")] = None,
    metadata: Annotated[
        dict[str, Any] | None, Field(description="The new object, in place of the old one.")
    ] = None,
    user_id: UserId = None,
) -> Remembered:
    """Correct a memory that is wrong or badly put.

    Call it when the memory itself was a mistake, such as a misspelt name. When the world changed, call
    remember with what is true now instead. Only what you give is changed; the old version stays in the
    history.

    Example: revise(memory_id=17, content="Mei Lindqvist's manager is Tomas Brandt")
    """
    row = await memory_of(here).row(
        "revise",
        user_id,
        memory_id=memory_id,
        content=content,
        kind=kind,
        importance=importance,
        tags=tags,
        metadata=metadata,
    )
    return Remembered.model_validate(row)


async def forget(
    here: Here,
    memory_id: MemoryId,
    hard: Annotated[
        bool, Field(description="Erase for good, everywhere. Only when the user asks for exactly that.")
    ] = False,
    user_id: UserId = None,
) -> Forgotten:
    """Forget a memory.

    Call it when the user asks to forget something, or when a memory should never have been kept. Recall it
    first to get its memory_id, and forget only that. Without hard, undo brings it back.

    Example: forget(memory_id=17)
    """
    receipt = await memory_of(here).value("forget", user_id, memory_id=memory_id, hard=hard)
    return Forgotten.model_validate(receipt)


async def undo(
    here: Here,
    decision_id: Annotated[
        int,
        Field(ge=1, description="The decision_id that remember, revise, forget, undo or history gave."),
    ],
    user_id: UserId = None,
) -> Undone:
    """Take a decision back: what it changed is known again as it was, and what it added no longer is.

    Call it when a change was a mistake: the wrong memory forgotten or revised, or a fact that replaced one
    which still holds. Of several changes of a memory the last is undone first; history lists them. What was
    forgotten with hard stays gone.

    Example: undo(decision_id=42)
    """
    row = await memory_of(here).row("undo", user_id, decision_id=decision_id)
    return Undone.model_validate({**row, **row["evidence"]})


async def history(here: Here, memory_id: MemoryId, user_id: UserId = None) -> History:
    """See what happened to a memory: when it came, what it replaced, what replaced it, and why.

    Call it when the user asks how you know something, what they said before, or since when something is so.

    Example: history(memory_id=17)
    """
    rows = await memory_of(here).rows("history", user_id, memory_id=memory_id)
    return History(changes=[Change.model_validate(row) for row in rows])


async def stats(here: Here, user_id: UserId = None) -> Stats:
    """Count what is remembered, by state and kind.

    Call it when the user asks how much you remember, or to see whether a memory is empty.

    Example: stats()
    """
    return Stats(stats=await memory_of(here).value("stats", user_id))
