"""Symbolic sparse matrices: attributes, operators, values."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import shared, sparse as S
from symtheano.errors import MisfitError
from symtheano.sparse.variable import SparseConstant, SparseSharedVariable
from tests.sparse.harness import interpreted, random_sparse


def test_attributes() -> None:
    x = S.csc_matrix("x", "float32")
    assert (x.dtype, x.format, x.ndim, x.broadcastable) == ("float32", "csc", 2, (False, False))
    assert (x.T.format, x.T.dtype) == ("csr", "float32")
    assert x.astype("float64").dtype == "float64"


def test_operators_are_those_of_dense_matrices() -> None:
    x, y, d = S.csr_matrix("x"), S.csr_matrix("y"), T.matrix("d")
    a, b = random_sparse(1), random_sparse(2)
    dense = np.random.default_rng(0).normal(size=(4, 5))
    outputs = [-x, abs(x), x + y, x - y, x * y, x * 2.0, 2.0 * x, x < y, x >= d.T, x @ d, d @ x]
    got = interpreted([x, y, d], outputs)(a, b, dense)
    p, q = a.toarray(), b.toarray()
    want = [
        -p, abs(p), p + q, p - q, p * q, p * 2, 2 * p, p < q, p >= dense.T, p @ dense, dense @ p,
    ]  # fmt: skip
    for mine, its in zip(got, want, strict=True):
        np.testing.assert_allclose(mine.toarray() if hasattr(mine, "toarray") else mine, its)


def test_methods() -> None:
    x = S.csr_matrix("x", "complex128")
    a = random_sparse(1, dtype="complex128")
    outputs = [x.transpose(), x.conj(), x.real, x.zeros_like(), x.sum(0), x.toarray(), x.shape]
    got = interpreted([x], outputs)(a)
    p = a.toarray()
    for mine, its in zip(got, [p.T, p.conj(), p.real, 0 * p, p.sum(0), p, p.shape], strict=True):
        np.testing.assert_array_equal(mine.toarray() if hasattr(mine, "toarray") else mine, its)


def test_what_only_values_have() -> None:
    x = S.csr_matrix("x")
    with pytest.raises(TypeError, match="can't be iterated over"):
        iter(x)
    with pytest.raises(TypeError, match="truth value of a sparse matrix"):
        bool(x)


def test_constants_are_equal_by_their_components() -> None:
    a = random_sparse(1)
    one, same, other = (S.as_sparse_variable(item) for item in (a, a.copy(), a * 2))
    assert isinstance(one, SparseConstant)
    assert one.signature() == same.signature()
    assert one.signature() != other.signature()
    assert str(one) == f"SparseConstant{{csr (5, 4), {a.nnz} stored}}"


def test_shared_matrices_are_copied() -> None:
    a = random_sparse(1)
    w = shared(a, "w")
    assert isinstance(w, SparseSharedVariable)
    w.get_value().data[:] = 0
    assert w.get_value().nnz == np.count_nonzero(w.get_value().data)
    assert np.shares_memory(*(w.get_value(borrow=True).data for _ in range(2)))
    w.set_value(a * 2)
    np.testing.assert_array_equal(w.get_value().toarray(), 2 * a.toarray())
    with pytest.raises(MisfitError, match="set_value: bad value for w"):
        w.set_value(np.ones(4))
    np.testing.assert_array_equal(w.get_value().toarray(), 2 * a.toarray())
