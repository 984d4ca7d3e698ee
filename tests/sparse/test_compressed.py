"""Products of compressed matrices, as ops on their components."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import grad
from symtheano.errors import ShapeError
from symtheano.sparse import compressed
from tests.sparse.harness import interpreted, random_sparse

COLUMNS = 4
DATA, INDICES, STARTS = T.vector("data"), T.ivector("indices"), T.ivector("starts")


@pytest.mark.parametrize("dense", ["vector", "matrix"])
def test_products_against_scipy(dense: str) -> None:
    y = T.vector("y") if dense == "vector" else T.matrix("y")
    a = random_sparse(1, (5, COLUMNS))
    for make, matrix in ((compressed.rows_dot, a), (compressed.columns_dot, a.T)):
        product = make(DATA, y, INDICES, STARTS, COLUMNS)
        f = interpreted([DATA, y, INDICES, STARTS], product)
        for extent in (1, 3, 0):
            lengths = (matrix.shape[1], extent)[: y.ndim]
            b = np.random.default_rng(2).normal(size=lengths)
            np.testing.assert_allclose(f(a.data, b, a.indices, a.indptr), matrix @ b)
        with pytest.raises(ShapeError, match="sparse dot: the inner lengths are"):
            f(a.data, np.ones((7, 1)[: y.ndim]), a.indices, a.indptr)


def test_products_at_stored_elements() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    f = interpreted([x, y, INDICES, STARTS], compressed.sampled_dot(x, y, INDICES, STARTS))
    a, rng = random_sparse(1, (5, COLUMNS)), np.random.default_rng(0)
    left, right = rng.normal(size=(5, 2)), rng.normal(size=(COLUMNS, 2))
    rows, columns = scipy.sparse.csr_matrix(a).nonzero()
    got = f(left, right, a.indices, a.indptr)
    np.testing.assert_allclose(got, (left @ right.T)[rows, columns])
    with pytest.raises(ShapeError, match="sampling_dot: lengths 5 and 6 differ"):
        f(np.ones((6, 2)), right, a.indices, a.indptr)


def test_gradients_are_products_with_the_transpose() -> None:
    y = T.matrix("y")
    cost = (compressed.rows_dot(DATA, y, INDICES, STARTS, COLUMNS) ** 2).sum()
    f = interpreted([DATA, y, INDICES, STARTS], grad(cost, [DATA, y]))
    a = random_sparse(1, (5, COLUMNS))
    b = np.random.default_rng(3).normal(size=(COLUMNS, 2))
    by_data, by_dense = f(a.data, b, a.indices, a.indptr)
    g = 2 * (a @ b)
    np.testing.assert_allclose(by_dense, a.T @ g)
    rows, columns = a.nonzero()
    np.testing.assert_allclose(by_data, (g @ b.T)[rows, columns])


def test_sums_of_halves_are_wide() -> None:
    assert [compressed.wide_of(dtype) for dtype in ("float16", "float64")] == ["float32", "float64"]
