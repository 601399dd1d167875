"""What both sides are given to hold, to store and to be asked."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from engram_pg.bench import locomo, texts

SEED = 20260101


@dataclass(frozen=True, slots=True)
class Material:
    """Texts that are there, each with the parts that it is put together of; texts that come; questions."""

    held: dict[str, tuple[str, ...]]
    new: list[str]
    asked: list[str]


def material(talks: Path | None, held: int, new: int, questions: int) -> Material:
    """Turns of LoCoMo, and pairs of turns once there are no more; what comes is no part of what is there.
    Without them, made-up sentences, which are much alike.
    """
    source = random.Random(SEED)
    conversations, owned = ([], {}) if talks is None else locomo.read(talks)
    said = [memory["content"].partition(": ")[2] for memories in owned.values() for memory in memories]
    said = [text for text in dict.fromkeys(said) if len(text) > 20]
    source.shuffle(said)
    known, coming = said[new:], said[:new]
    if len(coming) < new or len(known) ** 2 < 10 * held:  # too few
        made = texts.sentences(held + new, SEED)
        return Material({text: (text,) for text in made[new:]}, made[:new], texts.questions(questions, SEED))
    there: dict[str, tuple[str, ...]] = {text: (text,) for text in known[:held]}
    while len(there) < held:
        first, second = source.sample(known, 2)
        there[f"{first} {second}"] = (first, second)
    asked = [entry["question"] for talk in conversations for entry in talk["qa"]]
    return Material(there, coming, [source.choice(asked) for _ in range(questions)])
