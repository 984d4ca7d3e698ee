"""Calls of the system that fail one by one: a sample, and all with ``SYMTHEANO_LONG_RUN=1``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.faults.calls import KINDS
from tests.support.extent import TIMES
from tests.support.selected import selected

NAMES = (
    "in_first_call",
    "while_calling",
    "while_compiling",
    "while_loading",
    "while_loading_model",
    "while_restoring",
    "while_saving",
    "while_starting_thread",
)


# Where there are few calls, a sample may reach none.
FEW = ("while_calling", "while_starting_thread")


@pytest.fixture(scope="module")
def counted(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    """Return what came of the calls of each name: the model is compiled once for all samples."""
    names = selected(request, "name")
    few = [name for name in names if name in FEW]
    some = [name for name in names if name not in FEW]
    counts = ["--every"] if TIMES else ["--count", str(len(KINDS))]
    return {
        **(_counted(few, ["--every"]) if few else {}),
        **(_counted(some, counts) if some else {}),
    }


def _counted(names: Sequence[str], options: list[str]) -> dict[str, dict[str, Any]]:
    script = Path(__file__).with_name("run.py")
    command = [sys.executable, str(script), "--json", *options]
    command += [word for name in names for word in ("--only", f"calls_fail_{name}")]
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=36000, check=False, env=environment
    )
    if "left out" in done.stderr:
        pytest.skip(done.stderr)
    rows = list(map(json.loads, done.stdout.splitlines()))
    assert len(rows) == len(names), done.stderr
    return {row["name"].removeprefix("calls_fail_"): row for row in rows}


@pytest.mark.needs_cc
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a library that is preloaded")
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_or_a_clear_error(name: str, counted: dict[str, dict[str, Any]]) -> None:
    counts = counted[name]
    assert counts["details"] == []
    assert counts["right"] + counts["clear error"] + counts["foreign"] == counts["injected"] > 0
    assert counts["next right"] == counts["trials"] >= len(KINDS)
