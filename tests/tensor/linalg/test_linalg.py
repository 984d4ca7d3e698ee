"""Linear algebra by value: against NumPy and SciPy, in C and interpreted, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import ShapeError
from symtheano.tensor import nlinalg, slinalg
from symtheano.tensor.linalg.batched import batched_tensordot
from symtheano.tensor.linalg.cholesky import cho_solve, cholesky
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent, det, slogdet
from symtheano.tensor.linalg.eigen import eig, eigh, eigvals, eigvalsh
from symtheano.tensor.linalg.expm import expm
from symtheano.tensor.linalg.inverse import matrix_inverse, pinv
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.lu import lu
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.norms import cond, matrix_rank, norm
from symtheano.tensor.linalg.products import (
    inner,
    kron,
    matrix_dot,
    matrix_power,
    multi_dot,
    trace,
    vdot,
)
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
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import assert_same, check, count, oracle
from tests.support.layouts import layouts

LinAlgError = np.linalg.LinAlgError
KIND = "linear algebra"
DTYPES = ["float32", "float64", "complex64", "complex128"]
LOOSE = {"float32": 3e-4, "complex64": 3e-4, "float64": 1e-10, "complex128": 1e-10}


def arrays(dtype: str, *shapes: tuple[int, ...]) -> list[Any]:
    random = np.random.default_rng(3)
    return [random_array(random, dtype, shape) for shape in shapes]


def definite(dtype: str, *shape: int) -> Any:
    (a,) = arrays(dtype, shape)
    eye = np.eye(shape[-1]) * 2
    return np.asarray(a @ a.conj().swapaxes(-1, -2) + eye, dtype)


def variables(*values: Any) -> list[Any]:
    return [TensorType(value.dtype.name, (None,) * value.ndim).make_variable() for value in values]


def same(outputs: Any, inputs: list[Any], values: list[Any], wanted: Any, **options: Any) -> None:
    """Compare outputs of the interpreter with arrays."""
    outputs = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
    wanted = list(wanted) if isinstance(wanted, list | tuple) else [wanted]
    got = oracle(inputs, outputs)(*values)
    assert len(got) == len(wanted)
    for mine, its in zip(got, wanted, strict=True):
        assert_same(mine, np.asarray(its), **options)
        count(KIND, mine.size)


def hermitian(a: Any, lower: bool) -> Any:
    part = np.tril(a, -1) if lower else np.triu(a, 1)
    eye = np.eye(a.shape[-1], dtype=bool)
    return part + part.conj().swapaxes(-1, -2) + np.where(eye, a.real, 0)


# -- one matrix, and batches of them --------------------------------------------------------------


def change_of_cofactors(a: Any, d: Any) -> Any:
    """Return the derivative of the cofactors, each a determinant of the other rows and columns."""
    n = a.shape[-1]
    found = np.zeros(a.shape, a.dtype)
    for i, j, k, m in np.ndindex(n, n, n, n):
        if i != k and j != m:
            rows, columns = ([p for p in range(n) if p not in pair] for pair in ((i, k), (j, m)))
            sign = (-1) ** (i + j + k - (k > i) + m - (m > j))
            minor = np.linalg.det(a[..., rows, :][..., columns]) if n > 2 else 1
            found[..., i, j] += sign * minor * d[..., k, m]
    return found


SQUARE: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "inv": (matrix_inverse, np.linalg.inv),
    "det": (det, np.linalg.det),
    "slogdet": (slogdet, np.linalg.slogdet),
    "cholesky": (cholesky, np.linalg.cholesky),
    "upper cholesky": (
        lambda a: cholesky(a, lower=False),
        lambda a: np.linalg.cholesky(a.conj().swapaxes(-1, -2)).conj().swapaxes(-1, -2),
    ),
    "cholesky or nan": (lambda a: cholesky(a, on_error="nan"), np.linalg.cholesky),
    "eigh": (eigh, np.linalg.eigh),
    "upper eigh": (lambda a: eigh(a, "U"), lambda a: np.linalg.eigh(a, "U")),
    "eigvalsh": (eigvalsh, np.linalg.eigvalsh),
    "power": (lambda a: matrix_power(a, 5), lambda a: np.linalg.matrix_power(a, 5)),
    "power 0": (lambda a: matrix_power(a, 0), lambda a: np.linalg.matrix_power(a, 0)),
    "power -2": (lambda a: matrix_power(a, -2), lambda a: np.linalg.matrix_power(a, -2)),
    "trace": (trace, lambda a: np.trace(a, axis1=-2, axis2=-1)),
    "cofactors": (
        lambda a: Cofactors()(a),
        lambda a: (np.linalg.det(a)[..., None, None] * np.linalg.inv(a)).swapaxes(-1, -2),
    ),
    "derivative of cofactors": (
        lambda a: CofactorsTangent()(a, a.conj() + 1),
        lambda a: change_of_cofactors(a, a.conj() + 1),
    ),
    "hermitian pinv": (lambda a: pinv(a, hermitian=True), np.linalg.pinv),
    "cond": (cond, np.linalg.cond),
    "cond 1": (lambda a: cond(a, 1), lambda a: np.linalg.cond(a, 1)),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SQUARE)
def test_square_matrices(name: str, dtype: str) -> None:
    make, reference = SQUARE[name]
    for shape in ((3, 3), (1, 1), (2, 4, 4), (0, 3, 3), (2, 1, 2, 2)):
        a = definite(dtype, *shape)
        (x,) = variables(a)
        same(make(x), [x], [a], reference(a), tolerance=LOOSE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_empty_matrices(dtype: str) -> None:
    a = np.zeros((2, 0, 0), dtype)
    (x,) = variables(a)
    same(list(slogdet(x)), [x], [a], list(np.linalg.slogdet(a)))
    for output in (matrix_inverse(x), cholesky(x), expm(x), eigh(x)[1], Cofactors()(x)):
        same(output, [x], [a], a)
    same(det(x), [x], [a], np.ones(2, dtype))
    same(eigh(x)[0], [x], [a], np.zeros((2, 0), a.real.dtype))
    b = np.zeros((2, 0, 3), dtype)
    (y,) = variables(b)
    for structure in ("general", "symmetric", "lower_triangular", "upper_triangular"):
        same(solve(x, y, structure), [x, y], [a, b], b)


ANY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "svd": (svd, np.linalg.svd),
    "thin svd": (lambda a: svd(a, False), lambda a: np.linalg.svd(a, False)),
    "singular values": (
        lambda a: svd(a, compute_uv=False),
        lambda a: np.linalg.svd(a, compute_uv=False),
    ),
    "qr": (qr, np.linalg.qr),
    "complete qr": (lambda a: qr(a, "full"), lambda a: np.linalg.qr(a, "complete")),
    "r": (lambda a: qr(a, "r"), lambda a: np.linalg.qr(a, "r")),
    "raw": (lambda a: qr(a, "raw"), lambda a: np.linalg.qr(a, "raw")),
    "pinv": (pinv, np.linalg.pinv),
    "pinv with rcond": (lambda a: pinv(a, 0.3), lambda a: np.linalg.pinv(a, 0.3)),
    "rank": (matrix_rank, np.linalg.matrix_rank),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ANY)
def test_matrices_of_any_shape(name: str, dtype: str) -> None:
    make, reference = ANY[name]
    for shape in ((3, 3), (4, 2), (2, 4), (1, 3), (2, 3, 2), (0, 2, 3)):
        (a,) = arrays(dtype, shape)
        (x,) = variables(a)
        wanted = reference(a)
        same(make(x), [x], [a], wanted, tolerance=LOOSE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_lu_and_expm(dtype: str) -> None:
    for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 3), (0, 2), (1, 1)):
        (a,) = arrays(dtype, shape)
        (x,) = variables(a)
        got = oracle([x], [*lu(x), *lu(x, permute_l=True)])(a)
        p, low, up, moved, again = got
        one = low[(0,) * (low.ndim - 2)]
        assert np.array_equal(np.tril(one), one)
        assert np.array_equal(np.triu(up), up)
        assert_same(np.asarray(p @ low @ up, dtype), a, LOOSE[dtype])
        assert_same(np.asarray(moved @ again, dtype), a, LOOSE[dtype])
        assert (np.maximum(abs(low.real), abs(low.imag)) <= 1.5).all()
    (a,) = arrays(dtype, (2, 3, 3))
    (x,) = variables(a)
    same(expm(x), [x], [a], np.stack([scipy.linalg.expm(m) for m in a]), tolerance=LOOSE[dtype])


def test_eigenvalues_of_any_matrix() -> None:
    (a,) = arrays("complex128", (2, 3, 3))
    (x,) = variables(a)
    same(list(eig(x)), [x], [a], list(np.linalg.eig(a)), tolerance=1e-10)
    real = np.array([[2.0, 1.0], [0.5, 3.0]])
    y = T.matrix("y")
    same([*eig(y), eigvals(y)], [y], [real],
         [*np.linalg.eig(real), np.linalg.eigvals(real)], tolerance=1e-10)  # fmt: skip
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    with pytest.raises(LinAlgError, match="eigenvalues that are not real") as caught:
        oracle([y], eigvals(y))(turn)
    assert "cast the matrix to complex128" in str(caught.value)
    w = oracle([y], eigvals(y.astype("complex128")))(turn)
    assert_same(w[np.argsort(w.imag)], np.array([-1j, 1j]), 1e-12)


def test_generalized_eigenvalues() -> None:
    for dtype in DTYPES:
        (a,), b = arrays(dtype, (4, 4)), definite(dtype, 4, 4)
        x, y = variables(a, b)
        for lower in (True, False):
            wanted = scipy.linalg.eigvalsh(hermitian(a, lower), b)
            outputs = [eigvalsh(x, y, lower), slinalg.Eigvalsh(lower)(x, y)]
            same(outputs, [x, y], [a, b], [wanted, wanted], tolerance=LOOSE[dtype])
        same(eigvalsh(x), [x], [a], np.linalg.eigvalsh(a), tolerance=LOOSE[dtype])
    stack = np.stack([b, 2 * b])
    x, y = variables(a, stack)
    wanted = scipy.linalg.eigvalsh(hermitian(a, True), b)
    same(eigvalsh(x.dimshuffle("x", 0, 1), y), [x, y], [a, stack],
         np.stack([wanted, wanted / 2]), tolerance=1e-10)  # fmt: skip


# -- systems of equations -------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve(dtype: str) -> None:
    for left, right in (((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 4, 4), (2, 4, 3)), ((1, 1), (1, 0)),
                        ((0, 2, 2), (0, 2, 2))):  # fmt: skip
        a, b = arrays(dtype, left, right)
        x, y = variables(a, b)
        low, up = np.tril(a), np.triu(a)
        symmetric = up + np.triu(a, 1).swapaxes(-1, -2)
        other = low + np.tril(a, -1).swapaxes(-1, -2)
        eye = np.eye(left[-1], dtype=dtype)
        unit = np.tril(a, -1) + eye
        tolerance = LOOSE[dtype] * 10
        same(
            [
                solve(x, y), solve_lower_triangular(x, y), solve_upper_triangular(x, y),
                solve_symmetric(x, y), solve(x, y, "symmetric", lower=True),
                solve_triangular(x, y, unit_diagonal=True, lower=True),
                solve_triangular(x, y, trans=1), solve_triangular(x, y, "C", lower=True),
            ],
            [x, y], [a, b],
            [np.linalg.solve(m, b) for m in (
                a, low, up, symmetric, other, unit, up.swapaxes(-1, -2),
                low.conj().swapaxes(-1, -2))],
            tolerance=tolerance,
        )  # fmt: skip


def test_solve_repeats_batches() -> None:
    a, b = arrays("float64", (3, 3), (4, 3, 2))
    x, y = variables(a, b)
    same(solve(x, y), [x, y], [a, b], np.linalg.solve(a, b), tolerance=1e-10)
    many, one = arrays("float64", (4, 3, 3), (3,))
    x, y = variables(many, one)
    wanted = np.stack([np.linalg.solve(m, one) for m in many])
    same(solve(x, y), [x, y], [many, one], wanted, tolerance=1e-10)


@pytest.mark.parametrize("lower", [True, False])
def test_cho_solve(lower: bool) -> None:
    a, (b,) = definite("complex128", 3, 3), arrays("complex128", (3, 2))
    x, y = variables(a, b)
    same(cho_solve((cholesky(x, lower), lower), y), [x, y], [a, b], np.linalg.solve(a, b),
         tolerance=1e-10)  # fmt: skip


def test_solve_promotes() -> None:
    a, b = np.array([[2, 1], [1, 3]]), np.array([1.0, 2.0], "float32")
    x, y = variables(a, b)
    assert solve(x, y).dtype == "float64"
    same(solve(x, y), [x, y], [a, b], np.linalg.solve(a, b.astype("float64")), tolerance=1e-12)
    same(det(x), [x], [a], 5.0, tolerance=1e-12)
    with pytest.raises(TypeError, match="half precision is not supported"):
        det(T.matrix("h", "float16"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_least_squares(dtype: str) -> None:
    for m, n in ((5, 3), (3, 3), (2, 4), (3, 1)):
        a, b, v = arrays(dtype, (m, n), (m, 2), (m,))
        x, y, w = variables(a, b, v)
        for right, value in ((y, b), (w, v)):
            wanted = list(np.linalg.lstsq(a, value))
            wanted[2] = np.asarray(wanted[2], "int64")
            outputs = list(lstsq()(x, right, None))
            same(outputs, [x, right], [a, value], wanted, tolerance=LOOSE[dtype])
    a = np.ones((4, 3), dtype)
    x, w = T.matrix("x", dtype), T.vector("w", dtype)
    got = oracle([x, w], list(lstsq(x, w, 0.1)))(a, np.arange(4).astype(dtype))
    assert got[1].shape == (0,)
    assert got[2] == 1
    with pytest.raises(TypeError, match="rcond is a real number"):
        lstsq(x, w, T.vector())
    with pytest.raises(ShapeError, match="a has 4 rows, but b has 3"):
        oracle([x, w], lstsq(x, w)[0])(a, np.ones(3, dtype))


def test_tensors_as_maps() -> None:
    a, b = arrays("float64", (2, 3, 6), (2, 3))
    x, y = variables(a, b)
    same(tensorsolve(x, y), [x, y], [a, b], np.linalg.tensorsolve(a, b), tolerance=1e-9)
    c = a.transpose(0, 2, 1)
    (z,) = variables(c)
    same(tensorsolve(z, y, axes=(1,)), [z, y], [c, b], np.linalg.tensorsolve(c, b, (1,)),
         tolerance=1e-9)  # fmt: skip
    same(tensorinv(x), [x], [a], np.linalg.tensorinv(a), tolerance=1e-9)
    turned = a.reshape(6, 2, 3)
    (x,) = variables(turned)
    same(tensorinv(x, ind=1), [x], [turned], np.linalg.tensorinv(turned, 1), tolerance=1e-9)
    with pytest.raises(ValueError, match="ind=0"):
        tensorinv(x, ind=0)


# -- products --------------------------------------------------------------------------------------

MATMUL = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
          ((5, 2, 3), (3,)), ((3,), (5, 3, 2)), ((4, 3), (5, 3, 2)), ((5, 2, 3), (5, 3, 4)),
          ((2, 5, 2, 3), (2, 5, 3, 4)), ((0, 2, 3), (0, 3, 4)), ((2, 5, 2, 0), (2, 5, 0, 4)),
          ((2, 5, 2, 3), (5, 3, 4))]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16"])
@pytest.mark.parametrize("shapes", MATMUL)
def test_matmul(shapes: Any, dtype: str) -> None:
    a, b = arrays(dtype, *shapes)
    x, y = variables(a, b)
    same(matmul(x, y), [x, y], [a, b], np.matmul(a, b), tolerance=1e-5)


def test_matmul_repeats_batches_of_length_one() -> None:
    a, b = arrays("float64", (4, 1, 2, 3), (1, 5, 3, 2))
    x = TensorType("float64", (None, 1, None, None))("x")
    y = TensorType("float64", (1, None, None, None))("y")
    same(matmul(x, y), [x, y], [a, b], np.matmul(a, b), tolerance=1e-12)
    x, y = T.tensor4("x"), T.tensor4("y")
    with pytest.raises(ShapeError, match="matmul: axis 0 has length 3, but must have length 2"):
        oracle([x, y], matmul(x, y))(np.ones((2, 3, 1, 1)), np.ones((3, 2, 1, 1)))
    with pytest.raises(ValueError, match="use \\* for scalars"):
        matmul(T.scalar(), T.vector())


def test_other_products() -> None:
    a, b, v = arrays("complex128", (2, 3), (4, 3), (3,))
    x, y, w = variables(a, b, v)
    same(
        [inner(x, y), inner(x, w), inner(w, w), vdot(x, x), kron(x, y), kron(x, w), kron(w, x),
         matrix_dot(x, y.T, y, w), trace(x), trace(x, 1), trace(x, -1), trace(x, 5)],
        [x, y, w], [a, b, v],
        [np.inner(a, b), np.inner(a, v), np.inner(v, v), np.vdot(a, a), np.kron(a, b),
         np.kron(a, v), np.kron(v, a), a @ b.T @ b @ v, np.trace(a), np.trace(a, 1),
         np.trace(a, -1), np.trace(a, 5)],
        tolerance=1e-12,
    )  # fmt: skip
    c, d = arrays("float64", (2, 3, 2), (2, 2, 2, 3))
    x, y = variables(c, d)
    same(kron(x, y), [x, y], [c, d], np.kron(c, d), tolerance=1e-12)
    same(multi_dot([x[0], y[0, 0], y[0, 1].T]), [x, y], [c, d],
         np.linalg.multi_dot([c[0], d[0, 0], d[0, 1].T]), tolerance=1e-12)  # fmt: skip
    same(inner(x, x[0]), [x, y], [c, d], np.inner(c, c[0]), tolerance=1e-12)


def test_batched_tensordot() -> None:
    a, b = arrays("float64", (2, 3, 4, 5), (2, 4, 5, 3))
    x, y = variables(a, b)
    cases: list[Any] = [2, 0, [[2], [1]], [[1, 3], [3, 2]], [[-1], [2]], [3, 2]]

    def one(axes: Any) -> Any:
        if isinstance(axes, int):
            return axes
        return [[n % 4 - 1 for n in (m if isinstance(m, list) else [m])] for m in axes]

    wanted = [
        np.stack([np.tensordot(p, q, one(axes)) for p, q in zip(a, b, strict=True)])
        for axes in cases
    ]
    outputs = [batched_tensordot(x, y, axes) for axes in cases]
    same(outputs, [x, y], [a, b], wanted, tolerance=1e-12)
    with pytest.raises(ValueError, match="2 axes of the first array, but 1 of the second"):
        batched_tensordot(x, y, [[1, 2], [1]])
    with pytest.raises(ValueError, match="the first axis is the batch"):
        batched_tensordot(x, y, [[0], [1]])
    swapped = oracle([x, y], batched_tensordot(x, y, 2))
    with pytest.raises(ShapeError, match="axis 1 has length 5, but must have length 4"):
        swapped(a, b.transpose(0, 2, 1, 3))


ORDERS: list[Any] = [None, 1, 2, 3, 0.5, -1, 0, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int32"])
def test_norms(dtype: str) -> None:
    a, m = arrays(dtype, (3, 4, 2), (3, 4))
    a[0, 0, 0] = 1
    a[a == 0] = 1
    x, y = variables(a, m)
    outputs, wanted = [], []
    for keepdims in (False, True):
        for axis in (0, -1):
            outputs += [norm(x, ord, axis, keepdims) for ord in ORDERS]
            wanted += [np.linalg.norm(a, ord, axis, keepdims) for ord in ORDERS]
        for ord in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
            outputs += [norm(x, ord, (0, 2), keepdims), norm(x, ord, (-1, 1), keepdims)]
            wanted += [np.linalg.norm(a, ord, axes, keepdims) for axes in ((0, 2), (-1, 1))]
            outputs.append(norm(y, ord, keepdims=keepdims))
            wanted.append(np.linalg.norm(m, ord, keepdims=keepdims))
    outputs.append(norm(x))
    wanted.append(np.linalg.norm(a))
    same(outputs, [x, y], [a, m], wanted, tolerance=1e-10)
    for bad in ((x, 2), (y, "max"), (x[0, 0], "fro")):
        with pytest.raises(ValueError, match="norm"):
            norm(*bad)


# -- compiled -------------------------------------------------------------------------------------


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_compiled_functions_agree(dtype: str) -> None:
    x = T.tensor3("x", dtype)
    y = T.tensor3("y", dtype)
    # Rounding decides about the sign of a complex matrix' last column of Q.
    q, r = qr(x)
    outputs = [
        *svd(x), abs(q), abs(r), matmul(q, r), *eigh(x), *lu(x), cholesky(x), solve(x, y),
        solve_lower_triangular(x, y), matrix_inverse(x) + 1, pinv(y), det(x) * 2, *slogdet(x),
        expm(x / 9), matmul(x, y), norm(y, 2, axis=(1, 2)), trace(x), matrix_power(x, 3),
        kron(x, y), cholesky(x).shape, eigvalsh(x, x), batched_tensordot(x, y, 1),
    ]  # fmt: skip
    calls = []
    for n, k in ((4, 2), (2, 3), (1, 1)):
        calls.append([definite(dtype, 3, n, n), *arrays(dtype, (3, n, k))])
    check([x, y], outputs, calls, kind=KIND, tolerance=LOOSE[dtype] * 3)


@pytest.mark.needs_cc
def test_operands_in_any_layout() -> None:
    a, (b,) = definite("float64", 3, 3), arrays("float64", (3, 2))
    x, y = T.matrix("x"), T.matrix("y")
    outputs = [
        solve(x, y), solve_upper_triangular(x.T, y), cholesky(x[::-1, ::-1]), svd(y)[1],
        eigh(x.T)[0], solve(x, y[::-1]), solve_symmetric(x.T, y), *lstsq(x[:, ::2], y)[::2],
    ]  # fmt: skip
    f, g = function([x, y], outputs), oracle([x, y], outputs)
    for (_, first), (_, second) in zip(layouts(a), layouts(b), strict=True):
        for mine, its in zip(f(first, second), g(a, b), strict=True):
            assert_same(mine, its, 1e-10)


@pytest.mark.needs_cc
def test_shapes_need_no_factorization() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    made = [
        svd(x)[0], svd(x, False)[2], qr(x)[1], qr(x, "complete")[0], pinv(x), lu(x)[1],
        kron(x, y), matmul(x, x.T), eigh(matmul(x, x.T))[1],
    ]  # fmt: skip
    f = function([x, y], [item.shape for item in made], on_unused_input="ignore")
    names = {type(node.op).__name__ for node in f.graph.nodes}
    assert not names & {"SVD", "QR", "MatrixPinv", "LU", "Eigh", "Dot"}
    a, b = arrays("float64", (4, 2), (2, 3))
    got = [tuple(item) for item in f(a, b)]
    assert got == [(4, 4), (2, 2), (2, 2), (4, 4), (2, 4), (4, 2), (8, 6), (4, 4), (4, 4)]


# -- errors ----------------------------------------------------------------------------------------


def raised(output: Any, inputs: list[Any], values: list[Any]) -> str:
    with pytest.raises(LinAlgError) as caught:
        oracle(inputs, output)(*values)
    return str(caught.value)


def test_matrices_without_an_answer() -> None:
    x, y = T.matrix("x"), T.vector("y")
    flat, nan = np.ones((2, 2)), np.array([[np.nan, 1.0], [1.0, 2.0]])
    message = raised(matrix_inverse(x), [x], [flat])
    assert message.startswith("matrix_inverse: the matrix is singular\n  at ")
    assert "hint: pinv gives an inverse of any matrix" in message
    assert "x: TensorType(float64, matrix)" in message
    one = np.ones(2)
    assert "is singular" in raised(solve(x, y), [x, y], [flat, one])
    assert "is singular" in raised(solve_symmetric(x, y), [x, y], [np.zeros((2, 2)), one])
    low = np.array([[1.0, 9.0], [1.0, 0.0]])
    assert "diagonal is zero at 1" in raised(solve_lower_triangular(x, y), [x, y], [low, one])
    assert "diagonal is zero at 1" in raised(solve_upper_triangular(x, y), [x, y], [low, one])
    message = raised(cholesky(x), [x], [np.array([[1.0, 2.0], [2.0, 1.0]])])
    assert "not positive definite" in message
    assert "on_error='nan'" in message
    assert "not positive definite" in raised(cholesky(x), [x], [nan])
    assert "not positive definite" in raised(eigvalsh(x, -x), [x], [np.eye(2)])
    for output in (svd(x)[0], eig(x)[0], pinv(x)):
        assert "NaN or infinities" in raised(output, [x], [nan])
    assert "NaN or infinities" in raised(lstsq(x, y)[0], [x, y], [nan, one])
    assert issubclass(LinAlgError, ValueError)


def test_batches_fail_as_a_whole_or_give_nan() -> None:
    x = T.tensor3("x")
    good, bad = np.eye(2), -np.eye(2)
    mixed = np.stack([good, bad, good])
    raised(cholesky(x), [x], [mixed])
    got = oracle([x], cholesky(x, on_error="nan"))(mixed)
    assert_same(got, np.stack([good, np.full((2, 2), np.nan), good]))
    with_nan = np.stack([good, np.full((2, 2), np.nan), good])
    for output in (matrix_inverse(x), expm(x), eigh(x)[1], solve(x, x), qr(x)[1], lu(x)[2]):
        result = oracle([x], output)(with_nan)
        assert np.isfinite(result[[0, 2]]).all()
        assert np.isnan(result[1]).all()
    assert np.isnan(oracle([x], det(x))(with_nan)).tolist() == [False, True, False]
    partly = np.array([[np.nan, 1.0], [1.0, 2.0]])
    y = T.matrix("y")
    for output in (matrix_inverse(y), *eigh(y), solve(y, y)):
        assert np.isnan(oracle([y], output)(partly)).all()


@pytest.mark.needs_cc
def test_compiled_functions_raise_the_same() -> None:
    x = T.matrix("x")
    f = function([x], matrix_inverse(x) + 1)
    with pytest.raises(LinAlgError, match="the matrix is singular"):
        f(np.ones((3, 3)))
    with pytest.raises(ShapeError, match="this one is 2 × 3"):
        f(np.ones((2, 3)))
    assert_same(f(np.eye(2)), np.eye(2) + 1)


def test_shapes_that_do_not_fit() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    for output in (matrix_inverse(x), det(x), cholesky(x), eigh(x)[0], eig(x)[0], expm(x),
                   slogdet(x)[1], solve(x, x)):  # fmt: skip
        with pytest.raises(ShapeError, match="takes square matrices, and this one is 2 × 3"):
            oracle([x], output)(np.ones((2, 3)))
    with pytest.raises(ShapeError, match="rows or batches of the operands differ: 2 and 3"):
        oracle([x, y], solve(x, y))(np.eye(2), np.ones((3, 1)))
    with pytest.raises(ShapeError, match="takes square matrices"):
        det(TensorType("float64", (2, 3))("z"))
    with pytest.raises(TypeError, match="takes matrices, or batches of them"):
        det(T.vector("v"))
    with pytest.raises(ValueError, match="on_error='ignore'"):
        cholesky(x, on_error="ignore")
    with pytest.raises(ValueError, match="A_structure='diagonal'"):
        solve(x, y, "diagonal")
    with pytest.raises(ValueError, match="mode='r2'"):
        qr(x, "r2")
    with pytest.raises(ValueError, match="UPLO='X'"):
        eigh(x, "X")
    with pytest.raises(TypeError, match="the power must be an integer"):
        matrix_power(x, 0.5)  # type: ignore[arg-type]


def test_theanos_modules_name_them() -> None:
    for module in (nlinalg, slinalg):
        for name in module.__all__:
            assert callable(getattr(module, name))
    a = T.matrix("a")
    assert slinalg.Cholesky(lower=True)(a).type == a.type
    assert slinalg.Solve(A_structure="lower_triangular")(a, a[0]).ndim == 1
    assert nlinalg.Det()(a).ndim == 0


def test_orders_of_norms_by_name() -> None:
    a = np.array([[3.0, -4.0], [0.5, 1.0]])
    for ord in ("inf", "-inf"):
        for value in (a, a[0]):
            wanted = np.linalg.norm(value, float(ord))
            np.testing.assert_allclose(T.nlinalg.norm(value, ord).eval(), wanted)
        extremum = np.max if ord == "inf" else np.min
        np.testing.assert_allclose(T.constant(a).norm(ord).eval(), extremum(abs(a)))
    with pytest.raises(ValueError, match=r"'fro' is not a number(.|\n)*nlinalg.norm"):
        T.constant(a).norm("fro")


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_the_cut_off_of_singular_values_may_be_symbolic(mode: str) -> None:
    m, b, r, f = T.dmatrix("m"), T.dvector("b"), T.dscalar("r"), T.fscalar("f")
    inverse = T.nlinalg.pinv(m, r)
    solved = T.nlinalg.lstsq(m, b, f)
    slopes = [grad(T.sum(item**2), m) for item in (inverse, T.nlinalg.pinv(m))]
    slopes += [grad(T.sum(item[0] ** 2), m) for item in (solved, T.nlinalg.lstsq(m, b))]
    g = function([m, b, r, f], [inverse, *solved, *slopes], mode=mode)
    a, right = np.random.default_rng(0).normal(size=(4, 3)), np.arange(4.0)
    for cut in (0.0, 0.5, 0.875):
        found = g(a, right, cut, cut)
        np.testing.assert_allclose(found[0], np.linalg.pinv(a, rcond=cut), atol=1e-12)
        for mine, wanted in zip(found[1:5], np.linalg.lstsq(a, right, rcond=cut), strict=True):
            np.testing.assert_allclose(mine, wanted, atol=1e-12)
        if not cut:
            np.testing.assert_allclose(found[5], found[6])
            np.testing.assert_allclose(found[7], found[8])
    with pytest.raises(TypeError, match="rcond is a real number"):
        T.nlinalg.pinv(m, b)
