"""NVRTC: CUDA C++ becomes machine code of a device, without a driver or a device.

The library is that of the wheel ``nvidia-cuda-nvrtc``, or one that the loader finds.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from symtheano.codegen.native.wheels import wheel_libraries
from symtheano.errors import CompileError, format_error

FLAGS = ("-std=c++17", "-default-device", "-fmad=false", "-w")
"""Flags for kernels: as in C, products and sums are rounded one by one."""

_NAMES = ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")


class NoNvrtcError(CompileError):
    """There is no NVRTC."""


def architecture_flag(architecture: str) -> str:
    """Return the flag for a device, such as ``sm_90``."""
    return f"--gpu-architecture={architecture}"


@cache
def nvrtc() -> ctypes.CDLL:
    """Return the library.

    Raises
    ------
    NoNvrtcError
        If it is not there.
    """
    for builtins in wheel_libraries("libnvrtc-builtins.so*"):
        # The library asks the loader for it by its name.
        ctypes.CDLL(builtins, mode=ctypes.RTLD_GLOBAL)
    libraries = wheel_libraries("libnvrtc.so.*")
    if libraries:
        return ctypes.CDLL(libraries[-1])
    for name in _NAMES:
        with suppress(OSError):
            return ctypes.CDLL(name)
    raise NoNvrtcError(
        format_error(
            "NVRTC, which compiles kernels for CUDA devices, is not installed",
            hint="pip install nvidia-cuda-nvrtc",
        )
    )


def nvrtc_version() -> str:
    """Return the version of the library.

    Raises
    ------
    NoNvrtcError
        If it is not there.
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return f"NVRTC {major.value}.{minor.value}"


def compile_cubin(text: str, architecture: str, flags: Sequence[str] = FLAGS) -> bytes:
    """Return the machine code of a CUDA C++ text.

    Parameters
    ----------
    text
        The text.
    architecture
        The device, such as ``sm_90``.
    flags
        Flags of the compiler.

    Raises
    ------
    NoNvrtcError
        If NVRTC is not there.
    CompileError
        If it rejects the text; the message has its first error.
    """
    library = nvrtc()
    program = ctypes.c_void_p()
    status = library.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None
    )
    if status != 0:
        raise CompileError(f"NVRTC can't begin: error {status}")
    try:
        words = [architecture_flag(architecture), *flags]
        options = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        if library.nvrtcCompileProgram(program, len(words), options) != 0:
            raise CompileError(f"NVRTC rejects the kernels:\n{_log(library, program)}")
        size = ctypes.c_size_t()
        library.nvrtcGetCUBINSize(program, ctypes.byref(size))
        cubin = ctypes.create_string_buffer(size.value)
        library.nvrtcGetCUBIN(program, cubin)
        return cubin.raw
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _log(library: ctypes.CDLL, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    return log.value.decode(errors="replace")
