"""The C routines behind sorting, compiled alone and compared with NumPy."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from symtheano import config, dtypes
from symtheano.codegen.abi import ABI
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.routines.own import OWN, routine_name, routine_text
from symtheano.loopir import Builder
from tests.support.routines import Workspace, routine_texts

_HEAD = ABI + "#include <stdbool.h>\nstatic const st_runtime two_threads = {.threads = 2};\n"


# The dtypes a routine is for, and its parameters after those of all: the number and length of rows.
_ROUTINES = {
    "sort": (dtypes.ALL, "void *x"),
    "argsort": (dtypes.ALL, "void *x, void *order"),
    "argtop": (dtypes.ALL, "int64_t number, void *x, void *order"),
    "roworder": (dtypes.ALL, "void *x, void *order"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """All routines of all dtypes, exported."""
    calls = frozenset((name, dtype) for name, (found, _) in _ROUTINES.items() for dtype in found)
    exports = []
    for name, dtype in sorted(calls):
        inner, parameters = routine_name(name, dtype), _ROUTINES[name][1]
        given = [parameter.split()[-1].lstrip("*") for parameter in parameters.split(",")]
        passed = ", ".join((*(each for each in given if each != "number"), "memory, bytes"))
        struct, number = ROUTINES[name].struct, ", number" if name == "argtop" else ""
        assert struct is not None
        taken = f"&two_threads, &({struct.name}){{rows, n{number}}}"
        exports.append(
            f"ST_EXPORT void {inner}_x(int64_t rows, int64_t n, {parameters}, void *memory, "
            f"int64_t bytes) {{ {inner}({taken}, {passed}); }}"
        )
        size = inner.replace(name, f"{name}_bytes")
        exports.append(
            f"ST_EXPORT int64_t {size}_x(int64_t rows, int64_t n, int64_t number) "
            f"{{ return {size}({taken}); }}"
        )
    source = "\n".join([_HEAD, routine_texts(calls), *exports])
    store = Cache(str(tmp_path_factory.mktemp("routines")))
    return store.load(source, find_toolchain(config.cc), ctypes.CDLL)


def _call(library: ctypes.CDLL, name: str, dtype: str, *arguments: Any) -> None:
    """Call a routine with integers and arrays, and a workspace of its size."""
    integers = [item for item in arguments if isinstance(item, int)]
    size = library[f"{routine_name(f'{name}_bytes', dtype)}_x"]
    size.restype = ctypes.c_int64
    workspace = Workspace(size(*[ctypes.c_int64(item) for item in (*integers, 0)][:3]))
    given = [
        ctypes.c_void_p(item.ctypes.data) if isinstance(item, np.ndarray) else ctypes.c_int64(item)
        for item in arguments
    ]
    library[f"{routine_name(name, dtype)}_x"](*given, *workspace.arguments)
    workspace.check()


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


@pytest.mark.one_in(2)
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


def _check(library: ctypes.CDLL, dtype: str, x: NDArray[np.generic]) -> None:
    """Compare sort and argsort of rows with NumPy's."""
    rows, n = x.shape
    mine, order = x.copy(), np.full(x.shape, -1, dtype=np.int64)
    _call(library, "sort", dtype, rows, n, mine)
    np.testing.assert_array_equal(mine, np.sort(x, axis=-1, kind="stable"))
    _call(library, "argsort", dtype, rows, n, x, order)
    np.testing.assert_array_equal(order, np.argsort(x, axis=-1, kind="stable"))


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_long_rows_of_many_kinds(library: ctypes.CDLL, dtype: str) -> None:
    for n in (520, 2100, 20000):
        x = _rows(dtype, n)
        up = np.sort(x, axis=-1)
        rng = np.random.default_rng(n)
        few = rng.integers(0, 2 if dtype == "bool" else 7, (1, n)).astype(dtype)
        # One item is far away, so the leading digits hardly distinguish the others.
        near = rng.integers(0, 2 if dtype == "bool" else 120, (1, n)).astype(dtype)
        near[0, n // 2] = x[0].max()
        for each in (up, up[:, ::-1], few, near, np.roll(up, 1, axis=1), up[:, rng.permutation(n)]):
            _check(library, dtype, np.ascontiguousarray(each))


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "complex64", "complex128"])
def test_numbers_of_equal_leading_bits(library: ctypes.CDLL, dtype: str) -> None:
    rng = np.random.default_rng(6)
    n = 6000
    large = rng.integers(0, 40, n) * 2**56 + rng.integers(0, 3000, n)
    for count in (40, n):
        bits = np.resize(large, (6, count)).astype("uint64" if dtype[0] == "u" else "int64")
        if dtype.startswith("complex"):
            parts = np.stack([bits % 3 - 1.0, bits % 1000], -1).astype(
                "f4" if "64" in dtype else "f8"
            )
            _check(library, dtype, parts.view(dtype)[..., 0])
        else:
            _check(library, dtype, np.ascontiguousarray(bits.view(dtype)))


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_many_short_rows(library: ctypes.CDLL, dtype: str) -> None:
    for rows, n in ((3000, 10), (700, 33), (131, 128), (5, 129), (37, 2)):
        x = _rows(dtype, rows * n)[:2].reshape(2 * rows, n)
        _check(library, dtype, x)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_zeros_keep_their_signs(library: ctypes.CDLL, dtype: str) -> None:
    values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, np.nan])
    picked = np.random.default_rng(7).integers(0, 6, (2, 4, 300))
    for last in (5, 6):
        x = np.ascontiguousarray(values[picked[0] % last]).astype(dtype)
        if dtype.startswith("complex"):
            x.imag = values[picked[1] % last]
        _check(library, dtype, x)
        mine = x.copy()
        _call(library, "sort", dtype, 4, 300, mine)
        for part in ("real", "imag"):
            before, after = getattr(x, part), getattr(mine, part)
            zeros = [np.signbit(a)[a == 0].sum() for a in (before, after)]
            assert zeros[0] == zeros[1]


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_the_largest_are_the_last_of_a_stable_sort(library: ctypes.CDLL, dtype: str) -> None:
    for n in (1, 5, 300, 4000):
        x = _rows(dtype, n)
        order = np.argsort(x, axis=-1, kind="stable")
        for number in {1, min(3, n), min(20, n), n // 3 + 1, n}:
            found = np.full((3, number), -1, dtype=np.int64)
            _call(library, "argtop", dtype, 3, n, number, x, found)
            np.testing.assert_array_equal(found, order[:, ::-1][:, :number])
            _call(library, "argtop", dtype, 3, n, -number, x, found)
            np.testing.assert_array_equal(found, order[:, :number])


def test_every_file_is_a_routine_of_its_name() -> None:
    folder = Path(__file__).parents[3] / "symtheano" / "codegen" / "routines"
    assert {routine.name for routine in OWN} == {path.stem for path in folder.glob("*.c")}
    for name in _ROUTINES:
        dtype = _ROUTINES[name][0][-1]
        assert f"{routine_name(name, dtype)}(" in routine_text(name, dtype)


def test_an_unknown_routine_is_named() -> None:
    with pytest.raises(NotImplementedError, match="shuffle is not a routine of this target"):
        Builder(routines=ROUTINES).call("shuffle")
