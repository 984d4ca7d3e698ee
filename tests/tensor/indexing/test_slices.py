"""Views and changes of parts: patterns, static lengths, conversion of values."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, grad
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor, converted
from tests.support.compare import ORACLE


def test_static_lengths() -> None:
    x = T.TensorType("float64", (7, None, 5))("x")
    n = T.lscalar("n")
    assert x[1:6:2].type.shape == (3, None, 5)
    assert x[::-1, 2, :2].type.shape == (7, 2)
    assert x[n:, 0].type.shape[0] is None
    assert x[:, :, -9:9].type.shape == (7, None, 5)
    assert isinstance(x[1:].owner.op, Subtensor)
    assert x[1:].owner.op == x[2:].owner.op  # bounds are inputs
    assert x[1:].owner.op != x[:1].owner.op


def test_numpy_keys() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    node = x[n, 1:n].owner
    value = np.arange(12.0).reshape(3, 4)
    items = [np.int64(2) if item is n else item.data for item in node.inputs[1:]]
    key = node.op.numpy_key(node, [value, *items])
    np.testing.assert_array_equal(value[key], value[2, 1:2])


def test_derivatives() -> None:
    x, y, d = T.vector("x"), T.vector("y"), T.vector("d")
    value = np.arange(5.0)
    slopes = grad((x[1::2] * 3).sum(), x).eval({x: value}, mode=ORACLE)
    np.testing.assert_array_equal(slopes, [0, 3, 0, 3, 0])
    moved = Rop(x[::-2], x, d).eval({x: value, d: value * 10}, mode=ORACLE)
    np.testing.assert_array_equal(moved, [40, 20, 0])
    for add, expected in ((True, [1, 1, 1, 1, 1]), (False, [1, 0, 0, 1, 1])):
        change = T.inc_subtensor if add else T.set_subtensor
        made = change(x[1:3], y)
        assert isinstance(made.owner.op, IncSubtensor)
        by_x, by_y = grad(made.sum(), [x, y])
        got = by_x.eval({x: value, y: value[:2]}, mode=ORACLE)
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(by_y.eval({x: value, y: value[:2]}, mode=ORACLE), [1, 1])


def test_values_are_converted_to_what_holds_them() -> None:
    assert converted(T.dvector("v"), "float32").dtype == "float32"
    assert converted(T.lvector("v"), "int8").dtype == "int8"
    assert converted(T.constant(3), "float32").dtype == "float32"
    assert converted(T.constant(2.0), "int8").dtype == "int8"
    for value, dtype in (
        (T.dvector("v"), "int64"),
        (T.zvector("v"), "float64"),
        (T.constant(300), "int8"),
        (T.constant(0.5), "int8"),
        (T.constant(1j), "float64"),
    ):
        with pytest.raises(TypeError, match=f"an array of {dtype} can't take values of"):
            converted(value, dtype)
