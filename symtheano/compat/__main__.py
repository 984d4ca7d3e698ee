"""``python -m symtheano.compat program.py arguments``: run a program written for Theano."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType

from symtheano.compat import install


def main() -> None:
    """Run the program that the command line names; ``--py2`` before it is for Python 2."""
    old = sys.argv[1:2] == ["--py2"]
    if old:
        del sys.argv[1]
    if len(sys.argv) < 2:
        sys.exit("usage: python -m symtheano.compat [--py2] PROGRAM [ARGUMENTS]...")
    del sys.argv[0]
    folder = str(Path(sys.argv[0]).resolve().parent)
    sys.path[0] = folder
    install(replace=True)
    if old:
        _run_old(sys.argv[0], folder)
    else:
        runpy.run_path(sys.argv[0], run_name="__main__")


def _run_old(path: str, folder: str) -> None:
    """Run a program in Python 2."""
    from symtheano.compat.python2 import compile_old, convert_imports
    from symtheano.compat.supplies import supply

    convert_imports([folder])
    supply()
    full = str(Path(path).resolve())
    module = ModuleType("__main__")
    module.__dict__["__file__"] = full
    sys.modules["__main__"] = module
    exec(compile_old(Path(full).read_bytes(), full), module.__dict__)


if __name__ == "__main__":
    main()
