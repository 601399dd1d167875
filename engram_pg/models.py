"""Embedding models in the database: what it takes to add one, and to calibrate it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from engram_pg import embedders
from engram_pg.embedders import CALLER, COMPUTED, SERVED, Embedder, Model, prefixes
from engram_pg.embedders.vectors import checked
from engram_pg.errors import ARGUMENT_INVALID, UNKNOWN_NAME, EngramError, translated
from engram_pg.statements import to_json

PAIRS = Path(__file__).parent / "embedders" / "pairs.jsonl"
"""Labelled pairs of texts in several languages, by which a model's cosines get a meaning."""

BATCH = 32


def described(
    name: str, *, base_url: str | None = None, dims: int | None = None
) -> tuple[Model, Embedder | None]:
    """A model as it is to be registered, with its dimensions and prefixes found out by asking it, and its
    embedder. Raises EngramError.

    For a server that is told `dims` the answer has to have as many, if need be by asking for them.
    """
    model = embedders.named(name, base_url=base_url)
    if base_url is not None and model.provider != SERVED:
        raise EngramError(ARGUMENT_INVALID, "--base-url is for the models of a server", hint="openai:NAME")
    if model.provider == CALLER:
        if dims is None:
            raise EngramError(
                ARGUMENT_INVALID,
                f"nobody can ask model {name} for its dimensions",
                hint="--dims N, the length of the vectors that the application passes",
            )
        return replace(model, dims=dims), None
    embedder: Embedder
    if model.provider == SERVED:
        model = _served(model, dims)
        embedder = embedders.load(model)
    else:
        from engram_pg.embedders.sentence_transformers import SentenceTransformersEmbedder

        local = SentenceTransformersEmbedder(model)
        model = replace(model, dims=local.dims, options={**model.options, **local.take_own_prefixes()})
        embedder = local
    if dims is not None and dims != model.dims:
        raise EngramError(
            ARGUMENT_INVALID,
            f"model {name} has {model.dims} dimensions, not {dims}",
            hint="Leave --dims out.",
        )
    return model, embedder


def _served(model: Model, dims: int | None) -> Model:
    from engram_pg.embedders.openai import spoken_input_types

    natural = embedders.load(model).dims
    if dims is not None and dims != natural:
        model = replace(model, options={**model.options, "dimensions": dims})
        natural = embedders.load(model).dims
    told = spoken_input_types(model) or prefixes.known(model.name)
    return replace(model, dims=natural, options={**model.options, **told})


def register(connection: psycopg.Connection[Any], model: Model) -> int:
    """Adds a model to the database, which queues every memory for it; returns its number."""
    with translated():
        row = connection.execute(
            "select engram.register_model(%s, %s, %s, %s::jsonb)",
            [model.name, model.provider, model.dims, to_json(dict(model.options))],
        ).fetchone()
    assert row is not None
    return int(row[0])


def registered(connection: psycopg.Connection[Any], name: str) -> Model:
    """A model by name. Raises EngramError with the names there are."""
    with translated(), connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(
            "select name, provider, dims, options from engram.embedding_model order by model_id"
        ).fetchall()
    for row in rows:
        if row["name"] == name:
            return Model(**row)
    raise EngramError(
        UNKNOWN_NAME,
        f"embedding model '{name}' does not exist",
        hint=f"Use one of: {', '.join(row['name'] for row in rows)}; or add it with engram-pg model add.",
    )


def progress(connection: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    """How far each model is, as `engram.embedding_progress` has it."""
    with translated(), connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select * from engram.embedding_progress order by active desc, model"
        ).fetchall()


def activate(connection: psycopg.Connection[Any], name: str, force: bool = False) -> str:
    """Makes a model the one that writes and recalls use."""
    return str(_value(connection, "select engram.activate_model(%s, %s)", name, force))


def drop(connection: psycopg.Connection[Any], name: str) -> int:
    """Removes a model; returns how many vectors it had."""
    return int(_value(connection, "select engram.drop_model(%s)", name))


def retry(connection: psycopg.Connection[Any], name: str) -> int:
    """Queues what was given up once more; returns how many."""
    return int(_value(connection, "select engram.retry_embeddings(%s)", name))


def calibrate(
    connection: psycopg.Connection[Any], name: str, embedder: Embedder | None = None
) -> dict[str, Any]:
    """Derives the thresholds of a model from its own vectors and, where it can be asked, from the labelled
    pairs; returns them.
    """
    model = registered(connection, name)
    pairs = None
    if model.provider in COMPUTED:
        pairs = measured_pairs(embedder or embedders.load(model))
    return dict(
        _value(connection, "select engram.calibrate_model(%s, %s::jsonb)", name, pairs and to_json(pairs))
    )


def labelled_pairs() -> list[dict[str, str]]:
    """The pairs that travel with the package: `label` (duplicate, related, unrelated or translation),
    `language`, texts `a` and `b`.
    """
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def measured_pairs(embedder: Embedder) -> list[dict[str, Any]]:
    """The labelled pairs with the vectors of a model in place of the texts."""
    pairs = labelled_pairs()
    texts = [pair[side] for pair in pairs for side in "ab"]
    vectors = [
        checked(vector, embedder.dims)
        for start in range(0, len(texts), BATCH)
        for vector in embedder.embed_passages(texts[start : start + BATCH])
    ]
    return [
        {"label": pair["label"], "a": vectors[2 * place], "b": vectors[2 * place + 1]}
        for place, pair in enumerate(pairs)
    ]


def _value(connection: psycopg.Connection[Any], statement: LiteralString, *values: Any) -> Any:
    with translated():
        row = connection.execute(statement, values).fetchone()
    assert row is not None
    return row[0]
