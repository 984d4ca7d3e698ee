"""Compilers and compiled modules."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from symtheano.codegen.native.compiler import run_compiler
from symtheano.codegen.native.directory import temporary_directory
from symtheano.codegen.native.toolchain import find_toolchain, remove_workplace, write_text
from symtheano.config import config
from symtheano.errors import CompileError, NoCompilerError


def get_lib_extension() -> str:
    """Return how names of compiled modules end."""
    return "pyd" if sys.platform == "win32" else "so"


def local_bitwidth() -> int:
    """Return the bits of a pointer."""
    return 64 if sys.maxsize > 2**32 else 32


def python_int_bitwidth() -> int:
    """Return the bits of a C long."""
    import ctypes

    return ctypes.sizeof(ctypes.c_long) * 8


class GCC_compiler:
    """The compiler of C++ code."""

    @staticmethod
    def version_str() -> str:
        """Return the version; empty if there is no compiler."""
        try:
            return find_toolchain(config.cc or None).version
        except NoCompilerError:
            return ""

    @staticmethod
    def compile_args(march_flags: bool = True) -> list[str]:
        """Return arguments that are always given."""
        return []

    @staticmethod
    def try_compile_tmp(
        src_code: str,
        tmp_prefix: str = "",
        flags: Sequence[str] = (),
        try_run: bool = False,
        output: bool = False,
    ) -> Any:
        """Return whether a program can be compiled, and, if asked, whether it runs."""
        import subprocess

        try:
            toolchain = find_toolchain(config.cc or None)
        except NoCompilerError:
            return (False, False) if try_run else False
        folder = os.path.join(temporary_directory(), f"try-{os.urandom(8).hex()}")
        os.mkdir(folder, mode=0o700)
        try:
            write_text(src_code, os.path.join(folder, "program.cpp"))
            arguments = (
                "-x",
                "c++",
                "program.cpp",
                "-x",
                "none",
                *flags,
                "-o",
                "program",
                "-lstdc++",
            )
            try:
                run_compiler(toolchain.command, arguments, folder, 60.0)
            except CompileError:
                return (False, False) if try_run else False
            if not try_run:
                return True
            done = subprocess.run([os.path.join(folder, "program")], check=False, timeout=60)
            return True, done.returncode == 0
        finally:
            remove_workplace(folder)

    @staticmethod
    def try_flags(flag_list: Sequence[str], **options: Any) -> bool:
        """Return whether the compiler accepts arguments."""
        code = "int main() { return 0; }"
        return bool(GCC_compiler.try_compile_tmp(code, flags=tuple(flag_list)))


def gcc_version() -> str:
    """Return the compiler's version."""
    return GCC_compiler.version_str()
