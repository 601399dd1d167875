"""Where the files are that travel with the package: in a wheel inside it, in a checkout at its root."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def resource(folder: str) -> Path:
    """The folder `sql` or `examples` of this installation."""
    packaged = PACKAGE / f"_{folder}"
    return packaged if packaged.is_dir() else PACKAGE.parent / folder
