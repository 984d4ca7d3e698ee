"""Running the command line in the directory of a small model, in this process or in a new one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from symtheano.cli import main

Run = Callable[..., tuple[int, str, str]]

MODEL = """\
import numpy as np
import symtheano
import symtheano.tensor as T
from near import factor

print("printed by the file")
x = T.vector("x")
y = (x * 2) * 4
b = symtheano.shared(np.zeros(3, dtype=symtheano.config.floatX), name="b")
cost = (y * factor + b).sum()
several = {"y": y, "cost": cost}
number = 3
compiled = symtheano.function([x], y, mode="INTERPRET")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory, which holds model.py."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "near.py").write_text("factor = 0.5\n")
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process; return exit status, stdout and stderr."""

    def invoke(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main.main(list(args), prog_name="symtheano")
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return invoke


@pytest.fixture
def process(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python in a new process, with a clean configuration."""

    def invoke(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "SYMTHEANO_FLAGS")}
        root = str(Path(__file__).parent.parent.parent)
        given = {**kept, "SYMTHEANO_CONFIG": "", "PYTHONPATH": root, **environment}
        return subprocess.run(
            [sys.executable, *args], cwd=folder, env=given, capture_output=True, text=True,
            check=False, timeout=120,
        )  # fmt: skip

    return invoke


@pytest.fixture
def program(
    process: Callable[..., subprocess.CompletedProcess[str]],
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``symtheano`` in a new process."""

    def invoke(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return process("-m", "symtheano.cli", *args, **environment)

    return invoke
