"""Options: checked, scoped, read from the environment, fixed while compiling."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.config import Options


def test_unknown_options_and_values_are_refused() -> None:
    with pytest.raises(AttributeError, match="no option 'florX'"):
        config.florX = "float32"
    with pytest.raises(ValueError, match="must be one of"):
        config.floatX = "float31"
    assert config.floatX == "float64"


def test_context_restores_also_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), config.change_flags(floatX="float32", threads=1):
        1 / len([name for name in ("float64",) if name == T.vector().dtype])
    assert T.vector().dtype == "float64"
    assert config.threads == Options(threads=config.threads).threads


def test_snapshot_does_not_change() -> None:
    before = config.snapshot()
    with config.change_flags(floatX="float32"):
        assert before.floatX == "float64"
        assert config.snapshot().floatX == "float32"


def run(flags: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python with SYMTHEANO_FLAGS set."""
    environment = {**os.environ, "SYMTHEANO_FLAGS": flags}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_environment() -> None:
    code = "from symtheano import config; print(config.floatX, config.mode, config.threads)"
    assert run("floatX=float32,mode=INTERPRET,threads=3", code).stdout.split() == [
        "float32", "INTERPRET", "3",
    ]  # fmt: skip
    wrong = run("flotX=float32", code)
    assert wrong.returncode != 0
    assert "unknown option 'flotX'" in wrong.stderr
