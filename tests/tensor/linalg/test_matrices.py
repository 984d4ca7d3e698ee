"""Linear algebra by value: against NumPy and SciPy, in C and interpreted, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.tensor.linalg.batched import batched_tensordot
from symtheano.tensor.linalg.cholesky import cholesky
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent, det, slogdet
from symtheano.tensor.linalg.eigen import eig, eigh, eigvalsh
from symtheano.tensor.linalg.expm import expm
from symtheano.tensor.linalg.inverse import matrix_inverse, pinv
from symtheano.tensor.linalg.lstsq import lstsq
from symtheano.tensor.linalg.lu import lu
from symtheano.tensor.linalg.matmul import matmul
from symtheano.tensor.linalg.norms import cond, matrix_rank, norm
from symtheano.tensor.linalg.products import (
    kron,
    matrix_power,
    trace,
)
from symtheano.tensor.linalg.qr import qr
from symtheano.tensor.linalg.solve import (
    solve,
    solve_lower_triangular,
    solve_symmetric,
    solve_upper_triangular,
)
from symtheano.tensor.linalg.svd import svd
from symtheano.tensor.type import TensorType
from tests.support.compare import assert_same, check, oracle
from tests.tensor.linalg.matrices import (
    DTYPES,
    KIND,
    LOOSE,
    LinAlgError,
    arrays,
    definite,
    same,
    variables,
)


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
        with pytest.raises(ShapeError, match="takes square matrices, but this one is 2 × 3"):
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
