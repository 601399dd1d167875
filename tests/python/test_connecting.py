"""How long a server is waited for."""

from __future__ import annotations

import socket
import time
import traceback

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


def told(monkeypatch: pytest.MonkeyPatch, dsn: str, **environment: str) -> dict[str, object]:
    """The DSN as psycopg is given it."""
    given: list[str] = []
    monkeypatch.setattr(connecting.psycopg, "connect", lambda dsn, **_: given.append(dsn) or object())
    for name in ("PGCONNECT_TIMEOUT", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    connecting.open_dsn(dsn)
    return dict(conninfo_to_dict(given[0]))


@pytest.mark.parametrize(
    ("dsn", "environment", "timeout", "idle"),
    [
        (GONE, {}, "10", "60"),
        (f"{GONE}?connect_timeout=90", {}, "90", "60"),
        (f"{GONE}?connect_timeout=90&keepalives_idle=7", {"PGCONNECT_TIMEOUT": "80"}, "90", "7"),
        (f"{GONE}?connect_timeout=&keepalives_idle=", {}, "10", "60"),
        (GONE, {"PGCONNECT_TIMEOUT": "90"}, "90", "60"),
        (GONE, {"PGCONNECT_TIMEOUT": ""}, "10", "60"),
        ("service=mine", {}, None, None),
        (GONE, {"PGSERVICE": "mine"}, None, None),
    ],
    ids=[
        "nothing said",
        "by the DSN",
        "by the DSN rather than the environment",
        "left empty",
        "by the environment",
        "left empty in the environment",
        "by a service",
        "by a service in the environment",
    ],
)
def test_what_is_said_about_time_is_kept(
    monkeypatch: pytest.MonkeyPatch, dsn: str, environment: dict[str, str], timeout: str, idle: str
) -> None:
    found = told(monkeypatch, dsn, **environment)
    assert (found.get("connect_timeout"), found.get("keepalives_idle")) == (timeout, idle)


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://ann:a%20b%27%5Cc@one,two:5433/d%2Fb?sslmode=require&options=-c%20search_path%3Da",
        "host='/tmp/a b' port=1 password='it\\'s \\\\' dbname='' options='' user=ann",
        "postgresql+psycopg://ann@[::1]:5433/db?host=@abstract",
        "",
    ],
    ids=["hosts and escapes", "quotes and empty parts", "a driver and an abstract socket", "nothing"],
)
def test_all_else_of_a_dsn_is_kept(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    found = told(monkeypatch, dsn)
    assert {n: v for n, v in found.items() if n not in connecting.LIVELY} == conninfo_to_dict(
        connecting.plain(dsn)
    )


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://ann:open@sesame@localhost/db",
        "postgresql://ann:sesame%ZZ@localhost/db",
        "postgresql://ann:sesame\udcff@localhost/db",
        "password='sesame host=localhost",
    ],
    ids=["an @ that is not escaped", "a broken escape", "a lone surrogate", "an open quote"],
)
def test_a_dsn_that_cannot_be_read_is_not_shown(dsn: str) -> None:
    with pytest.raises(EngramError, match="DSN cannot be read") as caught:
        connecting.open_dsn(dsn)
    assert "sesame" not in "".join(traceback.format_exception(caught.value, limit=0))


@pytest.mark.parametrize(
    ("dsn", "environment"), [(f"{GONE}?connect_timeout=soon", ""), (GONE, "soon")], ids=["DSN", "environment"]
)
def test_a_connect_timeout_that_is_no_number_is_named(
    monkeypatch: pytest.MonkeyPatch, dsn: str, environment: str
) -> None:
    monkeypatch.setenv("PGCONNECT_TIMEOUT", environment)
    with pytest.raises(EngramError, match="soon") as caught:
        connecting.open_dsn(dsn)
    assert (caught.value.sqlstate, caught.value.hint is not None) == ("EG002", True)


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
