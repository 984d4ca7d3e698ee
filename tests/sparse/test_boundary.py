"""Sparse inputs, shared variables and outputs of functions; types, constants and names."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import Op, clone_replace, grad, shared, sparse as S
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
    with pytest.raises(NotImplementedError, match="Foreign has sparse inputs or outputs"):
        split_boundary([x], [Foreign()(x)])
    with pytest.raises(NotImplementedError, match="x is needed but is not an input"):
        split_boundary([], [x * 2])


# -- types ---------------------------------------------------------------------------------------


def test_types() -> None:
    kind = SparseType("csr", "float32")
    assert kind == SparseType("csr", np.float32) != SparseType("csc", "float32")
    assert hash(kind) == hash(SparseType("csr", "float32"))
    assert kind.clone(dtype="int8") == SparseType("csr", "int8")
    assert S.csr_fmatrix("x").type == kind
    assert S.csc_dmatrix("x").type == S.matrix("csc").type == S.csc_matrix().type
    assert (kind.ndim, kind.broadcastable) == (2, (False, False))
    for format in ("bsr", "coo"):
        with pytest.raises(NotImplementedError, match="is not supported; csr and csc are"):
            SparseType(format, "float32")
    with pytest.raises(TypeError, match="float16 are not supported"):
        SparseType("csr", "float16")


def test_values_that_types_take() -> None:
    kind, a = SparseType("csr", "float32"), random_sparse(1, dtype="float32")
    assert kind.filter(a) is a
    assert kind.filter(a.tocsc()).format == "csr"
    assert kind.filter(a.astype("int8")).dtype == "float32"
    same(kind.filter(a.toarray()), a)
    same(kind.filter(scipy.sparse.csr_array(a)), a)
    same(kind.filter(a.astype("float64"), allow_downcast=True), a)
    cases: list[tuple[Any, bool, str]] = [
        (a.astype("float64"), False, "without losing precision"),
        (a.astype("complex64"), False, "can't take complex numbers"),
        (a.tocsc(), True, "got a csc matrix of float32"),
        ([[1.0]], False, "can't take a value of type list"),
        (np.ones(3), False, "can't take a value of type ndarray"),
    ]
    for value, strict, message in cases:
        with pytest.raises(MisfitError, match=message):
            kind.filter(value, strict=strict)
    assert kind.is_valid_value(a)
    assert not kind.is_valid_value(a.tocsc())


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


def test_every_name_is_there() -> None:
    for name in S.__all__:
        assert getattr(S, name) is not None, name
    assert set(S.__all__) <= set(dir(S))
    assert S.as_sparse is S.as_sparse_variable
    assert S.as_sparse_or_tensor_variable(1).ndim == 0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        S.nothing  # noqa: B018
