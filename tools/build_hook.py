"""Puts what the package reads at run time, and a checkout keeps at its root, into the wheel."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TRAVELS = ("sql", "examples")


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # an editable install reads the checkout itself
            return
        for folder in TRAVELS:
            if not (Path(self.root) / folder).is_dir():
                raise FileNotFoundError(f"{folder}/ is missing, so a wheel made here would not work")
            build_data["force_include"][folder] = f"engram_pg/_{folder}"
