"""Decompositions and systems by libraries of the device, which stubs compute, against NumPy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad, shared
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.dataclass import replace
from symtheano.errors import DeviceError
from symtheano.loopir import Call, LibraryCall
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent
from tests.support.devices import on_cuda

pytestmark = pytest.mark.needs_cxx
linalg = T.linalg


@pytest.fixture
def cusolver(device_library: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    """Let programs call a cuSOLVER and a cuBLAS of ours."""
    library = device_library("cusolver")
    library.cublas = device_library("cublas")
    return library


def positive(n: int, count: int) -> np.ndarray[Any, Any]:
    """Return positive definite matrices."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=(count, n, n))
    return x @ x.swapaxes(-1, -2) + np.eye(n)


def test_values(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each routine, triangle and layout, for batches and single matrices of some lengths."""
    A, B = T.dtensor3("A"), T.dtensor3("B")
    a, b = T.fmatrix("a"), T.fvector("b")
    outputs = [
        linalg.cholesky(A), linalg.cholesky(A, lower=False), linalg.cholesky(A, on_error="nan"),
        linalg.inv(A), linalg.solve(A, B), linalg.solve(A.dimshuffle(0, 2, 1), B),
        linalg.solve(A, B, A_structure="symmetric"),
        linalg.solve_triangular(A, B, lower=True), linalg.solve_triangular(A, B),
        linalg.solve_triangular(A, B, trans=1), linalg.solve_triangular(A, B, unit_diagonal=True),
        linalg.eigvalsh(A), linalg.inv(a), linalg.solve(a, b), linalg.solve_triangular(a, b),
        linalg.cholesky(a),
    ]  # fmt: skip
    w, v = linalg.eigh(A)
    outputs += [(v * w.dimshuffle(0, "x", 1)) @ v.dimshuffle(0, 2, 1), w]
    f = on_cuda([A, B, a, b], outputs, monkeypatch)
    its = np.linalg
    for n, k, count in ((5, 3, 2), (1, 1, 3), (0, 2, 2), (4, 0, 2), (3, 1, 1), (5, 3, 1)):
        x, y = positive(n, count), np.random.default_rng(k).normal(size=(count, n, k))
        turned = x.copy()
        turned[:, :, :1] *= 1.01  # not symmetric: only triangles are read
        m, u = positive(n, 1)[0].astype("float32"), np.ones(n, "float32")
        L, U = np.tril(turned), np.triu(turned)
        unit = U - U * np.eye(n) + np.eye(n)
        lower = L + np.tril(turned, -1).swapaxes(-1, -2)
        upper = U + np.triu(turned, 1).swapaxes(-1, -2)
        wanted = [
            its.cholesky(lower), its.cholesky(upper).swapaxes(-1, -2), its.cholesky(lower),
            its.inv(turned), its.solve(turned, y), its.solve(turned.swapaxes(-1, -2), y),
            its.solve(upper, y), its.solve(L, y), its.solve(U, y),
            its.solve(U.swapaxes(-1, -2), y), its.solve(unit, y), its.eigvalsh(lower), its.inv(m),
            its.solve(m, u), its.solve(np.triu(m), u), its.cholesky(m), lower, its.eigvalsh(lower),
        ]  # fmt: skip
        for number, (mine, theirs) in enumerate(zip(f(turned, y, m, u), wanted, strict=True)):
            tolerance = 1e-3 if mine.dtype == "float32" else 1e-8
            np.testing.assert_allclose(mine, theirs, tolerance, tolerance, err_msg=f"{number}")
    assert cusolver.stub_decompositions() > 30
    assert cusolver.stub_batches() == 9
    assert cusolver.cublas.stub_batches() > 10


def test_long_and_wide_matrices(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """QR and singular values, with some or all vectors; determinants."""
    A, a, S = T.dtensor3("A"), T.fmatrix("a"), T.dtensor3("S")
    reduced, complete = linalg.qr(A), linalg.qr(A, mode="complete")
    thin, full = linalg.svd(A, full_matrices=False), linalg.svd(a)
    outputs = [
        *reduced, *complete, linalg.qr(A, mode="r"), *linalg.qr(a), *thin, *full,
        linalg.svd(A, compute_uv=False), *linalg.slogdet(S),
    ]  # fmt: skip
    f = on_cuda([A, a, S], outputs, monkeypatch)
    rng = np.random.default_rng(0)

    def eye(x: Any) -> Any:
        return x.swapaxes(-1, -2) @ x

    for m, n in ((5, 3), (3, 5), (1, 4), (4, 1), (3, 3), (0, 2), (2, 0)):
        x, y = rng.normal(size=(2, m, n)), rng.normal(size=(m, n)).astype("float32")
        z, k = rng.normal(size=(2, m, m)), min(m, n)
        z[0] -= z[0] * (m > 1)  # without an inverse
        q, r, Q, R, alone, p, t, u, s, v, U, sigma, V, only, sign, size = f(x, y, z)
        for left, right, whole in ((q, r, x), (Q, R, x), (p, t, y)):
            np.testing.assert_allclose(left @ right, whole, 1e-4, 1e-5)
            np.testing.assert_allclose(eye(left), eye(left) * 0 + np.eye(left.shape[-1]), 0, 1e-5)
            np.testing.assert_allclose(right, np.triu(right))
        np.testing.assert_allclose(alone, r, 1e-9, 1e-9)
        assert (q.shape, Q.shape, u.shape, U.shape) == ((2, m, k), (2, m, m), (2, m, k), (m, m))
        np.testing.assert_allclose((u * s[:, None]) @ v, x, 1e-9, 1e-9)
        np.testing.assert_allclose((U[:, :k] * sigma) @ V[:k], y, 1e-4, 1e-5)
        for vectors in (u, v.swapaxes(-1, -2), U, V.T):
            ones = np.broadcast_to(np.eye(vectors.shape[-1]), eye(vectors).shape)
            np.testing.assert_allclose(eye(vectors), ones, 0, 1e-5)
        np.testing.assert_allclose(only, np.linalg.svd(x, compute_uv=False), 1e-9, 1e-9)
        wanted = np.linalg.slogdet(z)
        np.testing.assert_allclose(sign, wanted[0], 1e-9)
        np.testing.assert_allclose(size, wanted[1], 1e-9)
    x[:] = np.eye(*x.shape[1:])
    square = np.stack([np.eye(3)] * 2)
    bad = square.copy()
    bad[1, 0, 0] = np.inf
    with pytest.raises(np.linalg.LinAlgError, match=r"NaN or infinities \(matrix 1 of the batch"):
        f(bad, y, square)
    monkeypatch.setenv("STUB_DIVERGES", "1")
    with pytest.raises(np.linalg.LinAlgError, match="the singular values were not found"):
        f(square, square[0].astype("float32"), square)
    monkeypatch.delenv("STUB_DIVERGES")
    g = on_cuda([A], [*reduced, *linalg.slogdet(A)], monkeypatch)
    for result in g(bad):
        assert np.isfinite(result[0]).all()
        assert np.isnan(result[1]).all()


def test_complex_numbers(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each routine has the CPU's results, or factors whose product is the matrix."""
    A, B, c = T.ztensor3("A"), T.ztensor3("B"), T.cmatrix("c")
    H = A @ A.dimshuffle(0, 2, 1).conj() + T.eye(A.shape[1])
    w, v = linalg.eigh(H)
    u, s, vh = linalg.svd(B, full_matrices=False)
    full, sigma, right = linalg.svd(c)
    q, r = linalg.qr(B)
    outputs = [
        linalg.cholesky(H), linalg.cholesky(H, lower=False), linalg.inv(A), linalg.solve(A, B),
        linalg.solve(A.dimshuffle(0, 2, 1), B), linalg.solve(H, B, A_structure="symmetric"),
        linalg.solve_triangular(A, B, lower=True), linalg.solve_triangular(A, B, trans=1),
        *linalg.slogdet(A), linalg.eigvalsh(H), *linalg.lu(B), w, s, sigma, T.abs(r),
    ]  # fmt: skip
    made = [
        (v * w.dimshuffle(0, "x", 1)) @ v.dimshuffle(0, 2, 1).conj(),
        (u * s.dimshuffle(0, "x", 1)) @ vh,
        q @ r,
        (full[:, : sigma.shape[0]] * sigma) @ right[: sigma.shape[0]],
    ]
    outputs += [linalg.det(A), linalg.pinv(B), linalg.pinv(H, hermitian=True)]
    outputs += [*linalg.lstsq(c, c * 2)[:1], *linalg.lstsq(c, c)[2:]]
    outputs.append(linalg.det(A * 1e100))  # fmt: skip
    f = on_cuda([A, B, c], [*outputs, *made], monkeypatch)
    its = function([A, B, c], outputs, mode="INTERPRET")
    rng = np.random.default_rng(0)

    def drawn(*shape: int) -> np.ndarray[Any, Any]:
        return rng.normal(size=shape) + 1j * rng.normal(size=shape)

    for n, k, count in ((4, 3, 2), (1, 2, 1), (0, 2, 2), (3, 5, 1)):
        x, y, z = drawn(count, n, n), drawn(count, n, k), drawn(n, k).astype("complex64")
        results, wanted = f(x, y, z), its(x, y, z)
        wanted += [x @ x.swapaxes(1, 2).conj() + np.eye(n), y, y, z]
        for number, (mine, theirs) in enumerate(zip(results, wanted, strict=True)):
            tolerance = 1e-4 if mine.dtype in ("complex64", "float32") else 1e-8
            np.testing.assert_allclose(mine, theirs, tolerance, tolerance, err_msg=f"{number}")
    assert cusolver.stub_decompositions() > 20
    g = on_cuda([A], [linalg.inv(A), *linalg.qr(A)], monkeypatch)
    bad = drawn(2, 3, 3)
    bad[1, 0, 0] = complex(0, np.inf)
    for result in g(bad):
        assert np.isfinite(result[0]).all()
        assert np.isnan(result[1]).all()
    with pytest.raises(np.linalg.LinAlgError, match=r"matrix 0 of the batch"):
        g(np.zeros((1, 2, 2), "complex128"))


def test_what_is_made_of_factors(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Determinants, also of large and small numbers, triangles and permutations, pseudoinverses."""
    A, S = T.dtensor3("A"), T.dtensor3("S")
    a, b, r = T.fmatrix("a"), T.fmatrix("b"), T.fscalar("r")
    x, _, rank, s = linalg.lstsq(a, b, rcond=r)
    triangles = linalg.lu(A)
    outputs = [
        linalg.det(S), linalg.pinv(A, 1e-9), linalg.pinv(S, 1e-9, hermitian=True),
        *triangles, x, rank, s, linalg.lstsq(a, b, rcond=-1.0)[0],
    ]  # fmt: skip
    f = on_cuda([A, S, a, b, r], outputs, monkeypatch)
    its = function([A, S, a, b, r], outputs, mode="INTERPRET")
    rng = np.random.default_rng(0)
    for m, n in ((5, 3), (3, 5), (1, 4), (4, 1), (3, 3), (0, 2), (2, 0)):
        matrices, right = rng.normal(size=(3, m, n)), rng.normal(size=(m, 2)).astype("float32")
        square = rng.normal(size=(2, m, m))
        square[0] *= 1e-200
        square[1] += square[1].T.copy()
        square[0] += square[0].T.copy()
        matrices[1, :, : min(1, n)] = 0  # less than the full rank
        given = [matrices, square, matrices[1].astype("float32"), right, np.float32(1e-5)]
        calls = cusolver.stub_decompositions()
        for number, (mine, theirs) in enumerate(zip(f(*given), its(*given), strict=True)):
            least = 1e-9 * np.abs(theirs).max(initial=0)
            tolerance = (2e-3, 2e-4) if mine.dtype == "float32" else (1e-8, least)
            np.testing.assert_allclose(mine, theirs, *tolerance, err_msg=f"{number} of {m, n}")
        assert m * n == 0 or cusolver.stub_decompositions() > calls
    large = np.diag([1e200, 1e200, 1e-300, -1e-90]) * np.ones((2, 1, 1))
    large[1, 0, 0] = np.nan
    result = on_cuda([S], linalg.det(S), monkeypatch)(large)
    np.testing.assert_allclose(result, [-1e10, np.nan], 1e-12)
    g = on_cuda([A], linalg.lu(A), monkeypatch)
    for mine, theirs in zip(
        g(large), function([A], linalg.lu(A), mode="INTERPRET")(large), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)
    for make in (linalg.pinv, lambda y: linalg.lstsq(y[1], y[1])[0]):
        h = on_cuda([A], make(A), monkeypatch)
        with pytest.raises(np.linalg.LinAlgError, match="NaN or infinities"):
            h(large)
        monkeypatch.setenv("STUB_DIVERGES", "1")
        with pytest.raises(np.linalg.LinAlgError, match="were not found"):
            h(np.ones((2, 3, 3)))
        monkeypatch.delenv("STUB_DIVERGES")


def test_gradients_of_determinants(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cofactors and their derivatives, also of singular and of complex matrices, and errors."""
    A, D, c, d = T.dtensor3("A"), T.dtensor3("D"), T.cmatrix("c"), T.cmatrix("d")
    slopes, complex_ones = grad(linalg.det(A).sum(), A), Cofactors()(c)
    outputs = [slopes, complex_ones, grad((slopes * D).sum(), A), CofactorsTangent()(c, d)]
    f = on_cuda([A, D, c, d], outputs, monkeypatch)
    its = function([A, D, c, d], outputs, mode="INTERPRET")
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 5):
        matrices, other = rng.normal(size=(4, n, n)), rng.normal(size=(n, n))
        matrices[1, :, : n // 2] = 0
        matrices[2, : min(n, 1)] = 1e-12 * matrices[2, -1:]
        matrices[3, :, :1] = np.nan
        other = (other + 1j * rng.normal(size=(n, n))).astype("complex64")
        given = (matrices, rng.normal(size=(4, n, n)), other, other[::-1].copy())
        for mine, theirs in zip(f(*given), its(*given), strict=True):
            tolerance = 1e-4 if mine.dtype == "complex64" else 1e-9
            np.testing.assert_allclose(mine, theirs, tolerance, tolerance)
    assert cusolver.stub_decompositions() > 0
    monkeypatch.setenv("STUB_DIVERGES", "1")
    with pytest.raises(np.linalg.LinAlgError, match="the singular values were not found"):
        f(*[np.ones((1, 2, 2))] * 2, *[np.ones((2, 2), "complex64")] * 2)


def test_matrices_that_are_not_symmetric(
    cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eigenvalues and vectors, of real and of complex numbers, and errors."""
    A, c = T.dtensor3("A"), T.cmatrix("c")
    f = on_cuda([A, c], [*linalg.eig(A), *linalg.eig(c)], monkeypatch)
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 5):
        vectors, values = rng.normal(size=(3, n, n)), rng.normal(size=(3, 1, n))
        real = vectors * values @ np.linalg.inv(vectors)
        other = (rng.normal(size=(n, n)) + 1j * rng.normal(size=(n, n))).astype("complex64")
        w, v, z, y = f(real, other)
        np.testing.assert_allclose(np.sort(w), np.sort(values[:, 0]), 1e-8)
        np.testing.assert_allclose(real @ v, v * w[:, None], 1e-8, 1e-8)
        np.testing.assert_allclose(np.sort(z), np.sort(np.linalg.eigvals(other)), 1e-4, 1e-4)
        np.testing.assert_allclose(other @ y, y * z, 1e-4, 1e-4)
        for found in (v, y):
            np.testing.assert_allclose(np.linalg.norm(found, axis=-2), 1, 1e-5)
    assert cusolver.stub_decompositions() > 0
    only = on_cuda([c], linalg.eigvals(c), monkeypatch)(other)
    np.testing.assert_allclose(np.sort(only), np.sort(z), 1e-4)
    turn, good = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(2)
    for bad, message in (
        ([good, turn, good], "eigenvalues that are not real"),
        ([turn, good * np.nan, good], r"NaN or infinities \(matrix 1 of the batch\)"),
    ):
        with pytest.raises(np.linalg.LinAlgError, match=message):
            f(np.stack(bad), other)
    monkeypatch.setenv("STUB_DIVERGES", "1")
    with pytest.raises(np.linalg.LinAlgError, match="the eigenvalues were not found"):
        f(np.stack([good]), other)


def test_matrices_without_a_result(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors are those of the CPU, with the user's line; NaN gives NaN; nothing is updated."""
    A, b, state = T.dtensor3("A"), T.dmatrix("b"), shared(np.zeros(3), "state")
    kinds: dict[str, Callable[[Any], Any]] = {
        "cholesky": linalg.cholesky,
        "inverse": linalg.inv,
        "solve": lambda x: linalg.solve(x, x),
        "triangular": lambda x: linalg.solve_triangular(x, b),
        "eigh": lambda x: linalg.eigh(x)[1],
    }
    good, bad = np.stack([np.eye(3)] * 3), np.stack([np.eye(3)] * 3)
    bad[1, 1, 1] = 0
    right = np.ones((3, 3))
    for name, make in kinds.items():
        updates = [(state, state + A[0, 0])]
        f = on_cuda([A, b], make(A), monkeypatch, updates=updates, on_unused_input="ignore")
        before = state.get_value()
        if name == "eigh":
            monkeypatch.setenv("STUB_DIVERGES", "1")
        with pytest.raises(np.linalg.LinAlgError) as failure:
            f(bad, right)
        monkeypatch.delenv("STUB_DIVERGES", raising=False)
        assert "test_decompositions.py" in str(failure.value)
        assert ("(matrix 1 of the batch)" in str(failure.value)) == (name != "eigh")
        assert name != "triangular" or "its diagonal is zero at 1" in str(failure.value)
        np.testing.assert_array_equal(state.get_value(), before)
        assert np.isfinite(f(good, right)).all()
        nan = good.copy()
        nan[2, 2, 2] = np.nan
        if name in ("inverse", "solve", "eigh"):
            result = f(nan, right)
            assert np.isfinite(result[:2]).all()
            assert np.isnan(result[2]).all()
        if name == "cholesky":
            with pytest.raises(np.linalg.LinAlgError, match=r"matrix 2 of the batch"):
                f(nan, right)
    f = on_cuda([A], linalg.cholesky(A, on_error="nan"), monkeypatch)
    result = f(bad)
    np.testing.assert_array_equal(result[[0, 2]], good[[0, 2]])
    assert np.isnan(result[1]).all()


def test_what_the_library_refuses(cusolver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    A = T.dmatrix("A")
    f = on_cuda([A], linalg.inv(A), monkeypatch)
    for refusal in ("Getrf", "Getrs", "GetrfSize", "SetStream"):
        monkeypatch.setenv("STUB_CUSOLVER_FAIL", f"{refusal} 6")
        with pytest.raises(DeviceError, match=rf"decomposition: {refusal} \(cuSOLVER error 6\)"):
            f(np.eye(2))
        monkeypatch.delenv("STUB_CUSOLVER_FAIL")
        np.testing.assert_array_equal(f(2 * np.eye(2)), np.eye(2) / 2)


def test_what_stays_on_the_host() -> None:
    """Routines that are not the libraries', and all of them without libraries."""
    z, a = T.zmatrix("z"), T.dmatrix("a")
    with config.change_flags(mode="INTERPRET"):
        f = function([z, a], [linalg.eig(z)[0], linalg.eig(T.exp(a))[0], linalg.pinv(a)])
    for libraries, left in (
        (["cublas", "cusolver", "geev"], 0),
        (["cublas", "cusolver"], 2),
        ([], 3),
    ):
        there = replace(CUDA, device=replace(CUDA.device, libraries=frozenset(libraries)))
        program = lower(f.stages.final, target=there).program
        statements = [*program.statements()]
        names = {s.routine.name for s in statements if isinstance(s, Call)}
        assert names == set([[], ["eig"], ["eig"], ["eig", "pinv"]][left])
        assert sum(isinstance(s, Call) for s in statements) == left
        assert any(isinstance(s, LibraryCall) for s in statements) == bool(libraries)
