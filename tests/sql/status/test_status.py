from __future__ import annotations

import pytest
from helpers import Db, call, configure, error_of, recall, remember, remember_many, value


def checks(db: Db) -> dict[str, str]:
    return {row.check: row.status for row in call(db, "doctor")}


def test_a_fresh_installation_is_well(db: Db) -> None:
    assert {row.check: row.detail for row in call(db, "doctor") if row.status != "ok"} == {}
    assert all(row.fix is None for row in call(db, "doctor"))


def test_the_doctor_names_what_mends_a_missing_vector(db: Db, user: str) -> None:
    remember_many(db, [{"content": "alpha"}, {"content": "beta"}], user_id=user)
    db.execute("delete from engram.embedding_1 where memory_id = (select max(memory_id) from engram.memory)")
    sick = call(db, "doctor")[0]
    assert (sick.check, sick.status) == ("vectors", "warning")
    assert sick.detail.startswith("1 memories")

    db.execute(sick.fix.encode())
    assert checks(db)["vectors"] == "ok"
    assert recall(db, "beta", user_id=user, profile="vector")[0].content == "beta"


def test_the_doctor_names_what_mends_a_stale_vector(db: Db, user: str) -> None:
    remember(db, "alpha", user_id=user)
    db.execute("update engram.memory set content = 'omega', content_hash = engram.content_hash('omega')")
    sick = call(db, "doctor")[0]
    assert (sick.check, sick.status) == ("vectors", "warning")
    db.execute(sick.fix.encode())
    assert checks(db)["vectors"] == "ok"
    assert recall(db, "omega", user_id=user, profile="vector")[0].semantic > 0.99


def test_the_doctor_sees_a_table_left_open(db: Db) -> None:
    db.execute("alter table engram.memory disable row level security")
    sick = call(db, "doctor")[0]
    assert (sick.check, sick.status) == ("row-level security", "error")
    assert "memory" in sick.detail


def test_the_doctor_sees_a_table_that_does_not_bind_its_owner(db: Db) -> None:
    db.execute("select engram.require_tenant()")
    db.execute("alter table engram.edge no force row level security")
    sick = call(db, "doctor")[0]
    assert (sick.check, sick.status) == ("row-level security", "error")
    db.execute(sick.fix.encode())
    assert checks(db)["row-level security"] == "ok"


def test_the_doctor_sees_an_installation_without_a_model(db: Db) -> None:
    db.execute("update engram.embedding_model set active = false")
    sick = call(db, "doctor")[0]
    assert (sick.check, sick.status) == ("active model", "error")
    db.execute(sick.fix.encode())
    assert checks(db)["active model"] == "ok"


def test_stats_of_a_user_who_has_nothing_are_zeros(db: Db, user: str) -> None:
    stats = call(db, "stats", user_id=user)[0].stats
    assert (stats["total"], stats["recalls"], stats["vectors"], stats["bytes_of_text"]) == (0, 0, 0, 0)
    assert (stats["kinds"], stats["edges"], stats["decisions"]) == ({}, {}, {})
    assert stats["states"] == {"active": 0, "retired": 0, "archived": 0}


def test_stats_agree_with_what_was_done(db: Db, user: str) -> None:
    remember(db, "The API timeout is 30 seconds.", user_id=user, created_at="2026-01-01Z")
    remember(db, "The API timeout is 60 seconds.", user_id=user, created_at="2026-02-01Z")
    remember(
        db, "Lena likes tea", user_id=user, kind="strategy", collection="home", session_id="s", importance=1
    )
    remember(db, "Lena likes tea", user_id=user, kind="strategy", collection="home")
    gone = remember(db, "größe", user_id=user, session_id="s").memory_id
    call(db, "forget", memory_id=gone, user_id=user)
    remember(db, "of somebody else", user_id=f"{user}-other")
    recall(db, "tea", user_id=user, k=1)
    call(db, "fold_recalls")

    stats = call(db, "stats", user_id=user)[0].stats
    assert stats["total"] == 2
    assert stats["states"] == {"active": 2, "retired": 1, "archived": 1}
    assert stats["kinds"] == {"fact": 1, "strategy": 1}
    assert stats["collections"] == {"default": 1, "home": 1}
    assert stats["decisions"] == {"new": 3, "replace": 1, "reinforce": 1, "forget": 1}
    assert stats["edges"]["supersedes"] == 1
    assert stats["edges"]["next"] == 1
    assert (stats["recalls"], stats["sessions"], stats["vectors"]) == (1, 1, 4)
    assert stats["bytes_of_text"] == 30 + 30 + 14 + 7
    assert abs(stats["mean_strength"] - (0.5 + 1.2) / 2) < 1e-6
    assert stats["model"] == "static"


def test_an_unknown_setting_is_refused(db: Db) -> None:
    error = error_of(db, lambda: configure(db, "recall.speed", "fast"))
    assert error.sqlstate == "EG003"
    assert error.diag.message_hint


def test_a_setting_returns_to_its_default(db: Db) -> None:
    configure(db, "recall.seeds", "9")
    assert value(db, "select engram._setting_number('recall.seeds')") == 9
    configure(db, "recall.seeds", None)
    assert value(db, "select engram._setting_number('recall.seeds')") == 5


@pytest.mark.parametrize("given", ["fast", "", "-1", "NaN", "Infinity", "1e300", "9999999999"])
def test_a_number_that_is_none_is_refused(db: Db, given: str) -> None:
    numbers = db.execute(
        "select name from engram.setting where pg_input_is_valid(default_value, 'double precision')"
    ).fetchall()
    assert {error_of(db, lambda n=n: configure(db, n.name, given)).sqlstate for n in numbers} == {"EG002"}


def test_tenancy_is_no_mere_setting(db: Db) -> None:
    error = error_of(db, lambda: configure(db, "tenancy", "required"))
    assert (error.sqlstate, "require_tenant" in (error.diag.message_hint or "")) == ("EG002", True)


@pytest.mark.parametrize("weight", ["NaN", "Infinity", "1e308", "-1"])
def test_a_weight_that_would_spoil_scores_is_refused(db: Db, weight: str) -> None:
    error = error_of(
        db, lambda: db.execute("update engram.scoring_profile set graph_weight = %s", [float(weight)])
    )
    assert error.sqlstate == "23514"
