"""Shared variables: their values, and which code may write to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, function, shared
from symtheano.tensor.type import TensorType
from tests.support.layouts import layouts


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_values_keep_their_dtype(dtype: str) -> None:
    value = np.ones((2, 3), dtype)
    w = shared(value, "w")
    assert w.type == TensorType(dtype, (None, None))
    assert w.get_value().dtype == dtype
    w.set_value(np.zeros((5, 0), dtype))
    assert w.get_value().shape == (5, 0)


def test_numbers_and_other_objects() -> None:
    assert shared(1.5).type == TensorType("float64", ())
    assert shared(3).type == TensorType("int64", ())
    assert shared(True).dtype == "bool"
    assert shared(np.float32(2)).dtype == "float32"
    assert shared(1j).dtype == "complex128"
    other = shared({"a": 1})
    assert other.get_value() == {"a": 1}
    with pytest.raises(TypeError, match="takes a value"):
        shared(shared(1.0))
    with pytest.raises(TypeError, match="unsupported"):
        shared(1.0, colour="red")


def test_copies_and_borrowing() -> None:
    value = np.zeros(3)
    kept, lent = shared(value), shared(value, borrow=True)
    value[0] = 1
    assert kept.get_value()[0] == 0
    assert lent.get_value()[0] == 1
    assert lent.get_value(borrow=True) is value
    out = kept.get_value()
    out[:] = 9
    assert kept.get_value().tolist() == [0, 0, 0]
    kept.set_value(value, borrow=True)
    assert kept.get_value(borrow=True) is value
    kept.set_value(value)
    assert kept.get_value(borrow=True) is not value
    kept.zero()
    assert kept.get_value().tolist() == [0, 0, 0]
    assert value[0] == 1


def test_every_layout_is_held_contiguous_and_writable() -> None:
    for name, value in layouts(np.arange(6.0).reshape(2, 3)):
        for borrow in (False, True):
            held = shared(value, borrow=borrow).get_value(borrow=True)
            assert held.flags.c_contiguous, name
            assert held.flags.aligned, name
            assert held.flags.writeable, name
            assert held.dtype.isnative, name
            np.testing.assert_array_equal(held, value)


@pytest.mark.parametrize("bad", [np.zeros((2, 2)), np.zeros(2, "complex64"), "text", None])
def test_a_value_that_does_not_fit_leaves_the_old_one(bad: Any) -> None:
    w = shared(np.arange(2.0), "w")
    with pytest.raises(TypeError):
        w.set_value(bad)
    assert w.get_value().tolist() == [0, 1]


def test_strict_and_downcast() -> None:
    narrow = shared(np.zeros(2, "float32"))
    with pytest.raises(TypeError, match="without losing precision"):
        narrow.set_value(np.zeros(2))
    loose = shared(np.zeros(2, "float32"), allow_downcast=True)
    loose.set_value(np.full(2, 0.1))
    assert loose.get_value().dtype == "float32"
    strict = shared(np.zeros(2), strict=True)
    with pytest.raises(TypeError, match="strict"):
        strict.set_value([1.0, 2.0])
    fixed = shared(np.zeros((1, 2)), broadcastable=(True, False))
    assert fixed.broadcastable == (True, False)
    with pytest.raises(TypeError, match="static length 1"):
        fixed.set_value(np.zeros((2, 2)))


def test_expressions_read_the_value_of_the_moment() -> None:
    w = shared(np.ones(2), "w")
    x = T.vector("x")
    f = function([x], w * x, mode="INTERPRET")
    assert f([1.0, 2.0]).tolist() == [1, 2]
    w.set_value([3.0, 4.0])
    assert f([1.0, 2.0]).tolist() == [3, 8]
    assert float(w.sum().eval()) == 7
