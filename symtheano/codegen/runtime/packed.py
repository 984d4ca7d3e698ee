"""Packed filters: what the calls of one function keep of filters that never change."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator


class PackedFilters:
    """A list of blocks of memory, which our convolutions fill (``convolutions/memory.c``).

    Each block begins with the address of the next one. A function has a list of its own, since
    functions whose C text is the same may have other constants. The blocks are freed with it.

    Examples
    --------
    >>> len(list(PackedFilters()))
    0
    """

    def __init__(self) -> None:
        self._first = ctypes.c_void_p()
        self._free = _free()

    @property
    def address(self) -> int:
        """Where the address of the first block is."""
        return ctypes.addressof(self._first)

    def __iter__(self) -> Iterator[int]:
        """Yield the addresses of the blocks."""
        block = self._first.value
        while block:
            yield block
            block = ctypes.c_void_p.from_address(block).value

    def __del__(self) -> None:
        """Free the blocks: no call is running any more."""
        for block in list(self):
            self._free(block)


def _free() -> ctypes._NamedFuncPointer:
    """Return the function of the C library that frees what ``aligned_alloc`` has returned."""
    free = ctypes.CDLL(None).free
    free.restype, free.argtypes = None, [ctypes.c_void_p]
    return free
