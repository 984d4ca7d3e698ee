"""Derivatives of linear algebra: against finite differences, forward against backward, in C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import NullTypeGradError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.linalg.batched import batched_tensordot
from symtheano.tensor.linalg.cholesky import cho_solve, cholesky
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent, det, slogdet
from symtheano.tensor.linalg.eigen import eig, eigh, eigvals, eigvalsh
from symtheano.tensor.linalg.expm import expm
from symtheano.tensor.linalg.inverse import matrix_inverse, pinv
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.lu import lu
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.norms import cond, norm
from symtheano.tensor.linalg.products import inner, kron, matrix_power, trace, vdot
from symtheano.tensor.linalg.qr import qr
from symtheano.tensor.linalg.solve import (
    solve,
    solve_lower_triangular,
    solve_symmetric,
    solve_triangular,
    solve_upper_triangular,
)
from symtheano.tensor.linalg.svd import svd
from symtheano.tensor.linalg.tensors import tensorinv, tensorsolve
from tests.support.compare import check, count
from tests.tensor.linalg.matrices import Array, random, real

Case = tuple[Callable[..., Any], list[Array]]


def complex_(*shape: int) -> Array:
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def definite(make: Callable[..., Array], *shape: int) -> Array:
    a = make(*shape)
    return np.asarray(a @ a.conj().swapaxes(-1, -2) + 2 * np.eye(shape[-1]))


def apart(n: int) -> Array:
    """Return a real matrix whose eigenvalues are real and differ."""
    return np.diag(2.0 ** np.arange(n)) + 0.1 * real(n, n)


def sizes(*arrays: Any) -> Any:
    """Return what does not change with the phases of vectors."""
    return T.concatenate([(abs(item) ** 2).flatten() for item in arrays])


RANK_1 = np.array([[1.0, 2, 3], [2, 4, 6], [3, 6, 9]])


RANK_2 = np.array([[1.0, 2, 3], [2, 4, 6], [1, 0, 1]])


CASES: dict[str, Case] = {
    "cholesky": (cholesky, [definite(real, 3, 3)]),
    "upper cholesky": (lambda a: cholesky(a, lower=False), [definite(real, 3, 3)]),
    "cholesky of a batch": (cholesky, [definite(real, 2, 3, 3)]),
    "complex cholesky": (cholesky, [definite(complex_, 3, 3)]),
    "complex upper cholesky": (lambda a: cholesky(a, lower=False), [definite(complex_, 3, 3)]),
    "solve": (solve, [real(3, 3), real(3, 2)]),
    "solve for a vector": (solve, [real(3, 3), real(3)]),
    "solve in batches": (solve, [real(3, 3), real(2, 3, 2)]),
    "complex solve": (solve, [complex_(3, 3), complex_(3, 2)]),
    "symmetric solve": (solve_symmetric, [real(3, 3), real(3, 2)]),
    "complex symmetric solve": (
        lambda a, b: solve(a, b, "symmetric", lower=True),
        [complex_(3, 3), complex_(3, 2)],
    ),
    "lower": (solve_lower_triangular, [real(3, 3) + 2 * np.eye(3), real(3, 2)]),
    "complex upper": (solve_upper_triangular, [complex_(3, 3) + 2 * np.eye(3), complex_(3)]),
    "unit triangle": (
        lambda a, b: solve_triangular(a, b, "C", lower=True, unit_diagonal=True),
        [complex_(3, 3), complex_(3, 2)],
    ),
    "real unit triangle": (
        lambda a, b: solve_triangular(a, b, unit_diagonal=True),
        [real(3, 3), real(3, 2)],
    ),
    "cho_solve": (lambda a, b: cho_solve((cholesky(a), True), b), [definite(real, 3, 3), real(3)]),
    "inverse": (matrix_inverse, [real(2, 3, 3)]),
    "complex inverse": (matrix_inverse, [complex_(3, 3)]),
    "pinv, tall": (pinv, [real(3, 2)]),
    "complex pinv, wide": (pinv, [complex_(2, 3)]),
    "det": (det, [real(2, 3, 3)]),
    "complex det": (det, [complex_(3, 3)]),
    "det at rank 2": (det, [RANK_2]),
    "det at rank 1": (det, [RANK_1]),
    "cofactors": (lambda a: Cofactors()(a), [real(3, 3)]),
    "complex cofactors": (lambda a: Cofactors()(a), [complex_(3, 3)]),
    "cofactors at rank 2": (lambda a: Cofactors()(a), [RANK_2]),
    "cofactors at rank 1": (lambda a: Cofactors()(a), [RANK_1]),
    "cofactors of zeros": (lambda a: Cofactors()(a), [np.zeros((2, 3, 3))]),
    "cofactors at rank 3 of 5": (lambda a: Cofactors()(a), [real(5, 3) @ real(3, 5)]),
    "derivative of cofactors": (CofactorsTangent(), [real(2, 3, 3), real(2, 3, 3)]),
    "derivative of complex cofactors": (CofactorsTangent(), [complex_(4, 4), complex_(4, 4)]),
    "slogdet": (lambda a: slogdet(a)[1], [real(2, 3, 3)]),
    "complex slogdet": (lambda a: slogdet(a)[1], [complex_(3, 3)]),
    "complex sign": (lambda a: slogdet(a)[0], [complex_(3, 3)]),
    "singular values": (lambda a: svd(a, compute_uv=False), [real(3, 4)]),
    "singular values of svd": (lambda a: svd(a, False)[1], [real(2, 3, 2)]),
    "u": (lambda a: svd(a, False)[0], [real(4, 3)]),
    "v, tall": (lambda a: svd(a, False)[2], [real(4, 3)]),
    "v, wide": (lambda a: svd(a, False)[2], [real(3, 4)]),
    "u of full matrices": (lambda a: svd(T.specify_shape(a, (3, 3)))[0], [real(3, 3)]),
    "complex svd": (lambda a: sizes(*svd(a, False)), [complex_(4, 3)]),
    "complex svd, wide": (lambda a: sizes(*svd(a, False)), [complex_(3, 4)]),
    "function of a matrix": (
        lambda a: (lambda u, s, vh: matmul(u * s**2, vh))(*svd(a, False)),
        [complex_(3, 4)],
    ),
    "eigenvalues": (lambda a: eigh(a, "U")[0], [definite(real, 2, 3, 3)]),
    "eigenvectors": (lambda a: eigh(a)[1], [definite(real, 3, 3)]),
    "complex eigenvectors": (lambda a: sizes(*eigh(a)), [definite(complex_, 3, 3)]),
    "complex upper eigenvectors": (lambda a: sizes(*eigh(a, "U")), [definite(complex_, 3, 3)]),
    "eigvalsh": (eigvalsh, [definite(real, 3, 3)]),
    "eigvalsh of pairs": (eigvalsh, [definite(real, 3, 3), definite(real, 3, 3)]),
    "complex eigvalsh of pairs": (
        lambda a, b: eigvalsh(a, b, lower=False),
        [definite(complex_, 3, 3), definite(complex_, 3, 3)],
    ),
    "eig": (lambda a: eig(a)[0], [apart(3)]),
    "vectors of eig": (lambda a: eig(a)[1], [apart(3)]),
    "complex eig": (lambda a: sizes(*eig(a)), [complex_(3, 3)]),
    "eigvals": (eigvals, [complex_(3, 3)]),
    "q": (lambda a: qr(a)[0], [real(4, 3)]),
    "r": (lambda a: qr(a)[1], [real(4, 3)]),
    "q, wide": (lambda a: qr(a)[0], [real(3, 4)]),
    "r, wide": (lambda a: qr(a)[1], [real(3, 4)]),
    "rq": (lambda a: matmul(*qr(a)[::-1]), [real(3, 3)]),
    "complex q": (lambda a: qr(a)[0], [complex_(4, 3)]),
    "complex r": (lambda a: qr(a)[1], [complex_(2, 3, 3)]),
    "complex r, wide": (lambda a: qr(a)[1], [complex_(2, 4)]),
    "r alone": (lambda a: qr(a, "r"), [real(3, 4)]),
    "complete q, wide": (lambda a: qr(T.specify_shape(a, (3, 4)), "complete")[0], [real(3, 4)]),
    "l": (lambda a: lu(a)[1], [real(3, 3)]),
    "l, tall": (lambda a: lu(a)[1], [real(4, 3)]),
    "u, tall": (lambda a: lu(a)[2], [real(4, 3)]),
    "l, wide": (lambda a: lu(a)[1], [real(3, 4)]),
    "u, wide": (lambda a: lu(a)[2], [real(3, 4)]),
    "complex l": (lambda a: lu(a)[1], [complex_(2, 4, 3)]),
    "complex u, permuted": (lambda a: lu(a, permute_l=True)[1], [complex_(3, 4)]),
    "lstsq": (lambda a, b: lstsq(a, b)[0], [real(4, 3), real(4, 2)]),
    "singular values of lstsq": (lambda a, b: lstsq(a, b)[3], [real(3, 4), real(3)]),
    "residuals": (lambda a, b: lstsq(a, b)[1], [real(4, 2), real(4, 3)]),
    "lstsq, wide": (lambda a, b: lstsq(a, b)[0], [real(3, 4), real(3)]),
    "complex lstsq": (lambda a, b: lstsq()(a, b, None)[0], [complex_(4, 3), complex_(4, 2)]),
    "expm": (expm, [real(3, 3)]),
    "complex expm": (expm, [complex_(2, 2, 2)]),
    "power": (lambda a: matrix_power(a, 3), [real(3, 3)]),
    "negative power": (lambda a: matrix_power(a, -2), [real(2, 3, 3)]),
    "tensorinv": (tensorinv, [real(2, 3, 6, 1)]),
    "tensorsolve": (tensorsolve, [real(2, 3, 6), real(2, 3)]),
    "kron": (kron, [real(2, 3), real(2, 2)]),
    "batched_tensordot": (
        lambda a, b: batched_tensordot(a, b, [[1], [2]]),
        [real(2, 3, 2), real(2, 2, 3)],
    ),
    "trace": (lambda a: trace(a, 1), [real(2, 3, 4)]),
    "matmul by one matrix": (matmul, [real(2, 3, 4), real(4, 2)]),
    "matmul in batches": (matmul, [real(2, 1, 3, 4), real(1, 3, 4, 2)]),
    "matmul by a vector": (matmul, [real(4), real(2, 4, 3)]),
    "inner": (inner, [complex_(2, 3), complex_(2, 2, 3)]),
    "vdot": (vdot, [complex_(2, 3), complex_(2, 3)]),
    "norm": (norm, [complex_(3, 2)]),
    "norm of order 3": (lambda a: norm(a, 3, axis=0), [real(3, 2)]),
    "nuclear norm": (lambda a: norm(a, "nuc"), [real(3, 2)]),
    "spectral norms": (lambda a: norm(a, 2, axis=(0, 2)), [real(3, 2, 2)]),
    "norm of order inf": (lambda a: norm(a, np.inf), [real(3, 2)]),
    "cond": (cond, [real(3, 3)]),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_gradients(name: str) -> None:
    fun, points = CASES[name]
    verify_grad(fun, points, n_tests=1, mode="INTERPRET")
    count("gradients", sum(point.size for point in points))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [n for n, (_, given) in CASES.items()
                                  if all(point.dtype.kind == "f" for point in given)])  # fmt: skip
def test_forward_derivatives(name: str) -> None:
    fun, points = CASES[name]
    verify_rop(fun, points, mode="INTERPRET")
    count("forward derivatives", sum(point.size for point in points))


SECOND = ["cholesky", "solve", "inverse", "det", "slogdet", "expm", "pinv, tall", "eigenvalues",
          "singular values", "q", "l"]  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    fun, points = CASES[name]
    small = points[0][..., :3, :3] if points[0].ndim == 2 else points[0][0]
    given = [small, *points[1:]]
    verify_grad(
        lambda *x: grad((fun(*x) ** 2).sum(), x[0]), given, n_tests=1, mode="INTERPRET",
        abs_tol=1e-4, rel_tol=1e-4,
    )  # fmt: skip


@pytest.mark.needs_cc
def test_compiled_gradients_agree() -> None:
    a, b = T.matrix("a"), T.matrix("b")
    outputs = []
    for fun in (
        cholesky, matrix_inverse, det, pinv, expm, lambda x: slogdet(x)[1],
        lambda x: svd(x, False)[0], lambda x: eigh(x)[1], lambda x: qr(x)[0], lambda x: lu(x)[1],
        lambda x: solve(x, b), lambda x: solve_lower_triangular(x, b), lambda x: lstsq(x, b)[0],
    ):  # fmt: skip
        value = fun(a)
        outputs.append(grad((value * T.cos(value)).sum(), a))
    point = np.array([[4.0, 1, 0.5], [1, 3, -1], [0.5, -1, 6]])
    check([a, b], outputs, [[point, real(3, 2)]], kind="gradients", tolerance=1e-8)


def test_gradients_that_do_not_exist() -> None:
    a = T.matrix("a")
    for cost in (svd(a)[0].sum(), qr(a, "complete")[0].sum(), qr(a, "raw")[1].sum()):
        with pytest.raises(NullTypeGradError, match="; take "):
            grad(cost, a)
