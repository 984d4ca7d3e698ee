"""Packed filters: what the calls of one function keep of filters that never change."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from functools import cache


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
        address = _c_function("calloc")(1, ctypes.sizeof(ctypes.c_void_p))
        if address is None:
            raise MemoryError("there is no memory for the list of packed filters")
        self._blocks = _Blocks(address)

    @property
    def address(self) -> int:
        """Where the address of the first block is."""
        return int(self._blocks)

    def __iter__(self) -> Iterator[int]:
        """Yield the addresses of the blocks."""
        return _following(self._blocks)


class _Blocks(int):
    """Address of the first block's address; the blocks are freed with this object.

    Python's collector of cycles does not know it, so functions can be called until they are gone.
    """

    __slots__ = ()

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        """Free the blocks: no call is running any more."""
        # By the end of the process, names of modules may be gone.
        if not ending():
            for block in [*_following(self), int(self)]:
                _c_function("free")(block)


def _following(address: int) -> Iterator[int]:
    """Yield the addresses of the blocks that follow one."""
    while block := ctypes.c_void_p.from_address(address).value:
        yield block
        address = block


@cache
def _c_function(name: str) -> ctypes._NamedFuncPointer:
    """Return a function of the C library that allocates or frees memory."""
    function = ctypes.CDLL(None)[name]
    function.restype = ctypes.c_void_p if name == "calloc" else None
    function.argtypes = [ctypes.c_size_t] * 2 if name == "calloc" else [ctypes.c_void_p]
    return function
