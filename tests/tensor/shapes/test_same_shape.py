"""SameShape: a check of lengths."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, function, grad
from symtheano.errors import ShapeError
from symtheano.tensor.shapes.same_shape import SameShape, same_shape
from symtheano.tensor.vectorize import vectorize_graph

x, y = T.dvectors("x", "y")


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_lengths_are_checked(mode: str | None) -> None:
    f = function([x, y], same_shape(x, y) * 2, mode=mode)
    np.testing.assert_array_equal(f([1.0, 2.0], [0.0, 0.0]), [2, 4])
    with pytest.raises(ShapeError, match="axis 0 has length 2, but must have length 1"):
        f([1.0, 2.0], [0.0])


def test_known_lengths_need_no_check() -> None:
    three = T.TensorType("float64", (3,))
    one = three("one")
    assert same_shape(one, three("other")) is one


def test_a_message_of_ones_own() -> None:
    op = SameShape(lambda axis, lengths: f"{lengths[0]} items along {axis}, not {lengths[1]}")
    with pytest.raises(ShapeError, match="2 items along 0, not 5"):
        function([x], op(x, 5))([1.0, 2.0])
    assert SameShape() == SameShape()
    assert op != SameShape()


def test_derivatives() -> None:
    made = (same_shape(x, y) ** 2).sum()
    np.testing.assert_array_equal(grad(made, x).eval({x: [3.0], y: [0.0]}), [6])
    found = Rop(same_shape(x, y) ** 2, x, x)
    np.testing.assert_array_equal(found.eval({x: [3.0], y: [0.0]}), [18])


def test_batches() -> None:
    rows = T.dmatrix("rows")
    made = vectorize_graph(same_shape(x, y) + 1, {x: rows})
    np.testing.assert_array_equal(made.eval({rows: [[1.0], [2.0]]}), [[2], [3]])


def test_lengths_are_integers_one_for_each_axis() -> None:
    with pytest.raises(TypeError, match="a dim must be a 0-d integer"):
        SameShape()(x, y)
    with pytest.raises(TypeError, match="needs 1 lengths"):
        SameShape()(x, 2, 3)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_a_known_length_and_one_of_the_call(mode: str | None) -> None:
    three, n = T.TensorType("float64", (3,))("three"), T.lscalar("n")
    f = function([three, n], SameShape()(three, n), mode=mode)
    np.testing.assert_array_equal(f([1.0, 2.0, 3.0], 3), [1, 2, 3])
    with pytest.raises(ShapeError, match="axis 0 has length 3, but must have length 2"):
        f([1.0, 2.0, 3.0], 2)
