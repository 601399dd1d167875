"""Models on this machine, by sentence-transformers."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from engram_pg.embedders import Model, prefixes, threads
from engram_pg.embedders.failures import Refused, Unavailable, told
from engram_pg.errors import INSTALLATION, UNKNOWN_NAME, EngramError


def library() -> Any:
    """The package sentence_transformers. Raises EngramError when it is not installed."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        package = import_module("sentence_transformers")
    except ImportError as error:
        raise EngramError(
            INSTALLATION,
            "models on this machine need sentence-transformers, which is not installed",
            hint="pip install sentence-transformers",
        ) from error
    with suppress(ImportError, AttributeError):
        import_module("transformers.utils.logging").disable_progress_bar()
    return package


def opened(kind: str, source: str, device: str | None) -> Any:
    """An object of class `kind` of the library for a model by name or path. Raises EngramError."""
    package = library()
    try:
        return getattr(package, kind)(source, device=device or os.environ.get("ENGRAM_DEVICE") or "cpu")
    except Exception as error:  # the library raises many kinds for a name that does not exist
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise EngramError(
            UNKNOWN_NAME,
            f"model {source} cannot be loaded: {reason}",
            hint="Give the path of a folder that holds the model, or a name that can be downloaded.",
        ) from error


class SentenceTransformersEmbedder:
    """A SentenceTransformer, by name or path; on `device`, else that of ENGRAM_DEVICE, else the CPU.

    Calls from several threads take turns. The prefixes are those of the model's options.
    """

    def __init__(self, model: Model, device: str | None = None) -> None:
        self.name = model.name
        self._model = opened("SentenceTransformer", model.source, device)
        self._turn = threading.Lock()
        self._query_prefix = str(model.options.get("query_prefix") or "")
        self._passage_prefix = str(model.options.get("passage_prefix") or "")
        self._short_cut: bool | None = None
        self._threads = 0
        self.dims = model.dims or len(self._encoded(["dimensions"])[0])

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._encoded([self._passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> list[float]:
        prefixed = self._query_prefix + text
        if self._short_cut is None:
            # encode() sorts, batches and copies, which for one short text takes as long as the model does.
            # The short cut is only taken if it gives the same vector.
            self._short_cut = self._agrees(prefixed)
            if self._short_cut and self._model.device.type == "cpu":
                self._threads = threads.quickest(import_module("torch"), lambda: self._forward(prefixed))
        return self._forward(prefixed) if self._short_cut else self._encoded([prefixed])[0]

    def take_own_prefixes(self) -> dict[str, str]:
        """Uses the prefixes that the model's own configuration names, else those known by its name; returns
        them as options.
        """
        prompts = {key: text for key, text in (self._model.prompts or {}).items() if text}
        passage = prompts.get("document") or prompts.get("passage")
        found = {"query_prefix": prompts.get("query"), "passage_prefix": passage}
        options = {key: text for key, text in found.items() if text} or prefixes.known(self.name)
        self._query_prefix = options.get("query_prefix", "")
        self._passage_prefix = options.get("passage_prefix", "")
        return options

    def _forward(self, text: str) -> list[float]:
        """The vector of one text, by the modules of the model alone."""
        torch = import_module("torch")
        try:
            with self._turn, torch.inference_mode(), threads.limited(torch, self._threads):
                prepare = getattr(self._model, "preprocess", None) or self._model.tokenize
                features = prepare([text])
                placed = {
                    key: value.to(self._model.device) if isinstance(value, torch.Tensor) else value
                    for key, value in features.items()
                }
                vector = self._model(placed)["sentence_embedding"][0]
                found: list[float] = torch.nn.functional.normalize(vector.float(), dim=0).tolist()
        except Exception as error:  # whatever the model raises on a text
            raise Refused(
                f"the model raised {type(error).__name__}: {told(str(error), [text])}", final=False
            ) from error
        return found

    def _agrees(self, text: str) -> bool:
        try:
            short, whole = self._forward(text), self._encoded([text])[0]
        except Refused:
            return False
        return len(short) == len(whole) and sum(a * b for a, b in zip(short, whole, strict=True)) > 0.9999

    def _encoded(self, texts: list[str]) -> list[list[float]]:
        try:
            with self._turn:
                found = self._model.encode(
                    texts,
                    batch_size=len(texts),
                    show_progress_bar=False,
                    convert_to_numpy=True,
                    normalize_embeddings=True,
                )
        except MemoryError as error:
            raise Unavailable("the machine has no memory left for the model", suspect=True) from error
        except Exception as error:  # whatever the model raises on a text
            raise Refused(
                f"the model raised {type(error).__name__}: {told(str(error), texts)}", final=False
            ) from error
        vectors: list[list[float]] = found.tolist()
        return vectors
