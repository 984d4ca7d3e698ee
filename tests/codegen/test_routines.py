"""The C routines behind sorting, compiled alone and compared with NumPy."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from symtheano import dtypes
from symtheano.codegen.cache import Cache
from symtheano.codegen.routines import names, routine_name, routine_text, routine_texts
from symtheano.codegen.toolchain import find_toolchain

_HEAD = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define ST_EXPORT __attribute__((visibility("default")))
typedef struct st_runtime st_runtime;
static void st_announce(const st_runtime *runtime, double work) { (void)runtime, (void)work; }
"""


# The dtypes a routine is for, and its parameters after those of all: the number and length of rows.
_ROUTINES = {
    "sort": (dtypes.ALL, "void *x"),
    "argsort": (dtypes.ALL, "void *x, void *order"),
    "roworder": (dtypes.ALL, "void *x, void *order"),
    "rfft": (("float32", "float64"), "void *x, void *y"),
    "irfft": (("float32", "float64"), "void *x, void *y"),
    "fft": (("complex64", "complex128"), "int64_t inverse, void *x"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All routines of all dtypes, exported."""
    calls = frozenset((name, dtype) for name, (found, _) in _ROUTINES.items() for dtype in found)
    exports = []
    for name, dtype in sorted(calls):
        inner, parameters = routine_name(name, dtype), _ROUTINES[name][1]
        given = ", ".join(parameter.split()[-1].lstrip("*") for parameter in parameters.split(","))
        exports.append(
            f"ST_EXPORT int32_t {inner}_x(int64_t rows, int64_t n, {parameters}) "
            f"{{ return {inner}(NULL, rows, n, {given}); }}"
        )
    source = "\n".join([_HEAD, routine_texts(calls), *exports])
    store = Cache(str(tmp_path_factory.mktemp("routines")))
    return store.load(source, find_toolchain(), ctypes.CDLL)


def _call(library: ctypes.CDLL, name: str, dtype: str, *arguments: Any) -> None:
    """Call a routine with integers and arrays; it must succeed."""
    given = [
        ctypes.c_void_p(item.ctypes.data) if isinstance(item, np.ndarray) else ctypes.c_int64(item)
        for item in arguments
    ]
    assert library[f"{routine_name(name, dtype)}_x"](*given) == 0


def _rows(dtype: str, n: int) -> NDArray[np.generic]:
    rng = np.random.default_rng(n)
    if dtype == "bool":
        return rng.integers(0, 2, (3, n)).astype(dtype)
    if dtypes.is_discrete(dtype):
        limits = np.iinfo(dtype)
        x = rng.integers(limits.min, limits.max, (3, n), dtype=dtype, endpoint=True)
        x[1] = x[1] % 5
        return x
    edges = np.array([np.nan, np.inf, -np.inf, 0.0, 1e-7, -1e-7, 2.0, 2.0])
    x = rng.standard_normal((3, n))
    x[1] = edges[rng.integers(0, len(edges), n)]
    if dtypes.is_complex(dtype):
        z = np.empty((3, n), dtype)
        z.real, z.imag = x, edges[rng.integers(0, len(edges), (3, n))]
        return z
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", dtypes.ALL)
@pytest.mark.parametrize("n", [0, 1, 2, 17, 100, 3000])
def test_rows_are_sorted_as_numpy_sorts_them(library: ctypes.CDLL, dtype: str, n: int) -> None:
    x = _rows(dtype, n)
    mine = x.copy()
    _call(library, "sort", dtype, 3, n, mine)
    np.testing.assert_array_equal(mine, np.sort(x, axis=-1, kind="stable"))


@pytest.mark.parametrize("dtype", dtypes.ALL)
@pytest.mark.parametrize("n", [0, 1, 2, 17, 100, 3000])
def test_positions_are_those_of_a_stable_sort(library: ctypes.CDLL, dtype: str, n: int) -> None:
    x = _rows(dtype, n)
    order = np.full((3, n), -1, dtype=np.int64)
    _call(library, "argsort", dtype, 3, n, x, order)
    np.testing.assert_array_equal(order, np.argsort(x, axis=-1, kind="stable"))


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_rows_are_ordered_as_numpy_orders_them(library: ctypes.CDLL, dtype: str) -> None:
    keys = _rows(dtype, 90)[:, [0, 1, 1, 5, 0, 7] * 9].T
    for x in (keys[:, :1], keys[:, 1:], keys[:7], keys[:1], keys[:0], keys):
        x = np.ascontiguousarray(x)
        order = np.full(len(x), -1, dtype=np.int64)
        _call(library, "roworder", dtype, len(x), x.shape[1], x, order)
        np.testing.assert_array_equal(order, np.lexsort(x.T[::-1]))
    empty = np.empty((4, 0), dtype)
    order = np.full(4, -1, dtype=np.int64)
    _call(library, "roworder", dtype, 4, 0, empty, order)
    assert order.tolist() == [0, 1, 2, 3]


_LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 30, 34, 49, 60, 64, 97, 101, 128, 360, 1009]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", _LENGTHS)
def test_transforms_are_numpys(library: ctypes.CDLL, dtype: str, n: int) -> None:
    rng = np.random.default_rng(n)
    x, width = rng.standard_normal((3, n)).astype(dtype), n // 2 + 1
    tolerance = {"float32": 2e-6, "float64": 4e-15}[dtype] * n**0.5
    y = np.full((3, width, 2), np.nan, dtype)
    _call(library, "rfft", dtype, 3, n, x, y)
    wanted = np.fft.rfft(x.astype("float64"))
    np.testing.assert_allclose(y[..., 0] + 1j * y[..., 1], wanted, rtol=0, atol=tolerance)
    pairs = rng.standard_normal((3, width, 2)).astype(dtype)
    back = np.full((3, n), np.nan, dtype)
    _call(library, "irfft", dtype, 3, n, pairs, back)
    wanted_back = np.fft.irfft((pairs[..., 0] + 1j * pairs[..., 1]).astype("complex128"), n) * n
    np.testing.assert_allclose(back, wanted_back, rtol=0, atol=tolerance)
    paired = {"float32": "complex64", "float64": "complex128"}[dtype]
    for inverse, function in ((1, np.fft.fft), (-1, np.fft.ifft)):
        z = (rng.standard_normal((3, n)) + 1j * rng.standard_normal((3, n))).astype(paired)
        wanted_row = function(z.astype("complex128")) * (1 if inverse == 1 else n)
        _call(library, "fft", paired, 3, n, inverse, z)
        np.testing.assert_allclose(z, wanted_row, rtol=0, atol=tolerance)


def test_every_file_is_a_routine_of_its_name() -> None:
    folder = Path(__file__).parent.parent.parent / "symtheano" / "codegen" / "routines"
    assert names() == _ROUTINES.keys() == {path.stem for path in folder.glob("*.c")}
    for name in names():
        dtype = _ROUTINES[name][0][-1]
        assert f"{routine_name(name, dtype)}(" in routine_text(name, dtype)


def test_an_unknown_routine_is_named() -> None:
    with pytest.raises(KeyError, match="no routine is called shuffle"):
        routine_text("shuffle", "float64")
