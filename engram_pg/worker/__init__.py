"""The worker: takes texts that wait for a vector, embeds them outside of the database, brings the vectors
back.
"""

from __future__ import annotations

from engram_pg.worker.loop import Worker
from engram_pg.worker.state import Counts

__all__ = ["Counts", "Worker"]
