"""Libraries of NVIDIA's wheels, which are found without variables of the environment."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from glob import glob

LIBCUBLAS = "SYMTHEANO_LIBCUBLAS"
"""Variable of the environment with the path of cuBLAS."""

_CUBLAS = ("libcublas.so.13", "libcublas.so.12")


def wheel_libraries(pattern: str) -> list[str]:
    """Return the paths of libraries in the wheels of this environment, the newest version last.

    Parameters
    ----------
    pattern
        Of their names, such as ``libcublas.so.*``.

    Examples
    --------
    >>> wheel_libraries("libnosuch.so.*")
    []
    """
    folders = [os.path.join(path, "nvidia", "*", "lib", pattern) for path in sys.path]
    return next(filter(None, map(sorted, map(glob, folders))), [])


def cublas_paths() -> list[str]:
    """Return where cuBLAS may be: what the environment names, wheels, and where the loader looks.

    What cuBLAS asks the loader for by its name is loaded.
    """
    named = os.environ.get(LIBCUBLAS)
    if named:
        return [named]
    for light in wheel_libraries("libcublasLt.so.*"):
        with suppress(OSError):
            ctypes.CDLL(light, mode=ctypes.RTLD_GLOBAL)
    return [*wheel_libraries("libcublas.so.*")[::-1], *_CUBLAS]
