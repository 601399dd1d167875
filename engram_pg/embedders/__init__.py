"""Embedding models outside the database: what one is, and how a registered model becomes one.

Nothing heavy is imported before `load` is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engram_pg.errors import ARGUMENT_INVALID, EngramError

LOCAL, SERVED, CALLER, STATIC = "sentence-transformers", "openai", "caller", "static"
COMPUTED = (LOCAL, SERVED)
"""Providers whose vectors this package computes."""


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors. `name` is that of the registered model.

    The methods raise `Unavailable` when the model cannot answer now, `Refused` when it will not.
    """

    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of memories, in their order."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        ...


@dataclass(frozen=True)
class Model:
    """A model as the database has it. `dims` is 0 before it is known."""

    name: str
    provider: str
    dims: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The name or path that the provider knows it by."""
        return str(self.options.get("model") or self.name.partition(":")[2])


def named(name: str, **options: Any) -> Model:
    """The model of a name like `openai:text-embedding-3-small`. Raises EngramError for an unknown
    provider.
    """
    provider, _, source = name.partition(":")
    if provider not in (*COMPUTED, CALLER) or not source.strip():
        raise EngramError(
            ARGUMENT_INVALID,
            f"{name!r} is no name of a model",
            hint="Write sentence-transformers:NAME_OR_PATH, openai:NAME or caller:NAME.",
        )
    given = {key: value for key, value in options.items() if value is not None}
    return Model(name, provider, 0, {"model": source, **given} if provider in COMPUTED else given)


def load(model: Model, *, device: str | None = None) -> Embedder:
    """The embedder of a model; for a local one this reads its files. Raises EngramError when it cannot be
    had.
    """
    try:
        if model.provider == LOCAL:
            from engram_pg.embedders.sentence_transformers import SentenceTransformersEmbedder

            return SentenceTransformersEmbedder(model, device)
        if model.provider == SERVED:
            from engram_pg.embedders.openai import OpenAIEmbedder

            return OpenAIEmbedder(model)
    except EngramError:
        raise
    except Exception as error:  # whatever a library raises
        raise EngramError(
            ARGUMENT_INVALID,
            f"model {model.name} cannot be loaded: {type(error).__name__}: {error}",
            hint="Look at its options: SELECT name, options FROM engram.embedding_model;",
        ) from error
    raise EngramError(
        ARGUMENT_INVALID,
        f"the vectors of model {model.name} are not computed here",
        hint="The application passes them: remember(…, embedding=…), recall(…, embedding=…).",
    )
