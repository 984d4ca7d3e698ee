"""Shared variables that are sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad, shared, sparse as S
from symtheano.errors import MisfitError
from symtheano.sparse.type import SparseType
from tests.sparse.harness import compiled, interpreted, random_sparse, same

pytestmark = pytest.mark.needs_cc


def test_shared_variables() -> None:
    a = random_sparse(1)
    w, n = S.shared(a, name="w"), shared(0.0)
    x = T.matrix("x")
    cost = (S.structured_dot(w, x) ** 2).sum()
    step = w - 0.1 * grad(cost, w)
    for make in (interpreted, compiled):
        w.set_value(a)
        n.set_value(0.0)
        f = make([x], cost, updates=[(w, step), (n, n + cost)])
        assert f.shared == [w, n]
        costs = [float(f(np.ones((4, 1)))) for _ in range(3)]
        assert costs[0] > costs[1] > costs[2]
        np.testing.assert_allclose(n.get_value(), sum(costs))
        want = a.copy()
        for _ in range(3):
            slope = 2 * np.outer(want @ np.ones(4), np.ones(4))
            want = want - 0.1 * want._with_data(slope[want.nonzero()])
        same(w.get_value(), want)


def test_values_of_shared_variables() -> None:
    a = random_sparse(1)
    w = S.shared(a, "w")
    assert not np.shares_memory(w.get_value().data, w.get_value().data)
    assert np.shares_memory(w.get_value(borrow=True).data, w.get_value(borrow=True).data)
    assert np.shares_memory(S.shared(a, borrow=True).get_value(borrow=True).data, a.data)
    w.get_value().data[:] = 0
    same(w.get_value(), a)
    w.set_value(a.tocsc())
    assert w.get_value().format == "csr"
    assert S.shared(a, format="csc").type == SparseType("csc", "float64")
    with pytest.raises(MisfitError, match=r"set_value: bad value for w: .* complex numbers"):
        w.set_value(a.astype("complex128"))
    bad = random_sparse(2)
    bad.indptr[1] = 9
    with pytest.raises(MisfitError, match=r"set_value: bad value for w: .* indptr does not rise"):
        w.set_value(bad)
    same(w.get_value(), a)
    with pytest.raises(TypeError, match=r"sparse\.shared takes a SciPy matrix"):
        S.shared(np.ones((2, 2)))
