"""Long-term memory for AI agents, inside PostgreSQL. The SQL functions are the product, this is a shim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engram_pg.client import Engram
    from engram_pg.errors import EngramError

__all__ = ["Engram", "EngramError", "__version__"]
__version__ = "0.2.0"

_HOMES = {"Engram": "engram_pg.client", "EngramError": "engram_pg.errors"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'engram_pg' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
