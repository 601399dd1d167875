"""Memories that lie close together become one, nothing is lost on the way, and undo puts everything back."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from helpers import (
    Db,
    at_once,
    behind,
    call,
    configure,
    contents,
    error_of,
    recall,
    remember,
    use_index,
    value,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SCRIPT = "The deploy script lives in tools/deploy.sh"
SUDO = "The deploy script in tools/deploy.sh needs sudo"
AGAIN = "The deploy script is in tools/deploy.sh"


def note(db: Db, user: str, content: str, **arguments: object) -> int:
    memory: int = remember(db, content, user_id=user, policy="append", **arguments).memory_id
    return memory


def consolidate(db: Db, user: str, **arguments: object) -> list[Any]:
    return call(db, "consolidate", user_id=user, **{"threshold": 0.7, **arguments})


def memory(db: Db, memory_id: int) -> Any:
    return db.execute("select * from engram.memory where memory_id = %s", [memory_id]).fetchone()


def states(db: Db, *ids: int) -> list[str]:
    return [memory(db, one).state for one in ids]


def everything(db: Db, user: str) -> list[Any]:
    """All that is kept of a user's memories except when a row was last written, marks and decisions."""
    models = [row.model_id for row in db.execute("select model_id from engram.embedding_model order by 1")]
    queries = [
        "select to_jsonb(t) - 'updated_at' from engram.memory t",
        "select to_jsonb(t) from engram.lexeme_key t",
        "select to_jsonb(t) from engram.edge t",
        "select to_jsonb(t) from engram.memory_stat t",
        "select to_jsonb(t) - 'due_at' from engram.embedding_job t",
        *(
            "select jsonb_build_array(t.memory_id, t.content_hash, t.embedding::text)"
            f" from engram.embedding_{n} t"
            for n in models
        ),
    ]
    return [
        sorted(
            str(row[0]) for row in db.execute(f"{q} where t.space_id = engram.space_id(%s)".encode(), [user])
        )
        for q in queries
    ]


def test_the_most_important_is_kept_and_takes_in_what_the_others_add(db: Db, user: str) -> None:
    kept = note(db, user, SCRIPT, importance=0.8, tags=["a"], metadata={"x": 1})
    adds = note(db, user, SUDO, tags=["b"], metadata={"x": 2, "y": 3})
    says = note(db, user, AGAIN)
    apart = note(db, user, "Lena likes tea")
    [cluster] = consolidate(db, user)
    assert (cluster.kept, cluster.folded, cluster.retired) == (kept, [adds, says], [])
    assert cluster.content == f"{SCRIPT}. {SUDO}"
    assert states(db, kept, adds, says, apart) == ["active", "archived", "archived", "active"]
    now = memory(db, kept)
    assert (now.content, now.importance, now.tags, now.metadata) == (
        cluster.content, 0.8, ["a", "b"], {"x": 1, "y": 3},
    )  # fmt: skip
    assert {memory(db, one).superseded_by for one in (adds, says)} == {kept}
    assert contents(recall(db, "does the deploy script need sudo?", user_id=user, k=1)) == [cluster.content]


def test_its_words_vector_and_claims_are_those_of_the_new_text(db: Db, user: str) -> None:
    kept, _ = note(db, user, SCRIPT, importance=0.8), note(db, user, SUDO)
    consolidate(db, user)
    assert value(
        db,
        """select m.lexemes = engram.lexemes(m.content)
                  and m.content_hash = engram.content_hash(m.content)
                  and e.embedding = engram.embed(m.content) and e.content_hash = m.content_hash
                  and (engram._gate_stored(m.space_id, array[m.memory_id]))[1]
                      is not distinct from engram._claims(m.content)
             from engram.memory m join engram.embedding_1 e using (space_id, memory_id)
            where memory_id = %s""",
        kept,
    )
    assert recall(db, "sudo", user_id=user, profile="lexical")[0].memory_id == kept


def test_edges_and_recalls_move_over(db: Db, user: str) -> None:
    kept, adds = note(db, user, SCRIPT, importance=0.8), note(db, user, SUDO)
    first, other = note(db, user, "Lena likes tea"), note(db, user, "a blue kettle")
    for src, dst, weight in ((first, adds, 0.5), (adds, other, 0.9), (kept, other, 0.4), (adds, kept, 1)):
        call(db, "link", src=src, dst=dst, relation="about", weight=weight, user_id=user)
    for times, query in ((2, "sudo"), (1, "lives")):
        for _ in range(times):
            recall(db, query, user_id=user, k=1, profile="lexical")
    call(db, "fold_recalls")
    consolidate(db, user)
    edges = db.execute("select src, dst, weight from engram.edge order by 1, 2").fetchall()
    assert edges == sorted([(first, kept, 0.5), (kept, other, 0.9)])
    assert value(db, "select recalls from engram.memory_stat where memory_id = %s", kept) == 3


def test_one_decision_a_cluster_with_its_reasons(db: Db, user: str) -> None:
    kept, adds = note(db, user, SCRIPT, importance=0.8), note(db, user, SUDO)
    [cluster] = consolidate(db, user)
    entries = [
        row for row in call(db, "history", memory_id=adds, user_id=user) if row.action == "consolidate"
    ]
    assert [(row.decision_id, row.memory_id) for row in entries] == [(cluster.decision_id, kept)]
    verdict = entries[0].evidence["verdicts"][str(adds)]
    assert (verdict["verdict"], verdict["cosine"] > 0.7) == ("complement", True)
    assert entries[0].evidence["threshold"] == 0.7


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The API timeout is 30 seconds.", "The API timeout is 60 seconds."),
        ("Ada lives in Oslo", "Ada moved from Oslo to Bergen"),
    ],
)
@pytest.mark.parametrize("important", ["old", "new"])
@pytest.mark.parametrize("first", ["old", "new"])
def test_a_contradiction_is_settled_by_time(
    db: Db, user: str, old: str, new: str, important: str, first: str
) -> None:
    ids = {}
    for name in sorted(("old", "new"), key=lambda name: name != first):
        ids[name] = note(
            db, user, {"old": old, "new": new}[name],
            importance=0.9 if name == important else 0.3,
            valid_from="2026-01-01Z" if name == "old" else "2026-02-01Z",
        )  # fmt: skip
    [cluster] = consolidate(db, user, threshold=0.4)
    assert (cluster.kept, cluster.folded, cluster.retired) == (ids["new"], [], [ids["old"]])
    past = memory(db, ids["old"])
    assert (past.state, past.superseded_by, past.valid_until.month) == ("retired", ids["new"], 2)
    assert memory(db, ids["new"]).content == new
    assert contents(recall(db, "where, how long?", user_id=user, as_of="2026-01-15Z")) == [old]
    before = everything(db, user)
    call(db, "undo", decision_id=cluster.decision_id, user_id=user)
    assert states(db, *ids.values()) == ["active", "active"]
    assert everything(db, user) != before


def test_what_only_looks_alike_stays(db: Db, user: str) -> None:
    texts = [
        "booking-api listens on port 8080.", "boarding-api listens on port 8090.",
        "The retro is on 3 May.", "The retro is on 7 June.",
    ]  # fmt: skip
    ids = [note(db, user, text) for text in texts]
    assert consolidate(db, user, threshold=0.3) == []
    assert set(states(db, *ids)) == {"active"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada lives in Oslo, near the office.", "Bo lives in Bergen, near the office."),
        ("赵敏住在青岛，离公司很近。", "刘洋住在厦门，离公司很近。"),
        ("渡辺さんの家は松山にあります。", "山本さんの家は札幌にあります。"),
        ("Ines owns the search service.", "Ownership of the payments service passed from Ravi to Dana."),
    ],
)
def test_what_is_about_different_things_is_not_put_together(db: Db, user: str, one: str, other: str) -> None:
    call(db, "register_model", name="caller:two", provider="caller", dims=2)
    call(db, "activate_model", name="caller:two")
    ids = [note(db, user, text, embedding=[1.0, 0.0]) for text in (one, other)]
    assert consolidate(db, user) == []
    assert states(db, *ids) == ["active", "active"]


def test_older_news_that_comes_late_ends_nothing_that_is_newer(db: Db, user: str) -> None:
    dated = [("2026-01-01Z", SCRIPT), ("2026-03-01Z", SUDO)]
    kept, _ = (note(db, user, text, valid_from=date, importance=0.8) for date, text in dated)
    assert len(consolidate(db, user)) == 1
    late = note(db, user, "The deploy script in tools/deploy.sh does not need sudo", valid_from="2026-02-01Z")
    newest = f"{SCRIPT}. {SUDO}"
    assert consolidate(db, user, threshold=0.5) == []
    assert (states(db, kept, late), memory(db, kept).content) == (["active", "active"], newest)
    note(db, user, "The deploy script in tools/deploy.sh does not need sudo", valid_from="2026-04-01Z")
    consolidate(db, user, threshold=0.5)
    assert states(db, kept) == ["retired"]


APART: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "user": ({}, {"user_id": "somebody else"}),
    "collection": ({}, {"collection": "home"}),
    "kind": ({}, {"kind": "assumption"}),
    "speaker": ({"metadata": {"speaker": "Ada"}}, {"metadata": {"speaker": "Bob"}}),
    "component": ({"metadata": {"component": "api"}}, {}),
    "end of truth": ({}, {"valid_until": "2999-01-01Z"}),
    "engineering": ({"collection": "engineering/failure"}, {"collection": "engineering/failure"}),
}


@pytest.mark.parametrize("what", APART)
def test_never_across(db: Db, user: str, what: str) -> None:
    one, other = ({"user_id": user, **arguments} for arguments in APART[what])
    ids = [remember(db, SCRIPT, policy="append", **one).memory_id for one in (one, other)]
    assert consolidate(db, user) == []
    assert states(db, *ids) == ["active", "active"]


def test_kinds_are_mixed_only_when_told(db: Db, user: str) -> None:
    kept, other = note(db, user, SCRIPT, importance=0.8), note(db, user, SCRIPT, kind="assumption")
    assert consolidate(db, user) == []
    [cluster] = consolidate(db, user, across_kinds=True)
    assert (cluster.kept, cluster.folded) == (kept, [other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada lives in Oslo", "Ada wohnt in Oslo"),
        ("Ada vive en Oslo", "Ada habite à Oslo"),
        ("予定は金曜日です", "计划是星期五"),
    ],
)
def test_languages_are_never_mixed(db: Db, user: str, one: str, other: str) -> None:
    vectors = call(db, "register_model", name="caller:two", provider="caller", dims=2)
    assert vectors
    call(db, "activate_model", name="caller:two")
    ids = [note(db, user, text, embedding=[1.0, 0.0]) for text in (one, other)]
    assert consolidate(db, user) == []
    assert states(db, *ids) == ["active", "active"]


def test_what_is_pinned_is_left_alone(db: Db, user: str) -> None:
    ids = [note(db, user, text) for text in (SCRIPT, AGAIN, SUDO)]
    call(db, "revise", memory_id=ids[0], pinned=True, user_id=user)
    [cluster] = consolidate(db, user)
    assert cluster.kept == ids[1]
    assert memory(db, ids[0]).content == SCRIPT


def arc(db: Db, user: str, count: int, step: float, importance: Callable[[int], float]) -> list[int]:
    """Texts that say the same, each with a vector so many degrees from the one before."""
    call(db, "register_model", name="caller:arc", provider="caller", dims=2, consolidate_at=0.7)
    call(db, "activate_model", name="caller:arc")
    return [
        note(
            db, user, SCRIPT + "!" * n, importance=importance(n),
            embedding=[math.cos(math.radians(n * step)), math.sin(math.radians(n * step))],
        )
        for n in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize("core", [0, 10, 19, None])
def test_a_chain_does_not_drift(db: Db, user: str, core: int | None) -> None:
    """Of twenty in a row each is near to the next, and no cluster reaches beyond what is near to its core."""
    configure(db, "recall.exact_limit", "5000")
    chain = arc(db, user, 20, 17, lambda n: 0.9 if n == core else 0.5)  # cos 34° > 0.8 > cos 51°
    for _ in range(3):
        consolidate(db, user, threshold=0.8)
    kept = {one for one in chain if states(db, one) == ["active"]}
    for one in chain:
        into = memory(db, one).superseded_by or one
        assert into in kept
        assert abs(chain.index(into) - chain.index(one)) <= 2
    if core is not None:
        assert chain[core] in kept
    assert len(kept) >= 4


def test_what_was_taken_in_holds_the_core_where_it_is(db: Db, user: str) -> None:
    call(db, "register_model", name="caller:two", provider="caller", dims=2, consolidate_at=0.8)
    call(db, "activate_model", name="caller:two")
    kept, taken = (
        note(db, user, text, importance=importance, embedding=[1.0, 0.0])
        for text, importance in ((SCRIPT, 0.8), (SUDO, 0.5))
    )
    consolidate(db, user, threshold=0.8)
    assert states(db, kept, taken) == ["active", "archived"]
    # The new text has moved to where the next one lies, from which the first member is far.
    call(db, "revise", memory_id=kept, user_id=user, embedding=[0.5, 0.86])
    third = note(db, user, AGAIN, embedding=[0.0, 1.0])
    assert consolidate(db, user, threshold=0.8) == []
    assert states(db, kept, third) == ["active", "active"]


def test_what_has_been_looked_at_is_not_looked_at_again(db: Db, user: str) -> None:
    note(db, user, SCRIPT, importance=0.8)
    note(db, user, AGAIN)
    looked: Callable[[], dict[str, Any]] = lambda: value(  # noqa: E731
        db, "select last_detail from engram.job_status where job = 'consolidate'"
    )
    db.execute("call engram.maintain(array['consolidate'])")
    assert (looked()["looked_at"], looked()["folded"]) == (1, 1)
    db.execute("call engram.maintain(array['consolidate'])")
    assert looked()["looked_at"] == 0
    revised = note(db, user, "Lena likes tea")
    db.execute("call engram.maintain(array['consolidate'])")
    assert looked()["looked_at"] == 1
    call(db, "revise", memory_id=revised, content="Lena likes green tea", user_id=user)
    db.execute("call engram.maintain(array['consolidate'])")
    assert looked()["looked_at"] == 1


def test_a_new_memory_is_folded_into_one_looked_at_before(db: Db, user: str) -> None:
    kept = note(db, user, SCRIPT, importance=0.8)
    assert call(db, "consolidate", user_id=user) == []
    new = note(db, user, AGAIN)
    [cluster] = call(db, "consolidate", user_id=user)
    assert (cluster.kept, cluster.folded) == (kept, [new])


def test_what_was_undone_stays_undone(db: Db, user: str) -> None:
    ids = [note(db, user, text) for text in (SCRIPT, AGAIN, SUDO)]
    [cluster] = consolidate(db, user)
    call(db, "undo", decision_id=cluster.decision_id, user_id=user)
    assert consolidate(db, user) == []
    assert set(states(db, *ids)) == {"active"}
    replaced = remember(db, "The API timeout is 30 seconds.", user_id=f"{user}-2")
    new = remember(db, "The API timeout is 60 seconds.", user_id=f"{user}-2")
    undone = call(db, "undo", decision_id=new.decision_id, user_id=f"{user}-2")[0]
    db.execute("update engram.memory set state = 'active' where memory_id = %s", [new.memory_id])
    assert undone.action == "undo"
    assert consolidate(db, f"{user}-2") == []
    assert states(db, replaced.memory_id, new.memory_id) == ["active", "active"]


def test_a_text_does_not_grow_without_bound(db: Db, user: str) -> None:
    configure(db, "consolidate.max_bytes", "100")
    kept, adds = note(db, user, SCRIPT, importance=0.9), note(db, user, SUDO, importance=0.8)
    more = note(db, user, "The deploy script in tools/deploy.sh asks for the target")
    says = note(db, user, AGAIN)
    [cluster] = consolidate(db, user, threshold=0.6)
    assert (cluster.kept, sorted(cluster.folded)) == (kept, sorted([adds, says]))
    assert states(db, more) == ["active"]
    assert len(cluster.content) <= 100


def test_a_threshold_that_is_none_is_refused(db: Db, user: str) -> None:
    for threshold in (0.0, 1.1, -1.0, float("nan")):
        error = error_of(db, lambda threshold=threshold: consolidate(db, user, threshold=threshold))
        assert error.sqlstate == "EG002"


def test_a_model_outside_embeds_the_new_text_and_undo_brings_the_vector_back(db: Db, user: str) -> None:
    call(db, "register_model", name="caller:two", provider="caller", dims=2)
    call(db, "activate_model", name="caller:two")
    kept = note(db, user, SCRIPT, importance=0.8, embedding=[1.0, 0.0])
    note(db, user, SUDO, embedding=[0.9, 0.1])
    before = everything(db, user)
    [cluster] = consolidate(db, user)
    queued = """select array_agg(memory_id) from engram.embedding_job j
                  join engram.memory m using (space_id, memory_id, content_hash)"""
    assert value(db, queued) == [kept]
    call(db, "undo", decision_id=cluster.decision_id, user_id=user)
    assert everything(db, user) == before


TEXTS = [
    SCRIPT, SUDO, AGAIN, "The deploy script in tools/deploy.sh asks for the target. It needs sudo.",
    "Lena likes tea", "Lena likes green tea", "Lena loves tea", "Lena no longer likes tea",
    "The API timeout is 30 seconds.", "The API timeout is 60 seconds.", "Timeout of the API: 30 seconds",
    "予定は金曜日です", "予定は金曜日です。場所は未定です", "计划是星期五",
]  # fmt: skip
memories = st.fixed_dictionaries(
    {
        "content": st.sampled_from(TEXTS),
        "importance": st.sampled_from([0.1, 0.5, 0.9]),
        "kind": st.sampled_from(["fact", "fact", "strategy"]),
        "tags": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "metadata": st.dictionaries(st.sampled_from("xyz"), st.integers(0, 2), max_size=2),
        "session_id": st.sampled_from([None, "s", "t"]),
        "valid_from": st.sampled_from([None, "2026-01-01Z", "2026-02-01Z"]),
    }
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(memories, min_size=2, max_size=7),
    st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=6),
    st.lists(st.integers(0, 6), max_size=6),
    st.booleans(),
)
def test_consolidate_then_undo_changes_nothing(
    db: Db,
    user: str,
    notes: list[dict[str, Any]],
    edges: set[tuple[int, int]],
    recalled: list[int],
    outside: bool,
) -> None:
    with db.transaction(force_rollback=True):
        if outside:
            call(db, "register_model", name="caller:two", provider="caller", dims=2)
        ids = [note(db, user, **entry) for entry in notes]
        if outside:
            # A text that was embedded once has its vector wherever it stands.
            done = [one for one, entry in zip(ids, notes, strict=True) if len(entry["content"]) % 2]
            for one in done:
                db.execute(
                    """select engram._store_vector(d, m.space_id, m.memory_id, m.tenant_id,
                                                   m.content_hash, '[1,0.5]')
                         from engram.memory m, engram.embedding_model d
                        where m.memory_id = %s and d.name = 'caller:two'""",
                    [one],
                )
                db.execute("delete from engram.embedding_job where memory_id = %s", [one])
        for number, (a, b) in enumerate(sorted(edges)):
            if a != b and max(a, b) < len(ids):
                call(
                    db, "link", src=ids[a], dst=ids[b], relation="about",
                    weight=(number + 1) / 10, user_id=user,
                )  # fmt: skip
        for one in recalled:
            if one < len(ids):
                db.execute(
                    "insert into engram.recall_event (space_id, memory_id, tenant_id)"
                    " select space_id, memory_id, tenant_id from engram.memory where memory_id = %s",
                    [ids[one]],
                )
        call(db, "fold_recalls")

        before = everything(db, user)
        clusters = consolidate(db, user, threshold=0.5)
        after = everything(db, user)
        assert (before == after) == (clusters == [])
        undone = [
            call(db, "undo", decision_id=cluster.decision_id, user_id=user)[0].decision_id
            for cluster in reversed(clusters)
        ]
        assert everything(db, user) == before

        for decision in reversed(undone):
            call(db, "undo", decision_id=decision, user_id=user)
        assert everything(db, user) == after
        for cluster in reversed(clusters):
            call(db, "undo", decision_id=cluster.decision_id, user_id=user)
        assert everything(db, user) == before
        # Every word is still there, in what is current or in what was folded.
        assert {memory(db, one).content for one in ids} == {entry["content"] for entry in notes}


def committed(connect: Any, user: str, pairs: int) -> tuple[Db, list[int]]:
    """Pairs that lie close together, in a database that commits."""
    db = connect()
    ids = []
    for n in range(pairs):
        name = "".join(chr(ord("a") + int(digit)) for digit in str(100 + n))
        ids.append(note(db, user, f"The {name}file lives in tools/{name}.sh", importance=0.8))
        ids.append(note(db, user, f"The {name}file is in tools/{name}.sh"))
    return db, ids


def test_each_cluster_is_a_transaction_of_its_own(connect: Any, user: str) -> None:
    db, ids = committed(connect, user, 3)
    db.execute("call engram.maintain(array['consolidate'])")
    assert states(db, *ids) == ["active", "archived"] * 3
    times = db.execute(
        "select distinct decided_at from engram.decision"
        " where action = 'consolidate' and space_id = engram.space_id(%s)",
        [user],
    ).fetchall()
    assert len(times) == 3


def test_a_failure_half_way_has_lost_nothing(connect: Any, user: str) -> None:
    db, ids = committed(connect, user, 3)
    db.execute(
        f"""create function engram_refuse() returns trigger language plpgsql as $$
            begin
                if new.memory_id = {ids[3]} then raise check_violation; end if;
                return new;
            end $$""".encode()
    )
    db.execute(
        """create trigger refuse before update of state on engram.memory for each row
           when (new.state = 'archived') execute function engram_refuse()"""
    )
    try:
        before = db.execute(
            "select to_jsonb(m) from engram.memory m where memory_id = any (%s)", [ids[2:4]]
        ).fetchall()
        db.execute("call engram.maintain(array['consolidate'])")
        assert states(db, *ids) == ["active", "archived", "active", "active", "active", "archived"]
        after = db.execute(
            "select to_jsonb(m) from engram.memory m where memory_id = any (%s)", [ids[2:4]]
        ).fetchall()
        assert after == before
        with pytest.raises(psycopg.Error):
            consolidate(db, user)
    finally:
        db.execute("drop trigger refuse on engram.memory; drop function engram_refuse()")
    db.execute("call engram.maintain(array['consolidate'])")
    assert states(db, *ids) == ["active", "archived"] * 3


def test_a_space_that_is_written_to_is_passed_over(connect: Any, user: str) -> None:
    db, ids = committed(connect, user, 1)
    writer = connect()
    with writer.transaction():
        remember(writer, "a blue kettle", user_id=user)
        db.execute("set statement_timeout = '5s'")
        db.execute("call engram.maintain(array['consolidate'])")
    assert states(db, *ids) == ["active", "active"]
    assert value(db, "select last_outcome from engram.job_status where job = 'consolidate'") == "partial"
    db.execute("call engram.maintain(array['consolidate'])")
    assert states(db, *ids) == ["active", "archived"]


def test_nothing_is_folded_into_what_leaves_at_that_moment(connect: Any, user: str) -> None:
    db, other = connect(), connect()
    kept, adds = note(db, user, SCRIPT, importance=0.8), note(db, user, SUDO)
    leave = "update engram.memory set state = 'archived' where memory_id = %s"
    assert behind(other, lambda: other.execute(leave, [kept]), lambda: consolidate(db, user)) == []
    assert states(db, kept, adds) == ["archived", "active"]


def test_the_users_of_every_tenant_are_consolidated_apart(connect: Any, user: str) -> None:
    db = connect()
    for tenant in ("acme", "globex"):
        db.execute("select set_config('engram.tenant', %s, false)", [tenant])
        note(db, user, SCRIPT)
        note(db, f"{user}-2", AGAIN)
        note(db, f"{user}-2", AGAIN)
    db.execute("call engram.maintain(array['consolidate'])")
    rows = db.execute(
        "select m.tenant_id = d.tenant_id as same, count(*) from engram.decision d"
        " join engram.memory m using (space_id, memory_id)"
        " where d.action = 'consolidate' and m.content = %s group by 1",
        [AGAIN],
    ).fetchall()
    assert rows == [(True, 2)]


def test_a_large_space_is_consolidated_through_its_index(db: Db, user: str) -> None:
    names = ["".join(chr(ord("a") + int(digit)) for digit in str(100 + n)) for n in range(25)]
    kept = [note(db, user, f"The {name}file lives in tools/{name}.sh", importance=0.8) for name in names]
    folded = [note(db, user, f"The {name}file is in tools/{name}.sh") for name in names]
    use_index(db, 20)
    clusters = consolidate(db, user, threshold=0.85)
    assert sorted((row.kept, *row.folded) for row in clusters) == sorted(zip(kept, folded, strict=True))


def test_upkeep_among_writers_and_deleters_loses_nothing_and_deadlocks_nobody(
    connect: Any, user: str
) -> None:
    keeper, rounds = connect(), 12
    words = ["red", "blue", "green", "grey"]

    def write(word: str) -> Callable[[], None]:
        db = connect()

        def act() -> None:
            for n in range(rounds):
                remember(db, f"The {word} script lives in tools/{word}.sh", user_id=user)
                note(db, user, f"The {word} script in tools/{word}.sh needs sudo")
                doomed = note(db, user, f"passing {word} remark number {n}")
                recall(db, f"{word} script", user_id=user)
                call(db, "forget", memory_id=doomed, user_id=user, hard=True)

        return act

    def keep() -> None:
        for _ in range(rounds):
            keeper.execute("call engram.maintain(array['fold', 'expire', 'consolidate', 'prune'])")

    at_once([*(write(word) for word in words), keep])
    keeper.execute("call engram.maintain(array['consolidate'])")
    current = value(
        keeper,
        """select string_agg(content, ' | ') from engram.memory
            where state = 'active' and space_id = engram.space_id(%s)""",
        user,
    )
    for word in words:
        assert f"tools/{word}.sh needs sudo" in current
        assert f"The {word} script lives in tools/{word}.sh" in current
    assert "remark" not in current
