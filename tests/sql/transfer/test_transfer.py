from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest
from helpers import Db, call, error_of, recall, remember, search
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb


def export(db: Db, user: str) -> list[dict[str, Any]]:
    return [row.export for row in call(db, "export", user_id=user)]


def import_(db: Db, entries: list[Any], **arguments: object) -> dict[str, int]:
    return call(db, "import", "imported", entries=Jsonb(entries), **arguments)[0].imported


def a_life(db: Db, user: str) -> None:
    remember(db, "The API timeout is 30 seconds.", user_id=user, created_at="2026-01-01Z", tags=["ops"])
    remember(db, "The API timeout is 60 seconds.", user_id=user, created_at="2026-02-01Z")
    remember(db, "The API timeout is 10 seconds.", user_id=user, created_at="2025-02-01Z")
    tea = remember(
        db, "Zoë likes 茉莉花茶 \\ \"quoted\" 🍵", user_id=user, kind="strategy", importance=0.1234567890123,
        metadata={"a": {"b": [1, None, "x"]}}, session_id="s", source_type="chat",
        valid_until="2030-01-01Z", created_at="2026-02-02 03:04:05.678901+05:30",
    )  # fmt: skip
    after = remember(db, "the tea was cold", user_id=user, session_id="s", collection="home")
    call(db, "revise", memory_id=tea.memory_id, pinned=True, user_id=user)
    revised = call(db, "revise", memory_id=after.memory_id, content="the tea was hot", user_id=user)[0]
    call(db, "undo", decision_id=revised.decision_id, user_id=user)
    gone = remember(db, "never mind", user_id=user)
    call(db, "forget", memory_id=gone.memory_id, user_id=user)
    db.execute("select engram.link(%s, %s, 'caused_by', 0.7, %s)", [after.memory_id, tea.memory_id, user])
    recall(db, "tea", user_id=user)
    call(db, "fold_recalls")
    recall(db, "API timeout", user_id=user)


def answers(db: Db, user: str) -> list[Any]:
    return [
        (*hit[:-6], round(hit.score, 4), hit.legs)
        for question in ("API timeout", "tea", "茉莉", "never mind")
        for as_of in (None, "2026-01-15Z", "2025-06-01Z")
        for hit in search(db, question, user_id=user, as_of=as_of)
    ]


def test_an_export_imported_into_an_empty_database_is_the_same_memory(
    database_url: str, connect: Any, user: str
) -> None:
    source = connect()
    a_life(source, user)
    with psycopg.connect(database_url, row_factory=namedtuple_row) as target:
        exported = export(source, user)
        result = import_(target, exported)

        assert result["memories"] == 6
        assert export(target, user) == exported
        source.execute("select engram.fold_recalls()")
        assert answers(target, user) == answers(source, user)
        assert {row.status for row in call(target, "doctor")} == {"ok"}

        assert import_(target, exported)["memories"] == 0
        assert export(target, user) == exported


def test_ids_go_on_after_an_import(db: Db, user: str) -> None:
    remember(db, "alpha", user_id=user)
    entries = export(db, user)
    for entry in entries:
        entry["memory_id"] += 1_000_000
        if "decision_id" in entry:
            entry["decision_id"] += 1_000_000
    import_(db, entries, user_id=f"{user}-copy")
    again = remember(db, "beta", user_id=f"{user}-copy")
    assert again.memory_id > max(entry["memory_id"] for entry in entries)
    assert again.decision_id > max(entry.get("decision_id", 0) for entry in entries)


def export_all(db: Db) -> list[dict[str, Any]]:
    return [row.export_all for row in call(db, "export_all")]


def test_all_users_of_a_tenant_move_as_they_are(database_url: str, connect: Any, user: str) -> None:
    source, tenant = connect(), f"tenant of {user}"
    users = sorted(f"{user} {name}" for name in ("Zoë", "a", "Ä", "0", "%", "x'y"))
    setting = "select set_config('engram.tenant', %s, false)"
    with psycopg.connect(database_url, row_factory=namedtuple_row) as target:
        for db in (source, target):
            db.execute(setting, [tenant])
        for name in users:
            a_life(source, name)
        adopted = [{"type": "memory", "id": "1", "content": "what came from elsewhere"}]
        adopting = {"user_id": users[1], "source": "elsewhere", "entries": Jsonb(adopted)}
        call(source, "adopt", "adopted", **adopting)
        remember(source, "of another tenant", user_id=user)
        source.execute(setting, ["another"])
        remember(source, "of another tenant", user_id=user)
        source.execute(setting, [tenant])
        exported = export_all(source)

        assert list(dict.fromkeys(entry["user_id"] for entry in exported)) == sorted([user, *users])
        assert exported == [entry for name in sorted([user, *users]) for entry in export(source, name)]
        assert import_(target, exported)["memories"] == 6 * len(users) + 2
        assert export_all(target) == exported
        assert import_(target, exported)["memories"] == 0
        target.execute("select engram.require_tenant()")
        assert export_all(target) == exported

        assert call(target, "adopt", "adopted", **adopting)[0].adopted["counts"] == {"known": 1}


def test_without_a_tenant_nothing_is_exported_where_one_is_required(db: Db, user: str) -> None:
    remember(db, "alpha", user_id=user)
    db.execute("select engram.require_tenant()")
    assert error_of(db, lambda: export_all(db)).sqlstate == "EG006"
    db.execute("set local engram.tenant = 'nobody has this'")
    assert export_all(db) == []


def test_a_session_that_is_limited_to_some_users_exports_those(db: Db, user: str) -> None:
    for name in (user, f"{user}-2", f"{user}-3"):
        remember(db, "alpha", user_id=name)
    limit = "select set_config('engram.users', %s, true)"
    db.execute(limit, [json.dumps([f"{user}-2", user, "nobody"])])
    assert {entry["user_id"] for entry in export_all(db)} == {user, f"{user}-2"}
    db.execute(limit, ["[]"])
    assert error_of(db, lambda: export_all(db)).sqlstate == "EG006"


def test_an_import_may_go_to_another_user(db: Db, user: str) -> None:
    a_life(db, user)
    entries = export(db, user)
    import_(db, entries, user_id=f"{user}-copy")
    call(db, "fold_recalls")
    assert [{**entry, "user_id": user} for entry in export(db, f"{user}-copy")] == entries
    assert answers(db, f"{user}-copy") == answers(db, user)


def test_an_id_that_holds_another_text_is_an_error(db: Db, user: str) -> None:
    remember(db, "alpha", user_id=user)
    entries = export(db, user)
    entries[0]["content"] = "omega"
    assert error_of(db, lambda: import_(db, entries)).sqlstate == "EG002"


@pytest.mark.parametrize(
    "entries", [{}, "x", [1], [None], [{"content": "x"}], [{"engram_export": 1, "type": "dream"}]]
)
def test_what_is_no_export_is_refused(db: Db, entries: Any) -> None:
    error = error_of(db, lambda: import_(db, entries))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint


def test_the_export_of_a_user_who_has_nothing_is_empty(db: Db, user: str) -> None:
    assert export(db, user) == []


def a_row(type: str = "memory", **fields: object) -> dict[str, Any]:
    given: dict[str, dict[str, object]] = {
        "memory": {"memory_id": 70, "content": "Ada likes tea", "kind": "fact"},
        "edge": {"src": 70, "dst": 71, "relation": "x", "weight": 1, "created_at": "2026-01-01Z"},
        "decision": {"decision_id": 70, "memory_id": 70, "action": "new", "evidence": {}, "actor": "a",
                     "decided_at": "2026-01-01Z"},
        "origin": {"source": "elsewhere", "source_id": "1", "memory_id": 7, "adopted_at": "2026-01-01Z",
                   "content_hash": "00000000-0000-0000-0000-000000000000"},
    }  # fmt: skip
    return {"engram_export": 1, "type": type, **given[type], **fields}


@pytest.mark.parametrize(
    "row",
    [
        a_row(state="lost"), a_row(state="retired"),
        a_row(valid_from="2026-01-01Z", valid_until="2025-01-01Z"),
        a_row(created_at="soon"), a_row(importance="high"), a_row(importance=7), a_row(tags={"a": 1}),
        a_row(recalls="often"), a_row(recalls=10**12), a_row(pinned="perhaps"), a_row(memory_id=None),
        a_row(memory_id="x"), a_row(memory_id=0), a_row(memory_id=-1), a_row(memory_id=2**53),
        a_row(memory_id=2**63 - 1), a_row("edge"), a_row("edge", dst=7), a_row("edge", dst=7, weight=2),
        a_row("edge", dst=70), a_row("decision", decision_id=2**63 - 1), a_row("decision", evidence=None),
        a_row("origin", memory_id=71), a_row("origin", source=""), a_row("origin", content_hash="x"),
        a_row("origin", source_id="".join(map(str, range(30_000)))),
    ],
)  # fmt: skip
def test_an_entry_that_was_tampered_with_is_named(db: Db, user: str, row: dict[str, Any]) -> None:
    error = error_of(db, lambda: import_(db, [a_row(memory_id=7), row], user_id=user))
    assert error.sqlstate == "EG002"
    assert str(error).startswith("entry 2: ")
    assert export(db, user) == []


def test_an_import_uses_up_no_sequence(db: Db, user: str) -> None:
    # What a sequence gave out is not rolled back, so a single such call would end all writing for good.
    import_(db, [a_row(memory_id=2**53 - 1), a_row("decision", decision_id=2**53 - 1)], user_id=user)
    later = remember(db, "Bob sails", user_id=user)
    assert max(later.memory_id, later.decision_id) < 2**52


@pytest.mark.parametrize("ahead", [1, 5, 20_000])
def test_an_id_is_never_given_out_twice(db: Db, user: str, ahead: int) -> None:
    last = remember(db, "alpha", user_id=user).memory_id
    import_(db, [a_row(memory_id=last + ahead)], user_id=user)
    assert remember(db, "omega", user_id=user).memory_id > last + ahead


def test_sequences_are_moved_past_rows_that_came_without_them(db: Db, user: str) -> None:
    first = remember(db, "the milk is open", user_id=user)
    for table in ("memory", "decision"):
        db.execute(
            "select setval(pg_get_serial_sequence('engram.' || %s, %s || '_id'), 1, false)", [table, table]
        )
    for _ in range(2):
        call(db, "advance_sequences")
    second = remember(db, "the bread is stale", user_id=user)
    assert second.memory_id > first.memory_id
    assert second.decision_id > first.decision_id
