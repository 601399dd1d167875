"""Reading what other programs wrote into memory. Each format is a module that parses; `load` writes."""

from __future__ import annotations

from engram_pg.importers.detect import FORMATS, read, read_lines
from engram_pg.importers.item import BadLine, Item
from engram_pg.importers.load import load
from engram_pg.importers.writing import Loaded

__all__ = ["FORMATS", "BadLine", "Item", "Loaded", "load", "read", "read_lines"]
