"""Our own products of small and narrow matrices, against NumPy."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import sys
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.products import FORMS, LIBRARY
from symtheano.codegen.runtime import blas

Array = np.ndarray[Any, Any]

pytestmark = pytest.mark.needs_cc

N, T = 111, 112
DTYPES: dict[str, np.dtype[Any]] = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 23, 24, 25, 31, 32, 33, 40)
LARGE = [(30, 90, 1100), (5, 3, 2500), (300, 10, 784), (12, 300, 640), (66, 130, 90), (3, 77, 600)]
TRANSPOSES = list(itertools.product((N, T), (N, T)))


class Kernels:
    """The kernels of one dtype."""

    def __init__(self, suffix: str, toolchain: Toolchain, cache: Cache) -> None:
        self.dtype: np.dtype[Any] = DTYPES[suffix]
        address = blas.find_blas("plain", toolchain, cache).own[suffix]
        real = {"f32": ctypes.c_float, "f64": ctypes.c_double}[suffix]
        size, code, pointer = ctypes.c_int64, ctypes.c_int, ctypes.c_void_p
        self._call = ctypes.CFUNCTYPE(
            ctypes.c_int32,
            *(code, code, code, code, size, size, size, real, pointer, size, pointer, size),
            *(real, pointer, size),
        )(address)

    def __call__(
        self,
        form: str,
        a: Array,
        b: Array,
        c: Array,
        sizes: tuple[int, int, int],
        transposes: tuple[int, int] = (N, N),
        alpha: float = 1,
        beta: float = 0,
        threads: int = 1,
    ) -> bool:
        """Multiply; leading dimensions are the widths of the arrays."""
        return bool(
            self._call(
                *(
                    FORMS.index(form),
                    threads,
                    *transposes,
                    *sizes,
                    alpha,
                    a.ctypes.data,
                    a.shape[1],
                ),
                *(b.ctypes.data, b.shape[1], beta, c.ctypes.data, c.shape[1]),
            )
        )


@pytest.fixture(scope="module", params=DTYPES)
def kernels(request: pytest.FixtureRequest, toolchain: Toolchain, cache: Cache) -> Kernels:
    """Return the kernels of each dtype."""
    return Kernels(request.param, toolchain, cache)


def with_padding(matrix: Array, more: int) -> Array:
    """Return a matrix whose rows are separated by ``more`` elements of NaN."""
    padded = np.full((matrix.shape[0], matrix.shape[1] + more), np.nan, matrix.dtype)
    padded[:, : matrix.shape[1]] = matrix
    return padded


def forms(dtype: np.dtype[Any], transposes: tuple[int, int], k: int) -> list[str]:
    """Return the forms that a product may have: "inner" wants rows of vectors."""
    possible = transposes[0] == N and k >= 64 // dtype.itemsize
    return ["choose", "outer", "across", "blocked", *(["inner"] if possible else [])]


def sampled(count: int) -> list[tuple[int, int, int]]:
    random = np.random.default_rng(0)
    return [tuple(random.choice(LENGTHS, 3).tolist()) for _ in range(count)]


@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_products(kernels: Kernels, transposes: tuple[int, int]) -> None:
    random = np.random.default_rng(1)
    factors = [(1, 0, 0), (2, 3, 3), (-1, 1, 1), (0, 2, 0)]
    for m, n, k in [*itertools.product((1, 3, 8, 13), repeat=3), *sampled(60), *LARGE]:
        for form, (alpha, beta, pad) in itertools.product(
            forms(kernels.dtype, transposes, k), factors
        ):
            # Small integers: every product is exact, whatever the order of the sums.
            a, b, c = (
                random.integers(-8, 9, shape).astype(kernels.dtype)
                for shape in ((m, k), (k, n), (m, n))
            )
            expected = alpha * (a @ b) + beta * c
            pa = with_padding(a.T if transposes[0] == T else a, pad)
            pb = with_padding(b.T if transposes[1] == T else b, pad)
            pc = with_padding(c if beta else np.full_like(c, np.nan), pad)
            if not kernels(form, pa, pb, pc, (m, n, k), transposes, alpha, beta):
                assert form == "choose"
                continue
            np.testing.assert_array_equal(pc[:, :n], expected, err_msg=f"{form} {m} {n} {k}")
            assert np.isnan(pc[:, n:]).all()


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_special_values_stay_in_their_rows_and_columns(
    kernels: Kernels, transposes: tuple[int, int], value: float
) -> None:
    for m, n, k in [(5, 9, 7), (3, 3, 37), (13, 21, 18), (9, 11, 150)]:
        for form in forms(kernels.dtype, transposes, k):
            a, b = np.ones((m, k), kernels.dtype), np.ones((k, n), kernels.dtype)
            a[m // 2, k - 1], b[k - 1, n - 1] = value, value
            expected = np.full((m, n), k, kernels.dtype)
            expected[m // 2, :] = expected[:, n - 1] = value
            c = np.full((m, n), np.nan, kernels.dtype)
            pa = np.ascontiguousarray(a.T if transposes[0] == T else a)
            pb = np.ascontiguousarray(b.T if transposes[1] == T else b)
            assert kernels(form, pa, pb, c, (m, n, k), transposes)
            np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    "sizes", [(40, 256, 256), (130, 160, 190), (300, 144, 130), (200, 500, 64)]
)
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_products_of_medium_size(
    kernels: Kernels, transposes: tuple[int, int], sizes: tuple[int, int, int]
) -> None:
    # The library computes them on processors with short vectors.
    m, n, k = sizes
    random = np.random.default_rng(5)
    a, b, start = (
        random.integers(-8, 9, shape).astype(kernels.dtype) for shape in ((m, k), (k, n), (m, n))
    )
    stored = [x.T.copy() if t == T else x for x, t in zip((a, b), transposes, strict=True)]
    for form, threads in itertools.product(("choose", "outer", "across", "blocked"), (1, 2, 4)):
        c = start.copy()
        if kernels(form, *stored, c, sizes, transposes, 2, 1, threads):
            np.testing.assert_array_equal(c, 2 * (a @ b) + start)
        else:
            assert form == "choose"
            np.testing.assert_array_equal(c, start)


@pytest.mark.parametrize("sizes", [(700, 1100, 90), (90, 40, 900), (61, 2100, 400)])
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_products_of_several_blocks(
    kernels: Kernels, transposes: tuple[int, int], sizes: tuple[int, int, int]
) -> None:
    m, n, k = sizes
    random = np.random.default_rng(6)
    a, b, start = (
        random.integers(-8, 9, shape).astype(kernels.dtype) for shape in ((m, k), (k, n), (m, n))
    )
    stored = [x.T if t == T else x for x, t in zip((a, b), transposes, strict=True)]
    for threads, alpha, beta, pad in [(1, 2, 1, 3), (2, 1, 0, 0), (4, -1, 2, 1)]:
        into = with_padding(start if beta else np.full_like(start, np.nan), pad)
        factors = [with_padding(np.ascontiguousarray(x), pad) for x in stored]
        assert kernels("blocked", *factors, into, sizes, transposes, alpha, beta, threads)
        np.testing.assert_array_equal(into[:, :n], alpha * (a @ b) + beta * start)
        assert np.isnan(into[:, n:]).all()


def test_large_products_for_many_threads_are_left_to_the_library(kernels: Kernels) -> None:
    a = np.ones((600, 600), kernels.dtype)
    c = np.full((600, 600), 7, kernels.dtype)
    assert not kernels("choose", a, a, c, (600, 600, 600), threads=5)
    assert (c == 7).all()


@pytest.mark.skipif(sys.platform != "linux", reason="the pages are protected with Linux's calls")
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_nothing_is_read_behind_the_factors(kernels: Kernels, transposes: tuple[int, int]) -> None:
    page = mmap.PAGESIZE

    def at_the_end_of_memory(shape: tuple[int, int]) -> Array:
        """Return a matrix with a page behind it that can't be touched."""
        size = shape[0] * shape[1] * kernels.dtype.itemsize
        pages = -(-size // page)
        memory = mmap.mmap(-1, (pages + 1) * page)
        whole = np.frombuffer(memory, np.uint8)
        libc = ctypes.CDLL(None, use_errno=True)
        end = ctypes.c_void_p(whole.ctypes.data + pages * page)
        assert libc.mprotect(end, ctypes.c_size_t(page), 0) == 0
        matrix: Array = whole[pages * page - size : pages * page].view(kernels.dtype).reshape(shape)
        matrix[:] = 1
        return matrix

    for m, n, k in [(1, 1, 1), (5, 3, 4), (7, 9, 11), (12, 20, 33), (4, 17, 70), (70, 33, 200)]:
        for form in forms(kernels.dtype, transposes, k):
            a = at_the_end_of_memory((k, m) if transposes[0] == T else (m, k))
            b = at_the_end_of_memory((n, k) if transposes[1] == T else (k, n))
            c = at_the_end_of_memory((m, n))
            assert kernels(form, a, b, c, (m, n, k), transposes, 1, 1)
            np.testing.assert_array_equal(c, np.full((m, n), k + 1))


@pytest.mark.parametrize("sizes", [(600, 20, 400), (20, 500, 784), (500, 701, 30), (9, 30000, 31)])
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_threads_do_not_change_a_bit(
    kernels: Kernels, transposes: tuple[int, int], sizes: tuple[int, int, int]
) -> None:
    m, n, k = sizes
    random = np.random.default_rng(2)
    a = random.normal(size=(k, m) if transposes[0] == T else (m, k)).astype(kernels.dtype)
    b = random.normal(size=(n, k) if transposes[1] == T else (k, n)).astype(kernels.dtype)
    results = [np.ones((m, n), kernels.dtype) for _ in range(4)]
    for threads, c in enumerate(results, 1):
        assert kernels("choose", a, b, c, sizes, transposes, 2, 1, threads)
        np.testing.assert_array_equal(c, results[0])
    exact = 2 * ((a.T if transposes[0] == T else a) @ (b.T if transposes[1] == T else b)) + 1
    np.testing.assert_allclose(results[0], exact, 1e-3, 1e-3)
    assert not kernels("choose", a, b, results[0], sizes, transposes, threads=5)


@pytest.mark.parametrize("sizes", [(95, 97, 96), (128, 128, 128), (32, 784, 128), (256, 10, 512)])
@pytest.mark.parametrize("transposes", TRANSPOSES)
def test_small_products_are_shared_by_threads(
    kernels: Kernels, transposes: tuple[int, int], sizes: tuple[int, int, int]
) -> None:
    m, n, k = sizes
    random = np.random.default_rng(4)
    a = random.normal(size=(k, m) if transposes[0] == T else (m, k)).astype(kernels.dtype)
    b = random.normal(size=(n, k) if transposes[1] == T else (k, n)).astype(kernels.dtype)
    exact = (a.T if transposes[0] == T else a) @ (b.T if transposes[1] == T else b)
    for form in forms(kernels.dtype, transposes, k):
        results = [np.full((m, n), np.nan, kernels.dtype) for _ in range(3)]
        # More threads than parts leave some without work.
        for threads, c in zip((1, 2, 6), results, strict=True):
            assert kernels(form, a, b, c, sizes, transposes, threads=threads)
            np.testing.assert_array_equal(c, results[0])
        np.testing.assert_allclose(results[0], exact, 1e-3, 1e-3)


def test_every_type_is_compiled(toolchain: Toolchain, cache: Cache) -> None:
    found = blas.find_blas("plain", toolchain, cache)
    assert found.own.keys() - {"share"} == LIBRARY.suffixes.keys()
    assert list(blas.table(found).own) == [found.own[suffix] for suffix in LIBRARY.suffixes]


def test_without_a_toolchain_there_are_none() -> None:
    assert blas.find_blas("numpy").own == {}


def test_a_compiler_that_refuses_them(toolchain: Toolchain, tmp_path: Any) -> None:
    refusing = toolchain.with_flags(["-DLANES=1"])
    assert blas.find_blas("numpy", refusing, Cache(tmp_path)).own == {}
