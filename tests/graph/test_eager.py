"""Test values: ops are computed as they are called, where `config.compute_test_value` asks."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import Op, config, function, grad, gradient, shared, sparse
from symtheano.errors import MisfitError, MissingTestValueError, ShapeError
from symtheano.graph import eager
from symtheano.graph.eager import get_test_value
from symtheano.graph.variable import Apply
from tests.conformance.cases import cases
from tests.conformance.row import Row, dtypes_of
from tests.conformance.table import FAMILIES, rows
from tests.support.compare import assert_same, oracle, outcome


@pytest.fixture(autouse=True)
def _raising() -> Iterator[None]:
    with config.change_flags(compute_test_value="raise"):
        yield


def vector(*values: float) -> Any:
    """Return a vector with a test value."""
    x = T.dvector("x")
    x.tag.test_value = list(values)
    return x


def test_every_op_is_computed_as_it_is_called() -> None:
    x = vector(1, 2, 3)
    w = shared(np.array([1.0, 10.0, 100.0]), "w")
    y = T.dot(x * 2, w)
    assert y.tag.test_value == 2 * 321
    assert grad(y, w).tag.test_value.tolist() == [2, 4, 6]
    assert (y + 1).tag.test_value == 643
    mean, spread = T.stack([x, x]).mean(0), x.reshape((3, 1))
    assert mean.tag.test_value.tolist() == [1, 2, 3]
    assert spread.tag.test_value.shape == (3, 1)


def test_what_does_not_fit_is_an_error_in_the_line_that_wrote_it() -> None:
    x, y = vector(1, 2, 3), vector(1, 2)
    with pytest.raises(ShapeError, match=r"different length along axis 0\n  at .*test_eager.py"):
        x + y  # the line which the message names
    with pytest.raises(IndexError):
        x[5]


def test_a_missing_value() -> None:
    x = T.dvector("x")
    with pytest.raises(MissingTestValueError, match=r"input 0 \(x\) of .*exp.* has no test value"):
        T.exp(x)
    assert issubclass(MissingTestValueError, ValueError)
    assert issubclass(MissingTestValueError, AttributeError)
    with config.change_flags(compute_test_value="warn"), pytest.warns(UserWarning, match="(x)"):
        T.exp(x)
    with config.change_flags(compute_test_value="ignore"):
        y = T.exp(x)
    assert not hasattr(y.tag, "test_value")
    with pytest.raises(MissingTestValueError, match="x has no test value"):
        get_test_value(x)
    # A value set later does not reach what was made before, as in Theano.
    x.tag.test_value = [0.0]
    with pytest.raises(MissingTestValueError):
        y + 1
    assert T.exp(x).tag.test_value.tolist() == [1.0]


def test_the_debugger_where_a_value_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("pdb.post_mortem", opened.append)
    with (
        config.change_flags(compute_test_value="pdb"),
        pytest.raises(MissingTestValueError, match="has no test value"),
    ):
        T.exp(T.dvector("x"))
    assert len(opened) == 1


def test_values_of_other_types() -> None:
    x = T.fvector("x")
    x.tag.test_value = [1, 2]
    assert T.sqr(x).tag.test_value.dtype == "float32"
    x.tag.test_value = np.ones((2, 2), "float32")
    with pytest.raises(MisfitError, match="bad test value of x: wrong number of dims"):
        T.sqr(x)


def test_nothing_is_computed_when_it_is_off() -> None:
    x = vector(1)
    with config.change_flags(compute_test_value="off"):
        y = x + 1
    assert not hasattr(y.tag, "test_value")
    # It is computed when something else needs it.
    assert (y * 2).tag.test_value.tolist() == [4.0]
    assert y.tag.test_value.tolist() == [2.0]


def test_a_long_chain_made_in_silence() -> None:
    y = x = vector(1)
    with config.change_flags(compute_test_value="off"):
        for _ in range(5000):
            y = y + 1
    assert (y - x).tag.test_value.tolist() == [5000]


def test_compiling_computes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    x = vector(1, 2)
    y = T.log(1 + T.exp(x)).sum()
    w = shared(np.zeros(2), "w")
    g = grad(y, x)
    new = w + g
    z = T.dvector("z")  # has no test value

    def fail(node: Apply, values: list[Any]) -> list[Any]:
        raise AssertionError(node)

    monkeypatch.setattr(eager, "perform", fail)
    f = function([z], y, givens={x: z}, updates={w: new}, mode="INTERPRET")
    assert f.trace.steps
    assert f([0.0, 0.0]) == pytest.approx(2 * np.log(2))
    assert function([x], g)([0.0, 0.0]).tolist() == [0.5, 0.5]


def test_derivatives_made_with_stand_ins() -> None:
    x = vector(1, 2)
    y = x**2
    assert T.jacobian(y, x).tag.test_value.tolist() == [[2, 0], [0, 4]]
    assert T.hessian((x**3).sum(), x).tag.test_value.tolist() == [[6, 0], [0, 12]]
    assert T.Rop(y, x, x).tag.test_value.tolist() == [2, 8]
    assert T.Lop(y, x, x).tag.test_value.tolist() == [2, 8]
    a = T.dvector("a")
    with config.change_flags(compute_test_value="off"):
        double = symtheano.OpFromGraph([a], [a * 2])
    assert double(x).tag.test_value.tolist() == [2, 4]
    assert grad((double(x) ** 2).sum(), x).tag.test_value.tolist() == [8, 16]
    assert symtheano.clone(y, {x: x + 1}).tag.test_value.tolist() == [4, 9]
    assert symtheano.clone_replace([y], {x: x + 1})[0].tag.test_value.tolist() == [4, 9]
    assert T.vectorize(lambda v: v * T.cos(v))(x).tag.test_value.shape == (2,)
    assert gradient.hessian_times_vector(y, x, vector(1, 1)).tag.test_value.tolist() == [2, 4]


def test_sparse_matrices() -> None:
    x = sparse.csr_matrix("x")
    x.tag.test_value = scipy.sparse.csr_matrix(np.diag([1.0, 2.0]))
    y = T.dmatrix("y")
    y.tag.test_value = np.ones((2, 2))
    product = sparse.dot(x, y)
    assert product.tag.test_value.tolist() == [[1, 1], [2, 2]]
    assert grad(product.sum(), y).tag.test_value.tolist() == [[1, 1], [2, 2]]
    assert (x * 3).tag.test_value.toarray().tolist() == [[3, 0], [0, 6]]


class Reversed(Op):
    """An op of a user's that writes into its input."""

    destroy_map: ClassVar = {0: [0]}
    itypes, otypes = [T.dvector], [T.dvector]

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        """Reverse in place."""
        (x,) = inputs
        x[:] = x[::-1].copy()
        output_storage[0][0] = x


def test_ops_of_users() -> None:
    x = vector(1, 2)
    assert Reversed()(x).tag.test_value.tolist() == [2, 1]
    assert get_test_value(x).tolist() == [1, 2]


@pytest.mark.parametrize("family", FAMILIES)
def test_functions_have_the_value_that_the_interpreter_computes(family: str) -> None:
    for row in list(rows(family))[::4]:
        if "OpFromGraph" not in row.name:  # what it is made of has no values
            _compare(row)


def _compare(row: Row) -> None:
    known = dtypes_of(row.dtypes) or ("float64",)
    dtype = "float64" if "float64" in known else known[0]
    variables = {name: arg.variable(dtype, name) for name, arg in row.args.items()}
    case = cases(row, dtype)[0]
    for variable, value in zip(variables.values(), case.values, strict=True):
        variable.tag.test_value = value
    outputs = row.symbolic(variables)
    found = [get_test_value(item) for item in outputs]
    with config.change_flags(compute_test_value="off"):
        wanted = outcome(oracle(list(variables.values()), outputs), case.values)
    listed = [wanted] if isinstance(wanted, np.ndarray) else list(wanted)
    for mine, its in zip(found, listed, strict=True):
        assert_same(np.asarray(mine), its, row.allowed(its.dtype.name), f"{row.name} in {dtype}")
