"""The C routines behind the Fourier transforms, compiled alone and compared with NumPy."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from symtheano import config
from symtheano.codegen.abi import ABI
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.routines.own import routine_name
from tests.support.routines import Workspace, routine_texts

Array = NDArray[Any]

# The dtypes a routine is for, and its parameters between the lengths and the two arrays.
_ROUTINES = {
    "fft": (("float32", "float64", "complex64", "complex128"), ("inverse", "norm")),
    "rfft": (("float32", "float64"), ("norm",)),
    "irfft": (("float32", "float64", "complex64", "complex128"), ("norm",)),
}
_PARTS = {"complex64": "float32", "complex128": "float64"}
_PAIRED = {"float32": "complex64", "float64": "complex128"}
# In which NumPy computes what results are compared with.
_EXACT = {"float32": np.float64, "float64": np.longdouble}
_NORMS: tuple[Any, ...] = ("backward", "ortho", "forward")
_INVERSE_NORMS: tuple[Any, ...] = ("forward", "ortho", "backward")
_HEAD = ABI + "#include <stdbool.h>\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    """Where the libraries are."""
    return Cache(str(tmp_path_factory.mktemp("fourier")))


@pytest.fixture(scope="module")
def library(store: Cache) -> ctypes.CDLL:
    """All routines of all dtypes, exported; the first argument is the number of threads."""
    return store.load(_source(), find_toolchain(config.cc), ctypes.CDLL)


@pytest.fixture(scope="module")
def narrow(store: Cache) -> ctypes.CDLL:
    """The same with vectors of 16 bytes."""
    source = f"#define ST_WIDEST_BYTES 16\n{_source()}"
    return store.load(source, find_toolchain(config.cc), ctypes.CDLL)


def _source() -> str:
    calls = frozenset((name, dtype) for name, (found, _) in _ROUTINES.items() for dtype in found)
    exports = []
    for name, dtype in sorted(calls):
        inner, numbers = routine_name(name, dtype), _ROUTINES[name][1]
        given = ", ".join(("outer", "n", "inner", *numbers, "x", "y"))
        declared = "".join(f"int64_t {number}, " for number in numbers)
        exports.append(
            f"ST_EXPORT int32_t {inner}_x(int64_t threads, int64_t outer, int64_t n, "
            f"int64_t inner, {declared}const void *x, void *y, void *memory, int64_t bytes) {{\n"
            "    const st_runtime runtime = {.threads = (int32_t)threads};\n"
            f"    return {inner}(&runtime, {given}, memory, bytes);\n}}"
        )
        size = inner.replace(name, f"{name}_bytes")
        exports.append(
            f"ST_EXPORT int64_t {size}_x(int64_t threads, int64_t outer, int64_t n, int64_t inner) "
            "{\n    const st_runtime runtime = {.threads = (int32_t)threads};\n"
            f"    return {size}(&runtime, outer, n, inner{', 0' * len(numbers)});\n}}"
        )
    return "\n".join([_HEAD, routine_texts(calls), *exports])


class Routines:
    """Calls of the routines on three-dimensional arrays, along the middle axis."""

    def __init__(self, library: ctypes.CDLL, threads: int = 1) -> None:
        self.library, self.threads = library, threads

    def _call(self, name: str, x: Array, y: Array, *numbers: int) -> Array:
        function = self.library[f"{routine_name(name, x.dtype.name)}_x"]
        n = (y if name == "irfft" else x).shape[1]
        lengths = (self.threads, x.shape[0], n, x.shape[2])
        given = [ctypes.c_int64(number) for number in (*lengths, *numbers)]
        before = x.copy()
        size = self.library[f"{routine_name(f'{name}_bytes', x.dtype.name)}_x"]
        size.restype = ctypes.c_int64
        workspace = Workspace(size(*given[:4]))
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (x, y)]
        assert function(*given, *arrays, *workspace.arguments) == 0
        workspace.check()
        if x is not y:
            np.testing.assert_array_equal(x, before)
        return y

    def fft(self, x: Array, inverse: int = 0, norm: int = 0) -> Array:
        """Transform numbers."""
        return self._call("fft", x, np.full(x.shape, np.nan, _complex(x)), inverse, norm)

    def rfft(self, x: Array, norm: int = 0) -> Array:
        """Transform real numbers."""
        shape = (x.shape[0], x.shape[1] // 2 + 1, x.shape[2])
        return self._call("rfft", x, np.full(shape, np.nan, _complex(x)), norm)

    def irfft(self, z: Array, n: int, norm: int = 0) -> Array:
        """Make n real numbers."""
        shape = (z.shape[0], n, z.shape[2])
        return self._call("irfft", z, np.full(shape, np.nan, _PARTS[z.dtype.name]), norm)


def _complex(x: Array) -> str:
    return _PAIRED.get(x.dtype.name, x.dtype.name)


def _random(shape: tuple[int, ...], dtype: str) -> Array:
    rng = np.random.default_rng(list(shape))
    if dtype in _PARTS:
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def _assert_close(got: Array, wanted: Array, n: int) -> None:
    """Compare by the error of the whole, in units of the dtype's precision."""
    part = _PARTS.get(got.dtype.name, got.dtype.name)
    size = max(float(np.sqrt(np.mean(np.abs(wanted) ** 2))), 1e-30)
    error = float(np.sqrt(np.mean(np.abs(got - wanted) ** 2))) / size
    assert error <= (2 + 0.5 * np.log2(n)) * np.finfo(part).eps / 2


def _check(routines: Routines, shape: tuple[int, int, int], part: str) -> None:
    """Compare all transforms of an array with NumPy's in more digits."""
    n, exact = shape[1], _EXACT[part]
    x, z = _random(shape, part), _random(shape, _PAIRED[part])
    half = _random((shape[0], n // 2 + 1, shape[2]), _PAIRED[part])
    wide, wide_z = x.astype(exact), z.astype(np.result_type(exact, np.complex64))
    for norm, name in enumerate(_NORMS):
        _assert_close(routines.fft(z, 0, norm), np.fft.fft(wide_z, axis=1, norm=name), n)
        _assert_close(routines.rfft(x, norm), np.fft.rfft(wide, axis=1, norm=name), n)
    for norm, name in enumerate(_INVERSE_NORMS):
        _assert_close(routines.fft(z, 1, norm), np.fft.ifft(wide_z, axis=1, norm=name), n)
        wanted = np.fft.irfft(half.astype(wide_z.dtype), n, axis=1, norm=name)
        _assert_close(routines.irfft(half, n, norm), wanted, n)
    _assert_close(routines.fft(x), np.fft.fft(wide, axis=1), n)
    _assert_close(routines.fft(x, 1), np.fft.ifft(wide, axis=1, norm="forward"), n)


_SHORT = [*range(1, 38), 49, 60, 64, 77, 97, 100, 127, 128, 131, 202, 254, 262, 360, 400]
_LONG = [1000, 1009, 1024, 2003, 3125, 4096, 10007, 65536, 98304]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("part", ["float32", "float64"])
@pytest.mark.parametrize("n", _SHORT)
def test_transforms_are_numpys(library: ctypes.CDLL, part: str, n: int) -> None:
    for outer, inner in ((1, 1), (3, 1), (8, 1), (13, 1), (1, 2), (2, 3), (1, 8), (2, 11)):
        _check(Routines(library), (outer, n, inner), part)


@pytest.mark.parametrize("part", ["float32", "float64"])
@pytest.mark.parametrize("n", _LONG)
def test_long_transforms_are_numpys(library: ctypes.CDLL, part: str, n: int) -> None:
    for outer, inner in ((1, 1), (1, 3), (5, 1)) if n < 5000 else ((1, 1),):
        _check(Routines(library), (outer, n, inner), part)


@pytest.mark.parametrize("shape", [(1, 131072, 1), (40, 1024, 1), (1, 1000, 50), (3, 10007, 1)])
def test_threads_do_not_change_a_bit(library: ctypes.CDLL, shape: tuple[int, int, int]) -> None:
    x, z = _random(shape, "float64"), _random(shape, "complex128")
    alone, three = Routines(library), Routines(library, 3)
    np.testing.assert_array_equal(alone.fft(z), three.fft(z))
    np.testing.assert_array_equal(alone.rfft(x), three.rfft(x))
    np.testing.assert_array_equal(
        alone.irfft(z, 2 * shape[1] - 1), three.irfft(z, 2 * shape[1] - 1)
    )


@pytest.mark.parametrize("part", ["float32", "float64"])
@pytest.mark.parametrize("n", [5, 12, 64, 90, 127, 360, 1000, 1009, 2048, 65536])
def test_bits_do_not_depend_on_the_width_of_vectors(
    library: ctypes.CDLL, narrow: ctypes.CDLL, n: int, part: str
) -> None:
    for outer, inner in ((1, 1), (2, 1), (3, 1), (5, 1), (1, 2), (1, 3), (2, 5)):
        if n > 5000 and outer * inner > 1:
            continue
        x, z = _random((outer, n, inner), part), _random((outer, n // 2 + 1, inner), _PAIRED[part])
        made = [
            (each.fft(x), each.fft(z), each.rfft(x), each.irfft(z, n))
            for each in (Routines(library), Routines(narrow))
        ]
        for wide, other in zip(*made, strict=True):
            np.testing.assert_array_equal(wide.view("uint8"), other.view("uint8"))


@pytest.mark.parametrize("n", [6, 60, 1009, 4096])
def test_complex_numbers_are_transformed_in_place(library: ctypes.CDLL, n: int) -> None:
    routines, z = Routines(library), _random((3, n, 1), "complex128")
    wanted = routines.fft(z)
    np.testing.assert_array_equal(routines._call("fft", z, z, 0, 0), wanted)


@pytest.mark.parametrize("n", [1, 2, 7, 8, 64, 1009, 2048])
def test_what_is_real_by_nature_does_not_count(library: ctypes.CDLL, n: int) -> None:
    for rows in (1, 8):
        half = _random((rows, n // 2 + 1, 1), "complex128")
        changed = half.copy()
        changed[:, 0].imag = np.inf
        if n % 2 == 0:
            changed[:, -1].imag = np.nan
        routines = Routines(library)
        np.testing.assert_array_equal(routines.irfft(changed, n), routines.irfft(half, n))


@pytest.mark.parametrize("n", [4, 5, 60, 131, 4096])
def test_nan_stays_in_its_row(library: ctypes.CDLL, n: int) -> None:
    routines, x = Routines(library), _random((9, n, 1), "float64")
    wanted = routines.rfft(x)
    x[4, n // 2] = np.nan
    got = routines.rfft(x)
    assert np.isnan(got[4]).all()
    np.testing.assert_array_equal(np.delete(got, 4, 0), np.delete(wanted, 4, 0))


def test_nothing_is_done_with_nothing(library: ctypes.CDLL) -> None:
    for shape in ((0, 4, 1), (2, 4, 0)):
        assert Routines(library).fft(np.ones(shape, "complex64")).size == 0


def test_calls_at_the_same_time(library: ctypes.CDLL) -> None:
    """More lengths than tables are kept, from several threads, again and again."""
    arrays = [_random((2, n, 1), "complex128") for n in (*range(30, 80), 30000, 40009)]
    wanted = [np.fft.fft(z, axis=1) for z in arrays]

    def run(seed: int) -> list[tuple[int, Array]]:
        order = np.random.default_rng(seed).permutation(len(arrays))
        return [(k, Routines(library).fft(arrays[k])) for k in order]

    with ThreadPoolExecutor(4) as pool:
        for results in pool.map(run, range(12)):
            for k, got in results:
                np.testing.assert_allclose(got, wanted[k], rtol=0, atol=1e-12 * len(wanted[k][0]))


def test_all_parts_of_the_text_are_used() -> None:
    folder = Path(__file__).parents[3] / "symtheano" / "codegen" / "routines"
    assert _ROUTINES.keys() <= ROUTINES.keys()
    texts = [(folder / f"{name}.c").read_text() for name in _ROUTINES]
    for path in folder.glob("fourier*.inc"):
        assert any(f'#include "{path.name}"' in text for text in texts)


def test_one_text_serves_all_that_share_a_precision() -> None:
    text = routine_texts(
        frozenset({("fft", "complex128"), ("rfft", "float64"), ("fft", "float64")})
    )
    assert text.count("static void st_fill_places_f64(") == 1
    assert "f32" not in text
