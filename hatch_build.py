"""A wheel that holds compiled code is for one Python and one platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PrebuiltUnits(BuildHookInterface[Any]):
    """Tag wheels that contain what ``symtheano cache prebuild`` has compiled."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Tag the wheel if there is compiled code; an editable install takes none along."""
        units = Path(self.root, "symtheano", "prebuilt", "units.txt")
        if self.target_name == "wheel" and version == "standard" and units.exists():
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
