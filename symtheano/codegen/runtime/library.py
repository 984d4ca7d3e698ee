"""Addresses of symbols in shared libraries."""

from __future__ import annotations

import ctypes


def symbol_address(library: ctypes.CDLL, symbol: str) -> int:
    """Return the address of a symbol.

    Raises
    ------
    AttributeError
        When the library has no such symbol.
    """
    return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
