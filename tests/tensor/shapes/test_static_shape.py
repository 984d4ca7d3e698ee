"""Lengths that users say an array has."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import DeclaredShapeError, ShapeError
from symtheano.tensor.type import TensorType
from tests.support.compare import compare_call, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


def test_specify_shape_and_addbroadcast() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    fixed = T.specify_shape(x, (3, None))
    row = T.addbroadcast(y, 0)
    assert fixed.type.shape == (3, None)
    assert row.broadcastable == (True, False)
    outputs = [
        fixed * 2,
        fixed,
        x + row,
        row.sum(0),
        fixed.sum(1) + T.patternbroadcast(y, (True, False))[0, 0],
    ]
    f, g = compiled([x, y], outputs), oracle([x, y], outputs)
    compare_call(f, g, [np.ones((3, 4)), np.arange(4.0).reshape(1, 4)], kind="shapes")
    for a, b in (((2, 4), (1, 4)), ((3, 4), (2, 4)), ((0, 4), (1, 4)), ((3, 4), (0, 4))):
        got = outcome(f, [np.ones(a), np.ones(b)])
        assert got == outcome(g, [np.ones(a), np.ones(b)])
        assert got[0] is DeclaredShapeError
        assert "was declared to have length" in got[1]
    with pytest.raises(ShapeError, match="static length 3"):
        T.specify_shape(fixed, (4, None))
    with pytest.raises(ValueError, match="lengths for 2 dims"):
        T.specify_shape(x, (3,))
    assert T.unbroadcast(row, 0) is row


def test_static_shapes_of_inputs_are_checked() -> None:
    x = TensorType("float64", (2, None, 1))("x")
    f = compiled([x], x * 2)
    assert f(np.ones((2, 5, 1))).shape == (2, 5, 1)
    for shape in ((3, 5, 1), (2, 5, 2), (0, 5, 1)):
        with pytest.raises(TypeError, match="static length"):
            f(np.ones(shape))
    with pytest.raises(TypeError, match="wrong number of dims"):
        f(np.ones((2, 5)))


def test_specify_shape_checks_symbolic_lengths() -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    for mode in ("FAST_RUN", "INTERPRET"):
        f = function([x, n], T.specify_shape(x, (n, 2)) * 2, mode=mode)
        np.testing.assert_array_equal(f(np.ones((3, 2)), 3), np.full((3, 2), 2.0))
        with pytest.raises(ValueError, match="axis 0 does not have its declared length"):
            f(np.ones((3, 2)), 4)


def test_specify_shape_takes_a_vector() -> None:
    x, shape = T.dmatrix("x"), T.lvector("shape")
    for mode in ("FAST_RUN", "INTERPRET"):
        f = function([x, shape], T.specify_shape(x, shape) * 2, mode=mode)
        np.testing.assert_array_equal(f(np.ones((3, 2)), [3, 2]), np.full((3, 2), 2.0))
        for wrong in ([3, 3], [3, 2, 1]):
            with pytest.raises(ValueError, match="declared"):
                f(np.ones((3, 2)), wrong)
