"""Eigenvalues of any matrices, and of pairs of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano.tensor as T
from symtheano.function.verify import verify_grad
from symtheano.tensor import slinalg
from symtheano.tensor.linalg.eigen import eig, eigh, eigvals, eigvalsh
from tests.support.compare import assert_same, oracle
from tests.tensor.linalg.matrices import (
    DTYPES,
    LOOSE,
    LinAlgError,
    arrays,
    definite,
    same,
    variables,
)


def hermitian(a: Any, lower: bool) -> Any:
    part = np.tril(a, -1) if lower else np.triu(a, 1)
    eye = np.eye(a.shape[-1], dtype=bool)
    return part + part.conj().swapaxes(-1, -2) + np.where(eye, a.real, 0)


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


def test_generalized_eigenvectors() -> None:
    for dtype in DTYPES:
        (a,), b = arrays(dtype, (4, 4)), definite(dtype, 4, 4)
        x, y = variables(a, b)
        for UPLO in "LU":
            w, v = oracle([x, y], list(eigh(x, UPLO, b=y)))(a, b)
            assert_same(w, scipy.linalg.eigvalsh(hermitian(a, UPLO == "L"), b), LOOSE[dtype])
            whole = hermitian(a, UPLO == "L")
            assert_same(np.asarray(whole @ v, dtype), np.asarray(b @ v * w, dtype), LOOSE[dtype])
            assert_same(v.conj().T @ b @ v, np.eye(4, dtype=dtype), LOOSE[dtype] * 10)
    verify_grad(lambda a, b: abs(eigh(a, b=b)[1]), [arrays("float64", (3, 3))[0],
                definite("float64", 3, 3)], n_tests=1, mode="INTERPRET")  # fmt: skip
    with pytest.raises(TypeError, match="eigh takes matrices"):
        eigh(x, b=T.dvector())
