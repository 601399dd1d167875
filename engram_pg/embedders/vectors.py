"""Checks of what a model returned, and the text that the database reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from math import isfinite

from engram_pg.embedders.failures import Refused
from engram_pg.errors import VECTOR_INVALID, EngramError

LARGEST = 65504
"""The largest number of half precision."""

_NO_LISTS = (str, bytes, bytearray, Mapping, Set)
"""What has a length and may hold numbers, but not those of a vector, or in no order."""


def problem(vector: Sequence[float], dims: int) -> str | None:
    """What is wrong with a vector, or None."""
    if len(vector) != dims:
        return f"the model returned a vector of {len(vector)} dimensions instead of {dims}"
    total = sum(map(abs, vector))  # one pass in C finds NaN and infinity
    if not isfinite(total):
        return "the model returned NaN or infinity"
    if total == 0:
        return "the model returned a vector of zeros"
    if total > LARGEST and max(map(abs, vector)) > LARGEST:
        return "the model returned a number too large for half precision"
    return None


def checked(vector: Sequence[float], dims: int) -> list[float]:
    """The vector. Raises Refused if it is not of a model with so many dimensions."""
    found = problem(vector, dims)
    if found:
        raise Refused(
            found, "Check that the server serves the model that was registered.", sqlstate=VECTOR_INVALID
        )
    return list(vector)


def as_text(vector: Sequence[float]) -> str:
    """The vector as pgvector reads it, with the digits that half precision keeps."""
    return "[" + (("%.6g," * len(vector)) % tuple(vector))[:-1] + "]"


def as_array(vector: Sequence[float]) -> str:
    """The vector as an array of SQL, with the digits that single precision keeps. psycopg takes five times as
    long over a list. Raises EngramError.
    """
    try:
        if isinstance(vector, _NO_LISTS):
            raise TypeError(f"it is a {type(vector).__name__}")
        return "{" + (("%.9g," * len(vector)) % tuple(vector))[:-1] + "}"
    except (TypeError, ValueError, ArithmeticError, RuntimeError) as error:  # what a tensor raises, too
        raise EngramError(
            VECTOR_INVALID, f"the embedding is no list of numbers: {error}", hint="Pass a list of floats."
        ) from error
