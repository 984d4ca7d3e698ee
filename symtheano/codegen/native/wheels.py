"""Libraries of NVIDIA's wheels, which are found without variables of the environment."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from glob import glob

from symtheano.dataclass import dataclass


@dataclass(frozen=True)
class DeviceLibrary:
    """A library of NVIDIA's that computes on devices.

    Attributes
    ----------
    name
        Its name, which is also that of the extra which installs it.
    title, purpose, instead
        For messages: its own name, what it computes, and what does so without it.
    files
        Its files, the newest version first. That of the loader's is the last choice.
    needs
        Patterns of the files that it asks the loader for by their names.
    """

    name: str
    title: str
    purpose: str
    instead: str
    files: tuple[str, ...]
    needs: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The variable of the environment that may name its path."""
        return f"SYMTHEANO_LIB{self.name.upper()}"


CUBLAS = DeviceLibrary(
    "cublas", "cuBLAS", "products", "kernels of ours, slow",
    ("libcublas.so.13", "libcublas.so.12"), ("libcublasLt.so.*",),
)  # fmt: skip
CUFFT = DeviceLibrary(
    "cufft", "cuFFT", "Fourier transforms", "the host's routines",
    ("libcufft.so.12", "libcufft.so.11"),
)  # fmt: skip
CUSOLVER = DeviceLibrary(
    "cusolver", "cuSOLVER", "decompositions", "the host's routines",
    ("libcusolver.so.12", "libcusolver.so.11"),
    ("libcublasLt.so.*", "libcublas.so.*", "libnvJitLink.so.*", "libcusparse.so.*"),
)  # fmt: skip
CUDNN = DeviceLibrary(
    "cudnn", "cuDNN", "convolutions and pooling", "kernels of ours, slow",
    ("libcudnn.so.9",), ("libcublasLt.so.*", "libcublas.so.*"),
)  # fmt: skip
DEVICE_LIBRARIES = (CUBLAS, CUFFT, CUSOLVER, CUDNN)
"""The libraries that programs may call."""


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


def library_paths(library: DeviceLibrary) -> list[str]:
    """Return where a library may be: what the environment names, wheels, where the loader looks.

    What the library asks the loader for by its name is loaded.
    """
    named = os.environ.get(library.variable)
    if named:
        return [named]
    for pattern in library.needs:
        for path in wheel_libraries(pattern):
            with suppress(OSError):
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
    pattern = library.files[0].rpartition(".")[0] + ".*"
    return [*wheel_libraries(pattern)[::-1], *library.files]
