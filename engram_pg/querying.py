"""Vectors of questions, made where the recall is asked for: by the embedder of the active model, in a thread
of its own, so that nobody waits for a model that hangs.
"""

from __future__ import annotations

import asyncio
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from queue import SimpleQueue
from typing import Any

from engram_pg.embedders import COMPUTED, LOCAL, Embedder, Model, load
from engram_pg.embedders.failures import EmbeddingFailed, Unavailable
from engram_pg.embedders.vectors import checked
from engram_pg.errors import EngramError
from engram_pg.query_cache import QueryCache

ANSWER_SECONDS = 10.0
LOAD_SECONDS = 120.0
REST_SECONDS = 30.0
STATIC_SECONDS = 5.0
"""For so long the static model is taken to be the active one still. Until then its vectors answer, which is
right at any time; the vector of a model that is no longer active never would be.
"""


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)


class _Lane:
    """A model behind daemon threads: it is loaded in the first, and each answers one question at a time."""

    def __init__(self, model: Model, opened: Callable[[Model], Embedder]) -> None:
        self.model = model
        self.ready: Future[Embedder] = Future()
        self._open = opened
        self._asked: SimpleQueue[tuple[str, Future[list[float]]]] = SimpleQueue()
        self._start()

    def submit(self, text: str) -> Future[list[float]]:
        future: Future[list[float]] = Future()
        self._asked.put((text, future))
        return future

    def _start(self) -> None:
        threading.Thread(target=self._serve, name=f"engram-query {self.model.name}", daemon=True).start()

    def _serve(self) -> None:
        if not self.ready.done():
            try:
                self.ready.set_result(self._open(self.model))
            except Exception as error:  # whatever a library raises, the one who asks is told
                self.ready.set_exception(error)
                return
            if self.model.provider != LOCAL:  # a server answers several at a time
                for _ in range(7):
                    self._start()
        embedder = self.ready.result()
        while True:
            text, future = self._asked.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(checked(embedder.embed_query(text), self.model.dims))
            except Exception as error:  # as above
                future.set_exception(error)


class QueryVectors:
    """The vectors of questions under whichever model is active.

    Args:
        embedder: "auto" loads the embedder of the active model when it is computed outside the database; an
            embedder of yours is used while the model of its name is active; None makes no vectors.
        answer_seconds: how long a question may take; then, and for REST_SECONDS, the static vectors answer.
        load_seconds: how long to wait for a model that is being loaded; it goes on being loaded.
        warn: is told, once a model and reason, why the static vectors answer.

    Safe to share between threads.
    """

    def __init__(
        self,
        embedder: Embedder | str | None = "auto",
        *,
        cache: QueryCache | None = None,
        answer_seconds: float = ANSWER_SECONDS,
        load_seconds: float = LOAD_SECONDS,
        warn: Callable[[str], None] = _warn,
        opened: Callable[[Model], Embedder] = load,
    ) -> None:
        if isinstance(embedder, str) and embedder != "auto":
            raise ValueError('embedder is "auto", an embedder, or None')
        self.cache = QueryCache() if cache is None else cache
        self._own = None if isinstance(embedder, str) else embedder
        self._off = embedder is None
        self._answer_seconds, self._load_seconds = answer_seconds, load_seconds
        self._say, self._said = warn, set[tuple[str, str]]()
        self._opened = opened
        self._lane: _Lane | None = None
        self._resting: tuple[Model, float] | None = None
        self._static_until = 0.0
        self._lock = threading.Lock()

    def needed(self) -> bool:
        """Whether the active model has to be asked for. A static one is believed for STATIC_SECONDS."""
        return not self._off and time.monotonic() >= self._static_until

    def prepare(self, active: Mapping[str, Any]) -> Model | None:
        """The active model, as `engram.active_model()` returns it, being loaded by now; None if it makes no
        vectors here.
        """
        model = Model(active["name"], active["provider"], active["dims"], active["options"] or {})
        if self._own is not None:
            return model if self._own.name == model.name else None
        if model.provider == "static":
            self._static_until = time.monotonic() + STATIC_SECONDS
        if self._off or model.provider not in COMPUTED:
            return None
        self._lane_of(model)
        return model

    def vector(self, model: Model, text: str) -> list[float] | None:
        """The vector of a question, or None where the static vectors have to answer."""
        known = self.cache.get(model.name, text)
        if known is not None:
            return list(known)
        lane = self._lane_of(model)
        if lane is None:
            return None
        try:
            lane.ready.result(self._load_seconds)
            future = lane.submit(text)
            try:
                vector = future.result(self._answer_seconds)
            finally:
                future.cancel()
        except Exception as error:  # whatever a library raises: recall has to answer
            self._without(lane, error)
            return None
        self.cache.put(model.name, text, vector)
        return vector

    async def vector_soon(self, model: Model, text: str) -> list[float] | None:
        """As `vector`, without holding a thread while it waits."""
        known = self.cache.get(model.name, text)
        if known is not None:
            return list(known)
        lane = self._lane_of(model)
        if lane is None:
            return None
        try:
            loaded = asyncio.shield(asyncio.wrap_future(lane.ready))
            await asyncio.wait_for(loaded, self._load_seconds)
            vector = await asyncio.wait_for(asyncio.wrap_future(lane.submit(text)), self._answer_seconds)
        except Exception as error:  # whatever a library raises: recall has to answer
            self._without(lane, error)
            return None
        self.cache.put(model.name, text, vector)
        return vector

    def _lane_of(self, model: Model) -> _Lane | None:
        with self._lock:
            if self._resting is not None:
                tired, until = self._resting
                if tired == model and time.monotonic() < until:
                    return None
                self._resting = None
            if self._lane is None or self._lane.model != model:
                own = self._own
                self._lane = _Lane(model, self._opened if own is None else lambda _: own)
            return self._lane

    def _without(self, lane: _Lane, error: Exception) -> None:
        """Notes why there is no vector. A model that hangs, or fails, is left alone for a while."""
        late = isinstance(error, Late | TimeoutError)
        if late and not lane.ready.done():
            self._say_once(lane.model, "loading", "is still being loaded")
            return
        asked = error.retry_after if isinstance(error, Unavailable) else None
        with self._lock:
            self._resting = lane.model, time.monotonic() + min(asked or REST_SECONDS, 10 * REST_SECONDS)
            if self._lane is lane and not isinstance(error, EmbeddingFailed):
                self._lane = None  # its thread may hang for good, or never have come up
        hint = None
        if late:
            reason = f"did not answer within {self._answer_seconds:g} s"
        elif isinstance(error, EngramError):
            reason, hint = f"gives no vector: {error.message}", error.hint
        else:
            reason = f"gives no vector: {type(error).__name__}"
        self._say_once(lane.model, type(error).__name__, reason, hint)

    def _say_once(self, model: Model, kind: str, reason: str, hint: str | None = None) -> None:
        if (model.name, kind) not in self._said:
            self._said.add((model.name, kind))
            advice = f"\nHint: {hint}" if hint else ""
            self._say(f"model {model.name} {reason}. Recall answers with the static vectors.{advice}")
