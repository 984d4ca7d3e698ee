"""Numbers of other libraries, which ``data/record.py`` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / f"data/{name}.json").read_text())
    return found
