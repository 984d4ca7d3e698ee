"""Kernels with integers of 64 bits, which are loaded when a launch first needs them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Protocol

from symtheano.codegen.runtime.device_array import DeviceMemory

_WIDEN = ctypes.CFUNCTYPE(ctypes.c_void_p)


class Module(Protocol):
    """Kernels on a device."""

    @property
    def driver(self) -> int:
        """Address of the driver's table."""

    @property
    def memory(self) -> DeviceMemory:
        """The memory of the device."""


class WideKernels:
    """Loads the kernels of a module in a form with integers of 64 bits.

    Parameters
    ----------
    module
        The module, whose kernels have integers of 32 bits.
    load
        Function that returns the other one.

    Attributes
    ----------
    module
        The other one, which is kept while this is; None before a launch has needed it.
    """

    def __init__(self, module: Module, load: Callable[[], Module]) -> None:
        self.module: Module | None = None
        self._load, self._library = load, module.memory.library
        self._widen = _WIDEN(self._widened)
        self._library.st_let_widen.argtypes = [ctypes.c_void_p, _WIDEN]
        self._library.st_let_widen.restype = self._library.st_tell.restype = None
        self._library.st_tell.argtypes = [ctypes.c_char_p]
        self._library.st_let_widen(module.driver, self._widen)

    def _widened(self) -> int | None:
        try:
            if self.module is None:
                self.module = self._load()
        except Exception as error:  # the caller is C, which tells it
            reason = f"kernels for long arrays can't be loaded: {error}"
            self._library.st_tell(reason.encode())
            return None
        return self.module.driver
