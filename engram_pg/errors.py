"""The one exception of this package, made of what the database said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

CONTENT_INVALID = "EG001"
ARGUMENT_INVALID = "EG002"
UNKNOWN_NAME = "EG003"
UNKNOWN_MEMORY = "EG004"
VECTOR_INVALID = "EG005"
SESSION_CLOSED = "EG006"
INSTALLATION = "EG008"
NOT_READY = "EG009"
CONNECTION_FAILED = "08006"
NOT_ALLOWED = "42501"
READ_ONLY = "25006"

_PASSWORD = re.compile(r"(?i)(://[^:/@\s]*:)[^@\s]*(@)|(\bpassword\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)")
_DENIED = re.compile(r"permission denied for (?:function|procedure) (?P<name>\w+)")
_LEVELS = {
    "worker": """claim_embeddings claim_judgements complete_embeddings complete_judgement count_spaces expire
        fail_embeddings fail_judgement fold_recalls index_spaces maintain release_embeddings
        release_judgements run_job schedule schedule_sql schedules sweep_embeddings unschedule""",
    "admin": """activate_model api_keys bind_role calibrate_model configure create_api_key embed_missing
        retry_embeddings retry_judgements revoke_api_key unbind_role""",
    "owner": "advance_sequences drop_model grant_usage register_model require_tenant",
}
"""Who may call the functions that writers may not: a level of engram.grant_usage(), or the owner alone."""

_HINTS = {
    "55P03": "Another transaction holds a lock on it. Run this again when that has ended.",
    "57014": "Raise statement_timeout, or ask for less: a smaller k, a filter.",
    "57P01": "Call again: a new connection is made. To repeat a remember is safe.",
    "57P02": "Call again: a new connection is made. To repeat a remember is safe.",
}
"""What to do about errors of PostgreSQL itself that come without a hint."""

_NOT_INSTALLED = {"3F000", "42P01", "42883", "42704"}


class EngramError(Exception):
    """Something that engram, or the database under it, refused.

    `sqlstate` is a five-character code, of class EG for engram's own (the reference lists them); `message`
    says what is wrong, `detail` more of it, `hint` what to do. No part ever holds a password.
    """

    def __init__(
        self, sqlstate: str, message: str, detail: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate
        self.message = message
        self.detail = detail
        self.hint = hint

    def __str__(self) -> str:
        parts = [self.message]
        if self.detail:
            parts.append(self.detail)
        if self.hint:
            parts.append(f"Hint: {self.hint}")
        return "\n".join(parts)

    def __reduce__(self) -> tuple[type[EngramError], tuple[str, str, str | None, str | None]]:
        return type(self), (self.sqlstate, self.message, self.detail, self.hint)


def without_password(text: str) -> str:
    """The same text with every password of a DSN in it blotted out."""
    return _PASSWORD.sub(lambda m: f"{m[1]}***{m[2]}" if m[1] else f"{m[3]}***", text)


def from_psycopg(error: psycopg.Error | UnicodeEncodeError) -> EngramError:
    """The EngramError for what psycopg raised."""
    if isinstance(error, UnicodeEncodeError):
        return EngramError(
            CONTENT_INVALID,
            "the text holds a lone surrogate, which is no character",
            hint="Replace such code points first: text.encode('utf-8', 'replace').decode().",
        )
    sqlstate = error.sqlstate or ""
    message = without_password(error.diag.message_primary or str(error).strip())
    detail, hint = error.diag.message_detail, error.diag.message_hint
    if sqlstate.startswith("EG"):
        return EngramError(sqlstate, message, detail, hint)
    if not sqlstate and isinstance(error, psycopg.DataError) and "NUL" in message:
        return EngramError(
            CONTENT_INVALID, "the text holds a NUL byte", hint="Remove it first: text.replace('\\x00', '')."
        )
    if sqlstate == "22P05" or (sqlstate == "22P02" and "surrogate" in (detail or "")):
        return EngramError(
            CONTENT_INVALID,
            "the JSON holds a NUL byte or a lone surrogate",
            hint="Remove it from the value first.",
        )
    if sqlstate.startswith("22"):
        return EngramError(
            ARGUMENT_INVALID, message, detail, hint or "Give a value of the type that the argument has."
        )
    if sqlstate in _NOT_INSTALLED and "engram" in message:
        return EngramError(
            INSTALLATION,
            "engram is not installed in this database, or in another version",
            message,
            "engram-pg migrate",
        )
    if sqlstate == NOT_ALLOWED:
        return EngramError(sqlstate, message, detail, hint or who_may(message))
    if sqlstate in _HINTS:
        return EngramError(sqlstate, message, detail, hint or _HINTS[sqlstate])
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)) and not sqlstate:
        return EngramError(
            CONNECTION_FAILED,
            f"no connection to the database: {message}",
            hint="Check --dsn or ENGRAM_DSN; without either, engram-pg starts a PostgreSQL of its own.",
        )
    return EngramError(sqlstate or "XX000", message, detail, hint)


def who_may(message: str) -> str:
    """Whom to ask, by the message of a refusal, for what the role of this connection may not do."""
    denied = _DENIED.search(message)
    if denied is None:
        return "Ask the owner of schema engram to grant it."
    name = denied["name"]
    level = next((level for level, names in _LEVELS.items() if name in names.split()), "writer")
    if level == "owner":
        return f"{name} is for the owner of schema engram alone."
    return (
        f"{name} takes a role of level {level}. Ask the owner of schema engram for "
        f"SELECT engram.grant_usage('role', '{level}');"
    )


def bad_dsn() -> EngramError:
    """For a DSN that libpq could not parse; its text is left out, since it may show a password."""
    return EngramError(
        CONNECTION_FAILED,
        "the DSN cannot be read",
        hint="Write postgresql://user:password@host:5432/database, with %-escapes, or host=… dbname=… user=…",
    )


@contextmanager
def translated() -> Iterator[None]:
    """Turns what psycopg raises inside into EngramError."""
    try:
        yield
    except (psycopg.Error, UnicodeEncodeError) as error:
        raise from_psycopg(error) from error
