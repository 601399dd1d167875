from __future__ import annotations

from helpers import Db, contents, recall, remember, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HOSTILE = [
    "a_b", "aXb", "a%", "a", "ab", "foo", "foobar", "foo:bar", "foo/bar", "foo\\bar", "foo'bar", 'foo"bar',
    "foo bar", "foo ", " foo", "FOO", "Foo", "föö", "fo\u0308o\u0308", "用户", "👤", "default:a", "7:default",
    "null",
    "'; drop schema engram cascade; --", "{}", "%s", "x" * 5000,
]  # fmt: skip


def test_hostile_names_never_share_a_space(db: Db) -> None:
    for name in HOSTILE:
        remember(db, f"the secret of {name[:40]!r} is a lantern", user_id=name)

    for name in HOSTILE:
        assert contents(recall(db, "secret lantern", user_id=name, k=100)) == [
            f"the secret of {name[:40]!r} is a lantern"
        ]
    assert value(db, "select count(*) from engram.space") == len(HOSTILE)


relaxed = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)


@relaxed
@given(names, names, names, names)
def test_two_owners_have_two_keys(db: Db, tenant: str, user: str, tenant2: str, user2: str) -> None:
    one = value(db, "select engram.space_id(%s, %s)", user, tenant)
    other = value(db, "select engram.space_id(%s, %s)", user2, tenant2)
    assert (one == other) == ((tenant, user) == (tenant2, user2))


@relaxed
@given(names, st.integers(1, 11))
def test_a_separator_cannot_be_moved_between_tenant_and_user(db: Db, text: str, cut: int) -> None:
    joined = text + ":" + text
    cut = min(cut, len(joined) - 2)
    one = value(db, "select engram.space_id(%s, %s)", joined[cut:], joined[:cut])
    other = value(db, "select engram.space_id(%s, %s)", joined[cut + 1 :], joined[: cut + 1])
    assert one != other


def test_the_key_of_a_space_is_the_same_everywhere(db: Db) -> None:
    assert value(db, "select engram.space_id('default')") == value(
        db, "select ('x' || substr(md5('7:defaultdefault'), 1, 16))::bit(64)::bigint"
    )
