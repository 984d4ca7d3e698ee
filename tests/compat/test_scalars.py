"""Types of numbers and functions of numbers that programs define."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


def test_types(theano: Any) -> None:
    scalar = theano.scalar
    x = scalar.float32("x")
    assert (x.name, x.dtype, x.ndim) == ("x", "float32", 0)
    assert scalar.Scalar("int8") == scalar.int8 == scalar.get_scalar_type("int8")
    assert [kind.dtype for kind in scalar.float_types] == ["float16", "float32", "float64"]
    assert scalar.upcast("int8", "float32") == "float32"
    assert scalar.upcast_out(scalar.int8, scalar.int16) == (scalar.int16,)
    assert scalar.upgrade_to_float(scalar.int8) == (scalar.float32,)
    assert scalar.upgrade_to_float(scalar.int32) == (scalar.float64,)
    assert scalar.transfer_type(1)(scalar.int8, scalar.float32) == (scalar.float32,)
    assert scalar.specific_out(scalar.int8)(scalar.float64) == (scalar.int8,)
    with pytest.raises(TypeError, match="complex"):
        scalar.same_out_nocomplex(scalar.complex64)
    with pytest.raises(TypeError, match="2 axes"):
        scalar.as_scalar(np.eye(2))


def test_rows_have_classes(theano: Any) -> None:
    scalar, T = theano.scalar, theano.tensor
    x = T.matrix("x")
    assert isinstance((x + 1).owner.op.scalar_op, scalar.Add)
    assert not isinstance((x - 1).owner.op.scalar_op, scalar.Add)
    assert isinstance((x < 1).owner.op.scalar_op, scalar.LogicalComparison)
    assert isinstance(T.gammaln(x).owner.op.scalar_op, theano.scalar.basic_scipy.GammaLn)
    assert isinstance(x.T.owner.op, T.DimShuffle)
    assert T.Elemwise(scalar.add) == (x + 1).owner.op


def test_a_function_of_numbers(theano: Any) -> None:
    scalar, T = theano.scalar, theano.tensor

    class Cubed(scalar.UnaryScalarOp):
        def impl(self, x: Any) -> Any:
            return x**3

        def grad(self, inputs: Any, output_gradients: Any) -> Any:
            (x,), (gz,) = inputs, output_gradients
            return [gz * 3 * x**2]

    cubed = T.Elemwise(Cubed(scalar.upgrade_to_float, name="cubed"))
    x = T.matrix("x")
    value = np.array([[1.0, -2.0], [0.5, np.inf]])
    f = theano.function([x], [cubed(x), theano.grad(cubed(x).sum(), x)])
    np.testing.assert_allclose(f(value), [value**3, 3 * value**2])
    assert f(np.empty((0, 2)))[0].shape == (0, 2)
    assert cubed(T.ivector()).dtype == "float64"
    theano.gradient.verify_grad(lambda v: cubed(v), [np.eye(2) + 1], rng=np.random.RandomState(1))
    with pytest.raises(TypeError, match="takes 1 operands, got 2"):
        cubed(x, x)


def test_a_composite(theano: Any) -> None:
    scalar, T = theano.scalar, theano.tensor
    a, b = scalar.floats("ab")
    composite = scalar.Composite([a, b], [a * b + scalar.exp(a)])
    x, y = T.matrix("x"), T.vector("y")
    f = theano.function([x, y], T.Elemwise(composite)(x, y))
    u, v = np.ones((2, 3)), np.arange(3.0)
    np.testing.assert_allclose(f(u, v), u * v + np.exp(u))
    assert composite.impl(2.0, 3.0) == 6 + np.exp(2.0)


def test_numbers_are_printed_as_numbers(theano: Any) -> None:
    scalar = theano.scalar
    x, y = scalar.float64("x"), scalar.float64("y")
    z = scalar.add(x, scalar.mul(x, y))
    assert str(theano.gof.FunctionGraph([x, y], [z])) == "[add(x, mul(x, y))]"
    assert z.owner.op == scalar.add
    assert isinstance((x // y).owner.op, scalar.IntDiv)
    assert str(scalar.float32) == "float32"
    assert theano.function([x, y], z)(2.0, 3.0) == 8.0
    row = theano.tensor.vector("row")
    assert str(scalar.add(row, x).owner.op) == "Elemwise{add,no_inplace}"


def test_ranges(theano: Any) -> None:
    x = theano.tensor.vector("x")
    outside, inside = theano.scalar.inopenrange, theano.scalar.inclosedrange
    f = theano.function([x], [outside(x, 0, 1), inside(x, 0, 1)])
    assert [r.tolist() for r in f([0.0, 0.5, 2.0])] == [[False, True, False], [True, True, False]]


def test_results_of_python_and_c_are_compared(theano: Any) -> None:
    x = theano.scalar.float64("x")
    graph = theano.gof.FunctionGraph([x], [theano.scalar.exp(x)])
    seen = []
    linker = theano.gof.DualLinker(checker=lambda a, b: seen.append(float(a[0] - b[0])))
    assert linker.accept(graph).make_function()(0.0) == 1.0
    assert seen == [0.0]
