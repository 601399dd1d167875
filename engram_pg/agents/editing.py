"""Puts things into files that are somebody else's: what is there stays, a second time changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

from engram_pg.errors import ARGUMENT_INVALID, EngramError

BEGIN = "<!-- engram:begin -->"
END = "<!-- engram:end -->"

_BOM = "\ufeff"
_HINT = "Mend it, or put it in by hand: without --write it is printed."


@dataclass(frozen=True)
class Edit:
    """A file as it shall be; `before` is None where there is none yet."""

    path: Path
    before: str | None
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def write(self) -> Path | None:
        """Writes the file, at once or not at all. What was there stays beside it; returns that copy. Raises
        EngramError.
        """
        try:
            return self._write(self.path.resolve())  # a link stays one
        except OSError as error:
            raise EngramError(
                ARGUMENT_INVALID, f"{self.path} cannot be written: {error.strerror}", hint=_HINT
            ) from error

    def _write(self, target: Path) -> Path | None:
        kept = _copied(target) if self.before is not None else None
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(self.after)
            if kept is None:
                os.chmod(name, 0o644)
            else:
                shutil.copymode(target, name)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return kept


def read(path: Path) -> str | None:
    """The text of a file, with its line ends as they are; None if there is none. Raises EngramError."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise EngramError(ARGUMENT_INVALID, f"{path} cannot be read: {reason}", hint=_HINT) from error


def with_server(path: Path, name: str, entry: dict[str, Any], keep: Iterable[str] = ()) -> Edit:
    """The JSON file with an MCP server among its `mcpServers`. Of a server of that name that is there,
    everything stays that the entry doesn't say, and the variables in `keep` stay as they are.

    Raises EngramError for a file that is not JSON, or in which a server has no place.
    """
    before = read(path)
    text = (before or "").removeprefix(_BOM)
    whole = _parsed(path, text) if text.strip() else {}
    servers = whole.setdefault("mcpServers", {}) if isinstance(whole, dict) else None
    known = servers.get(name, {}) if isinstance(servers, dict) else None
    if not isinstance(servers, dict) or not isinstance(known, dict):
        raise EngramError(
            ARGUMENT_INVALID,
            f"{path} has no place for a server: mcpServers and each server in it are objects",
            hint=_HINT,
        )
    merged = _merged(known, entry, keep)
    if known == merged and known:
        return Edit(path, before, before or "")
    servers[name] = merged
    after = json.dumps(whole, indent=_indent(text), ensure_ascii=False) + "\n"
    if "\r\n" in text:
        after = after.replace("\n", "\r\n")
    return Edit(path, before, (_BOM if (before or "").startswith(_BOM) else "") + after)


def server_in(path: Path, name: str) -> dict[str, Any] | None:
    """The server of that name in a file, if there is one."""
    text = (read(path) or "").removeprefix(_BOM)
    try:
        found = json.loads(text)["mcpServers"][name]
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, dict) else None


def with_block(path: Path, block: str, head: str = "") -> Edit:
    """The text file with a block between marks: in place of the one that is there, else at the end. A new
    file begins with `head`. Raises EngramError where a mark is alone.
    """
    before = read(path)
    text = head if before is None else before
    line = "\r\n" if "\r\n" in text else "\n"
    marked = line.join([BEGIN, *block.strip().splitlines(), END])
    if [text.count(BEGIN), text.count(END)] not in ([0, 0], [1, 1]) or text.find(END) < text.find(BEGIN):
        raise EngramError(
            ARGUMENT_INVALID,
            f"{path} has marks that do not enclose one block",
            hint=f"Leave one {BEGIN} with one {END} after it, or none.",
        )
    if BEGIN in text:
        start, end = text.index(BEGIN), text.index(END) + len(END)
        return Edit(path, before, text[:start] + marked + text[end:])
    gap = "" if not text.strip() else line if text.endswith("\n") else line * 2
    return Edit(path, before, text + gap + marked + line)


def _merged(known: dict[str, Any], entry: dict[str, Any], keep: Iterable[str]) -> dict[str, Any]:
    there = known.get("env")
    env = {**(there if isinstance(there, dict) else {}), **entry.get("env", {})}
    env |= {name: there[name] for name in keep if isinstance(there, dict) and name in there}
    merged = {**known, **entry, "args": _arguments(known.get("args"), entry["args"])}
    merged.pop("env", None)
    return {**merged, "env": env} if env else merged


def _arguments(known: Any, wanted: list[str]) -> list[str]:
    """The arguments that are there with the tools that are wanted, if it is this command that they are of."""
    if not isinstance(known, list) or known[:1] != wanted[:1]:
        return wanted
    if "--tools" in known[:-1]:
        place = known.index("--tools") + 1
        return [*known[:place], wanted[-1], *known[place + 1 :]]
    return [*known, *wanted[1:]]


def _parsed(path: Path, text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key stands twice in one object")
        return found

    def exact(number: str) -> float:
        found = float(number)
        if Decimal(number) != Decimal(repr(found)):
            raise ValueError(f"the number {number} would change")
        return found

    def no_constant(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number of JSON")

    try:
        found = json.loads(text, object_pairs_hook=once, parse_float=exact, parse_constant=no_constant)
        json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair cannot be written
        return found
    except (ValueError, RecursionError) as error:
        raise EngramError(
            ARGUMENT_INVALID,
            f"{path} is no JSON that can be changed: {error}",
            hint=_HINT,
        ) from error


def _indent(text: str) -> int | str:
    found = re.search(r"^[{\[]\s*?\n([ \t]+)", text)
    return 2 if found is None else "\t" if "\t" in found[1] else len(found[1])


def _copied(path: Path) -> Path:
    """A copy of the file beside it, under a name that is free."""
    number = 0
    while (copy := path.with_name(f"{path.name}.bak{number or ''}")).exists():
        number += 1
    shutil.copy2(path, copy)
    return copy
