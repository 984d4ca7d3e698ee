"""Products by elements, and scaled rows and columns, stored and dense."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from symtheano.sparse import scaled
from symtheano.sparse.linear import FromDense
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import FORMATS, interpreted, random_sparse


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("axis", [0, 1, None])
def test_stored_and_dense_elements(format: str, axis: int | None) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    factors = T.scalar("f") if axis is None else T.vector("f")
    op = scaled.Scaled(axis, "scale")
    a = random_sparse(1, format=format)
    value: Any = 3.0 if axis is None else np.arange(1.0, a.shape[axis] + 1)
    stored, dense = interpreted([x, d, factors], [op(x, factors), op.dense(d, factors)])(
        a, a.toarray(), value
    )
    want = a.toarray() * (value[:, None] if axis == 0 else value)
    np.testing.assert_array_equal(stored.toarray(), want)
    np.testing.assert_array_equal(dense, want)


def test_products_are_stored_where_both_factors_are() -> None:
    x, y = S.csr_matrix("x"), S.csc_matrix("y")
    made = scaled.mul_s_s(x, y)
    a, b = random_sparse(1), random_sparse(2, format="csc")
    got = interpreted([x, y], made)(a, b)
    assert got.format == "csr"
    np.testing.assert_array_equal(got.toarray(), a.toarray() * b.toarray())
    assert got.nnz == np.count_nonzero(a.toarray() * b.toarray())


def test_kinds_of_products() -> None:
    x, d, e = S.csr_matrix("x"), T.matrix("d"), T.matrix("e")
    assert not is_sparse(scaled.product(d, e))
    for left, right in ((x, d), (d, x), (x, x)):
        assert isinstance(scaled.product(left, right).owner.op, scaled.Product)
    full = FromDense("csc")(d)
    assert isinstance(scaled.product(full, e).owner.op, FromDense)
    assert isinstance(scaled.product(full, x).owner.op, scaled.Product)
    value = random_sparse(1).toarray()
    got = interpreted([d, x], scaled.product(full, x))(value + 1, random_sparse(2))
    np.testing.assert_allclose(got.toarray(), (value + 1) * random_sparse(2).toarray())
