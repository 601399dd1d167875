"""The tools, by family. A new family is a module with `register(server)`, named here."""

from __future__ import annotations

from engram_pg.mcp.toolsets import native

TOOLSETS = (native.register,)
