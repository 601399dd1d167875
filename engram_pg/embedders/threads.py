"""How many threads PyTorch takes for one short text.

All processors at once pay off for a batch. For a question of a dozen words the threads mostly wait for each
other, and on a busy machine for one that is not running: a question then takes several times as long as with
one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

TRIES = 5
WORTH = 0.75
"""All threads have to be done in this share of the time of one to be worth it."""


@contextmanager
def limited(torch: Any, count: int) -> Iterator[None]:
    """Runs what is inside with `count` threads; 0 changes nothing."""
    before = torch.get_num_threads()
    if count in (0, before):
        yield
        return
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def quickest(torch: Any, once: Callable[[], object]) -> int:
    """Whether `once` is done sooner with one thread or with all: 1, or their number."""
    every = int(torch.get_num_threads())
    times: dict[int, list[float]] = {1: [], every: []}
    for _ in range(TRIES):
        for count, taken in times.items():
            with limited(torch, count):
                before = time.perf_counter()
                once()
                taken.append(time.perf_counter() - before)
    return every if median(times[every]) < WORTH * median(times[1]) else 1
