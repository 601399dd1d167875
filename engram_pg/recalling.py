"""The methods of the SDK that ask: the question gets its vector first, and what comes may be ranked anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, LiteralString, Unpack

from engram_pg.calls import Calls
from engram_pg.options import RecallOptions
from engram_pg.results import Hit, build

if TYPE_CHECKING:
    from engram_pg.embedders import Embedder
    from engram_pg.querying import QueryVectors


class Recalling(Calls):
    """What `Engram` does to find memories. `_embedder` makes the vectors of questions."""

    _embedder: Embedder | str | None
    _vectors: QueryVectors | None = None

    def recall(self, query: str, **options: Unpack[RecallOptions]) -> list[Hit]:
        """The memories that best answer a question, best first; some come even when none answers. That they
        were recalled is noted, and keeps them strong.
        """
        return self._found("recall", query, options)

    def search(self, query: str, **options: Unpack[RecallOptions]) -> list[Hit]:
        """Like `recall`, but leaves no trace: to look without strengthening, and for a hot standby."""
        return self._found("search", query, options)

    def context(
        self,
        query: str,
        max_tokens: int | None = None,
        profile: str | None = None,
        session_id: str | None = None,
    ) -> str:
        """What is known about a question, as text for a prompt of at most about `max_tokens` tokens."""
        text = self._value(
            "context",
            query=query,
            user_id=self.user,
            max_tokens=max_tokens,
            profile=profile,
            embedding=self._vector(query),
            session_id=session_id,
        )
        return str(text or "")

    def _found(self, function: LiteralString, query: str, options: RecallOptions) -> list[Hit]:
        given = dict(options)
        rerank = given.pop("rerank", False)
        session_id = given.pop("session_id", None)
        if given.get("embedding") is None:
            given["embedding"] = self._vector(query)
        if rerank:
            return self._reranked(function, query, given, session_id)
        if function == "recall":
            given["session_id"] = session_id
        return [build(Hit, row) for row in self._rows(function, query=query, user_id=self.user, **given)]

    def _reranked(
        self, function: LiteralString, query: str, given: dict[str, Any], session_id: Any
    ) -> list[Hit]:
        from engram_pg import rerank

        k = rerank.kept(given.get("k"))
        rows = self._rows("search", query=query, user_id=self.user, **{**given, "k": rerank.read(k)})
        hits = [build(Hit, row) for row in rerank.reordered(query, rows, k)]
        if function == "recall" and hits:
            self._rows(
                "note_recall",
                memory_ids=[hit.memory_id for hit in hits],
                user_id=self.user,
                session_id=session_id,
            )
        return hits

    def _vector(self, query: str) -> list[float] | None:
        """The vector of a question under the active model, if that is one to be asked here."""
        if self._embedder is None or query is None:
            return None
        if self._vectors is None:
            from engram_pg.querying import QueryVectors

            self._vectors = QueryVectors(self._embedder)
        if not self._vectors.needed():
            return None
        model = self._vectors.prepare(self._row("active_model"))
        return None if model is None else self._vectors.vector(model, query)
