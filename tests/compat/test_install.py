"""``import theano`` finds symtheano where it is installed, and nowhere else."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest


def run(source: str, *arguments: str, cwd: Path | None = None, flags: str = "") -> str:
    """Return what a program prints."""
    environment = {**os.environ, "THEANO_FLAGS": flags, "THEANORC": "/nonexistent"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, *arguments, *(["-c", source] if source else [])],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=cwd,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


PROGRAM = """
import theano
import theano.tensor as T
x = T.vector("x")
print(T.nnet.softmax(x).ndim, theano.config.floatX)
try:
    import theano.sandbox.cuda
except ImportError as error:
    print(type(error).__name__, "GPU" in str(error))
"""


@pytest.mark.parametrize("how", [("-m", "symtheano.compat"), ("-m", "symtheano.cli", "run")])
def test_a_program_runs_unchanged(how: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    shown = run("", *how, "program.py", cwd=tmp_path, flags="floatX=float32,gcc.cxxflags=-O3")
    assert shown == "2 float32\nMissingModule True\n"


CHILD = """
import multiprocessing
import sys
import theano
import theano.tensor as T

def work():
    print(T.nnet.softmax(T.vector()).ndim, theano.config.floatX, __name__)

if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=work)
    process.start()
    process.join()
    print(process.exitcode, sys.modules["theano"].__name__)
"""


@pytest.mark.parametrize("how", [("-m", "symtheano.compat"), ("-m", "symtheano.cli", "run")])
def test_a_process_that_is_started_anew_finds_theano(how: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(CHILD)
    shown = run("", *how, "program.py", cwd=tmp_path, flags="floatX=float32")
    assert shown == "2 float32 __mp_main__\n0 theano\n"


def test_nothing_is_named_theano_without_installing() -> None:
    shown = run(
        "import importlib.util as u, symtheano, symtheano.compat as c; "
        "print(u.find_spec('theano'), symtheano.config.theano_semantics, c.is_installed())"
    )
    assert shown == "None False False\n"


def test_another_theano_wins_unless_told(tmp_path: Path) -> None:
    (tmp_path / "theano.py").write_text("mine = True")
    source = (
        "import sys; sys.path.insert(0, {!r})\n"
        "import symtheano.compat as c\n"
        "print(c.install(replace={}), __import__('theano').__name__, "
        "hasattr(__import__('theano'), 'mine'))"
    )
    assert run(source.format(str(tmp_path), False)) == "False theano True\n"
    assert run(source.format(str(tmp_path), True)) == "True theano False\n"


def test_uninstall_takes_everything_back() -> None:
    shown = run(
        "import sys, symtheano.compat as c; c.install(); import theano.tensor; c.uninstall()\n"
        "import symtheano\n"
        "print([m for m in sys.modules if m.startswith('theano')], "
        "symtheano.config.theano_semantics)"
    )
    assert shown == "[] False\n"


def test_functions_are_not_hidden_by_modules_of_their_names(theano: Any) -> None:
    for name in ("tensor.var", "tensor.sort", "compile.function"):
        importlib.import_module(f"theano.{name}")
    assert callable(theano.tensor.var)
    assert callable(theano.tensor.sort)
    assert callable(theano.compile.function)
    x = theano.tensor.dmatrix("x")
    np.testing.assert_allclose(theano.tensor.var(x, axis=0).eval({x: [[1.0], [3.0]]}), [1.0])


def test_classes_of_tests_are_found(theano: Any) -> None:
    mixin = importlib.import_module("theano.tests.unittest_tools").TestOptimizationMixin
    assert getattr(mixin, "__test__", True)  # also in classes that derive from it
