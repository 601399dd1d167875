"""Why a model gave no vectors, by what can be done about it."""

from __future__ import annotations

from collections.abc import Iterable

from engram_pg.errors import NOT_READY, EngramError

MOST_WORDS = 200
PIECE = 16
"""Characters in a row that are a text's own, and no accident."""


def told(words: str, sent: Iterable[str]) -> str:
    """The first of the words of an error, or, where they repeat what was sent, only that they do: an error is
    logged and kept, and no memory or key is.
    """
    words = words[:MOST_WORDS]
    pieces = {words[start : start + PIECE] for start in range(len(words) - PIECE + 1)}
    for text in sent:
        if len(text) > 3 and (text in words or any(piece in text for piece in pieces)):
            return "its words repeat what it was given, and are left out"
    return words


class EmbeddingFailed(EngramError):
    """A model gave no usable vectors."""


class Unavailable(EmbeddingFailed):
    """The model cannot answer now, but may later.

    `retry_after` is what its server asks for, in seconds. `suspect`: the texts may be to blame, as when a
    server fails inside or does not come to an end; a harmless text tells.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        retry_after: float | None = None,
        suspect: bool = False,
    ) -> None:
        super().__init__(NOT_READY, message, hint=hint)
        self.retry_after = retry_after
        self.suspect = suspect


class Refused(EmbeddingFailed):
    """The model will not embed these texts, or answered nonsense.

    `final`: the same texts would get the same answer, as when a server names them too long. `status` is the
    server's, where it gave one.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        sqlstate: str = NOT_READY,
        final: bool = True,
        status: int | None = None,
    ) -> None:
        super().__init__(sqlstate, message, hint=hint)
        self.final = final
        self.status = status
