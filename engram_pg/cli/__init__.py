"""The command line: `engram-pg`. Each module beside this one holds a group of commands; what is slow to
import, they import when called.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any


def main() -> None:
    """Runs a command. Exit code 1 for what engram or the database refused, 2 for wrong usage."""
    from engram_pg.cli._app import build
    from engram_pg.errors import EngramError

    warnings.showwarning = _noted
    try:
        build(sys.argv[1:])(prog_name="engram-pg")
    except EngramError as error:
        from engram_pg.cli._output import complain

        complain(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # the reader of our output, like `head`, has seen enough
        sys.stderr.close()
        sys.exit(0)


def _noted(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as a word on stderr, without the line of code that it came from."""
    from engram_pg.cli._output import note

    note(str(message))
