"""The registry: adding, switching, dropping and measuring models."""

from __future__ import annotations

import json
import math

import pytest
from helpers import (
    Db,
    call,
    contents,
    error_of,
    recall,
    remember,
    remember_many,
    search,
    use_index,
    value,
)
from queues import MODEL, VECTORS, claim, complete, drain, embedded, queued, register


def model_row(db: Db, name: str) -> object:
    return db.execute("select * from engram.embedding_model where name = %s", [name]).fetchone()


@pytest.mark.parametrize(
    ("arguments", "sqlstate", "told"),
    [
        ({"dims": 4001}, "EG002", "4000"),
        ({"dims": 0}, "EG002", "1 to 4000"),
        ({"dims": None}, "EG002", "1 to 4000"),
        ({"name": " "}, "EG002", "empty"),
        ({"provider": "magic"}, "EG002", "magic"),
        ({"options": {"api_key": "sk-1"}}, "EG002", "key"),
        ({"floor": 0.9}, "EG002", "contradict"),
        ({"relation_at": 2}, "EG002", "contradict"),
        ({"link_at": float("-inf")}, "EG002", "finite"),
        ({"reinforce_at": float("nan")}, "EG002", "finite"),
        ({"consolidate_at": float("nan")}, "EG002", "finite"),
        ({"consolidate_at": 0.0}, "EG002", "above 0"),
        ({"name": "static", "dims": 3}, "EG009", "exists"),
    ],
)
def test_a_model_that_cannot_be_stored_is_refused(
    db: Db, arguments: dict[str, object], sqlstate: str, told: str
) -> None:
    given = {"name": MODEL, "provider": "caller", "dims": 3, **arguments}
    before = value(db, "select count(*) from engram.embedding_model")
    error = error_of(db, lambda: call(db, "register_model", **given))
    assert (error.sqlstate, bool(error.diag.message_hint)) == (sqlstate, True)
    assert told in (error.diag.message_primary or "")
    assert value(db, "select count(*) from engram.embedding_model") == before


def test_the_largest_model_is_indexed_and_found_by(db: Db, user: str) -> None:
    register(db, dims=4000)
    call(db, "activate_model", name=MODEL)
    axis = [1.0, *[0.0] * 3999]
    remember(db, "the roof leaks", user_id=user, embedding=axis)
    [hit] = recall(db, "what drips", user_id=user, embedding=axis)
    assert hit.legs == ["semantic"]


def test_vectors_of_two_models_cannot_meet(db: Db, user: str) -> None:
    three, four = register(db), register(db, "other", 4)
    remember(db, "the roof leaks", user_id=user)
    drain(db)
    complete(db, claim(db, model="other"), "[1,0,0,0]", model="other")
    between = f"select a.embedding <=> b.embedding from engram.embedding_{three} a, engram.embedding_{four} b"
    assert "different" in str(error_of(db, lambda: db.execute(between.encode())))
    move = f"update engram.embedding_{three} set embedding = '[1,0,0,0]'"
    assert "expected 3 dimensions" in str(error_of(db, lambda: db.execute(move.encode())))
    kinds = {
        value(
            db,
            "select format_type(atttypid, atttypmod) from pg_attribute"
            " where attrelid = %s::regclass and attname = 'embedding'",
            f"engram.embedding_{number}",
        )
        for number in (three, four)
    }
    assert kinds == {"halfvec(3)", "halfvec(4)"}


def test_recall_goes_on_with_the_old_model_until_the_new_one_is_full(db: Db, user: str) -> None:
    for text in ("the roof leaks", "the rain stopped"):
        remember(db, text, user_id=user)
    register(db)
    assert queued(db) == ["the rain stopped", "the roof leaks"]
    refused = error_of(db, lambda: call(db, "activate_model", name=MODEL))
    assert refused.sqlstate == "EG009"
    assert "2 memories" in (refused.diag.message_primary or "")
    assert value(db, "select name from engram.active_model()") == "static"
    assert contents(recall(db, "roof", user_id=user))[0] == "the roof leaks"

    complete(db, claim(db, batch=1))
    state = db.execute("select * from engram.embedding_progress where model = %s", [MODEL]).fetchone()
    assert (state.done, state.pending, state.active) == (1, 1, False)
    drain(db)
    call(db, "activate_model", name=MODEL)
    assert value(db, "select name from engram.active_model()") == MODEL


def test_a_switch_back_needs_no_embedding(db: Db, user: str) -> None:
    made = register(db)
    call(db, "activate_model", name=MODEL)
    remember(db, "the roof leaks", user_id=user)
    drain(db)
    for name in ("static", MODEL, "static", MODEL):
        call(db, "activate_model", name=name)
        assert queued(db) == []
        remember(db, f"written under {name}", user_id=user, policy="append")
        drain(db)
    assert embedded(db, made).keys() == embedded(db, 1).keys()


def test_a_switch_may_be_forced_and_what_is_missing_is_found_by_static_vectors(db: Db, user: str) -> None:
    remember(db, "Kenta has a puppy", user_id=user)
    register(db)
    call(db, "activate_model", name=MODEL, force=True)
    [hit] = recall(db, "a young dog", user_id=user, embedding=[1.0, 0.0, 0.0])
    assert hit.legs == ["static"]


def test_a_model_that_is_dropped_leaves_nothing(db: Db, user: str) -> None:
    made = register(db)
    remember(db, "the roof leaks", user_id=user)
    assert call(db, "drop_model", name=MODEL)[0].drop_model == 0
    assert value(db, "select to_regclass(%s)", f"engram.embedding_{made}") is None
    assert value(db, "select count(*) from engram.embedding_job") == 0
    assert error_of(db, lambda: call(db, "drop_model", name="static")).sqlstate == "EG009"


@pytest.mark.parametrize(
    ("name", "thresholds"),
    [
        ("sentence-transformers:all-mpnet-base-v2", (0.85, 0.65, 0.40, 0.70)),
        ("sentence-transformers:sentence-transformers/all-mpnet-base-v2", (0.85, 0.65, 0.40, 0.70)),
        ("openai:intfloat/multilingual-e5-small", (0.97, 0.85, 0.88, 0.92)),
        ("caller:unheard-of", (0.95, 0.50, 0.60, 0.85)),
    ],
)
def test_thresholds_are_the_models_own(db: Db, name: str, thresholds: tuple[float, ...]) -> None:
    call(db, "register_model", name=name, provider=name.partition(":")[0], dims=3)
    row = model_row(db, name)
    assert (row.reinforce_at, row.relation_at, row.link_at, row.consolidate_at) == thresholds  # type: ignore[attr-defined]


def test_calibration_measures_the_spread_of_the_spaces_own_pairs(db: Db, user: str) -> None:
    register(db)
    call(db, "activate_model", name=MODEL)
    for n in range(60):
        remember(db, f"note {n}", user_id=user, policy="append", embedding=[1.0, n / 60, (n * 7 % 60) / 60])
    pairs = [{"label": "duplicate", "a": [1, 0, 0], "b": [1, place / 100, 0]} for place in range(20)] + [
        {"label": "unrelated", "a": [1, 0, 0], "b": [0.1, 1, place / 10]} for place in range(10)
    ]
    measured = value(db, "select engram.calibrate_model(%s, %s)", MODEL, json.dumps(pairs))
    row = model_row(db, MODEL)
    assert measured["own_pairs"] > 200
    assert 0.6 < row.floor < row.link_at <= 1  # type: ignore[attr-defined]
    assert row.floor < row.relation_at <= row.consolidate_at <= row.reinforce_at  # type: ignore[attr-defined]
    assert row.trusted_coverage == 0, "no translations were given"  # type: ignore[attr-defined]

    nothing = error_of(db, lambda: call(db, "calibrate_model", name="nobody"))
    assert nothing.sqlstate == "EG003"


@pytest.mark.parametrize(("connected", "trusted"), [(0, 0), (5, 0), (6, 0.3), (12, 0.3)])
def test_a_model_connects_languages_if_it_does_so_for_half_of_the_translations(
    db: Db, connected: int, trusted: float
) -> None:
    register(db)
    pairs = [{"label": "unrelated", "a": [1, 0, 0], "b": [0.2, 1, n / 10]} for n in range(20)]
    pairs += [
        {"label": "translation", "a": [1, 0, 0], "b": [1, 0.1, 0] if n < connected else [0, 1, 0]}
        for n in range(12)
    ]
    measured = value(db, "select engram.calibrate_model(%s, %s)", MODEL, json.dumps(pairs))
    assert measured["trusted_coverage"] == trusted


def test_calibration_sets_from_where_meaning_counts(db: Db) -> None:
    """From where a tenth of what is related lies on, and half way from there down to what is not."""
    register(db)
    before = model_row(db, MODEL)
    angles = {"related": range(0, 60, 3), "unrelated": range(60, 80)}
    pairs = [
        {"label": label, "a": [1, 0, 0], "b": [math.cos(math.radians(n)), math.sin(math.radians(n)), 0]}
        for label, degrees in angles.items()
        for n in degrees
    ]
    measured = value(db, "select engram.calibrate_model(%s, %s)", MODEL, json.dumps(pairs))
    assert measured["recall_at"] == pytest.approx(math.cos(math.radians(51.3)), abs=0.002)
    apart = math.cos(math.radians(78.05))
    assert measured["fallback_at"] == pytest.approx((measured["recall_at"] + apart) / 2, abs=0.002)
    assert model_row(db, MODEL).recall_at == measured["recall_at"] != before.recall_at  # type: ignore[attr-defined]

    unrelated = [pair for pair in pairs if pair["label"] == "unrelated"]
    again = value(db, "select engram.calibrate_model(%s, %s)", MODEL, json.dumps(unrelated))
    assert (again["recall_at"], again["fallback_at"]) == (measured["recall_at"], measured["fallback_at"])


def test_what_counts_where_nothing_is_near_is_never_more_than_what_counts(db: Db) -> None:
    register(db)
    pairs = [
        {"label": "related", "a": [1, 0, 0], "b": [0.1, 1, 0]},
        {"label": "unrelated", "a": [1, 0, 0], "b": [1, 0, 0]},
    ]
    measured = value(db, "select engram.calibrate_model(%s, %s)", MODEL, json.dumps(pairs))
    assert measured["fallback_at"] <= measured["recall_at"] < 0.2


def test_without_vectors_and_pairs_there_is_nothing_to_measure(db: Db) -> None:
    register(db)
    error = error_of(db, lambda: call(db, "calibrate_model", name=MODEL))
    assert (error.sqlstate, "worker" in (error.diag.message_hint or "")) == ("EG009", True)


def test_static_vectors_beside_another_model_stay_out_of_the_index(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"kettle {n}"} for n in range(4)], user_id=user, policy="append")
    use_index(db, 2)
    register(db)
    complete(db, claim(db))
    db.execute("select engram.activate_model(%s)", [MODEL])
    memory = remember(db, "a blue lamp", user_id=user, embedding=[0.0, 1.0, 0.0]).memory_id
    db.execute("call engram.maintain(array['index'])")
    held = "select indexed from {} where memory_id = %s"
    assert value(db, held.format("engram.embedding_1"), memory) is False
    assert value(db, held.format(VECTORS.format(2)), memory) is True

    db.execute("select engram.activate_model('static')")
    assert search(db, "lamp", user_id=user, k=1, profile="vector")[0].memory_id == memory
    db.execute("call engram.maintain(array['index'])")
    assert value(db, held.format("engram.embedding_1"), memory) is True
    assert search(db, "lamp", user_id=user, k=1, profile="vector")[0].memory_id == memory


def test_a_given_vector_stands_whatever_the_same_text_had_before(db: Db, user: str) -> None:
    register(db)
    db.execute("select engram.activate_model(%s)", [MODEL])
    for vector in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]):
        remember(db, "the kettle is blue", user_id=user, embedding=vector, policy="append")
    kept = [
        row[0] for row in db.execute(f"select embedding::text from {VECTORS.format(2)} order by memory_id")
    ]
    assert kept == ["[1,0,0]", "[0,1,0]"]


def test_what_a_model_has_not_embedded_yet_is_found_in_a_large_space(db: Db, user: str) -> None:
    remember_many(db, [{"content": f"kettle {n}"} for n in range(4)], user_id=user, policy="append")
    register(db)
    complete(db, claim(db))
    db.execute("select engram.activate_model(%s)", [MODEL])
    use_index(db, 2)
    memory = remember(db, "a heron in the reeds", user_id=user, policy="append").memory_id
    hits = search(db, "heron", user_id=user, k=5, embedding=[0.0, 0.0, 1.0])
    assert (hits[0].memory_id, "static" in hits[0].legs) == (memory, True)
