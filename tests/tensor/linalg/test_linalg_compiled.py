"""Factorizations in generated code: nothing calls Python; results and errors of the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.runtime.blas import find_blas
from symtheano.function import Function
from symtheano.tensor.linalg.cholesky import cho_solve, cholesky
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent, det, slogdet
from symtheano.tensor.linalg.eigen import eig, eigh, eigvals, eigvalsh
from symtheano.tensor.linalg.inverse import matrix_inverse, pinv
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.lu import lu
from symtheano.tensor.linalg.matrices import DIVERGED, NOT_REAL
from symtheano.tensor.linalg.qr import qr
from symtheano.tensor.linalg.solve import solve, solve_symmetric, solve_triangular
from symtheano.tensor.linalg.svd import SVD, svd
from tests.support.arrays import random_array
from tests.support.compare import check, compare_call, oracle
from tests.support.layouts import layouts
from tests.tensor.linalg.matrices import DTYPES

pytestmark = pytest.mark.needs_cc


KIND = "compiled linear algebra"


LOOSE = {"float32": 3e-3, "complex64": 3e-3, "float64": 1e-9, "complex128": 1e-9}


LinAlgError = np.linalg.LinAlgError


def some(dtype: str, *shape: int) -> Any:
    return random_array(np.random.default_rng(5), dtype, shape)


def definite(dtype: str, *shape: int) -> Any:
    a = some(dtype, *shape)
    return np.asarray(a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(shape[-1]), dtype)


def runs_in_c(f: Function) -> bool:
    return "runtime->python(" not in str(f.c_source)


@pytest.mark.parametrize("dtype", DTYPES)
def test_square_matrices(dtype: str) -> None:
    x, y = T.tensor3("x", dtype), T.tensor3("y", dtype)
    w, v = eigh(x, "U")
    flat = T.switch(T.eq(T.arange(x.shape[1]), 1).dimshuffle("x", "x", 0), x[:, :, :1], x)
    outputs = [
        cholesky(x), cholesky(x, lower=False), matrix_inverse(x), det(x / 99), *slogdet(x),
        solve(x, y), solve_symmetric(x, y), solve_triangular(x, y, lower=True),
        solve_triangular(x / 99, y, "C", unit_diagonal=True), w, abs(v), eigvalsh(x),
        Cofactors()(x / 99), Cofactors()(flat / 99), CofactorsTangent()(flat / 99, x / 9),
        pinv(x, hermitian=True), cho_solve((cholesky(x), True), y), eigvals(x).sum(axis=1),
        cholesky(-x, on_error="nan"),
    ]  # fmt: skip
    calls = []
    for batch, n, k in ((3, 4, 2), (1, 1, 1), (2, 0, 3), (0, 3, 2), (2, 3, 0), (1, 40, 3)):
        calls.append([definite(dtype, batch, n, n), some(dtype, batch, n, k)])
    f = check([x, y], outputs, calls, kind=KIND, tolerance=LOOSE[dtype])
    assert runs_in_c(f)


@pytest.mark.parametrize("dtype", DTYPES)
def test_matrices_of_any_shape(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    thin, full, (q, r), (whole, tall) = svd(x, False), svd(x), qr(x), qr(x, "complete")
    outputs = [
        *lu(x), *lu(x * 0 + 1), pinv(x), pinv(x * 0 + 1, 0.1), pinv(x, 0.3),
        svd(x, compute_uv=False), thin[1], full[1], abs(thin[0]), abs(thin[2]), full[0].shape,
        T.batched_dot(q, r), T.batched_dot(whole, tall), abs(r), abs(qr(x, "r")),
        T.batched_dot(thin[0] * thin[1].dimshuffle(0, "x", 1), thin[2]),
    ]  # fmt: skip
    calls = [[some(dtype, *s)] for s in ((3, 4, 2), (2, 2, 5), (1, 1, 1), (0, 2, 3), (2, 35, 20))]
    f = check([x], outputs, calls, kind=KIND, tolerance=LOOSE[dtype])
    assert runs_in_c(f)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_matrices_without_items(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    every = [*svd(x, False), *svd(x), *qr(x), *qr(x, "complete"), *lu(x), pinv(x)]
    empty, wanted = function([x], every), oracle([x], every)
    for shape in ((2, 0, 3), (2, 3, 0)):
        compare_call(empty, wanted, [some(dtype, *shape)], kind=KIND)


@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares(dtype: str) -> None:
    x, y = T.matrix("x", dtype), T.matrix("y", dtype)
    found = [*lstsq(x, y), *lstsq(x, y, 0.3)]
    calls = [
        [some(dtype, m, n), some(dtype, m, k)]
        for m, n, k in ((5, 3, 2), (2, 4, 1), (3, 3, 0), (1, 1, 1), (30, 4, 2))
    ]
    low = np.ones((4, 3), dtype)
    f = check([x, y], found, [*calls, [low, low]], kind=KIND, tolerance=LOOSE[dtype])
    assert runs_in_c(f)


def test_any_matrices_have_eigenvectors() -> None:
    x, z = T.matrix("x", "float64"), T.matrix("z", "complex128")
    (w, v), (wz, vz) = eig(x), eig(z)
    f = function([x, z], [T.dot(x, v) - v * w, T.dot(z, vz) - vz * wz, abs(vz).sum(axis=0)])
    assert runs_in_c(f)
    a, turn = definite("float64", 4, 4), np.array([[0, 1], [-1, 0]], "complex128")
    real, rest, _ = f(a, turn)
    assert abs(real).max() < 1e-10
    assert abs(rest).max() < 1e-14
    with pytest.raises(LinAlgError, match="eigenvalues that are not real") as caught:
        f(turn.real, turn)
    assert "hint: cast the matrix to complex128" in str(caught.value)


def test_arrays_in_any_layout() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    outputs = [cholesky(x), solve(x.T, y[::-1]), det(x), svd(x[:, ::2], False)[1], cholesky(x.T)]
    f, g = function([x, y], outputs), oracle([x, y], outputs)
    assert runs_in_c(f)
    a, b = definite("float64", 4, 4), some("float64", 4, 3)
    for (_, first), (_, second) in zip(layouts(a), layouts(b), strict=True):
        compare_call(f, g, [first, second], kind=KIND, tolerance=1e-10)


def batch_with(bad: Any) -> Any:
    """Return three matrices of which the second one is ``bad``."""
    return np.stack([np.eye(len(bad)), bad, np.eye(len(bad))])


WITHOUT_ANSWER: dict[str, tuple[Callable[[Any], Any], Any, str]] = {
    "cholesky": (cholesky, -np.eye(2), "not positive definite"),
    "cholesky of NaN": (cholesky, np.full((2, 2), np.nan), "not positive definite"),
    "inverse": (matrix_inverse, np.ones((2, 2)), "the matrix is singular"),
    "solve": (lambda x: solve(x, x), np.ones((2, 2)), "the matrix is singular"),
    "symmetric": (lambda x: solve_symmetric(x, x), np.zeros((2, 2)), "the matrix is singular"),
    "triangular": (
        lambda x: solve_triangular(x, x, lower=True),
        np.diag([1.0, 2.0, 0.0]),
        "diagonal is zero at 2",
    ),
    "svd": (lambda x: svd(x)[1], np.full((2, 2), np.nan), "NaN or infinities"),
    "pinv": (pinv, np.full((2, 2), np.nan), "NaN or infinities"),
    "Hermitian pinv": (
        lambda x: pinv(x, hermitian=True),
        np.full((2, 2), np.inf),
        "NaN or infinities",
    ),
    "eig": (eigvals, np.full((2, 2), np.inf), "NaN or infinities"),
}


@pytest.mark.parametrize("name", WITHOUT_ANSWER)
def test_errors_are_the_interpreters(name: str) -> None:
    make, bad, words = WITHOUT_ANSWER[name]
    x = T.matrix("x")
    output = make(x)
    single, plain = function([x], output), oracle([x], output)
    assert runs_in_c(single)
    with pytest.raises(LinAlgError, match=words) as caught:
        single(bad)
    assert "of the batch" not in str(caught.value)
    assert "\n  at " in str(caught.value)
    compare_call(single, plain, [bad], kind=KIND)
    stack = T.tensor3("x")
    output = make(stack)
    several, interpreted = function([stack], output), oracle([stack], output)
    with pytest.raises(LinAlgError, match=rf"{words} \(matrix 1 of the batch\)"):
        several(batch_with(bad))
    compare_call(several, interpreted, [batch_with(bad)], kind=KIND)
    compare_call(several, interpreted, [batch_with(np.eye(len(bad)))], kind=KIND)


def test_a_hermitian_matrix_is_square() -> None:
    x = T.matrix("x")
    output = pinv(x, hermitian=True)
    for f in (function([x], output), oracle([x], output)):
        for shape in ((1, 2), (3, 2), (2, 3)):
            with pytest.raises(LinAlgError, match="square matrices, but this one is"):
                f(np.ones(shape, x.dtype))


def test_what_does_not_converge_is_told() -> None:
    a = T.matrix("a")
    for output, status, words in (
        (svd(a)[1], DIVERGED, "svd: the singular values were not found"),
        (eigh(a)[0], DIVERGED, "eigh: the eigenvalues were not found"),
        (eig(a)[0], DIVERGED, "eig: the eigenvalues were not found"),
        (lstsq(a, a)[0], DIVERGED, "lstsq: the singular values were not found"),
        (eig(a)[0], NOT_REAL, "eig: this real matrix has eigenvalues that are not real"),
    ):
        assert str(output.owner.op.fail(output.owner, status)).startswith(words)
    assert SVD().trouble(2, 0) == ("the matrix holds NaN or infinities", None)


def test_nan_stays_where_it_is() -> None:
    x = T.tensor3("x")
    outputs = [matrix_inverse(x), *eigh(x), solve(x, x), *qr(x), det(x), *slogdet(x)]
    outputs += [Cofactors()(x), *lu(x)]
    outputs += [cholesky(x, on_error="nan"), solve_triangular(x, x)]
    bad = np.array([[np.nan, 1.0], [1.0, 2.0]])
    check([x], outputs, [[batch_with(bad)], [batch_with(np.full((2, 2), np.nan))]], kind=KIND)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_librarys_threads_are_left_as_they_were(threads: int) -> None:
    x = T.matrix("x")
    with config.change_flags(threads=threads):
        f = function([x], [cholesky(x), matrix_inverse(x)])
    library = find_blas()
    before = library.threads()
    for n in (3, 40, 200):
        a = definite("float64", n, n)
        factor, inverse = f(a)
        np.testing.assert_allclose(factor @ factor.T, a, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(inverse @ a, np.eye(n), atol=1e-7)
        with pytest.raises(LinAlgError):
            f(-a)
        assert library.threads() == before


@pytest.mark.parametrize("shape", [(None, 1), (None, 2), (1, None)])
@pytest.mark.parametrize("part", ["Q", "R", "QR"])
def test_gradient_of_qr_of_few_columns(part: str, shape: tuple[int | None, ...]) -> None:
    """The columns beyond a square have a length that is computed, as a copy's leading dimension."""
    x = T.TensorType("float64", shape)("x")
    q, r = qr(x)
    y = {"Q": q, "R": r, "QR": T.dot(q, r)}[part]
    outputs = [y, T.grad(T.sqr(y).sum() + y.sum(), x)]
    compiled = function([x], outputs)
    interpreted = function([x], outputs, mode="INTERPRET")
    for n in (1, 2, 5):
        value = some("float64", *(n if length is None else length for length in shape))
        for got, wanted in zip(compiled(value), interpreted(value), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-12)
