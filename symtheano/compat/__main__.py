"""``python -m symtheano.compat program.py arguments``: run a program written for Theano."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from symtheano.compat import install


def main() -> None:
    """Run the program that the command line names."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m symtheano.compat PROGRAM [ARGUMENTS]...")
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    install(replace=True)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
