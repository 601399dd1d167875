"""Made-up memories that are much alike, for benchmarks of speed and of isolation. The same seed gives the
same texts.
"""

from __future__ import annotations

import random

WHO = ("Ada", "Bruno", "Chiyo", "Dmitri", "Elif", "Farah", "Goran", "Hana", "Ines", "Jonas", "Kofi", "Lena")
DID = (
    "met",
    "called",
    "wrote to",
    "had lunch with",
    "reviewed the plan of",
    "argued with",
    "helped",
    "interviewed",
)
WHOM = (
    "the landlord",
    "a new supplier",
    "the city office",
    "her old teacher",
    "the platform team",
    "two investors",
)
ABOUT = (
    "the leaking roof",
    "a delayed delivery",
    "the spring budget",
    "a broken build",
    "holiday plans",
    "the move",
)
WHERE = (
    "in Lisbon",
    "at the station",
    "over video",
    "in the small office",
    "on the ferry",
    "behind the market",
)
THEN = (
    "and agreed to wait",
    "and took notes",
    "but nothing was decided",
    "and set a date",
    "and paid in cash",
)


def sentences(count: int, seed: int) -> list[str]:
    """Different sentences from one small vocabulary."""
    source = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        words = [source.choice(part) for part in (WHO, DID, WHOM, ABOUT, WHERE, THEN)]
        who, did, whom, about, where, then = words
        day, month = source.randint(1, 28), source.randint(1, 12)
        made[f"On 2025-{month:02}-{day:02} {who} {did} {whom} about {about} {where}, {then}."] = None
    return list(made)


def questions(count: int, seed: int) -> list[str]:
    """Questions in the same vocabulary."""
    source = random.Random(seed)
    return [
        f"When did {source.choice(WHO)} talk with {source.choice(WHOM)} about {source.choice(ABOUT)}?"
        for _ in range(count)
    ]
