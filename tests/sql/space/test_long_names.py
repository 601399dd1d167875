from __future__ import annotations

import pytest
from helpers import Db, call, error_of, recall, remember, value
from psycopg.types.json import Jsonb

LONG = "".join(f"{number:x}" for number in range(4000))
"""More than an index can hold, and nothing that compresses to less."""


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("remember", {"content": "the kettle is blue", "session_id": LONG}),
        ("remember", {"content": "the kettle is blue", "collection": LONG}),
        ("recall", {"query": "kettle", "session_id": LONG}),
        ("context", {"query": "kettle", "session_id": LONG}),
        ("note_recall", {"memory_ids": [1], "session_id": LONG}),
        ("link", {"relation": LONG}),
        ("create_api_key", {"name": LONG}),
        ("bind_role", {"role": "pg_monitor", "tenant": LONG}),
        ("adopt", {"entries": Jsonb([{"type": "memory", "id": "1", "content": "x"}]), "source": LONG}),
        ("adopt", {"entries": Jsonb([{"type": "edge", "relation": LONG}]), "source": "the wiki"}),
    ],
)
def test_a_name_too_long_for_an_index_is_a_bad_argument(
    db: Db, function: str, arguments: dict[str, object]
) -> None:
    if function == "link":
        arguments |= {end: remember(db, f"the {end} of it").memory_id for end in ("src", "dst")}
    error = error_of(db, lambda: call(db, function, **arguments))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint


def test_no_name_that_somebody_wrote_by_hand_stops_the_fold(db: Db, user: str) -> None:
    memory_id = remember(db, "the kettle is blue", user_id=user).memory_id
    recall(db, "kettle", user_id=user, session_id="a short name")
    db.execute("update engram.recall_event set session_id = %s", [LONG])
    recall(db, "kettle", user_id=user, session_id="another")
    assert call(db, "fold_recalls")[0].fold_recalls == 2
    assert value(db, "select recalls from engram.memory_stat where memory_id = %s", memory_id) == 2
