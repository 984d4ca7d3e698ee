"""``python -m symtheano.compat program.py arguments``: run a program written for Theano."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType

from symtheano.compat import install

_USAGE = """\
usage: python -m symtheano.compat [--py2] PROGRAM [ARGUMENTS]...

Run a program that was written for Theano. With --py2 it is one in Python 2.
"""


def main() -> None:
    """Run the program that the command line names; ``--py2`` before it is for Python 2."""
    old = sys.argv[1:2] == ["--py2"]
    if old:
        del sys.argv[1]
    if sys.argv[1:2] in (["--help"], ["-h"]):
        print(_USAGE, end="")
        return
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(_USAGE.rstrip())
    del sys.argv[0]
    folder = str(Path(sys.argv[0]).resolve().parent)
    sys.path[0] = folder
    install(replace=True)
    if old:
        _run_old(sys.argv[0], folder)
        return
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SyntaxError as error:
        print(f"{error.filename} cannot be read by Python 3; for a program in Python 2: "
              "python -m symtheano.compat --py2", file=sys.stderr)  # fmt: skip
        raise


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
