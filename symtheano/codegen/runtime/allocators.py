"""Allocators of other libraries, from which the memory of arrays on a device comes."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any

from symtheano.codegen.runtime.device_array import DeviceMemory

_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64)
_FREE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)


def address_of(memory: Any) -> int:
    """Return the address of memory that another library has allocated.

    Parameters
    ----------
    memory
        What CuPy's, RMM's, PyTorch's and pycuda's allocators return, or an address.

    Raises
    ------
    TypeError
        If it has no address.

    Examples
    --------
    >>> address_of(4096)
    4096
    """
    if hasattr(memory, "data_ptr"):
        memory = memory.data_ptr()
    elif hasattr(memory, "ptr"):
        memory = memory.ptr
    try:
        return int(memory)
    except (TypeError, ValueError):
        raise TypeError(f"{type(memory).__name__} is no memory of a device") from None


class CallerAllocator:
    """Gives memory of a caller's allocator to the arrays of one device.

    Parameters
    ----------
    memory
        The memory of the device.

    Attributes
    ----------
    blocks
        What the allocator has returned for arrays that are there, by address.
    """

    def __init__(self, memory: DeviceMemory) -> None:
        self.memory = memory
        self.blocks: dict[int, Any] = {}
        self._allocate: Callable[[int], Any] | None = None
        self._lend, self._take = _ALLOCATE(self._allocated), _FREE(self._freed)
        library = memory.library
        library.st_let_lend.argtypes = [ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p]
        library.st_let_lend.restype = library.st_tell.restype = None
        library.st_tell.argtypes = [ctypes.c_char_p]
        library.st_settle.argtypes = [ctypes.c_int32]
        # The driver outlives the interpreter, which can't be asked by then.
        atexit.register(library.st_let_lend, memory.number, None, None)

    def use(self, allocate: Callable[[int], Any] | None) -> None:
        """Let the memory of new arrays come from an allocator, or from the driver if it is None."""
        self._allocate = allocate
        lend = None if allocate is None else ctypes.cast(self._lend, ctypes.c_void_p)
        take = ctypes.cast(self._take, ctypes.c_void_p)
        self.memory.library.st_let_lend(self.memory.number, lend, take)

    def _allocated(self, device: int, size: int) -> int | None:
        allocate = self._allocate
        try:
            assert allocate is not None
            memory = allocate(size)
            address = address_of(memory)
        except Exception as error:  # the caller is C, which tells it
            reason = f"the allocator has no {size:,} bytes: {type(error).__name__}: {error}"
            self.memory.library.st_tell(reason.encode())
            return None
        if not address:
            self.memory.library.st_tell(b"the allocator has returned the address 0")
            return None
        self.blocks[address] = memory
        return address

    def _freed(self, device: int, address: int) -> int:
        if address not in self.blocks:
            return 0
        self.memory.library.st_settle(self.memory.number)
        del self.blocks[address]
        return 1


_allocators: dict[DeviceMemory, CallerAllocator] = {}


def allocator_of(memory: DeviceMemory) -> CallerAllocator:
    """Return what gives memory to the arrays of a device, for as long as the process runs."""
    if memory not in _allocators:
        _allocators[memory] = CallerAllocator(memory)
    return _allocators[memory]
