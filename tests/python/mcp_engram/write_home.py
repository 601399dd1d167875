"""Makes the memory of an agent with mcp-engram's own code, in the folder that is HOME.

Run by a Python in which mcp-engram is installed; the model, which would be large, is replaced by a hash of
the words. The folders beside this file were made by it with versions 0.1.2, 0.4.5 and 0.20.1.
"""

from __future__ import annotations

import hashlib
import math
import os
from pathlib import Path

from engram import embedding

DIMS = 768 if hasattr(embedding, "DIMENSIONS") else 64


def embed(text: str) -> list[float]:
    vector = [0.0] * DIMS
    for word in text.lower().split():
        vector[int(hashlib.md5(word.strip(".,").encode()).hexdigest(), 16) % DIMS] += 1.0
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


embedding.embed = embed

from engram.db import MemoryDB  # noqa: E402
from engram.graph import MemoryGraph  # noqa: E402

MEMORIES = (
    ("Ada prefers tabs in Makefiles and spaces elsewhere.", 0.8, "fact", "default"),
    ("Ada prefers tabs in Makefiles and dark terminals.", 0.75, "fact", "default"),
    ("The staging database probably listens on port 6432.", 0.4, "assumption", "default"),
    ("Deploy on Tuesdays, after the backup has run.", 0.9, "strategy", "default"),
    ("鈴木さんは緑茶しか飲まない。", 0.6, "fact", "kenta"),
)


def main() -> None:
    home = Path(os.environ["HOME"], ".engram")
    db = MemoryDB(str(home / "memories.duckdb"), **({} if DIMS == 768 else {"dim": DIMS}))
    graph = MemoryGraph(str(home / "graph.json"))
    if DIMS == 768:
        known: dict[int, list[float]] = {}
        for content, importance, category, user in MEMORIES:
            id = db.insert(content, embed(content), importance, category, user)
            graph.index_memory(id, embed(content), dict(known), user, importance, category)
            known[id] = embed(content)
        db.bump_recall(1)
        db.bump_recall(1)
        db.conn.close()
        return

    from engram import handlers

    for content, importance, category, user in MEMORIES:
        handlers.handle_store(db, graph, content, importance, category, user, metadata={"by": "agent"})
    for _ in range(2):
        handlers.handle_recall(db, graph, MEMORIES[0][0], top_k=1)
    for _ in range(2):
        handlers.handle_track_failure(db, graph, "connection refused", "billing", severity="critical")
    handlers.handle_track_progress(db, graph, "login page", "in_progress", 40)
    handlers.handle_session_handoff(
        db, graph, "Half of the login page is done.", next_steps=["write the test"]
    )
    handlers.handle_update(db, graph, 3, "Deploy on Wednesdays, after the backup has run.")
    graph.flush()
    db.close()


if __name__ == "__main__":
    main()
