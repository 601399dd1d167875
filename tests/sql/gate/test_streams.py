"""Streams of texts as they come: nobody retracts anything but where a line says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

STREAMS = json.loads((Path(__file__).parent / "streams.json").read_text(encoding="utf-8"))


def remember(db, user, text):
    row = db.execute(
        "select action, related_id, memory_id from engram.remember(%s, user_id => %s)", [text, user]
    ).fetchone()
    content = db.execute(
        "select content from engram.memory where memory_id = %s", [row.related_id or row.memory_id]
    ).fetchone()
    return row.action, content.content


@pytest.mark.parametrize("name", list(STREAMS))
def test_a_stream_where_nobody_retracts_anything_retires_nothing(db, name):
    lost = []
    for line in STREAMS[name]:
        text, retracts = (line, None) if isinstance(line, str) else line
        action, about = remember(db, name, text)
        if retracts is None and action in ("replace", "reinforce"):
            lost.append((action, about, text))
        if retracts is not None:
            assert (action, about) == ("replace", retracts), text
    assert lost == []
