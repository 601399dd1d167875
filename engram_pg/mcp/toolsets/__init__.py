"""The tools, by family. A new family is a module named here with `register(server)`, INSTRUCTIONS, and CALLS:
the functions of the schema whose tool has another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from engram_pg.errors import ARGUMENT_INVALID, EngramError

DEFAULT = ("native",)

_MODULES = {"native": "native", "engineering": "engineering", "mcp-engram": "mcp_engram"}
_WITH = {"mcp-engram": ("engineering",)}
"""Families whose tools belong to another one too."""


def known(names: Sequence[str]) -> list[str]:
    """The names, each once, in their order. Raises EngramError for one that is no family, and for none."""
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    for name in [name for name in wanted if name not in _MODULES] or ([] if wanted else [""]):
        raise EngramError(
            ARGUMENT_INVALID,
            f"the toolset {name!r} does not exist",
            hint=f"Use one of {', '.join(_MODULES)}, or several with commas between.",
        )
    return wanted


def chosen(names: Sequence[str] = DEFAULT) -> list[ModuleType]:
    """The families of these names, with those that belong to them. Raises EngramError for a name that is
    none.
    """
    wanted = dict.fromkeys(family for name in known(names) for family in (name, *_WITH.get(name, ())))
    return [import_module(f"{__name__}.{_MODULES[name]}") for name in wanted]
