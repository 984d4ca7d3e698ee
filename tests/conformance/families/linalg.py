"""Factorizations, systems of equations, functions and norms of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from tests.conformance.draws import Draw, number
from tests.conformance.matrices import (
    definite,
    general,
    indefinite_if_long,
    nan_if_long,
    regular,
    singular_if_long,
    spread,
    symmetric,
)
from tests.conformance.row import Arg, Row

EVERY, LAPACK = "biuFc", "Fc"
"""The dtypes of matrices that NumPy takes, and those in which LAPACK computes."""


def square(draw: Draw = regular, dims: str = "n n") -> dict[str, Arg]:
    """Return one argument, a square matrix."""
    return {"x": Arg(dims, draw=draw)}


def cofactors(x: Any) -> Any:
    """Return the derivatives of the determinants of regular matrices."""
    determinants = np.linalg.det(x)[..., None, None]
    return np.asarray(determinants * np.linalg.inv(x).swapaxes(-1, -2))


def system(left: str, right: str, draw: Draw = regular, edges: bool = True) -> dict[str, Arg]:
    """Return the arguments of an equation."""
    return {"a": Arg(left, draw=draw), "b": Arg(right, edges=edges)}


ANY = {"x": Arg("n m", draw=spread)}
MANY = {"x": Arg("j n m", draw=spread)}
PLAIN: dict[str, Any] = {"edges": False}

INVERSES = [
    Row("T.nlinalg.matrix_inverse(x)", square(), EVERY, slack=30, **PLAIN),
    Row("T.nlinalg.inv(x)", square(singular_if_long, "j n n"), LAPACK, slack=30),
    Row("T.nlinalg.det(x)", square(), EVERY, slack=30),
    Row("T.nlinalg.det(x)", square(singular_if_long, "j n n"), LAPACK, slack=30, **PLAIN),
    Row("T.nlinalg.det(x * 1)", square(nan_if_long, "j n n"), LAPACK, slack=30, **PLAIN),
    Row("T.grad(T.nlinalg.det(x).sum(), x)", square(dims="j n n"), "D", slack=100,
        plain=cofactors, **PLAIN),
    Row("[*T.nlinalg.slogdet(x)]", square(), EVERY, slack=30, slope=False),
    *(Row(text, square(draw, "j n n"), LAPACK, slack=30, slope=False, **PLAIN)
      for text, draw in (("[*T.nlinalg.slogdet(x)]", singular_if_long),
                         ("[*T.nlinalg.slogdet(x * 1)]", nan_if_long))),
    Row("T.nlinalg.slogdet(x)[1]", square(dims="j n n"), "D", slack=30, **PLAIN),
    Row("T.nlinalg.pinv(x)", ANY, EVERY, slack=100, **PLAIN),
    Row("T.nlinalg.pinv(x)", MANY, LAPACK, slack=100),
    Row("T.nlinalg.pinv(x, rcond=0.4)", ANY, LAPACK, slack=100, slope=False),
    Row("T.nlinalg.pinv(x, hermitian=True)", square(symmetric), LAPACK, slack=100, slope=False),
]  # fmt: skip

SYSTEMS = [
    Row("T.slinalg.solve(a, b)", system("n n", "n"), EVERY, slack=100, **PLAIN),
    Row("T.slinalg.solve(a, b)", system("n n", "n k"), LAPACK, slack=100),
    Row("T.slinalg.solve(a, b)", system("j n n", "n", singular_if_long), LAPACK, slack=100),
    Row("T.slinalg.solve(a, b)", system("j n n", "j n k"), LAPACK, slack=100),
    Row("T.slinalg.solve(a, b)", system("n n", "j n k"), LAPACK, slack=100),
    *(Row(text, system("n n", "n k", draw), LAPACK, slack=100) for text, draw in (
        ("T.slinalg.solve(a, b, A_structure='lower_triangular')", singular_if_long),
        ("T.slinalg.solve(a, b, A_structure='upper_triangular')", regular),
        ("T.slinalg.solve_triangular(a, b)", singular_if_long),
        ("T.slinalg.solve_triangular(a, b, lower=True)", regular),
        ("T.slinalg.solve_triangular(a, b, trans=1)", regular),
        ("T.slinalg.solve_triangular(a, b, trans=2, lower=True)", regular),
        ("T.slinalg.solve_triangular(a, b / 9, 'T', unit_diagonal=True)", spread),
        ("T.slinalg.solve_triangular(a, b, 'C')", regular),
        ("T.slinalg.solve_triangular(a, b, 'N', True)", regular),
        ("T.slinalg.cho_solve((a, True), b)", regular),
    )),
    *(Row(text, system("n n", "n k", symmetric, edges=False), LAPACK, slack=100) for text in (
        "T.slinalg.solve(a, b, 'symmetric')", "T.slinalg.solve(a, b, 'symmetric', lower=True)")),
    Row("T.slinalg.solve_symmetric(a, b)", system("n n", "n", symmetric), EVERY, slack=100,
        **PLAIN),
    Row("T.slinalg.solve_symmetric(a, b)", system("j n n", "j n k", symmetric, edges=False), LAPACK,
        slack=100),
    Row("T.slinalg.solve_lower_triangular(a, b)", system("n n", "n", spread), EVERY, slack=100,
        **PLAIN),
    *(Row(text, system("j n n", "j n k"), LAPACK, slack=100, slope=False) for text in (
        "T.slinalg.solve_upper_triangular(a, b)", "T.slinalg.cho_solve((a, False), b)")),
    Row("T.slinalg.cho_solve((a, False), b)", system("2 2 2", "2 2 1"), "D", slack=100),
    Row("[*T.nlinalg.lstsq(a, b)]", system("n m", "n", spread), EVERY, slack=100, slope=False,
        **PLAIN),
    Row("[*T.nlinalg.lstsq(a, b)]", system("n m", "n k", spread), LAPACK, slack=100, slope=False),
    Row("T.nlinalg.lstsq(a, b)[0]", system("n m", "n k", spread), "D", slack=100),
    Row("T.nlinalg.lstsq(a, b, rcond=0.4)[0]", system("n m", "n k", spread), LAPACK, slack=100,
        slope=False),
    Row("T.nlinalg.lstsq()(a, b, 0.4)[2]", system("n m", "n", spread), LAPACK, slope=False),
]  # fmt: skip

DECOMPOSITIONS = [
    Row("T.slinalg.cholesky(x)", square(definite), EVERY, slack=30, **PLAIN),
    Row("T.slinalg.cholesky(x)", square(indefinite_if_long, "j n n"), LAPACK, slack=30),
    Row("T.slinalg.cholesky(x, lower=False)", square(definite), LAPACK, slack=30),
    Row("T.slinalg.cholesky(x, on_error='nan')", square(indefinite_if_long, "j n n"), LAPACK,
        slack=30, slope=False),
    Row("T.nlinalg.svd(x, compute_uv=False)", ANY, EVERY, slack=30, **PLAIN),
    Row("(lambda u, s, v: [abs(u), s, abs(v), u * s[..., None, :] @ v])"
        "(*T.nlinalg.svd(x, full_matrices=False))", MANY, LAPACK, slack=100),
    Row("(lambda u, s, v: [s, (u[:, : s.shape[0]] * s) @ v[: s.shape[0]], u @ u.conj().T])"
        "(*T.nlinalg.svd(x))", ANY, LAPACK, slack=100, slope=False),
    Row("(lambda u, s, v: [abs(u), s, abs(v)])(*T.nlinalg.svd(T.specify_shape(x, (4, 4))))",
        {"x": Arg("4 4", draw=spread)}, LAPACK, slack=100),
    Row("(lambda q, r: [abs(q), abs(r), q @ r])(*T.nlinalg.qr(x))", ANY, EVERY, slack=100, **PLAIN),
    Row("(lambda q, r: [abs(q), abs(r), q @ r])(*T.nlinalg.qr(x, 'economic'))", MANY, LAPACK,
        slack=100),
    Row("(lambda q, r: [q @ q.conj().T, abs(r), q @ r])(*T.nlinalg.qr(x, mode='complete'))", ANY,
        LAPACK, slack=100, slope=False),
    Row("(lambda q, r: [abs(q), abs(r)])(*T.nlinalg.qr(T.specify_shape(x, (3, 4)), 'full'))",
        {"x": Arg("3 4", draw=spread)}, LAPACK, slack=100),
    Row("abs(T.nlinalg.qr(x, 'r'))", MANY, LAPACK, slack=100),
    Row("[*T.nlinalg.qr(x, 'raw')]", ANY, LAPACK, slack=100, slope=False),
    Row("[*T.slinalg.lu(x)]", ANY, EVERY, slack=30, slope=False, **PLAIN),
    Row("[*T.slinalg.lu(x)]", MANY, LAPACK, slack=30, slope=False),
    Row("[*T.slinalg.lu(x)[1:]]", ANY, "D", slack=30),
    Row("[*T.slinalg.lu(x, permute_l=True)]", MANY, LAPACK, slack=30),
]  # fmt: skip

EIGENVALUES = [
    Row("(lambda w, v: [w, abs(v)])(*T.nlinalg.eigh(x))", square(symmetric), EVERY, slack=100,
        **PLAIN),
    Row("(lambda w, v: [w, v * w[..., None, :] @ v.conj().transpose(0, 2, 1)])"
        "(*T.nlinalg.eigh(x, UPLO='L'))", square(symmetric, "j n n"), LAPACK, slack=100),
    Row("(lambda w, v: [w, abs(v)])(*T.nlinalg.eigh(x, 'U'))", square(symmetric), LAPACK,
        slack=100),
    Row("T.slinalg.eigvalsh(x)", square(symmetric), EVERY, slack=100, **PLAIN),
    Row("T.slinalg.eigvalsh(x, lower=False)", square(symmetric, "j n n"), LAPACK, slack=100),
    Row("T.slinalg.eigvalsh(a, b)",
        {"a": Arg("n n", draw=symmetric, edges=False), "b": Arg("n n", draw=indefinite_if_long)},
        LAPACK,
        slack=300),
    Row("T.slinalg.eigvalsh(a, b, False)",
        {"a": Arg("j n n", draw=symmetric, edges=False), "b": Arg("j n n", draw=definite)},
        LAPACK, slack=300),
    Row("T.slinalg.Eigvalsh(lower=False)(a, b)",
        {"a": Arg("n n", draw=symmetric), "b": Arg("n n", draw=definite)}, EVERY, slack=300,
        **PLAIN),
    Row("(lambda w, v: [w.sum(), (w**2).sum(), v * w @ T.nlinalg.inv(v)])(*T.nlinalg.eig(x))",
        square(spread), "iuFc", slack=300, **PLAIN),
    Row("(lambda w, v: [w.sum(axis=1), v * w[:, None, :] @ T.nlinalg.inv(v)])(*T.nlinalg.eig(x))",
        square(spread, "j n n"), LAPACK, slack=300),
    Row("abs(T.nlinalg.eig(x)[1])", square(spread), "D", slack=300, slope=False),
    Row("T.sum(T.nlinalg.eigvals(x), axis=-1)", square(spread, "j n n"), LAPACK, slack=300),
]  # fmt: skip

FUNCTIONS = [
    *(Row(f"T.nlinalg.matrix_power(x, {n})", square(), EVERY, slack=100, slope=n > 0, **PLAIN)
      for n in (0, 1, 5)),
    Row("T.nlinalg.matrix_power(x, 2)", square(dims="j n n"), LAPACK, slack=100),
    Row("T.nlinalg.matrix_power(x, 3)", square(dims="j n n"), LAPACK, slack=100, **PLAIN),
    Row("T.nlinalg.matrix_power(x, -1)", square(), EVERY, slack=100, **PLAIN),
    Row("T.nlinalg.matrix_power(x, -3)", square(singular_if_long, "j n n"), LAPACK, slack=300),
    Row("T.slinalg.expm(x)", square(), EVERY, slack=100, **PLAIN),
    Row("T.slinalg.expm(x)", square(dims="j n n"), LAPACK, slack=100),
    Row("T.nlinalg.cond(x)", ANY, EVERY, slack=100, slope=False, **PLAIN),
    Row("T.nlinalg.cond(x, -2)", MANY, LAPACK, slack=100, slope=False),
    Row("T.nlinalg.cond(x)", square(spread), "D", slack=100, least={"n": 2}),
    *(Row(f"T.nlinalg.cond(x, {p})", square(dims=dims), LAPACK, slack=100, least=least, slope=slope)
      for p in ("1", "-1", "np.inf", "-np.inf", "'fro'", "'nuc'")
      # of one element it is 1: the derivative is rounding
      for dims, least, slope in (("j n n", {"n": 2}, True), ("j 1 1", {}, False))),
    Row("T.nlinalg.matrix_rank(x)", ANY, EVERY, slope=False, **PLAIN),
    Row("T.nlinalg.matrix_rank(x)", {"x": Arg("n", edges=False)}, EVERY, slope=False),
    Row("T.nlinalg.matrix_rank(x, 1.5)", MANY, LAPACK, slope=False),
    Row("T.nlinalg.matrix_rank(x)", square(singular_if_long, "j n n"), LAPACK, slope=False),
    Row("T.nlinalg.tensorinv(x)", {"x": Arg("2 3 6", draw=general)}, EVERY, slack=1000, **PLAIN),
    Row("T.nlinalg.tensorinv(x, ind=1)", square(), LAPACK, slack=100, least={"n": 1}),
    Row("T.nlinalg.tensorsolve(a, b)", {"a": Arg("2 3 6", draw=general), "b": Arg("2 3")}, LAPACK,
        slack=1000),
    Row("T.nlinalg.tensorsolve(a, b, axes=(1,))",
        {"a": Arg("2 6 3", draw=general), "b": Arg("2 3")}, LAPACK, slack=1000),
    Row("T.nlinalg.tensorsolve(a, b)", system("n n", "n"), LAPACK, slack=100),
    Row("T.nlinalg.matrix_dot(a, b)", system("n m", "m k", number), EVERY),
    Row("T.nlinalg.matrix_dot(a, b, c)", {"a": Arg("n m"), "b": Arg("m k"), "c": Arg("k")}, LAPACK,
        slack=10),
    Row("T.nlinalg.multi_dot([a, b, c])", {"a": Arg("n m"), "b": Arg("m k"), "c": Arg("k n")},
        EVERY, slack=10),
    Row("T.nlinalg.multi_dot([a, b])", {"a": Arg("n"), "b": Arg("n m")}, LAPACK, slack=10),
]  # fmt: skip

ORDERS = ("1", "-1", "2", "np.inf", "-np.inf")
NORMS = [
    *(Row(f"T.nlinalg.norm(x{rest})", {"x": Arg(dims)}, letters, slack=10)
      for rest, dims, letters in (
        ("", "n", "biufc"), ("", "n m", "biufc"), ("", "j n m", LAPACK),
        (", keepdims=True", "j n m", LAPACK), (", axis=0", "n m", EVERY),
        (", axis=-1, keepdims=True", "j n m", LAPACK), (", axis=(0, 1)", "n m", EVERY),
        (", 3", "n", LAPACK), (", ord=2.5, axis=1", "n m", LAPACK), (", -2", "n", LAPACK),
        (", ord='fro', axis=(2, 0)", "j n m", LAPACK),
    )),
    Row("T.nlinalg.norm(x, 1, axis=(-2, -1), keepdims=True)", {"x": Arg("j n m")}, LAPACK, slack=10,
        least={"m": 1}),
    Row("T.nlinalg.norm(x, 0)", {"x": Arg("n")}, EVERY, slope=False),
    *(Row(f"T.nlinalg.norm(x, {ord})", {"x": Arg(dims)}, EVERY, slack=30, least={"n": 1, "m": 1},
          **PLAIN) for ord in ORDERS for dims in ("n", "n m")),
    Row("T.nlinalg.norm(x, 'nuc')", ANY, LAPACK, slack=100),
    Row("T.nlinalg.norm(x, -2, axis=(1, 2), keepdims=True)", MANY, LAPACK, slack=100),
    Row("T.nlinalg.norm(x, 2, axis=(2, 0))", MANY, LAPACK, slack=100),
]  # fmt: skip

STANDARD = [
    Row("T.linalg.diagonal(x, offset=1)", MANY, EVERY,
        plain=lambda x: np.diagonal(x, 1, -2, -1), **PLAIN),
    Row("T.linalg.matrix_transpose(x)", MANY, EVERY, plain=lambda x: x.swapaxes(-1, -2)),
    Row("T.linalg.eigvalsh(x)", square(symmetric), LAPACK, plain=np.linalg.eigvalsh, slack=100,
        **PLAIN),
    Row("T.linalg.svdvals(x)", ANY, LAPACK, plain=np.linalg.svdvals, slack=100, **PLAIN),
    Row("T.linalg.vecdot(x, y)", {"x": Arg("n m"), "y": Arg("m")}, LAPACK,
        plain=np.linalg.vecdot, slack=10, slope=False, **PLAIN),
    Row("T.linalg.vector_norm(x)", ANY, LAPACK, plain=np.linalg.vector_norm, slack=10, **PLAIN),
    Row("T.linalg.matrix_norm(x)", MANY, LAPACK, plain=np.linalg.matrix_norm, slack=10, **PLAIN),
    Row("T.linalg.cross(x[:3], y[:3])", {"x": Arg("n"), "y": Arg("n")}, "iFc",
        plain=lambda x, y: np.linalg.cross(x[:3], y[:3]), slack=10, least={"n": 3}, **PLAIN),
    Row("T.linalg.block_diag(x, y)", {"x": Arg("n m"), "y": Arg("k")}, "iFc",
        plain=scipy.linalg.block_diag, **PLAIN),
]  # fmt: skip


def pivoted(a: Any) -> list[Any]:
    """Return what is unique of a QR decomposition with chosen columns, and these."""
    q, r, p = scipy.linalg.qr(a, mode="economic", pivoting=True)
    return [abs(q), abs(r), q @ r, p.astype("int64")]


def reflectors(a: Any) -> list[Any]:
    """Return LAPACK's results for a QR decomposition with chosen columns."""
    (h, tau), _, p = scipy.linalg.qr(a, mode="raw", pivoting=True)
    return [h.T, tau, p.astype("int64")]


def schur_products(a: Any) -> list[Any]:
    """Return a matrix, the identity, and its eigenvalues, which are real or keep apart."""
    values = np.sort(np.linalg.eigvals(a).real).astype(a.real.dtype)
    return [a, np.eye(len(a), dtype=a.dtype), values]


def qz_products(a: Any, b: Any) -> list[Any]:
    """Return two matrices and their generalized eigenvalues."""
    return [a, b, np.sort(scipy.linalg.eigvals(a, b).real).astype(a.real.dtype)]


def bands(below: Any, d: Any, above: Any) -> Any:
    """Return a matrix with three diagonals."""
    return np.diag(below[1:], -1) + np.diag(d + 9) + np.diag(above[1:], 1)


THREE = {"x": Arg("n", edges=False), "y": Arg("n", edges=False), "z": Arg("n", edges=False)}
FACTORS = "T.linalg.tridiagonal_lu_factor(x[1:], y + 9, z[1:])"
PAIRS = [
    Row("(lambda q, r, p: [abs(q), abs(r), q @ r, p])(*T.linalg.qr(x, pivoting=True))", ANY, LAPACK,
        plain=pivoted, slack=100, least={"n": 1, "m": 1}, **PLAIN),
    Row("[*T.linalg.qr(x, 'raw', pivoting=True)]", ANY, LAPACK, plain=reflectors, slack=100,
        least={"n": 1, "m": 1}, slope=False, **PLAIN),
    Row("(lambda t, z: [z @ t @ z.conj().T, z @ z.conj().T, T.sort(T.diagonal(t).real)])"
        "(*T.linalg.schur(x))", square(spread), LAPACK, plain=schur_products, slack=100,
        least={"n": 1}, slope=False, **PLAIN),
    Row("(lambda s, t, u, v, q, z: [q @ s @ z.conj().T, q @ t @ z.conj().T, T.sort((u / v).real)])"
        "(*T.linalg.ordqz(a, b, None))",
        {"a": Arg("n n", draw=spread, edges=False), "b": Arg("n n", draw=definite, edges=False)},
        LAPACK, plain=qz_products, slack=300, least={"n": 1}, slope=False, **PLAIN),
    Row("(lambda s, t, q, z: [q @ s @ z.conj().T, q @ t @ z.conj().T])(*T.linalg.qz(a, b))",
        {"a": Arg("n n", draw=spread, edges=False), "b": Arg("n n", draw=definite, edges=False)},
        "D", plain=lambda a, b: [a, b], slack=300, least={"n": 1}, slope=False, **PLAIN),
    Row("(lambda w, v: [w, abs(v)])(*T.linalg.eigh(a, b=b))",
        {"a": Arg("n n", draw=symmetric, edges=False), "b": Arg("n n", draw=definite)},
        LAPACK, plain=lambda a, b: [abs(v) if v.ndim == 2 else v for v in scipy.linalg.eigh(a, b)],
        slack=300, least={"n": 1}, slope=False, **PLAIN),
    Row(f"T.linalg.tridiagonal_lu_solve({FACTORS}, b)", {**THREE, "b": Arg("n k", edges=False)},
        LAPACK, plain=lambda x, y, z, b: np.linalg.solve(bands(x, y, z), b), slack=100,
        least={"n": 1}, slope=False, **PLAIN),
    Row(f"T.linalg.tridiagonal_lu_solve({FACTORS}, b, 'C')",
        {**THREE, "b": Arg("n", edges=False)}, LAPACK,
        plain=lambda x, y, z, b: np.linalg.solve(bands(x, y, z).conj().T, b), slack=100,
        least={"n": 1}, slope=False, **PLAIN),
]  # fmt: skip

ROWS: list[Row] = [
    *INVERSES, *SYSTEMS, *DECOMPOSITIONS, *EIGENVALUES, *FUNCTIONS, *NORMS, *STANDARD, *PAIRS,
    *(Row(text, {"x": Arg("n m", draw=spread)}, "D", slope=False, least={"n": 4}, **PLAIN)
      for text in (
        "T.nlinalg.matrix_inverse(x)", "T.nlinalg.det(x)", "T.nlinalg.slogdet(x)[1]",
        "T.slinalg.cholesky(x, on_error='nan')", "T.nlinalg.eigh(x)[0]", "T.nlinalg.eigvals(x)",
        "T.nlinalg.matrix_power(x, 2)", "T.slinalg.expm(x)", "T.slinalg.solve(x, x)",
        "T.slinalg.solve_triangular(x, x)",
    )),
]  # fmt: skip
