"""Calls of the system that fail one by one: a sample, and all with ``SYMTHEANO_LONG_RUN=1``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.calls import KINDS
from tests.support.extent import TIMES

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


@pytest.mark.needs_cc
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a library that is preloaded")
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_or_a_clear_error(name: str) -> None:
    script = Path(__file__).with_name("run.py")
    command = [sys.executable, str(script), "--json", "--only", f"calls_fail_{name}"]
    # Where there are few calls, a sample may reach none.
    are_few = name in ("while_calling", "while_starting_thread")
    command += ["--every"] if TIMES or are_few else ["--count", str(len(KINDS))]
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=6000, check=False, env=environment
    )
    if "left out" in done.stderr:
        pytest.skip(done.stderr)
    counts: dict[str, Any] = json.loads(done.stdout)
    assert counts["details"] == []
    assert counts["right"] + counts["clear error"] + counts["foreign"] == counts["injected"] > 0
    assert counts["next right"] == counts["trials"] >= len(KINDS)
