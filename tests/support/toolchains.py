"""Compilers for tests that depend on their flags."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from symtheano.codegen.native.compiler import PROCESSOR_FLAGS
from symtheano.codegen.native.toolchain import Toolchain


def plain(toolchain: Toolchain) -> Toolchain:
    """Return the compiler as users have it who say nothing about its flags."""
    flags = [flag for flag in toolchain.flags if not flag.startswith(("-march=", "-mcpu="))]
    return toolchain._replace(command=toolchain.command[:1], flags=(*flags, PROCESSOR_FLAGS[0]))


def unoptimized() -> str:
    """Return the option ``cc`` for a compiler that does not optimize.

    It takes half of the time for texts that run for less time than they are compiled. If the
    environment names a compiler, that one remains.
    """
    named, gcc = os.environ.get("SYMTHEANO_CC", ""), shutil.which("gcc")
    if named or gcc is None:
        return named
    script = f'#!/bin/sh\nexec {gcc} "$@" -O0\n'
    path = Path(os.environ["SYMTHEANO_CACHE_DIR"], "unoptimized", "gcc")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        own = path.with_name(f"gcc{os.getpid()}")
        own.write_text(script, "utf-8")
        own.chmod(0o755)
        own.replace(path)
    return str(path)
