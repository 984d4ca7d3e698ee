"""The fallback BLAS: its routines through the interface of CBLAS, against NumPy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.abi import BLAS_FUNCTIONS
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.plain_blas import plain_blas_source
from tests.support.arrays import random_array

ROWS, COLUMNS = 101, 102
PLAIN, TURNED, ADJOINT = 111, 112, 113
DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}


@pytest.fixture(scope="module")
def library(cache: Cache, toolchain: Toolchain) -> ctypes.CDLL:
    return ctypes.CDLL(str(cache.obtain(plain_blas_source(), toolchain)))


def test_every_routine_of_the_interface_is_there() -> None:
    text = plain_blas_source()
    for name in BLAS_FUNCTIONS:
        assert text.count(f" {name}(") == 1, name
    for word in ("LETTER", "TYPE", "SUFFIX", "SIMD_SUM", "LANES", "NAME", "SCALAR", "VALUE"):
        assert word not in text


class Routines:
    """The routines of one letter."""

    def __init__(self, library: ctypes.CDLL, letter: str) -> None:
        self.library, self.letter, self.dtype = library, letter, DTYPES[letter]
        self.kept: list[Any] = []

    def scalar(self, value: complex) -> Any:
        number = np.array(value if self.letter in "cz" else value.real, self.dtype)
        if self.letter in "cz":
            self.kept.append(number)  # as long as it may be read
            return ctypes.c_void_p(number.ctypes.data)
        kind = ctypes.c_float if self.letter == "s" else ctypes.c_double
        return kind(number.item())

    def call(self, name: str, *arguments: Any) -> None:
        given = [
            ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray)
            else ctypes.c_int64(a) if isinstance(a, int) else a
            for a in arguments
        ]  # fmt: skip
        function = getattr(self.library, f"cblas_{self.letter}{name}")
        function.restype = None
        function(*given)


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("letter", DTYPES)
def test_products_of_matrices(library: ctypes.CDLL, letter: str) -> None:
    """Sizes are not those of whole tiles; all transpositions, and both orders of storage."""
    routines, rng = Routines(library, letter), np.random.default_rng(0)
    m, n, k = 5, 19, 131
    for turn_a in (PLAIN, TURNED, ADJOINT):
        for turn_b in (PLAIN, TURNED, ADJOINT):
            a = random_array(rng, routines.dtype, (m, k) if turn_a == PLAIN else (k, m))
            b = random_array(rng, routines.dtype, (k, n) if turn_b == PLAIN else (n, k))
            c = random_array(rng, routines.dtype, (m, n))
            left, right = (
                x if turn == PLAIN else x.T if turn == TURNED else x.conj().T
                for x, turn in ((a, turn_a), (b, turn_b))
            )
            want = 2 * (left @ right) + 0.5 * c
            turns = [ctypes.c_int(turn) for turn in (ROWS, turn_a, turn_b)]
            numbers = [routines.scalar(2), routines.scalar(0.5)]
            routines.call("gemm", *turns, m, n, k, numbers[0], a, a.shape[1], b, b.shape[1],
                          numbers[1], c, n)  # fmt: skip
            loose = 1e-3 if letter in "sc" else 1e-11
            np.testing.assert_allclose(c, want, loose, loose)


@pytest.mark.needs_cc
@pytest.mark.one_in(1)
@pytest.mark.parametrize("letter", DTYPES)
def test_products_with_vectors_of_any_step(library: ctypes.CDLL, letter: str) -> None:
    routines, rng = Routines(library, letter), np.random.default_rng(1)
    a = random_array(rng, routines.dtype, (3, 4))
    x, y = (random_array(rng, routines.dtype, (n,)) for n in (4, 3))
    backwards = np.ascontiguousarray(x[::-1])  # BLAS gets the lowest address
    one, none = routines.scalar(1), routines.scalar(0)
    loose = 1e-4 if letter in "sc" else 1e-12
    result = np.full(3, np.nan, routines.dtype)  # 0 * NaN would stay
    routines.call("gemv", ctypes.c_int(ROWS), ctypes.c_int(PLAIN), 3, 4, one, a, 4, backwards, -1,
                  none, result, 1)  # fmt: skip
    np.testing.assert_allclose(result, a @ x, loose, loose)
    column_major = np.asfortranarray(a)
    routines.call("gemv", ctypes.c_int(COLUMNS), ctypes.c_int(PLAIN), 3, 4, one, column_major, 3, x,
                  1, none, result, 1)  # fmt: skip
    np.testing.assert_allclose(result, a @ x, loose)
    outer = a.copy()
    routines.call("geru" if letter in "cz" else "ger", ctypes.c_int(ROWS), 3, 4, one, y, 1, x, 1,
                  outer, 4)  # fmt: skip
    np.testing.assert_allclose(outer, a + np.outer(y, x), loose)


@pytest.mark.needs_cc
def test_nothing_is_multiplied(library: ctypes.CDLL) -> None:
    routines = Routines(library, "d")
    c = np.full((2, 3), np.nan)
    empty = np.zeros(1)
    turns = [ctypes.c_int(turn) for turn in (ROWS, PLAIN, PLAIN)]
    routines.call("gemm", *turns, 2, 3, 0, routines.scalar(1), empty, 1, empty, 3,
                  routines.scalar(0), c, 3)  # fmt: skip
    assert c.tolist() == [[0.0] * 3] * 2
