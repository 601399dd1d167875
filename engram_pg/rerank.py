"""The second stage of a recall: a cross-encoder reads the question with each of the best hits."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from engram_pg.errors import NOT_READY, UNKNOWN_NAME, EngramError

FIRST_STAGE = 50
"""Hits of the first stage that are read."""

_loaded: dict[str, Any] = {}
_turn = threading.Lock()


def kept(k: int | None) -> int:
    """How many hits are asked for."""
    return 10 if k is None else k


def read(k: int) -> int:
    """How many hits of the first stage are read for k."""
    return max(k, FIRST_STAGE) if k > 0 else k


def reordered(query: str, rows: Sequence[Mapping[str, Any]], k: int) -> list[dict[str, Any]]:
    """The k rows whose content answers a question best, ranked anew, each with the cross-encoder's score as
    `rerank`.

    The model is the one that ENGRAM_RERANKER names, a name or path for sentence-transformers; it is read at
    the first call. Raises EngramError when there is none.
    """
    with _turn:
        model = _model()
        scores = _scores(model, [(query, row["content"]) for row in rows])
    places = sorted(range(len(rows)), key=lambda place: (-scores[place], place))[:k]
    return [{**rows[place], "rank": rank, "rerank": scores[place]} for rank, place in enumerate(places, 1)]


def _scores(model: Any, pairs: list[tuple[str, str]]) -> list[float]:
    if not pairs:
        return []
    try:
        scores = [float(score) for score in model.predict(pairs, show_progress_bar=False)]
    except Exception as error:  # whatever the model raises, or several numbers for a pair
        raise _unfit(f"{type(error).__name__}: {str(error)[:200]}") from error
    if len(scores) != len(pairs) or not all(map(isfinite, scores)):
        raise _unfit("it does not give each text one finite number")
    return scores


def _unfit(reason: str) -> EngramError:
    return EngramError(
        NOT_READY,
        f"the cross-encoder of ENGRAM_RERANKER cannot rank these texts: {reason}",
        hint="It has to give a question and a text one score, like cross-encoder/ms-marco-MiniLM-L6-v2.",
    )


def _model() -> Any:
    from engram_pg.embedders.sentence_transformers import opened

    source = os.environ.get("ENGRAM_RERANKER")
    if not source:
        raise EngramError(
            UNKNOWN_NAME,
            "rerank needs a cross-encoder, and none is named",
            hint="Set ENGRAM_RERANKER to a name or path, such as cross-encoder/ms-marco-MiniLM-L6-v2.",
        )
    if source not in _loaded:
        _loaded[source] = opened("CrossEncoder", source, None)
    return _loaded[source]
