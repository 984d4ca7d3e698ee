"""BLAS providers and the C helpers that call them, against NumPy."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.codegen.abi import ABI, BLAS_FUNCTIONS
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.routines.blas import PRODUCTS
from symtheano.codegen.runtime import blas
from symtheano.codegen.runtime.load import CompiledEntry
from symtheano.codegen.runtime.plain_blas import plain_blas_source
from tests.support.routines import routine_texts

Array = np.ndarray[Any, Any]

DTYPES: dict[str, tuple[str, np.dtype[Any]]] = {
    "f32": ("float", np.dtype(np.float32)),
    "f64": ("double", np.dtype(np.float64)),
    "c64": ("float _Complex", np.dtype(np.complex64)),
    "c128": ("double _Complex", np.dtype(np.complex128)),
}
N, T, H = 111, 112, 113
SHAPES = [(5, 7), (1, 4), (4, 1), (1, 1), (0, 3), (3, 0)]
# Inputs: the arrays, the integers, [alpha, beta]; the last array is written in place.
ENTRIES = """
ST_EXPORT int32_t gemm_SUFFIX(const st_runtime *rt, const st_array *in, st_array *out,
                              st_error *error) {
    const int64_t *i = in[3].data;
    const TYPE *s = in[4].data;
    const st_gemm p = {i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]};
    st_gemm_SUFFIX(rt, &p, s[0], in[0].data, in[1].data, s[1], in[2].data);
    return ST_OK;
}
ST_EXPORT int32_t batched_gemm_SUFFIX(const st_runtime *rt, const st_array *in, st_array *out,
                                      st_error *error) {
    const int64_t *i = in[3].data;
    const TYPE *s = in[4].data, *a = in[0].data, *b = in[1].data;
    const st_batched_gemm p = {
        i[0], i[1], i[2], i[3], i[4], i[5], i[7], i[8], i[10], i[11], i[12], i[13]};
    st_batched_gemm_SUFFIX(rt, &p, s[0], a + i[6], b + i[9], s[1], in[2].data);
    return ST_OK;
}
ST_EXPORT int32_t gemv_SUFFIX(const st_runtime *rt, const st_array *in, st_array *out,
                              st_error *error) {
    const int64_t *i = in[3].data;
    const TYPE *s = in[4].data, *x = in[1].data;
    TYPE *y = in[2].data;
    const st_gemv p = {i[0], i[1], i[2], i[3], i[5], i[7]};
    st_gemv_SUFFIX(rt, &p, s[0], in[0].data, x + i[4], s[1], y + i[6]);
    return ST_OK;
}
ST_EXPORT int32_t ger_SUFFIX(const st_runtime *rt, const st_array *in, st_array *out,
                             st_error *error) {
    const int64_t *i = in[3].data;
    const TYPE *s = in[4].data, *x = in[0].data, *y = in[1].data;
    const st_ger p = {i[0], i[1], i[3], i[5], i[6]};
    st_ger_SUFFIX(rt, &p, s[0], x + i[2], y + i[4], in[2].data);
    return ST_OK;
}
ST_EXPORT int32_t dot_SUFFIX(const st_runtime *rt, const st_array *in, st_array *out,
                             st_error *error) {
    const int64_t *i = in[3].data;
    const TYPE *x = in[0].data, *y = in[1].data;
    *(TYPE *)in[2].data = st_dot_SUFFIX(rt, &(st_dot){i[0], i[2], i[4]}, x + i[1], y + i[3]);
    return ST_OK;
}
"""

pytestmark = pytest.mark.needs_cc


class Helpers:
    """The helpers of one dtype, called with one provider."""

    def __init__(self, suffix: str, cache: Cache, toolchain: Toolchain, table: Any) -> None:
        self.type, self.dtype = DTYPES[suffix]
        name = self.dtype.name
        helpers = routine_texts((each.name, name) for each in PRODUCTS if name in each.dtypes)
        entries = ENTRIES.replace("SUFFIX", suffix).replace("TYPE", self.type)
        path = cache.obtain(ABI + helpers + entries, toolchain)
        self._entries = {
            family: CompiledEntry(path, f"{family}_{suffix}", table)
            for family in ("gemm", "batched_gemm", "gemv", "ger", "dot")
        }
        self._random = np.random.default_rng(0)

    def random(self, *shape: int) -> Array:
        values = self._random.integers(-8, 9, size=(2, *shape))
        # Small integers: every product is exact, whatever the order of the sums.
        whole = values[0] + 1j * values[1] if self.dtype.kind == "c" else values[0]
        return np.asarray(whole, self.dtype)

    def run(
        self,
        family: str,
        arrays: list[Array],
        integers: list[int],
        alpha: Any = 1,
        beta: Any = 0,
        threads: int = 1,
    ) -> None:
        scalars = np.array([alpha, beta], self.dtype)
        sizes = np.array(integers, np.int64)
        outputs = [OutputSpec(self.dtype, 2, donor=2)]
        self._entries[family]([*arrays, sizes, scalars], outputs, threads=threads)


def available() -> list[str]:
    """Return the providers of this machine; "none" means without a table."""
    found = ["none", "plain"]
    for name in ("numpy", "scipy-openblas32", "system"):
        try:
            blas.find_blas(name)
        except ValueError:
            continue
        found.append(name)
    return found


@pytest.fixture(params=available())
def table(request: pytest.FixtureRequest, cache: Cache, toolchain: Toolchain) -> Any:
    """Return the table of each provider."""
    if request.param == "none":
        return None
    return blas.table(blas.find_blas(request.param, toolchain, cache))


@pytest.fixture(params=DTYPES)
def helpers(
    request: pytest.FixtureRequest, cache: Cache, toolchain: Toolchain, table: Any
) -> Helpers:
    """Return the helpers of each dtype with each provider."""
    return Helpers(request.param, cache, toolchain, table)


def op(trans: int, matrices: Array) -> Array:
    """Apply a transposition code to a matrix, or to each of a batch."""
    turned = np.swapaxes(matrices, -1, -2)
    return {N: matrices, T: turned, H: turned.conj()}[trans]


def with_padding(matrix: Array, more: int) -> Array:
    """Return a matrix whose rows are separated by ``more`` elements of NaN."""
    padded = np.full((matrix.shape[0], matrix.shape[1] + more), np.nan, matrix.dtype)
    padded[:, : matrix.shape[1]] = matrix
    return padded


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("transa", "transb"), list(itertools.product((N, T, H), (N, T, H))))
def test_gemm(helpers: Helpers, transa: int, transb: int) -> None:
    shapes = [(4, 5, 6), (1, 5, 6), (4, 1, 6), (4, 5, 1), (1, 1, 3), (37, 150, 131)]
    factors = [(1, 0, 0), (2, 3, 2), (-1, 1, 0)]
    for (m, n, k), (alpha, beta, pad) in itertools.product(shapes, factors):
        a = helpers.random(*((m, k) if transa == N else (k, m)))
        b = helpers.random(*((k, n) if transb == N else (n, k)))
        c = helpers.random(m, n)
        expected = alpha * (op(transa, a) @ op(transb, b)) + beta * c
        pa, pb, pc = (with_padding(matrix, pad) for matrix in (a, b, c))
        if beta == 0:
            pc[:] = np.nan
        sizes = [transa, transb, m, n, k, pa.shape[1], pb.shape[1], pc.shape[1]]
        helpers.run("gemm", [pa, pb, pc], sizes, alpha, beta)
        np.testing.assert_array_equal(pc[:, :n], expected)
        assert np.isnan(pc[:, n:]).all()


@pytest.mark.parametrize(
    ("m", "n", "k"), [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0), (1, 4, 0), (3, 1, 0)]
)
@pytest.mark.parametrize("trans", [N, T])
def test_gemm_of_nothing(helpers: Helpers, trans: int, m: int, n: int, k: int) -> None:
    a = helpers.random(*((m, k) if trans == N else (k, m)))
    b = helpers.random(*((k, n) if trans == N else (n, k)))
    c = np.full((m, n), np.nan, helpers.dtype)
    sizes = [trans, trans, m, n, k, a.shape[1], b.shape[1], n]
    helpers.run("gemm", [a, b, c], sizes)
    np.testing.assert_array_equal(c, np.zeros((m, n)))
    c[:] = 3
    helpers.run("gemm", [a, b, c], sizes, alpha=1, beta=2)
    np.testing.assert_array_equal(c, np.full((m, n), 6))


def test_gemm_with_a_row_that_is_repeated(helpers: Helpers) -> None:
    row, b = helpers.random(1, 3), helpers.random(3, 4)
    c = np.empty((2, 4), helpers.dtype)
    helpers.run("gemm", [row, b, c], [N, N, 2, 4, 3, 0, 4, 4])
    np.testing.assert_array_equal(c, np.repeat(row, 2, 0) @ b)


def test_gemm_with_factors_of_its_type(helpers: Helpers) -> None:
    alpha, beta = (1 + 2j, 3 - 1j) if helpers.dtype.kind == "c" else (-2, 5)
    a, b, c = helpers.random(3, 4), helpers.random(4, 5), helpers.random(3, 5)
    expected = alpha * (a @ b) + beta * c
    helpers.run("gemm", [a, b, c], [N, N, 3, 5, 4, 4, 5, 5], alpha, beta)
    np.testing.assert_array_equal(c, expected)


def strided(values: Array, step: int) -> tuple[Array, int]:
    """Store a vector with a step; return the memory and the position of its first element."""
    memory = np.full(max(1, len(values) * max(abs(step), 1)), np.nan, values.dtype)
    first = (len(values) - 1) * -step if step < 0 and len(values) else 0
    if step:
        memory[first::step][: len(values)] = values
    elif len(values):
        memory[0] = values[0]
    return memory, first


BATCHES = [
    # count, m, n, k; more than enough for two threads, and with sizes of one and zero
    (0, 3, 4, 5), (1, 3, 4, 5), (3, 0, 4, 5), (3, 2, 4, 0), (500, 1, 7, 3), (500, 7, 1, 3),
    (501, 6, 5, 4), (17, 60, 50, 40), (600, 2, 3, 0),
]  # fmt: skip


def as_batch(batch: Array, order: str) -> tuple[Array, int, int]:
    """Return memory, the position of the first matrix in it, and the distance to the next one.

    All are the first one where ``order`` is "repeated".
    """
    count, size = len(batch), batch[:1].size
    if order == "repeated":
        return np.ascontiguousarray(batch[:1]), 0, 0
    if order == "backwards":
        return np.ascontiguousarray(batch[::-1]), max(count - 1, 0) * size, -size
    return np.ascontiguousarray(batch), 0, size


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sizes", BATCHES)
@pytest.mark.parametrize(("transa", "transb"), [(N, N), (T, N), (N, H)])
def test_batched_gemm(
    helpers: Helpers, sizes: tuple[int, int, int, int], transa: int, transb: int
) -> None:
    count, m, n, k = sizes
    a = helpers.random(count, *((m, k) if transa == N else (k, m)))
    b = helpers.random(count, *((k, n) if transb == N else (n, k)))
    c = helpers.random(count, m, n)
    orders = ("straight", "backwards", "repeated")
    for one, two in [*zip(orders, orders, strict=True), *itertools.pairwise([*orders, "straight"])]:
        (left, left_at, left_step), (right, right_at, right_step) = (
            as_batch(a, one),
            as_batch(b, two),
        )
        x, y = (item[:1] if order == "repeated" else item for item, order in ((a, one), (b, two)))
        expected = 2 * c - op(transa, x) @ op(transb, y)
        for threads in (1, 2, 3):
            target = c.copy()
            integers = [transa, transb, *sizes, left_at, left_step, a.shape[2]]
            integers += [right_at, right_step, b.shape[2], m * n, n]
            helpers.run("batched_gemm", [left, right, target], integers, -1, 2, threads)
            np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize("suffix", ["f32", "f64"])
@pytest.mark.parametrize("sizes", [(300, 7, 9, 33), (64, 40, 40, 40), (5, 90, 70, 80)])
def test_threads_do_not_change_a_bit_of_a_batch(
    cache: Cache, toolchain: Toolchain, suffix: str, sizes: tuple[int, int, int, int]
) -> None:
    helpers = Helpers(
        suffix, cache, toolchain, blas.table(blas.find_blas("numpy", toolchain, cache))
    )
    count, m, n, k = sizes
    random = np.random.default_rng(5)
    a = random.standard_normal((count, m, k)).astype(helpers.dtype)
    b = random.standard_normal((count, k, n)).astype(helpers.dtype)
    results = []
    for threads in (1, 2, 3):
        c = np.full((count, m, n), np.nan, helpers.dtype)
        integers = [N, N, *sizes, 0, m * k, k, 0, k * n, n, m * n, n]
        helpers.run("batched_gemm", [a, b, c], integers, 1, 0, threads)
        results.append(c)
    np.testing.assert_allclose(results[0], a @ b, rtol=1e-4, atol=1e-4)
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])


@pytest.mark.needs_cc
def test_kernels_that_come_later_share_products_as_others_do(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    provider = blas.find_blas("plain", toolchain, Cache(str(tmp_path)), wait=False)
    blas._begin_kernels(provider, toolchain, Cache(str(tmp_path)).place).result()
    table = blas.table(provider)
    assert all(table.own)
    assert table.share


@pytest.mark.parametrize(
    ("sizes", "threads", "shared", "asked"),
    [
        ((500, 8, 8, 8), 1, [], []),
        ((500, 8, 8, 8), 2, [2], []),
        ((20, 8, 8, 8), 2, [], []),
        ((64, 32, 32, 32), 2, [2], [1, 7]),
        ((64, 32, 32, 32), 3, [3], [1, 7]),
        # As large as to be divided themselves: two at a time, or one after the other.
        ((2, 170, 170, 170), 2, [2], [1, 7]),
        ((3, 170, 170, 170), 2, [2, 2, 2], [1, 7] * 3),
        ((9, 170, 170, 170), 2, [2], [1, 7]),
    ],
)
def test_batches_are_shared_by_threads(
    cache: Cache, toolchain: Toolchain, sizes: tuple[int, int, int, int],
    threads: int, shared: list[int], asked: list[int],
) -> None:  # fmt: skip
    plain = blas.table(blas.find_blas("plain", toolchain, cache))
    table = type(plain).from_buffer_copy(plain)
    table.own[:] = [None] * len(table.own)
    divided, exchanged = [], []

    def exchange(number: int) -> int:
        exchanged.append(number)
        return 7

    part_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)

    def share(parts: int, part: Any, job: int) -> None:
        divided.append(parts)
        for number in range(parts):
            part(job, number)

    exchange_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
    share_type = ctypes.CFUNCTYPE(None, ctypes.c_int64, part_type, ctypes.c_void_p)
    callbacks = (exchange_type(exchange), share_type(share))
    table.set_threads, table.share = (ctypes.cast(f, ctypes.c_void_p) for f in callbacks)
    helpers = Helpers("f32", cache, toolchain, table)
    count, m, n, k = sizes
    a, b = helpers.random(count, m, k), helpers.random(count, k, n)
    c = np.zeros((count, m, n), np.float32)
    integers = [N, N, *sizes, 0, m * k, k, 0, k * n, n, m * n, n]
    helpers.run("batched_gemm", [a, b, c], integers, threads=threads)
    np.testing.assert_array_equal(c, a @ b)
    assert (divided, exchanged) == (shared, asked)
    assert (table.alone, table.lock) == (0, 0)
    # A library whose number of threads can't be set is not called from our threads,
    # but for products that are too small for it to start any.
    divided.clear()
    table.set_threads = None
    helpers.run("batched_gemm", [a, b, c], integers, threads=threads)
    np.testing.assert_array_equal(c, a @ b)
    assert divided == (shared if m * n * k < 9000 else [])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("trans", [N, T, H])
@pytest.mark.parametrize(("incx", "incy"), [(1, 1), (2, 3), (-1, -2), (0, 1)])
def test_gemv(helpers: Helpers, trans: int, incx: int, incy: int) -> None:
    shapes = [*SHAPES, (130, 65)]
    for (m, n), (alpha, beta) in itertools.product(shapes, [(1, 0), (2, 3)]):
        outputs, terms = (m, n) if trans == N else (n, m)
        a, y = helpers.random(m, n), helpers.random(outputs)
        x = helpers.random(terms) if incx else np.full(terms, 3, helpers.dtype)
        expected = alpha * (op(trans, a) @ x) + beta * y
        x_memory, x_first = strided(x, incx)
        start = y if beta else np.full_like(y, np.nan)
        y_memory, y_first = strided(start, incy)
        sizes = [trans, m, n, n + 1, x_first, incx, y_first, incy]
        helpers.run("gemv", [with_padding(a, 1), x_memory, y_memory], sizes, alpha, beta)
        np.testing.assert_array_equal(y_memory[y_first::incy][:outputs], expected)


@pytest.mark.parametrize(("incx", "incy"), [(1, 1), (2, -3), (-1, 1), (0, 1)])
def test_ger(helpers: Helpers, incx: int, incy: int) -> None:
    for m, n in SHAPES:
        a, y = helpers.random(m, n), helpers.random(n)
        x = helpers.random(m) if incx else np.full(m, 3, helpers.dtype)
        expected = a + 2 * np.outer(x, y)
        (x_memory, x_first), (y_memory, y_first) = strided(x, incx), strided(y, incy)
        padded = with_padding(a, 2)
        sizes = [m, n, x_first, incx, y_first, incy, n + 2]
        helpers.run("ger", [x_memory, y_memory, padded], sizes, alpha=2)
        np.testing.assert_array_equal(padded[:, :n], expected)


@pytest.mark.parametrize(("incx", "incy"), [(1, 1), (2, -3), (-1, 1), (0, 1)])
def test_dot(helpers: Helpers, incx: int, incy: int) -> None:
    for n in (0, 1, 2, 7, 1000):
        y = helpers.random(n)
        x = helpers.random(n) if incx else np.full(n, 3, helpers.dtype)
        (x_memory, x_first), (y_memory, y_first) = strided(x, incx), strided(y, incy)
        result = np.full(1, np.nan, helpers.dtype)
        helpers.run("dot", [x_memory, y_memory, result], [n, x_first, incx, y_first, incy])
        assert result[0] == (x * y).sum()


def test_sizes_beyond_32_bits_are_not_truncated(
    cache: Cache, toolchain: Toolchain, tmp_path: Path
) -> None:
    far = (1 << 31) + 8
    try:
        # A file with a hole: it takes the disk space and memory of two pages.
        memory = np.memmap(tmp_path / "far", np.float32, "w+", shape=(far + 4,))
    except OSError:
        pytest.skip("this file system has no files of 8 GB with holes")
    # The plain library, said to have 32-bit integers, which it would take for negative ones.
    plain = blas.table(blas.find_blas("plain", toolchain, cache))
    narrow = type(plain).from_buffer_copy(plain)
    narrow.ilp64 = 0
    helpers = Helpers("f32", cache, toolchain, narrow)
    a, b = helpers.random(2, 3), helpers.random(3, 2)
    memory[:3], memory[far : far + 3] = a
    c = np.full((2, 2), np.nan, np.float32)
    helpers.run("gemm", [memory, b, c], [N, N, 2, 2, 3, far, 2, 2])
    np.testing.assert_array_equal(c, a @ b)
    y = np.full(2, np.nan, np.float32)
    helpers.run("gemv", [memory, b, y], [N, 2, 3, far, 0, 2, 0, 1])
    np.testing.assert_array_equal(y, a @ b[:, 0])
    dot = np.full(1, np.nan, np.float32)
    helpers.run("dot", [memory, b, dot], [2, 0, far, 0, 1])
    assert dot[0] == a[:, 0] @ b[0]
    helpers.run("ger", [b, b, memory], [2, 2, 0, 2, 0, 1, far])
    np.testing.assert_array_equal(memory[far : far + 2], a[1, :2] + b[1, 0] * b[0])


def column_major_call(provider: blas.BlasProvider, letter: str, dtype: np.dtype[Any]) -> None:
    """Multiply column-major matrices through the raw routines, as our helpers never do."""
    import ctypes

    wide = ctypes.c_int64 if provider.ilp64 else ctypes.c_int32
    real = {"s": ctypes.c_float, "d": ctypes.c_double}.get(letter)
    scalar: Any = real or ctypes.c_void_p
    factors = np.array([2, 3], dtype)
    alpha, beta = (
        (2.0, 3.0) if real else (factors.ctypes.data, factors.ctypes.data + dtype.itemsize)
    )
    random = np.random.default_rng(0)

    def make(rows: int, columns: int) -> Array:
        parts = random.integers(-8, 9, (2, rows, columns))
        whole = parts[0] if real else parts[0] + 1j * parts[1]
        return np.asfortranarray(whole.astype(dtype))

    pointer, code = ctypes.c_void_p, ctypes.c_int
    gemm = ctypes.CFUNCTYPE(
        None,
        *(code, code, code, wide, wide, wide, scalar, pointer, wide, pointer, wide),
        *(scalar, pointer, wide),
    )(provider.pointers[f"cblas_{letter}gemm"])
    gemv = ctypes.CFUNCTYPE(
        None,
        *(code, code, wide, wide, scalar, pointer, wide, pointer, wide, scalar, pointer, wide),
    )(provider.pointers[f"cblas_{letter}gemv"])
    for transa, transb in itertools.product((N, T, H), (N, T, H)):
        a = make(*((3, 4) if transa == N else (4, 3)))
        b = make(*((4, 5) if transb == N else (5, 4)))
        c = make(3, 5)
        expected = 2 * (op(transa, a) @ op(transb, b)) + 3 * c
        gemm(
            *(102, transa, transb, 3, 5, 4, alpha, a.ctypes.data, a.shape[0]),
            *(b.ctypes.data, b.shape[0], beta, c.ctypes.data, 3),
        )
        np.testing.assert_array_equal(c, expected)
        x, y = make(4, 1), make(3, 1)
        expected = 2 * (op(transa, a) @ x) + 3 * y
        gemv(
            *(102, transa, *a.shape, alpha, a.ctypes.data, a.shape[0], x.ctypes.data, 1),
            *(beta, y.ctypes.data, 1),
        )
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("name", [name for name in available() if name != "none"])
def test_column_major(name: str, letter: str, cache: Cache, toolchain: Toolchain) -> None:
    dtype = np.dtype({"s": "f4", "d": "f8", "c": "c8", "z": "c16"}[letter])
    column_major_call(blas.find_blas(name, toolchain, cache), letter, dtype)


def test_default_is_the_first_that_is_there(cache: Cache, toolchain: Toolchain) -> None:
    found = blas.find_blas(None, toolchain, cache)
    assert found.name == next(name for name in blas.NAMES if name in available())
    assert blas.find_blas("", toolchain, cache) is found
    assert set(found.pointers) == set(BLAS_FUNCTIONS)
    assert all(found.pointers.values())


def test_library_by_its_path(cache: Cache, toolchain: Toolchain) -> None:
    path = cache.obtain(plain_blas_source(), toolchain)
    provider = blas.find_blas(str(path))
    assert (provider.name, provider.path, provider.ilp64) == (str(path), str(path), True)
    assert (provider.threads(), provider.set_num_threads) == (1, None)
    blas.set_threads(provider, 4)


def test_width_of_integers_is_found_out(cache: Cache, toolchain: Toolchain) -> None:
    text = plain_blas_source().replace("int64_t", "int32_t")
    assert not blas.find_blas(str(cache.obtain(text, toolchain))).ilp64


def test_library_without_a_routine(cache: Cache, toolchain: Toolchain) -> None:
    text = plain_blas_source().replace("cblas_zgeru", "cblas_other")
    path = cache.obtain(text, toolchain)
    with pytest.raises(ValueError, match="was not found or lacks one of cblas_sgemm"):
        blas.find_blas(str(path))
    with pytest.raises(ValueError, match=r"no-such.*choose one of numpy"):
        blas.find_blas("/no-such-library.so")


@pytest.mark.parametrize("name", [name for name in available() if name != "none"])
def test_threads_can_be_set(name: str, cache: Cache, toolchain: Toolchain) -> None:
    provider = blas.find_blas(name, toolchain, cache)
    before = provider.threads()
    try:
        blas.set_threads(provider, 1)
        assert provider.threads() == 1
        with pytest.raises(ValueError, match="give 1 or more"):
            blas.set_threads(provider, 0)
    finally:
        blas.set_threads(provider, before)
    assert provider.threads() == before


@pytest.mark.parametrize(
    ("size", "threads", "held"),
    [(8, 2, False), (8, 1, False), (100, 2, True), (100, 1, True), (200, 2, True), (200, 1, True)],
)
def test_products_hold_the_library_to_one_thread(
    cache: Cache, toolchain: Toolchain, size: int, threads: int, held: bool
) -> None:
    table = type(plain := blas.table(blas.find_blas("plain", toolchain, cache))).from_buffer_copy(
        plain
    )
    table.own[:] = [None] * len(table.own)
    asked: list[int] = []

    def exchange(number: int) -> int:
        asked.append(number)
        return 7

    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(exchange)
    table.set_threads = ctypes.cast(callback, ctypes.c_void_p)
    helpers = Helpers("f32", cache, toolchain, table)
    a, c = helpers.random(size, size), np.zeros((size, size), np.float32)
    helpers.run("gemm", [a, a, c], [N, N, *[size] * 6], threads=threads)
    np.testing.assert_array_equal(c, a @ a)
    assert asked == ([1, 7] if held else [])
    assert (table.alone, table.lock) == (0, 0)


@pytest.mark.parametrize("threads", [2, 3])
def test_large_products_are_shared_by_threads(
    cache: Cache, toolchain: Toolchain, threads: int
) -> None:
    provider = blas.find_blas("numpy", toolchain, cache)
    helpers = Helpers("f64", cache, toolchain, blas.table(provider))
    for (m, n, k), (transa, transb) in itertools.product(
        [(301, 200, 150), (130, 347, 170)], itertools.product((N, T), (N, T))
    ):
        a = helpers.random(*((m, k) if transa == N else (k, m)))
        b = helpers.random(*((k, n) if transb == N else (n, k)))
        c = helpers.random(m, n)
        expected = 2 * (op(transa, a) @ op(transb, b)) - c
        sizes = [transa, transb, m, n, k, a.shape[1], b.shape[1], n]
        helpers.run("gemm", [a, b, c], sizes, 2, -1, threads)
        np.testing.assert_array_equal(c, expected)
    for size, trans, (incx, incy) in itertools.product(
        [(2503, 2001), (1003, 901)], (N, T), [(1, 1), (-1, 2), (2, -3)]
    ):
        a = helpers.random(*size)
        x = helpers.random(a.shape[trans == N])
        y = helpers.random(a.shape[trans == T])
        (x_memory, x_first), (y_memory, y_first) = strided(x, incx), strided(y, incy)
        sizes = [trans, *a.shape, a.shape[1], x_first, incx, y_first, incy]
        helpers.run("gemv", [a, x_memory, y_memory], sizes, 1, 3, threads)
        np.testing.assert_array_equal(y_memory[y_first::incy][: len(y)], op(trans, a) @ x + 3 * y)


def test_threads_of_the_library_are_what_they_were(cache: Cache, toolchain: Toolchain) -> None:
    provider = blas.find_blas("numpy")
    if not provider.exchange_threads:
        pytest.skip("this library does not tell how many threads it had")
    before = provider.threads()
    helpers = Helpers("f32", cache, toolchain, blas.table(provider))
    a, c = helpers.random(100, 100), np.zeros((100, 100), np.float32)
    for _ in range(3):
        helpers.run("gemm", [a, a, c], [N, N, *[100] * 6], threads=2)
    assert provider.threads() == before


@pytest.mark.parametrize(
    ("kernels", "narrow"), [("Haswell", True), ("Zen", True), ("SkylakeX", False), ("", False)]
)
def test_kernels_with_short_vectors(kernels: str, narrow: bool) -> None:
    provider = blas.BlasProvider("numpy", "", False, {}, kernels=kernels)
    assert blas.has_narrow_kernels(provider, {"x86-64-v3", "x86-64-v4"}) == narrow
    assert not blas.has_narrow_kernels(provider, {"x86-64-v3"})


def test_the_library_of_numpy_tells_its_kernels() -> None:
    provider = blas.find_blas("numpy")
    assert bool(provider.kernels) == ("openblas" in provider.path)
