"""Compilers for tests that depend on their flags."""

from __future__ import annotations

from symtheano.codegen.native.compiler import PROCESSOR_FLAGS
from symtheano.codegen.native.toolchain import Toolchain


def plain(toolchain: Toolchain) -> Toolchain:
    """Return the compiler as users have it who say nothing about its flags."""
    flags = [flag for flag in toolchain.flags if not flag.startswith(("-march=", "-mcpu="))]
    return toolchain._replace(command=toolchain.command[:1], flags=(*flags, PROCESSOR_FLAGS[0]))
