"""Plans, roots and passes of Fourier transforms, compiled alone with vectors of several widths."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from symtheano import config
from symtheano.codegen.abi import ABI
from symtheano.codegen.fourier import LARGEST_PRIME, fourier_texts
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]

WIDTHS = (16, 32, 64)
DTYPES = ("float32", "float64")
EXACT = {"float32": np.complex128, "float64": np.clongdouble}
SMOOTH = [1, 2, 3, 4, 6, 8, 9, 12, 24, 27, 48, 64, 96, 128, 384, 512]
OTHERS = [5, 7, 10, 15, 20, 45, 49, 121, 127, 254, 360, 1000, 1016]

_CALL = """
ST_EXPORT void st_transform_@(int64_t n, int64_t back, int64_t distance, int64_t across,
                              int64_t count, void *x, int64_t *places, void *roots) {
    st_plan_@ plan;
    st_plan_passes_@(&plan, n, 1);
    st_fill_places_@(&plan, places);
    st_fill_roots_@(n, roots);
    plan.places = places, plan.roots = roots;
    const st_lines_@ lines = {distance, across, count};
    for (int64_t i = 0; i < plan.count; i++)
        if (back) st_any_pass_@(&plan, plan.count - 1 - i, 1, x, n, lines);
        else st_any_pass_@(&plan, i, 0, x, n, lines);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Transforms of both precisions, with vectors of each width."""
    texts = [ABI]
    for dtype in DTYPES:
        for width in WIDTHS:
            suffix = f"{dtype}_{width}"
            texts += [f"#undef ST_FOURIER_BYTES\n#define ST_FOURIER_BYTES {width}"]
            texts += [*fourier_texts(dtype, suffix), _CALL.replace("@", suffix)]
    store = Cache(str(tmp_path_factory.mktemp("passes")))
    return store.load("\n".join(texts), find_toolchain(config.cc), ctypes.CDLL)


def aligned(shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array of zeros that begins at a multiple of 64 bytes."""
    whole = np.zeros(int(np.prod(shape)) * np.dtype(dtype).itemsize + 64, "uint8")
    begin = -whole.ctypes.data % 64
    return whole[begin : begin + whole.size - 64].view(dtype).reshape(shape)


def transform(
    library: ctypes.CDLL,
    width: int,
    z: Array,
    dtype: str,
    back: bool = False,
    by_column: bool = True,
) -> tuple[Array, Array]:
    """Transform z of (n, lines, 64 / itemsize) in place; return it and the places of frequencies.

    Lines are columns, whose numbers are far apart, or rows.
    """
    n, count, lanes = z.shape
    each = width // np.dtype(dtype).itemsize
    places = np.zeros(n + 1, "int64")
    roots = aligned((n, 2), dtype)
    made = np.empty_like(z)
    for first in range(0, lanes, each):
        part = z[:, :, first : first + each]
        x = aligned((n, count, 2, each) if by_column else (count, n, 2, each), dtype)
        lines = x if by_column else np.swapaxes(x, 0, 1)
        lines[:, :, 0], lines[:, :, 1] = part.real, part.imag
        steps = (count, 1) if by_column else (1, n)
        numbers = [ctypes.c_int64(k) for k in (n, back, *steps, count)]
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (x, places, roots)]
        library[f"st_transform_{dtype}_{width}"](*numbers, *arrays)
        made.real[:, :, first : first + each] = lines[:, :, 0]
        made.imag[:, :, first : first + each] = lines[:, :, 1]
    return made, places


def numbers(n: int, count: int, dtype: str) -> Array:
    """Return random complex numbers."""
    rng = np.random.default_rng(n)
    shape = (n, count, 64 // np.dtype(dtype).itemsize)
    made = rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return made.astype("complex64" if dtype == "float32" else "complex128")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [*SMOOTH, *OTHERS])
def test_frequencies_are_at_their_places(library: ctypes.CDLL, n: int, dtype: str) -> None:
    z = numbers(n, 3, dtype)
    wanted = np.fft.fft(z.astype(EXACT[dtype]), axis=0)
    for by_column in (True, False):
        made, places = transform(library, 32, z, dtype, by_column=by_column)
        assert sorted(places) == list(range(n + 1))
        assert places[n] == n
        error = np.sqrt(np.mean(np.abs(made[places[:n]] - wanted) ** 2) / n)
        assert error <= (2 + 0.5 * np.log2(n)) * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SMOOTH)
def test_passes_backwards_undo_them(library: ctypes.CDLL, n: int, dtype: str) -> None:
    z = numbers(n, 2, dtype)
    made, _ = transform(library, 32, z, dtype)
    back, _ = transform(library, 32, made, dtype, back=True)
    error = np.sqrt(np.mean(np.abs(back / n - z) ** 2))
    assert error <= (4 + np.log2(n)) * np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [12, 45, 64, 127, 360])
def test_bits_do_not_depend_on_the_width_of_vectors(
    library: ctypes.CDLL, n: int, dtype: str
) -> None:
    z = numbers(n, 2, dtype)
    made = [transform(library, width, z, dtype)[0].view("uint8") for width in WIDTHS]
    np.testing.assert_array_equal(made[0], made[1])
    np.testing.assert_array_equal(made[0], made[2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_infinities_stay_in_their_lane(library: ctypes.CDLL, dtype: str) -> None:
    z = numbers(12, 1, dtype)
    wanted, _ = transform(library, 32, z, dtype)
    z[5, 0, 1] = np.inf
    made, _ = transform(library, 32, z, dtype)
    assert not np.isfinite(made[:, 0, 1]).any()
    others = [lane for lane in range(z.shape[2]) if lane != 1]
    np.testing.assert_array_equal(made[:, :, others], wanted[:, :, others])


def test_convolutions_need_no_odd_passes() -> None:
    assert f"= {LARGEST_PRIME} }}" in fourier_texts("float32", "f32")[2]
    assert "= 3 }" in fourier_texts("float32", "t", largest=3)[2]
