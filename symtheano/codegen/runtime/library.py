"""Shared libraries: loaded, unloaded with their last user, and addresses of their symbols."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from _ctypes import dlclose, dlsym
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.native.compiler import NO_MEMORY

if TYPE_CHECKING:
    from typing_extensions import Self

# Functions of the libraries that run OpenMP's threads: GNU's, and LLVM's and Intel's.
_OPENMP = ("GOMP_parallel", "__kmpc_fork_call")


_untrack = ctypes.pythonapi.PyObject_GC_UnTrack
_untrack.argtypes, _untrack.restype = [ctypes.py_object], None


class Resource(int):
    """Address of something that is released with this object, which refers to nothing.

    It is not known to Python's collector of cycles, which would finalize all objects of a cycle in
    any order. So it outlives all that is in a cycle with what refers to it, and objects there may
    use the resource while they are finalized.
    """

    __slots__ = ()

    def __new__(cls, address: int) -> Self:
        resource = super().__new__(cls, address)
        _untrack(resource)
        return resource


class Handle(Resource):
    """What the loader calls a library. The library is unloaded with this object."""

    __slots__ = ()

    def __del__(
        self,
        ending: Callable[[], bool] = sys.is_finalizing,
        close: Callable[[int], object] = dlclose,
    ) -> None:
        """Unload the library, unless the process ends, where other threads may still run in it."""
        # By then, names of modules may be gone.
        if not ending():
            close(self)


class LoadedLibrary(ctypes.CDLL):
    """A library of generated code, which is unloaded with the last object that uses it.

    The system's loader counts: libraries of one file are the same, and unloaded with the last.
    Threads of OpenMP outlive calls, so the library that runs them remains.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    handle
        Keeps the library loaded, also without this object.

    Raises
    ------
    OSError
        If the loader rejects it.
    """

    handle: Handle

    def __init__(self, path: str) -> None:
        try:
            super().__init__(path)
        except OSError as error:
            if NO_MEMORY not in str(error):
                raise
            # Functions that are not used any more may wait for the collector.
            gc.collect()
            super().__init__(path)
        self.handle = Handle(self._handle)
        for name in _OPENMP:
            with suppress(OSError):
                _keep(file_of(dlsym(self.handle, name)))


def load_copy(path: str) -> LoadedLibrary:
    """Load a copy of a file, with variables of its own.

    Raises
    ------
    OSError
        If it can't be copied, or the loader rejects it.
    """
    from shutil import copyfile

    copy = os.path.join(os.path.dirname(path), f".build-{os.urandom(8).hex()}.so")
    try:
        copyfile(path, copy)
        return LoadedLibrary(copy)
    finally:
        with suppress(OSError):
            os.unlink(copy)


@cache
def _keep(path: str | None) -> ctypes.CDLL | None:
    """Keep a library loaded as long as the process."""
    return None if path is None else ctypes.CDLL(path)


def symbol_address(library: ctypes.CDLL, symbol: str) -> int:
    """Return the address of a symbol.

    Raises
    ------
    AttributeError
        When the library has no such symbol.
    """
    # The functions of ctypes refer to the library, in cycles.
    try:
        return int(dlsym(library._handle, symbol))
    except OSError as error:
        raise AttributeError(str(error)) from None


class _SymbolInfo(ctypes.Structure):
    """``Dl_info`` of the system's loader."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def file_of(address: int) -> str | None:
    """Return the file from which the code at an address was loaded."""
    info = _SymbolInfo()
    try:
        status = ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(info))
    except (AttributeError, OSError, TypeError):
        return None
    if not status or not info.file:
        return None
    file = os.fsdecode(info.file)
    # A library of the cache is loaded by the descriptor of its directory.
    return os.path.realpath(file) if file.startswith("/proc/self/fd/") else file
