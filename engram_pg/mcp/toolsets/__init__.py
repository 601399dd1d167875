"""The tools, by family. A new family is a module with `register(server)` and INSTRUCTIONS, named here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from engram_pg.errors import ARGUMENT_INVALID, EngramError

DEFAULT = ("native",)

_MODULES = {"native": "native", "engineering": "engineering", "mcp-engram": "mcp_engram"}
_WITH = {"mcp-engram": ("engineering",)}
"""Families whose tools belong to another one too."""


def chosen(names: Sequence[str] = DEFAULT) -> list[ModuleType]:
    """The families of these names, each once, in their order. Raises EngramError for a name that is none."""
    wanted: dict[str, None] = {}
    for name in names:
        if name not in _MODULES:
            raise EngramError(
                ARGUMENT_INVALID,
                f"the toolset {name!r} does not exist",
                hint=f"Use one of {', '.join(_MODULES)}, or several with commas between.",
            )
        wanted.update(dict.fromkeys((name, *_WITH.get(name, ()))))
    return [import_module(f"{__name__}.{_MODULES[name]}") for name in wanted]
