"""How long a server is waited for."""

from __future__ import annotations

import socket
import time

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from engram_pg import Engram, EngramError, connecting

GONE = "postgresql://nobody@127.0.0.1:1/nowhere"


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What each try to connect fails with; an empty text means that it succeeds."""
    failures: list[str] = []

    def connect(*_: object, **__: object) -> object:
        failure = failures.pop(0)
        if failure:
            raise psycopg.OperationalError(failure)
        return object()

    monkeypatch.setattr(connecting.psycopg, "connect", connect)
    monkeypatch.setattr(connecting.time, "sleep", lambda _: None)
    monkeypatch.delenv("ENGRAM_CONNECT_SECONDS", raising=False)
    return failures


STARTING = "connection failed: FATAL:  the database system is starting up"
REFUSED = "connection to server at 127.0.0.1 failed: Connection refused"


def test_a_server_that_is_starting_is_waited_for(tries: list[str]) -> None:
    tries += [STARTING, "FATAL:  the database system is not yet accepting connections", STARTING, ""]
    assert connecting.open_dsn(GONE)
    assert tries == []


def test_a_server_that_is_not_there_is_waited_for_only_when_asked(
    tries: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries += [REFUSED, REFUSED, ""]
    with pytest.raises(EngramError, match="no connection"):
        connecting.open_dsn(GONE)
    monkeypatch.setenv("ENGRAM_CONNECT_SECONDS", "30")
    assert connecting.open_dsn(GONE)


@pytest.mark.parametrize(
    "failure",
    ['password authentication failed for user "x"', 'database "y" does not exist', 'role "x" does not exist'],
)
def test_what_waiting_does_not_mend_fails_at_once(
    tries: list[str], monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    monkeypatch.setenv("ENGRAM_CONNECT_SECONDS", "30")
    tries += [failure, ""]
    with pytest.raises(EngramError):
        connecting.open_dsn(GONE)
    assert tries == [""]


def test_waiting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_CONNECT_SECONDS", "0.5")
    started = time.monotonic()
    with pytest.raises(EngramError, match="no connection"):
        Engram(GONE)
    assert 0.3 < time.monotonic() - started < 5


def test_a_server_that_never_answers_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(connecting.LIVELY, "connect_timeout", 2)
    monkeypatch.delenv("PGCONNECT_TIMEOUT", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        with pytest.raises(EngramError, match="no connection"):
            connecting.open_dsn(f"postgresql://nobody@127.0.0.1:{silent.getsockname()[1]}/nowhere")
        assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("dsn", "environment", "expected"),
    [
        (GONE, None, {"connect_timeout": "10", "keepalives_idle": "60"}),
        (f"{GONE}?connect_timeout=90", None, {"connect_timeout": "90", "keepalives_idle": "60"}),
        (GONE, "90", {"connect_timeout": None, "keepalives_idle": "60"}),
        ("service=mine", None, {"connect_timeout": None, "keepalives_idle": None}),
    ],
    ids=["nothing said", "by the DSN", "by the environment", "by a service"],
)
def test_what_is_said_about_time_is_kept(
    monkeypatch: pytest.MonkeyPatch, dsn: str, environment: str | None, expected: dict[str, str | None]
) -> None:
    told: list[str] = []
    monkeypatch.setattr(connecting.psycopg, "connect", lambda dsn, **_: told.append(dsn) or object())
    monkeypatch.delenv("PGCONNECT_TIMEOUT", raising=False)
    if environment is not None:
        monkeypatch.setenv("PGCONNECT_TIMEOUT", environment)
    connecting.open_dsn(dsn)
    found = conninfo_to_dict(told[0])
    assert {name: found.get(name) for name in expected} == expected


def test_a_time_to_wait_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_CONNECT_SECONDS", "soon")
    with pytest.raises(EngramError, match="soon") as caught:
        Engram(GONE)
    assert caught.value.sqlstate == "EG002"


def test_a_closed_memory_stays_closed(dsn: str, user: str) -> None:
    memory = Engram(dsn, user)
    memory.close()
    with pytest.raises(EngramError) as caught:
        memory.search("anything")
    assert caught.value.sqlstate == "08006"


def test_an_idle_connection_that_the_server_ended_is_made_anew(dsn: str, user: str) -> None:
    with Engram(dsn, user) as memory, psycopg.connect(dsn, autocommit=True) as other:
        before = memory.connection
        memory.remember("Standup is at nine")
        other.execute("select pg_terminate_backend(%s, 5000)", [before.info.backend_pid])
        assert [hit.content for hit in memory.search("standup")] == ["Standup is at nine"]
        assert memory.connection is not before


def test_a_notice_is_no_reason_for_a_new_connection(dsn: str, user: str) -> None:
    with Engram(dsn, user) as memory, psycopg.connect(dsn, autocommit=True) as other:
        before = memory.connection
        before.execute("listen engram_test")
        other.execute("notify engram_test")
        time.sleep(0.1)
        memory.search("anything")
        assert memory.connection is before
