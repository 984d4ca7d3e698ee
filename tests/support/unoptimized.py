"""Compilation without optimization, for tests of what a function computes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from symtheano import config
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.errors import NoCompilerError
from tests.support.daily import is_due

_DAYS = 5  # has no divisor in common with the turns of tests and of rows


def command(folder: Path) -> str:
    """Return the command of a script that calls the compiler with ``-O0`` as the last flag."""
    path = folder / "cc-O0"
    words = shlex.join(find_toolchain(config.cc or None).command)
    text = f'#!/bin/sh\nexec {words} "$@" -O0\n'
    if not path.exists() or path.read_text() != text:
        made = folder / f"cc-O0-{os.getpid()}"
        made.write_text(text)
        made.chmod(0o700)
        made.replace(path)
    return shlex.quote(str(path))


@contextmanager
def optimized_on_some_days(key: str) -> Iterator[None]:
    """Compile without optimization, here and in subprocesses, on four days of five.

    Which day is the fifth depends on the key, so a fifth of the keys is optimized each day.
    Everything is if all tests are run fully; a compiler that the caller has named is used as it is.
    """
    optimized = bool(os.environ.get("SYMTHEANO_CC")) or is_due(key, _DAYS)
    folder = Path(os.environ["SYMTHEANO_CACHE_DIR"]).parent
    folder.mkdir(parents=True, exist_ok=True)
    try:
        cc = "" if optimized else command(folder)
    except NoCompilerError:  # what needs one is skipped
        cc = ""
    if not cc:
        yield
        return
    with config.change_flags(cc=cc), patch.dict(os.environ, SYMTHEANO_CC=cc):
        yield
