"""Connections are few: no key takes all of them, however much it asks for at once."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engram_pg.errors import EngramError

TOO_MANY = "53300"


class Turns:
    """Lets calls of many keys take turns: `at_once` in all, `of_one` of one key. Of those who wait the one
    whose key has the fewest calls under way comes next, and of these the first. A key has `waiting` calls
    wait at most, each for `seconds`.
    """

    def __init__(self, at_once: int, of_one: int, *, waiting: int = 20, seconds: float = 10) -> None:
        self._at_once, self._of_one, self._most, self._seconds = at_once, of_one, waiting, seconds
        self._busy: Counter[str] = Counter()
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """A turn of a key, from its beginning to the end of the block. Raises EngramError when none comes."""
        await self._begin(key)
        try:
            yield
        finally:
            self._end(key)

    async def _begin(self, key: str) -> None:
        if sum(waits == key for waits, _ in self._waiting) >= self._most:
            raise self._refusal(key)
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, mine))
        self._call()
        try:
            async with asyncio.timeout(self._seconds):
                await mine
        except BaseException as error:
            if mine.done() and not mine.cancelled():  # called at that very moment
                self._end(key)
            elif (key, mine) in self._waiting:
                self._waiting.remove((key, mine))
            if isinstance(error, TimeoutError):
                raise self._refusal(key) from None
            raise

    def _end(self, key: str) -> None:
        self._busy[key] -= 1
        if not self._busy[key]:
            del self._busy[key]
        self._call()

    def _call(self) -> None:
        """Calls who is next, as long as there is room."""
        while self._busy.total() < self._at_once:
            able = [one for one in self._waiting if self._busy[one[0]] < self._of_one]
            if not able:
                return
            key, waiting = chosen = min(able, key=lambda one: self._busy[one[0]])
            self._waiting.remove(chosen)
            if not waiting.cancelled():
                self._busy[key] += 1
                waiting.set_result(None)

    def _refusal(self, key: str) -> EngramError:
        waiting = sum(waits == key for waits, _ in self._waiting)
        return EngramError(
            TOO_MANY,
            f"this key has too many calls at once: {self._busy[key]} are under way, {waiting} wait",
            hint=f"Wait for their answers and try again; {self._of_one} at a time are worked on.",
        )
