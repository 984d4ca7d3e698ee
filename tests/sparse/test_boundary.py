"""Sparse inputs, shared variables and outputs of functions; types, constants and names."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Op, clone_replace, sparse as S
from symtheano.errors import BoundsError, MisfitError
from symtheano.graph.variable import Apply
from symtheano.graph.walk import ancestors
from symtheano.sparse.boundary import split_boundary
from symtheano.sparse.type import SparseType
from tests.sparse.harness import FORMATS, compiled, interpreted, random_sparse, same, shuffled

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("format", FORMATS)
def test_what_enters_and_leaves(format: str) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    boundary = split_boundary([x, d], [x, d + 1, x * 2])
    assert [v.name for v in boundary.inputs[0]][:3] == ["x.data", "x.indices", "x.indptr"]
    assert boundary.inputs[1] == [d]
    assert [len(items) for items in boundary.outputs] == [4, 1, 4]
    everything = ancestors([item for items in boundary.outputs for item in items])
    assert not any(isinstance(item.type, SparseType) for item in everything)
    a = shuffled(random_sparse(1, format=format))
    for make in (interpreted, compiled):
        same_, plus, double = make([x, d], [x, d + 1, x * 2])(a, np.ones((2, 2)))
        same(same_, a)
        same(double, a * 2)
        np.testing.assert_array_equal(plus, np.full((2, 2), 2.0))
        same_.data[:] = 0
        assert a.data.all(), "a result shows the argument's memory"


def test_structures_are_checked_where_they_enter() -> None:
    x = S.csr_matrix("x")
    a = random_sparse(1)
    a.indices = a.indices + 2
    b = random_sparse(1)
    b.indptr[1] = 9
    for make in (interpreted, compiled):
        f = make([x], x.toarray())
        with pytest.raises(BoundsError, match="outside its axis of length 4"):
            f(a)
        with pytest.raises(MisfitError, match="indptr does not rise"):
            f(b)


def test_constants() -> None:
    a = shuffled(random_sparse(1))
    c, x = S.as_sparse_variable(a), T.matrix("x")
    assert S.csm_data(c) is S.csm_data(c)
    assert S.constant(a).signature() == c.signature() != S.constant(a * 2).signature()
    got = compiled([x], [S.structured_dot(a, x), c * 2])(np.eye(4))
    np.testing.assert_allclose(got[0], a.toarray())
    same(got[1], a * 2)
    assert S.as_sparse_variable(a.tocoo()).format == "csr"
    bad = random_sparse(1)
    bad.indices = bad.indices + 9
    with pytest.raises(ValueError, match="an index is outside its axis"):
        S.as_sparse_variable(bad)
    with pytest.raises(TypeError, match="is not a sparse matrix"):
        S.as_sparse_variable(x)
    with pytest.raises(TypeError, match="takes a SciPy matrix"):
        S.constant(np.eye(2))


def test_replaced_inputs_are_opened_anew() -> None:
    x, y = S.csr_matrix("x"), S.csr_matrix("y")
    (z,) = clone_replace([(x * 2).toarray() + S.dot(x, x.T).sum()], {x: y + y})
    a = random_sparse(1)
    want = 4 * a.toarray() + ((2 * a) @ (2 * a).T).sum()
    for make in (interpreted, compiled):
        np.testing.assert_allclose(make([y], z)(a), want)


def test_what_a_function_can_not_compute() -> None:
    class Foreign(Op):
        __props__ = ()

        def make_node(self, *inputs: Any) -> Apply:
            return Apply(self, inputs, [T.matrix()])

    x = S.csr_matrix("x")
    with pytest.raises(
        NotImplementedError, match="Foreign has sparse inputs or outputs, and no perform"
    ):
        split_boundary([x], [Foreign()(x)])
    with pytest.raises(NotImplementedError, match="x is needed but is not an input"):
        split_boundary([], [x * 2])


def test_variables_travel() -> None:
    x = S.csr_matrix("x")
    y = x * 2
    for twin in (pickle.loads(pickle.dumps(y)), copy.deepcopy(y)):
        (leaf,) = set(split_leaves(twin))
        a = random_sparse(1)
        same(interpreted([leaf], twin)(a), a * 2)
    assert repr(x) == "x"
    assert (x.format, x.dtype, x.ndim) == ("csr", "float64", 2)


def split_leaves(variable: Any) -> list[Any]:
    """Return the sparse variables that nothing computes."""
    from symtheano.graph.walk import free_inputs

    return [item for item in free_inputs([variable]) if isinstance(item.type, SparseType)]
