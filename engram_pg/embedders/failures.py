"""Why a model gave no vectors, by what can be done about it."""

from __future__ import annotations

from engram_pg.errors import EngramError

NOT_READY = "EG009"
VECTOR_INVALID = "EG005"


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
