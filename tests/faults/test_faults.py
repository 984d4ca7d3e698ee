"""Each fault a few times; ``run.py`` injects them as often as one likes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.faults import FAULTS, hindrance
from tests.support.selected import selected

# Of each call that fails, ``test_calls.py`` injects more.
NAMES = [name for name in FAULTS if not name.startswith("calls_fail")]

COUNT = 1


@pytest.fixture(scope="module")
def counted(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """Return what came of each fault of which the run has a test, by its name."""
    # In a process of its own: the trials fork, which a process with threads must not.
    script = Path(__file__).with_name("run.py")
    command = [sys.executable, str(script), "--count", str(COUNT), "--json"]
    command += [word for name in selected(request, "name") for word in ("--only", name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout, done.stderr
    return {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.mark.needs_cc
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fault_is_survived(name: str, counted: dict[str, dict[str, Any]]) -> None:
    why_not = hindrance(name)
    if why_not is not None:
        pytest.skip(why_not)
    counts = counted[name]
    assert counts["details"] == []
    assert counts["wrong"] == 0
    assert counts["right"] + counts["clear error"] + counts["killed"] == counts["injected"] == COUNT
    assert counts["next right"] == COUNT
    # Only where the fault is a kill, or leaves no room anywhere, may there be no answer.
    if name not in ("kill_9", "full_everywhere", "file_size_limit"):
        assert counts["right"] == COUNT
