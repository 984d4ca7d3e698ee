"""Every dependency has its reason on record."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def test_each_dependency_has_a_reason() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 cannot read TOML")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {("", requirement) for requirement in project["dependencies"]} | {
        (extra, requirement)
        for extra, requirements in project["optional-dependencies"].items()
        for requirement in requirements
    }
    expected = {
        (extra, re.split(r"[^\w.-]", requirement)[0])
        for extra, requirement in declared
        if not requirement.startswith("symtheano[")
    }
    text = (ROOT / "docs" / "dependencies.md").read_text()
    always, extras = text.split("## Extras")
    recorded = {("", name) for name in re.findall(r"^\| `([\w-]+)` \|", always, re.M)}
    recorded |= set(re.findall(r"^\| `([\w-]+)` \| `([\w-]+)` \|", extras, re.M))
    assert recorded == expected
