"""Finds out from its content in which format a file is, and parses it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from engram_pg.errors import ARGUMENT_INVALID, CONTENT_INVALID, EngramError
from engram_pg.importers import chat, export, locomo, memories
from engram_pg.importers.item import BadLine, Item

Parser = Callable[[int, dict[str, Any]], Item]

LINE_FORMATS: dict[str, tuple[Callable[[dict[str, Any]], bool], Parser]] = {
    "export": (export.is_one, export.parse),
    "chat": (chat.is_one, chat.parse),
    "memories": (memories.is_one, memories.parse),
}
FORMATS = (*LINE_FORMATS, "locomo")


def read(text: str, name: str = "the file") -> tuple[str, list[Item | BadLine]]:
    """The format of a text, and its items in order. Raises EngramError when the format is none of FORMATS."""
    text = text.removeprefix("\ufeff")
    conversations = locomo.conversations(text)
    if conversations is not None:
        return "locomo", list(locomo.parse(conversations))
    # Only a line feed ends a line: JSON strings may hold other separators that splitlines() would cut at.
    lines = text.split("\n")
    first = next((entry for _, entry in _objects(lines) if isinstance(entry, dict)), None)
    for format, (is_one, parse) in LINE_FORMATS.items():
        if first is not None and is_one(first):
            return format, list(_items(lines, parse))
    bad = next((entry for _, entry in _objects(lines) if isinstance(entry, BadLine)), None)
    raise EngramError(
        ARGUMENT_INVALID,
        f"{name} is in none of the formats that can be imported",
        detail=None if bad is None else f"line {bad.line}: {bad.reason}",
        hint='Give JSON lines of {"content": …} or {"role": …, "content": …, "ts": …}, or LoCoMo JSON.',
    )


def read_lines(lines: Iterable[bytes], name: str = "the file") -> tuple[str, Iterable[Item | BadLine]]:
    """The same of a file, line by line. Those of an export, which may be larger than memory, are read when
    they are taken. Raises EngramError for what is not UTF-8.
    """
    rest = iter(lines)
    begin = list(_until_the_first(rest))
    found = next((entry for _, entry in _objects(_decoded(begin))), None)
    if isinstance(found, dict) and export.is_one(found):
        return "export", _items(_decoded(chain(begin, rest)), export.parse)
    return read("".join(_decoded(chain(begin, rest))), name)


def _until_the_first(lines: Iterator[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line
        if line.strip():
            return


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise EngramError(
                CONTENT_INVALID, f"line {number}: not UTF-8", hint="Convert the file first, with iconv."
            ) from error


def _items(lines: Iterable[str], parse: Parser) -> Iterator[Item | BadLine]:
    for line, entry in _objects(lines):
        if isinstance(entry, BadLine):
            yield entry
        else:
            try:
                yield parse(line, entry)
            except ValueError as error:
                yield BadLine(line, str(error))


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    for line, content in enumerate(lines, start=1):
        if not content.strip():
            continue
        try:
            entry = json.loads(content)
        except (ValueError, RecursionError) as error:
            yield line, BadLine(line, f"no JSON: {error}")
            continue
        yield line, entry if isinstance(entry, dict) else BadLine(line, "not a JSON object")
