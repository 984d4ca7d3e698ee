"""The C helpers that call LAPACK, against NumPy: every dtype, batches, shapes, and what fails."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from symtheano import config
from symtheano.codegen.abi import ABI
from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.routines.lapack import DECOMPOSITIONS, LETTERS
from symtheano.codegen.runtime.blas import BlasProvider, find_blas
from symtheano.codegen.runtime.lapack import lapack_table
from symtheano.dtypes import short_name
from tests.support.arrays import random_array
from tests.support.compare import assert_same
from tests.support.routines import Workspace, routine_texts

Array = np.ndarray[Any, Any]
LOOSE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-11, "complex128": 1e-11}

pytestmark = pytest.mark.needs_cc


class Runtime(ctypes.Structure):
    """``st_runtime`` as the ABI has it."""

    _fields_ = (
        ("context", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("python", ctypes.c_void_p),
        ("busy", ctypes.c_void_p),
        ("tick", ctypes.c_void_p),
        ("blas", ctypes.c_void_p),
        ("threads", ctypes.c_int32),
        ("functions", ctypes.c_void_p),
        ("workspace", ctypes.c_void_p),
    )


def _struct(integers: list[int]) -> Any:
    """Return what C gets as a pointer to a struct of integers."""
    return (ctypes.c_int64 * len(integers))(*integers)


class Helpers:
    """All helpers, with one table."""

    def __init__(self, library: ctypes.CDLL, table: Any, threads: int = 1) -> None:
        self.library, self.table = library, table
        self.functions = (ctypes.c_void_p * 2)(None, ctypes.addressof(table))
        self.runtime = Runtime(threads=threads, functions=ctypes.addressof(self.functions))

    def __call__(self, name: str, dtype: str, *arguments: Any) -> int:
        """Call a helper with arrays (None for no array), integers and real numbers."""
        function = getattr(self.library, f"st_{name}_{short_name(dtype)}")
        function.restype = ctypes.c_int32
        integers = [item for item in arguments if isinstance(item, int)]
        given: list[Any] = [ctypes.byref(self.runtime), _struct(integers)]
        for item in arguments:
            if isinstance(item, int):
                continue
            if isinstance(item, np.ndarray):
                assert item.flags.c_contiguous
                given.append(ctypes.c_void_p(item.ctypes.data))
            elif isinstance(item, float):
                single = dtype in ("float32", "complex64")
                given.append(ctypes.c_float(item) if single else ctypes.c_double(item))
            else:
                assert item is None
                given.append(ctypes.c_void_p(None))
        routine = ROUTINES[name]
        if not routine.status:
            function.restype = None
        if not routine.workspace:
            return int(function(*given) or 0)
        size = getattr(self.library, f"st_{name}_bytes_{short_name(dtype)}")
        size.restype = ctypes.c_int64
        workspace = Workspace(size(*given[:2]))
        status = int(function(*given, *workspace.arguments) or 0)
        workspace.check()
        return status


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    names = [routine.name for routine in DECOMPOSITIONS]
    calls = [(name, dtype) for name in names for dtype in LETTERS]
    text = ABI + routine_texts(calls, ("i0", "lapack"))
    shown = '__attribute__((visibility("default"))) '
    text = re.sub(rf"static (?=(void|int(32|64)_t) st_({'|'.join(names)})_)", shown, text)
    target = tmp_path_factory.mktemp("lapack") / "helpers.so"
    compile_shared(text, target, find_toolchain(config.cc))
    return ctypes.CDLL(str(target))


@pytest.fixture(scope="module", params=["numpy", "scipy"])
def helpers(request: pytest.FixtureRequest, library: ctypes.CDLL) -> Iterator[Helpers]:
    if request.param == "numpy":
        yield Helpers(library, lapack_table(find_blas()))
    else:
        yield Helpers(library, lapack_table(BlasProvider("none", "", False, {})))


def test_sizes_do_not_overflow(helpers: Helpers) -> None:
    """Whatever does not fit LAPACK's integers, or any memory, has the size that is refused."""
    lengths = (2**31, 2**40, 2**46, 2**61, 2**62 - 1, 2**63 - 1)
    if helpers.table.ilp64:
        lengths = lengths[2:]
    for routine in DECOMPOSITIONS:
        for dtype in LETTERS if routine.workspace else ():
            size = getattr(helpers.library, f"st_{routine.name}_bytes_{short_name(dtype)}")
            size.restype = ctypes.c_int64
            for length in lengths:
                given = _struct([length] * len(routine.integers))
                found = size(ctypes.byref(helpers.runtime), given)
                assert found == 2**62, (routine.name, dtype, length)


def some(dtype: str, *shape: int) -> Array:
    return random_array(np.random.default_rng(11), dtype, shape)


def turned(a: Array) -> Array:
    return np.ascontiguousarray(a.swapaxes(-1, -2))


def definite(dtype: str, *shape: int) -> Array:
    a = some(dtype, *shape)
    return np.asarray(a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(shape[-1]), dtype)


SQUARE = [(2, 3, 3), (1, 1, 1), (2, 20, 20), (0, 3, 3), (2, 0, 0)]
DTYPES = list(LETTERS)


def test_texts() -> None:
    calls = [("svd", "float64"), ("det", "float64"), ("svd", "complex64")]
    text = routine_texts(calls, ("a", "b", "c", "lapack"))
    assert "#define ST_LAPACK 3\n" in text
    assert text.count("typedef struct st_lapack") == 1
    assert text.count("static int st_finite_f64(") == 1
    assert text.count("static int st_finite_c64(") == 1
    assert text == routine_texts(calls[::-1], ("a", "b", "c", "lapack"))
    assert not re.search(r"\b(TYPE|REAL|SUFFIX|NUMBERS|COUNT|FIRST)\b", text)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_square_matrices(helpers: Helpers, dtype: str, shape: tuple[int, ...]) -> None:
    batch, n, _ = shape
    a, b = definite(dtype, *shape), some(dtype, batch, n, 2)
    before = a.copy()
    loose = LOOSE[dtype] * 10
    real = a.real.dtype
    for lower in (1, 0):
        factor = np.full_like(a, 7)
        assert helpers("cholesky", dtype, batch, n, lower, 0, a, factor) == 0
        wanted = np.linalg.cholesky(a)
        assert_same(factor, wanted if lower else wanted.conj().swapaxes(-1, -2), loose)
        w, v = np.full((batch, n), 7, real), np.full_like(a, 7)
        assert helpers("eigh", dtype, batch, n, lower, 1, a, w, v) == 0
        if n:
            assert_same(w, np.linalg.eigvalsh(a), loose)
        assert_same(np.asarray(a @ v), np.asarray(v * w[:, None, :]), loose)
        assert_same(np.asarray(v.conj().swapaxes(-1, -2) @ v),
                    np.broadcast_to(np.eye(n, dtype=dtype), shape), loose)  # fmt: skip
        alone = np.full((batch, n), 7, real)
        assert helpers("eigh", dtype, batch, n, lower, 0, a, alone, None) == 0
        assert_same(alone, w, loose)
        triangle = np.tril(a) if lower else np.triu(a)
        for given, lies_turned in ((a, 0), (turned(a), 1)):
            x = np.full_like(b, 7)
            call = ("solve_triangular", dtype, batch, n, 2, lower, 0, lies_turned, given, b, x)
            assert helpers(*call) == 0
            assert_same(x, np.linalg.solve(triangle, b), loose)
        eye = np.eye(n, dtype=dtype)
        unit = np.tril(a / 400, -1) + eye if lower else np.triu(a / 400, 1) + eye
        assert helpers("solve_triangular", dtype, batch, n, 2, lower, 1, 0, a / 400, b, x) == 0
        assert_same(x, np.linalg.solve(unit, b), loose)
        mirrored = triangle + (triangle - triangle * eye).swapaxes(-1, -2)
        assert helpers("solve_symmetric", dtype, batch, n, 2, lower, a, b, x) == 0
        assert_same(x, np.linalg.solve(mirrored, b), loose * 10)
    c = some(dtype, *shape)
    inverse, det = np.full_like(c, 7), np.full(batch, 7, dtype)
    assert helpers("inverse", dtype, batch, n, c, inverse) == 0
    assert_same(inverse, np.linalg.inv(c), loose * 10)
    for given, lies_turned in ((c, 0), (turned(c), 1)):
        x = np.full_like(b, 7)
        assert helpers("solve", dtype, batch, n, 2, lies_turned, given, b, x) == 0
        assert_same(x, np.linalg.solve(c, b), loose * 10)
    small = c / 8
    assert helpers("det", dtype, batch, n, small, det) == 0
    assert_same(det, np.linalg.det(small), loose)
    sign, logarithm = np.full(batch, 7, dtype), np.full(batch, 7, real)
    assert helpers("slogdet", dtype, batch, n, c, sign, logarithm) == 0
    for got, wanted in zip((sign, logarithm), np.linalg.slogdet(c), strict=True):
        assert_same(got, wanted, loose)
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [7, 8, 16, 41])
def test_triangles_with_many_columns(helpers: Helpers, dtype: str, k: int) -> None:
    """From eight columns on, blocks of rows are products; only one triangle is read."""
    for n in (1, 8, 31, 32, 33, 64, 65, 97):
        a = some(dtype, 2, n, n) / n + 2 * np.eye(n, dtype=dtype)
        b = some(dtype, 2, n, k)
        x, eye = np.full_like(b, 7), np.eye(n, dtype=dtype)

        def solve(lower: int, unit: int, lies_turned: int, given: Array, b: Array = b,
                  x: Array = x) -> int:  # fmt: skip
            lengths = (2, b.shape[1], k, lower, unit, lies_turned)
            return helpers("solve_triangular", dtype, *lengths, given, b, x)

        for lower in (1, 0):
            triangle = np.tril(a) if lower else np.triu(a)
            other = np.where(triangle == 0, np.asarray(np.nan, dtype), triangle)
            for given, lies_turned in ((other, 0), (turned(other), 1)):
                assert solve(lower, 0, lies_turned, given) == 0
                assert_same(np.asarray(triangle @ x), b, LOOSE[dtype])
                ones = given.copy()
                ones[:, range(n), range(n)] = np.nan
                assert solve(lower, 1, lies_turned, ones) == 0
                assert_same(np.asarray((triangle - triangle * eye + eye) @ x), b, LOOSE[dtype])
                for place in {0, n // 2, n - 1}:
                    singular = given.copy()
                    singular[1, place, place] = 0
                    assert solve(lower, 0, lies_turned, singular) == n + place + 2


ANY = [(2, 3, 3), (2, 4, 2), (3, 2, 4), (1, 1, 5), (1, 20, 12), (1, 12, 20), (2, 0, 3), (2, 3, 0),
       (0, 2, 2)]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ANY)
def test_matrices_of_any_shape(helpers: Helpers, dtype: str, shape: tuple[int, ...]) -> None:
    batch, m, n = shape
    k = min(m, n)
    a = some(dtype, *shape)
    loose = LOOSE[dtype] * 10
    for job, left, right in ((0, 0, 0), (1, k, k), (2, m, n)):
        u, vh = np.full((batch, m, left), 7, dtype), np.full((batch, right, n), 7, dtype)
        s = np.full((batch, k), 7, a.real.dtype)
        assert helpers("svd", dtype, batch, m, n, job, a, u, s, vh) == 0
        assert_same(s, np.linalg.svd(a, compute_uv=False), loose)
        if job:
            made = (u[..., :k] * s[:, None, :]) @ vh[:, :k]
            assert_same(np.asarray(made, dtype), a, loose)
            for part in (u.conj().swapaxes(-1, -2) @ u, vh @ vh.conj().swapaxes(-1, -2)):
                eye = np.eye(part.shape[-1], dtype=dtype)
                assert_same(part, np.broadcast_to(eye, part.shape), loose)
    for mode, width in (("reduced", k), ("complete", m)):
        q, r = np.full((batch, m, width), 7, dtype), np.full((batch, width, n), 7, dtype)
        assert helpers("qr", dtype, batch, m, n, width, a, q, r) == 0
        for got, wanted in zip((q, r), np.linalg.qr(a, mode), strict=True):
            assert_same(got, wanted, loose)
        alone = np.full_like(r, 7)
        assert helpers("qr", dtype, batch, m, n, width, a, None, alone) == 0
        assert_same(alone, r, loose)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ANY)
def test_reflectors(helpers: Helpers, dtype: str, shape: tuple[int, ...]) -> None:
    batch, m, n = shape
    a = some(dtype, *shape)
    h, tau = np.full((batch, n, m), 7, dtype), np.full((batch, min(m, n)), 7, dtype)
    helpers("reflectors", dtype, batch, m, n, 0, 1, a, h, tau, None)
    for got, wanted in zip((h, tau), np.linalg.qr(a, "raw"), strict=True):
        assert_same(got, wanted, LOOSE[dtype])
    p, alone = np.full((batch, n), 7, "int64"), np.full((batch, n), 7, "int64")
    helpers("reflectors", dtype, batch, m, n, 1, 1, a, h, tau, p)
    helpers("reflectors", dtype, batch, m, n, 1, 0, a, None, None, alone)
    np.testing.assert_array_equal(p, alone)
    for k in range(batch if m and n else 0):
        (reflectors, factors), _, columns = scipy.linalg.qr(a[k], mode="raw", pivoting=True)
        assert_same(h[k], np.ascontiguousarray(reflectors.T), LOOSE[dtype])
        assert_same(tau[k], factors, LOOSE[dtype])
        assert list(p[k]) == list(columns)
    if not m:
        assert list(p.ravel()) == [*range(n)] * batch


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_schur_and_qz(helpers: Helpers, dtype: str, shape: tuple[int, ...]) -> None:
    batch, n, _ = shape
    a, b = some(dtype, *shape), some(dtype, *shape)
    loose = LOOSE[dtype] * 10
    for sort in range(5):
        t, z = np.full_like(a, 7), np.full_like(a, 7)
        assert helpers("schur", dtype, batch, n, sort, 0, a, t, z) == 0
        assert_same(np.asarray(z @ t @ turned(z).conj()), a, loose)
        results = [np.full_like(a, 7) for _ in range(4)]
        values = (batch, 2, n) if dtype[0] == "f" else (batch, n)
        alpha, beta = np.full(values, 7, dtype), np.full((batch, n), 7, dtype)
        s, t, q, z = results
        assert helpers("qz", dtype, batch, n, sort, 0, a, b, s, t, alpha, beta, q, z) == 0
        assert_same(np.asarray(q @ s @ turned(z).conj()), a, loose)
        assert_same(np.asarray(q @ t @ turned(z).conj()), b, loose)
    nan = np.full_like(a, np.nan)
    assert helpers("schur", dtype, batch, n, 0, 0, nan, t, z) == 0
    assert np.isnan(t).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_tridiagonal(helpers: Helpers, dtype: str) -> None:
    for n in (1, 2, 7):
        below, d, above, b = (some(dtype, 2, k) for k in (n - 1, n, n - 1, 2 * n))
        b = b.reshape(2, n, 2)
        lengths = (n - 1, n, n - 1, max(n - 2, 0))
        factors = [np.full((2, k), 7, dtype) for k in lengths]
        rows, x = np.full((2, n), 7, "int64"), np.full_like(b, 7)
        helpers("tridiagonal_lu", dtype, 2, n, below, d, above, *factors, rows)
        whole = np.stack([np.diag(below[k], -1) + np.diag(d[k]) + np.diag(above[k], 1)
                          for k in range(2)])  # fmt: skip
        for trans, matrix in enumerate((whole, turned(whole), turned(whole).conj())):
            helpers("tridiagonal_solve", dtype, 2, n, 2, trans, *factors, rows, b, x)
            assert_same(np.asarray(matrix @ x), b, LOOSE[dtype] * 10)


@pytest.mark.parametrize("dtype", DTYPES)
def test_eig(helpers: Helpers, dtype: str) -> None:
    a = definite(dtype, 2, 4, 4) if dtype[0] == "f" else some(dtype, 2, 4, 4)
    w, v = np.full((2, 4), 7, dtype), np.full_like(a, 7)
    assert helpers("eig", dtype, 2, 4, 1, a, w, v) == 0
    assert_same(a @ v, v * w[:, None, :], LOOSE[dtype] * 10)
    assert_same(np.linalg.norm(v, axis=1), np.ones((2, 4), a.real.dtype), LOOSE[dtype])
    alone = np.full_like(w, 7)
    assert helpers("eig", dtype, 2, 4, 0, a, alone, None) == 0
    assert_same(np.sort(alone), np.sort(w), LOOSE[dtype] * 10)
    turn = np.array([[0, -1], [1, 0]], dtype)
    status = helpers("eig", dtype, 1, 2, 1, turn, np.empty(2, dtype), np.empty((2, 2), dtype))
    assert status == (-1 if dtype[0] == "f" else 0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 3), (3, 3), (2, 4), (12, 20), (0, 2), (2, 0)])
def test_lstsq(helpers: Helpers, dtype: str, shape: tuple[int, int]) -> None:
    m, n = shape
    a, b = some(dtype, m, n), some(dtype, m, 2)
    wanted = np.linalg.lstsq(a, b)
    x, s = np.full((n, 2), 7, dtype), np.full(min(m, n), 7, a.real.dtype)
    rank = np.full((), 7, "int64")
    rcond = float(np.finfo(dtype).eps * max(m, n))
    assert helpers("lstsq", dtype, m, n, 2, rcond, a, b, x, rank, s) == 0
    assert_same(x, wanted[0], LOOSE[dtype] * 100)
    assert rank == wanted[2]
    assert_same(s, wanted[3], LOOSE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_has_no_answer(helpers: Helpers, dtype: str) -> None:
    good = np.eye(3, dtype=dtype)
    singular = np.stack([good, np.ones((3, 3), dtype), good])
    indefinite, nan = np.stack([good, -good]), np.stack([good, np.full_like(good, np.nan)])
    out, b = np.empty_like(singular), np.ones((3, 3, 1), dtype)
    x = np.empty_like(b)
    triangle = np.stack([good, np.tril(singular[1]) - good])
    failing: list[tuple[Callable[[], int], int]] = [
        (lambda: helpers("inverse", dtype, 3, 3, singular, out), 3),
        (lambda: helpers("solve", dtype, 3, 3, 1, 0, singular, b, x), 3),
        (lambda: helpers("solve_symmetric", dtype, 1, 3, 1, 1, 0 * good, b, x), 2),
        # Matrix 1, place 0 of 3.
        (lambda: helpers("solve_triangular", dtype, 2, 3, 1, 1, 0, 0, triangle, b, x), 5),
        (lambda: helpers("cholesky", dtype, 2, 3, 1, 0, indefinite, out), 3),
        (lambda: helpers("cholesky", dtype, 2, 3, 1, 0, nan, out), 3),
    ]
    for call, status in failing:
        assert call() == status
    triangle[1] = np.diag(np.array([1, 1, 0], dtype))
    assert helpers("solve_triangular", dtype, 2, 3, 1, 1, 0, 0, triangle, b, x) == 7
    for given in (indefinite, nan):
        factor = np.empty_like(given)
        assert helpers("cholesky", dtype, 2, 3, 1, 1, given, factor) == 0
        assert_same(factor, np.stack([good, np.full_like(good, np.nan)]))
    s, w = np.empty((2, 3), good.real.dtype), np.empty((2, 3), dtype)
    assert helpers("svd", dtype, 2, 3, 3, 1, nan, out[:2], s, out[:2].copy()) == 3
    assert helpers("eig", dtype, 2, 3, 0, nan, w, None) == 3
    det = np.empty(2, dtype)
    assert helpers("det", dtype, 2, 3, nan, det) == 0
    assert np.isnan(det).tolist() == [False, True]


@pytest.mark.parametrize("dtype", DTYPES)
def test_nan_stays_in_its_matrix(helpers: Helpers, dtype: str) -> None:
    a = np.stack([definite(dtype, 3, 3)] * 2)
    a[1, 0, 0] = np.nan
    out, b, x = np.empty_like(a), np.ones((2, 3, 1), dtype), np.empty((2, 3, 1), dtype)
    w, r = np.empty((2, 3), a.real.dtype), np.empty_like(a)
    assert helpers("inverse", dtype, 2, 3, a, out) == 0
    assert helpers("solve", dtype, 2, 3, 1, 0, a, b, x) == 0
    results = [out, x]
    v, q = np.empty_like(a), np.empty_like(a)
    assert helpers("eigh", dtype, 2, 3, 1, 1, a, w, v) == 0
    assert helpers("qr", dtype, 2, 3, 3, 3, a, q, r) == 0
    results += [w, v, q, r]
    for result in results:
        assert np.isfinite(result[0]).all()
        assert np.isnan(result[1]).all()


def with_few_rows(dtype: str, n: int) -> Iterator[Array]:
    """Yield regular matrices; of two, rows must be exchanged, and one is badly scaled."""
    a = some(dtype, n, n) + 2 * np.eye(n, dtype=dtype)
    yield a
    yield a[::-1].copy()
    zeros = np.triu(a)[:, ::-1].copy()
    zeros[np.arange(n), np.arange(n)[::-1]] += 1
    yield zeros
    yield a * np.logspace(-3, 3, n)[:, None].astype(dtype)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 9])
@pytest.mark.parametrize("dtype", LETTERS)
def test_few_rows(helpers: Helpers, dtype: str, n: int) -> None:
    """Real matrices of up to eight rows are not LAPACK's."""
    for a in with_few_rows(dtype, n):
        inverse = np.empty_like(a)
        assert helpers("inverse", dtype, 1, n, a, inverse) == 0
        scale = np.linalg.cond(a) * np.finfo(dtype).eps * 20
        np.testing.assert_allclose(a @ inverse, np.eye(n), atol=scale, rtol=0)
        for k in (1, 3):
            b = some(dtype, n, k)
            for transposed, given in ((0, a), (1, turned(a))):
                x = np.empty_like(b)
                assert helpers("solve", dtype, 1, n, k, transposed, given, b, x) == 0
                wanted = np.linalg.solve(a, b)
                np.testing.assert_allclose(x, wanted, rtol=scale, atol=scale * abs(wanted).max())


@pytest.mark.parametrize("dtype", LETTERS)
def test_singular_matrices_of_few_rows(helpers: Helpers, dtype: str) -> None:
    n = 5
    regular = some(dtype, n, n)
    without_a_column = regular.copy()
    without_a_column[:, 2] = 0
    unknown = regular.copy()
    unknown[1, 3] = np.nan
    batch = np.stack([unknown, regular, without_a_column, regular])
    inverse, x = np.zeros_like(batch), np.zeros((4, n, 1), dtype)
    assert helpers("inverse", dtype, 4, n, batch, inverse) == 4
    assert helpers("solve", dtype, 4, n, 1, 0, batch, some(dtype, 4, n, 1), x) == 4
    assert np.isnan(inverse[0]).all()
    assert np.isnan(x[0]).all()
    np.testing.assert_allclose(regular @ inverse[1], np.eye(n), atol=LOOSE[dtype] * 100)
