"""Addresses of symbols in shared libraries."""

from __future__ import annotations

import ctypes

import pytest

from symtheano.codegen.runtime.library import symbol_address


def test_the_address_is_that_of_the_function() -> None:
    library = ctypes.CDLL(None)
    address = symbol_address(library, "abs")
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(address)(-3) == 3
    assert symbol_address(library, "abs") == address != symbol_address(library, "labs")


def test_a_symbol_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no_such_symbol"):
        symbol_address(ctypes.CDLL(None), "no_such_symbol")
