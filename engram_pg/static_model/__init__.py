"""The token vectors of the static embedder, as shipped, in the forms that an installer needs.

The data file is a zlib stream: the folded tokens, one a line, an empty line, then the components as signed
bytes, one dimension after the other (dimensions differ in spread, so this order packs best).
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

__all__ = [
    "COLUMNS",
    "DIMENSIONS",
    "TABLE",
    "copy_binary",
    "copy_text",
    "count",
    "encoded",
    "rows",
    "version",
]

version = "4"
"""Changes whenever a vector of a text may change; the database keeps it to know that its table is current."""

DIMENSIONS = 256
TABLE = "engram.static_token"
COLUMNS = ("token", "vector")

_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_CHUNK_ROWS = 1024
_HALF = [struct.pack(">e", byte - 256 if byte > 127 else byte) for byte in range(256)]
_HIGH = bytes(half[0] for half in _HALF)
_LOW = bytes(half[1] for half in _HALF)
_DECIMAL = [str(byte - 256 if byte > 127 else byte) for byte in range(256)]


def _load() -> tuple[list[bytes], bytes]:
    """The tokens in UTF-8 and all components, row after row."""
    stream = zlib.decompress(files(__package__).joinpath("tokens.bin").read_bytes())
    end = stream.index(b"\n\n")
    tokens = stream[:end].split(b"\n")
    packed = memoryview(stream)[end + 2 :]
    components = bytearray(len(packed))
    for dimension in range(DIMENSIONS):
        start = dimension * len(tokens)
        components[dimension::DIMENSIONS] = packed[start : start + len(tokens)]
    return tokens, bytes(components)


def count() -> int:
    """Number of rows."""
    return len(_load()[0])


def rows() -> Iterator[tuple[str, bytes]]:
    """Each token with its 256 components as signed bytes."""
    tokens, components = _load()
    for i, token in enumerate(tokens):
        yield token.decode(), components[i * DIMENSIONS : (i + 1) * DIMENSIONS]


def copy_binary(
    cursor: psycopg.Cursor[Any], table: str = TABLE, progress: Callable[[int, int], object] | None = None
) -> int:
    """Copies all rows into an empty `table` and returns their number.

    `progress` is called with (rows sent, rows in all), the last time when all are sent.
    """
    tokens, components = _load()
    halves = bytearray(2 * len(components))
    halves[0::2] = components.translate(_HIGH)
    halves[1::2] = components.translate(_LOW)
    width = 2 * DIMENSIONS
    vector_head = struct.pack(">ihh", 4 + width, DIMENSIONS, 0)
    with cursor.copy(f"copy {table} ({', '.join(COLUMNS)}) from stdin (format binary)") as copy:
        copy.write(_SIGNATURE)
        for start in range(0, len(tokens), _CHUNK_ROWS):
            chunk = bytearray()
            for i, token in enumerate(tokens[start : start + _CHUNK_ROWS], start):
                chunk += struct.pack(">hi", 2, len(token)) + token + vector_head
                chunk += halves[i * width : (i + 1) * width]
            copy.write(bytes(chunk))
            if progress:
                progress(min(start + _CHUNK_ROWS, len(tokens)), len(tokens))
        copy.write(b"\xff\xff")
    return len(tokens)


def copy_text() -> Iterator[str]:
    """The same as lines for psql: `copy … from stdin;`, the rows in text format, and the end mark."""
    yield f"copy {TABLE} ({', '.join(COLUMNS)}) from stdin;\n"
    tokens, components = _load()
    for i, token in enumerate(tokens):
        vector = ",".join([_DECIMAL[byte] for byte in components[i * DIMENSIONS : (i + 1) * DIMENSIONS]])
        escaped = token.decode().replace("\\", "\\\\")
        yield f"{escaped}\t[{vector}]\n"
    yield "\\.\n"


def encoded(chunk_rows: int) -> Iterator[tuple[str, str]]:
    """The rows in chunks: the tokens, one a line, and their components as base64 of signed bytes."""
    tokens, components = _load()
    for start in range(0, len(tokens), chunk_rows):
        end = start + chunk_rows
        packed = components[start * DIMENSIONS : end * DIMENSIONS]
        yield b"\n".join(tokens[start:end]).decode(), base64.b64encode(packed).decode()
