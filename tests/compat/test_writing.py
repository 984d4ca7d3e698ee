"""Results that are written into arguments, as ``accept_inplace=True`` allows."""

from __future__ import annotations

import importlib
import pickle
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture
def inplace(theano: ModuleType) -> ModuleType:
    """``theano.tensor.inplace``."""
    return importlib.import_module("theano.tensor.inplace")


def test_the_argument_has_the_result(theano: ModuleType, inplace: ModuleType) -> None:
    x, y = theano.tensor.dvectors("x", "y")
    f = theano.function([x, y], inplace.add_inplace(x, y), accept_inplace=True)
    value = np.ones(3)
    assert f(value, y=[1.0, 2.0, 3.0]).tolist() == value.tolist() == [2.0, 3.0, 4.0]


def test_others_read_the_old_value(theano: ModuleType, inplace: ModuleType) -> None:
    x = theano.tensor.dvector("x")
    twice = inplace.sqr_inplace(inplace.sqr_inplace(x))
    f = theano.function([x], [twice, x + 1], accept_inplace=True)
    value = np.array([2.0])
    assert [item.tolist() for item in f(value)] == [[16.0], [3.0]]
    assert value == 16


def test_a_shared_variable_has_the_result(theano: ModuleType, inplace: ModuleType) -> None:
    w = theano.shared(np.zeros(2))
    f = theano.function([], {"a": inplace.exp_inplace(w)}, accept_inplace=True)
    assert f()["a"].tolist() == w.get_value().tolist() == [1.0, 1.0]


def test_it_has_the_dtype_of_the_operand(theano: ModuleType, inplace: ModuleType) -> None:
    x, y = theano.tensor.fvector("x"), theano.tensor.dvector("y")
    assert inplace.add_inplace(x, y).dtype == "float32"
    assert str(inplace.add_inplace) == "add_inplace"
    assert inplace.add_inplace.make_node(x, y).outputs[0].dtype == "float32"
    n = theano.tensor.bvector("n")
    f = theano.function([n, x], inplace.add_inplace(n, x), accept_inplace=True)
    value = np.array([1], "int8")
    assert f(value, [2.75]) == value == 3
    with pytest.raises(TypeError, match="float32 in place"):
        inplace.add_inplace(x, theano.tensor.zvector("z"))
    with pytest.raises(ValueError, match="in place"):
        inplace.add_inplace(theano.tensor.row(), theano.tensor.matrix())


def test_functions_must_accept_it(theano: ModuleType, inplace: ModuleType) -> None:
    x = theano.tensor.dvector("x")
    with pytest.raises(TypeError, match="must not contain inplace"):
        theano.function([x], inplace.exp_inplace(x))
    both = inplace.exp_inplace(x) + inplace.sqr_inplace(x)
    with pytest.raises(theano.gof.InconsistencyError, match="two results"):
        theano.function([x], both, accept_inplace=True)


def test_ops_that_write_are_those_of_classes(theano: ModuleType) -> None:
    tensor = theano.tensor
    v, w, m = tensor.dvector("v"), tensor.dvector("w"), tensor.dmatrix("m")
    a, b = tensor.dscalars("a", "b")
    ops = [
        (tensor.Elemwise(theano.scalar.add, {0: 0}), [v, w], [[1.0], [2.0]], [3.0]),
        (tensor.blas.gemv_inplace, [v, a, m, w, b], [[1.0], 2.0, [[3.0]], [4.0], 2.0], [26.0]),
        (tensor.nnet.sigmoid_inplace, [v], [[0.0]], [0.5]),
    ]
    for op, inputs, values, result in ops:
        f = theano.function(inputs, op(*inputs), accept_inplace=True)
        arrays = [np.array(value) for value in values]
        assert f(*arrays).tolist() == arrays[0].tolist() == result


def test_attributes_are_those_of_the_function(theano: ModuleType, inplace: ModuleType) -> None:
    x = theano.tensor.dvector("x")
    f = theano.function([x], inplace.exp_inplace(x), accept_inplace=True, name="f")
    assert f.name == "f"
    assert f.inputs == [x]
    assert pickle.loads(pickle.dumps(f))([0.0]).tolist() == [1.0]
