"""Keys: the secret is shown once, only its hash is kept, and it opens what it was made for, as long as it is
in force.
"""

from __future__ import annotations

from typing import Any

import pytest
from helpers import Db, call, error_of, value


def made(db: Db, name: str = "laptop", **arguments: object) -> Any:
    return call(db, "create_api_key", name=name, **arguments)[0]


def opened(db: Db, secret: str | None) -> list[Any]:
    return call(db, "check_api_key", secret=secret)


def test_a_key_opens_what_it_was_made_for(db: Db) -> None:
    key = made(db, tenant="acme", users=["mei", "kenta"], scope="read")
    [scope] = opened(db, key.secret)
    assert (scope.key_id, scope.name, scope.tenant) == (key.key_id, "laptop", "acme")
    assert (scope.users, scope.scope, scope.expires_at) == (["mei", "kenta"], "read", None)


def test_by_default_a_key_writes_for_every_user_of_the_default_tenant(db: Db) -> None:
    [scope] = opened(db, made(db).secret)
    assert (scope.tenant, scope.users, scope.scope) == ("default", None, "write")


def test_without_a_name_the_tenant_is_that_of_the_session(db: Db) -> None:
    db.execute("select set_config('engram.tenant', 'acme', true)")
    [scope] = opened(db, made(db).secret)
    assert scope.tenant == "acme"


def test_in_multi_tenant_mode_no_key_is_made_for_nobody(db: Db) -> None:
    db.execute("select engram.require_tenant()")
    db.execute("select set_config('engram.tenant', '', true)")
    assert error_of(db, lambda: made(db)).sqlstate == "EG006"
    [scope] = opened(db, made(db, tenant="acme").secret)
    assert scope.tenant == "acme"


def test_only_a_hash_of_the_secret_is_kept(db: Db) -> None:
    key = made(db)
    assert key.secret.startswith("engram_")
    assert len(key.secret) == len("engram_") + 43  # 256 bits, six in a character
    stored = value(db, "select k::text from engram.api_key k where key_id = %s", key.key_id)
    assert key.secret not in stored
    assert key.secret.removeprefix("engram_") not in stored
    assert value(
        db, "select secret_hash = sha256(%s::text::bytea) from engram.api_key where key_id = %s",
        key.secret, key.key_id,
    )  # fmt: skip


def test_no_two_secrets_are_alike(db: Db) -> None:
    secrets = {made(db, f"key {n}").secret for n in range(200)}
    assert len(secrets) == 200
    assert all(len({secret[place] for secret in secrets}) > 20 for place in range(7, 49))


@pytest.mark.parametrize(
    "guess", ["", None, "engram_", "x" * 50, "%", "engram_%", "' or true --", "\\x00", "Ω" * 43]
)
def test_what_is_no_secret_opens_nothing(db: Db, guess: str | None) -> None:
    made(db)
    assert opened(db, guess) == []


def test_nearly_the_secret_is_not_the_secret(db: Db) -> None:
    secret = made(db).secret
    bare = secret.removeprefix("engram_")
    near = [secret.upper(), secret + " ", " " + secret, secret[:-1], secret + "A", bare]
    assert [opened(db, guess) for guess in near] == [[]] * len(near)
    assert len(opened(db, secret)) == 1


def test_a_revoked_key_opens_nothing_and_frees_its_name(db: Db) -> None:
    key = made(db)
    assert value(db, "select engram.revoke_api_key(%s)", key.key_id) is True
    assert opened(db, key.secret) == []
    assert value(db, "select engram.revoke_api_key(%s)", key.key_id) is False
    assert len(opened(db, made(db).secret)) == 1


def test_an_expired_key_opens_nothing(db: Db) -> None:
    key = made(db, expires_at="2100-01-01Z")
    assert len(opened(db, key.secret)) == 1
    db.execute("update engram.api_key set expires_at = now() - interval '1 second'")
    assert opened(db, key.secret) == []
    assert [row.state for row in call(db, "api_keys")] == ["expired"]


def test_the_list_tells_everything_but_the_secret(db: Db) -> None:
    first, second = made(db, "one", users=["mei"]), made(db, "two", scope="admin")
    call(db, "revoke_api_key", key_id=second.key_id)
    rows = call(db, "api_keys")
    assert [(row.name, row.users, row.scope, row.state) for row in rows] == [
        ("one", ["mei"], "write", "active"),
        ("two", None, "admin", "revoked"),
    ]
    assert first.secret not in str(rows)
    assert not any("hash" in column for column in rows[0]._fields)


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": ""},
        {"name": None},
        {"tenant": ""},
        {"users": []},
        {"users": [""]},
        {"users": ["mei", None]},
        {"users": [["mei"], ["ann"]]},
        {"scope": "god"},
        {"scope": None},
        {"expires_at": "2020-01-01Z"},
    ],
)
def test_a_key_that_makes_no_sense_is_refused(db: Db, arguments: dict[str, Any]) -> None:
    error = error_of(db, lambda: made(db, **{"name": "laptop", **arguments}))
    assert error.sqlstate == "EG002"
    assert error.diag.message_hint


def test_two_keys_in_force_do_not_share_a_name(db: Db) -> None:
    made(db)
    assert error_of(db, lambda: made(db)).sqlstate == "EG002"


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
def test_every_scope_of_the_table_can_be_made(db: Db, scope: str) -> None:
    assert opened(db, made(db, scope=scope).secret)[0].scope == scope
