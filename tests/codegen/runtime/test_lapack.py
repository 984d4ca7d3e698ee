"""The table of LAPACK's functions: from the library of BLAS, or SciPy's."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

from symtheano.codegen.routines.lapack import symbols
from symtheano.codegen.runtime import lapack as table
from symtheano.codegen.runtime.blas import BlasProvider, find_blas
from symtheano.codegen.runtime.lapack import lapack_table


def test_a_table_is_filled_once() -> None:
    provider = find_blas()
    table = lapack_table(provider)
    assert table is lapack_table(provider)
    assert all(table.fn)
    assert table.ilp64 == provider.ilp64
    assert len(symbols()) == len(set(symbols())) == len(table.fn)
    assert {"dsyevd", "zheevd", "sorgqr", "cungqr", "zgges"} <= set(symbols())


def test_a_library_without_lapack_is_told(tmp_path: Path) -> None:
    assert table._from_library(BlasProvider("none", str(tmp_path / "no.so"), False, {})) is None
    assert table._from_library(BlasProvider("none", "", False, {})) is None


def test_scipy_has_all_functions() -> None:
    pointers = table._from_scipy()
    assert len(pointers) == len(symbols())
    assert all(pointers)
    found = lapack_table(BlasProvider("none", "", False, {}))
    assert list(found.fn) == pointers
    assert not found.ilp64
    assert found.blas is None  # there is no pool of threads to hold


def test_the_width_of_integers_is_tried_out() -> None:
    position = symbols().index("dpotrf")
    assert not table._has_wide_integers(table._from_scipy()[position])
    found = lapack_table(find_blas())
    assert table._has_wide_integers(found.fn[position]) == bool(found.ilp64)


def test_one_factorization() -> None:
    """The function behind the name computes what LAPACK's does."""
    matrix = np.array([[4.0, 2.0], [2.0, 5.0]])
    n, info = ctypes.c_int64(2), ctypes.c_int64(-1)
    address = table._from_scipy()[symbols().index("dpotrf")]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5, ctypes.c_size_t)(address)
    function(ctypes.c_char_p(b"U"), ctypes.addressof(n), matrix.ctypes.data, ctypes.addressof(n),
             ctypes.addressof(info), 1)  # fmt: skip
    np.testing.assert_allclose(np.tril(matrix), np.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]))
