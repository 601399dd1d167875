"""The static embedder in plain Python: what `engram.embed` computes, step by step.

It exists to test the SQL against and to build the table with; nothing at run time calls it. Text is folded
(compatibility forms, accents, case), cut into runs (words, digits, unspaced East Asian text, symbols), the
runs
are looked up in the token table, and the vector is the normalised mean of the rows found. Weights are part of
the rows.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence

CJK = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Letters and marks of the other scripts, whose words are separated by spaces (or, for a few, are not).
LETTERS = (
    "A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2c00-\u2dff\ua000-\uabff\ud7b0-\ud7ff\ufb00-\ufdff\ufe70-\ufefc\U00010000-\U0001efff"
)
SYMBOLS = "\u2100-\u2bff\U0001f000-\U0001fbff"
RUN = re.compile(f"[{CJK}]+|[{LETTERS}]+|[0-9]+|[{SYMBOLS}]")
HUMP = re.compile("([a-z])([A-Z])|([A-Z])([A-Z][a-z])")
MARKS = re.compile("[\u0300-\u036f]")
UPPER = "ÆÐØÞĐĦŁŊŒŦΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ"
LOWER = "æðøþđħłŋœŧαβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ"
CASE = str.maketrans(UPPER, LOWER) | {letter: letter + 32 for letter in range(65, 91)}
LONGEST_GRAM = 4
LONGEST_PIECE = 24
BUCKETS = 256
LONGEST_TEXT = 32768
LONGEST_UNSPACED = 8192
LONGEST_RARE = 1024


def unaccent(text: str) -> str:
    """Compatibility forms resolved and combining accents removed; case is kept."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", MARKS.sub("", unicodedata.normalize("NFKD", text)))


def fold(text: str) -> str:
    """The form in which tokens are stored: without accents, in lower case."""
    return unaccent(text).translate(CASE)


def bucket(character: str) -> str:
    """The row for a character that the table doesn't know."""
    return f"#{ord(character) % BUCKETS}"


def pieces(word: str, known: Container[str]) -> Iterator[str]:
    """Greedy longest known prefixes of a folded word; a character that is not known goes to its bucket."""
    start = 0
    while start < len(word):
        for length in range(min(LONGEST_PIECE, len(word) - start), 0, -1):
            piece = word[start : start + length]
            if start and "##" + piece in known:
                yield "##" + piece
                break
            if piece in known:
                yield piece
                break
        else:
            length = 1
            yield bucket(word[start])
        start += length


def grams(run: str, known: Container[str]) -> Iterator[str]:
    """Every known character sequence of a run of unspaced text; an unknown character goes to its bucket."""
    for start in range(len(run)):
        for length in range(1, min(LONGEST_GRAM, len(run) - start) + 1):
            gram = run[start : start + length]
            if gram in known:
                yield gram
            elif length == 1:
                yield bucket(gram)


def tokens(text: str, known: Container[str]) -> Iterator[str]:
    """The rows of the table whose mean stands for the text, repeats included."""
    plain = unaccent(text[:LONGEST_TEXT])
    runs = RUN.findall(plain) or [c for c in plain[:LONGEST_RARE] if not c.isspace()]
    unknown: list[str] = []
    unspaced: list[str] = []
    for run in runs:
        word = run.translate(CASE)
        if re.match(f"[{CJK}]", word):
            unspaced.append(word)
        elif word in known:
            yield word
        else:
            unknown.append(run)
    for run in " ".join(unspaced)[:LONGEST_UNSPACED].split():
        yield from grams(run, known)
    rare = " ".join(unknown)[:LONGEST_RARE]
    for part in HUMP.sub(r"\1\3 \2\4", rare).translate(CASE).split():
        yield from [part] if part in known else pieces(part, known)


def embed(text: str, table: Mapping[str, Sequence[float]]) -> list[float]:
    """The unit vector of a text; the zero-length list for a text of white space alone."""
    rows = [table[token] for token in tokens(text, table)]
    if not rows:
        return []
    total = [math.fsum(column) for column in zip(*rows, strict=True)]
    norm = math.sqrt(math.fsum(x * x for x in total))
    return [x / norm for x in total] if norm else total
