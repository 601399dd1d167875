"""Whose memory a call may touch: any user of the server's own tenant, or one, or what the key opens that came
with the request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Self

from psycopg import AsyncConnection

from engram_pg.errors import NOT_ALLOWED, EngramError

SCOPES: Mapping[str, Sequence[str]] = {
    "read": ("read",),
    "write": ("read", "write"),
    "admin": ("read", "write", "admin"),
}
"""What a key of each scope may do."""

_LIMIT = """
select set_config('engram.tenant', coalesce(%s, current_setting('engram.tenant', true), ''), true),
       set_config('engram.users', coalesce(%s, current_setting('engram.users', true), ''), true),
       set_config('transaction_read_only', coalesce(%s, current_setting('transaction_read_only')), true),
       set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '8s'), true)"""
"""Nor may a call wait for long for what another one holds: connections are few, and others want theirs."""


@dataclass(frozen=True)
class Access:
    """What a call may touch. The database holds it to that: every transaction is limited first.

    Args:
        user: whose memory it is when a call names nobody.
        tenant: None leaves it to the connection.
        users: the only users whose memory is open; None leaves it to the connection, which by itself opens
            every user of the tenant.
        scopes: of "read", "write" and "admin".
        key: which key opened it, if one did.
    """

    user: str
    tenant: str | None = None
    users: tuple[str, ...] | None = None
    scopes: Sequence[str] = SCOPES["write"]
    key: str | None = None

    @classmethod
    def of_key(cls, key: str, claims: Mapping[str, Any], scopes: Sequence[str], user: str) -> Self:
        """What a key opens; `user` is whose memory it is when the key is for all of its tenant."""
        users = None if claims["users"] is None else tuple(claims["users"])
        return cls(users[0] if users else user, claims["tenant"], users, tuple(scopes), key)

    @property
    def limited(self) -> bool:
        """Whether a call needs a transaction of its own, to which the limits are confined."""
        return self.tenant is not None or self.users is not None or self.read_only

    @property
    def read_only(self) -> bool:
        return "write" not in self.scopes

    async def limit(self, connection: AsyncConnection[Any]) -> None:
        """Holds the open transaction to what may be touched."""
        users = None if self.users is None else json.dumps(self.users)
        await connection.execute(_LIMIT, [self.tenant, users, "on" if self.read_only else None])


_current: ContextVar[Access | None] = ContextVar("engram_access", default=None)


def current() -> Access:
    """What the call that is running may touch. Raises EngramError outside of one: nothing is open then."""
    access = _current.get()
    if access is None:
        raise EngramError(
            NOT_ALLOWED, "no key came with this request", hint="Send one: Authorization: Bearer engram_…"
        )
    return access


@contextmanager
def granted(access: Access | None) -> Iterator[None]:
    """Lets what runs inside touch that, and nothing else."""
    before = _current.set(access)
    try:
        yield
    finally:
        _current.reset(before)
