"""Vectors of recent questions, so that the same question is embedded once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

DEFAULT_SIZE = 1024
LONGEST = 4096
"""Questions of more characters are not kept, so that the size also bounds the memory taken."""


class QueryCache:
    """The vectors of the `size` questions asked last, by model and text. Safe to share between threads."""

    def __init__(self, size: int = DEFAULT_SIZE) -> None:
        if size < 0:
            raise ValueError("size must not be negative")
        self._size = size
        self._kept: OrderedDict[tuple[str, str], Sequence[float]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, model: str, text: str) -> Sequence[float] | None:
        """The vector, which becomes the one used last; None if it is not there."""
        with self._lock:
            if (model, text) not in self._kept:
                return None
            self._kept.move_to_end((model, text))
            return self._kept[model, text]

    def put(self, model: str, text: str, vector: Sequence[float]) -> None:
        """Keeps a vector, in place of the one that was not used for longest when there is no room."""
        if len(text) > LONGEST:
            return
        with self._lock:
            self._kept[model, text] = vector
            self._kept.move_to_end((model, text))
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
