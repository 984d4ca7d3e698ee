"""Addresses of symbols in shared libraries."""

from __future__ import annotations

import ctypes
import gc
from typing import Any

import pytest

from symtheano.codegen.runtime.library import Resource, symbol_address


def test_the_address_is_that_of_the_function() -> None:
    library = ctypes.CDLL(None)
    address = symbol_address(library, "abs")
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(address)(-3) == 3
    assert symbol_address(library, "abs") == address != symbol_address(library, "labs")


def test_a_symbol_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no_such_symbol"):
        symbol_address(ctypes.CDLL(None), "no_such_symbol")


@pytest.mark.parametrize("first", ["resource", "owner"])
def test_a_resource_outlives_what_is_in_a_cycle_with_its_owner(first: str) -> None:
    ended: list[str] = []

    class File(Resource):
        __slots__ = ()

        def __del__(self) -> None:
            ended.append("resource")

    class Owner:
        file: Any
        itself: Any

        def __del__(self) -> None:
            ended.append("owner")

    gc.collect()
    if first == "resource":
        file, owner = File(7), Owner()
    else:
        owner, file = Owner(), File(7)
    assert file == 7
    owner.file, owner.itself = file, owner
    del file, owner
    gc.collect()
    assert ended == ["owner", "resource"]
