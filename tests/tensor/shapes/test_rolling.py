"""The op that moves elements cyclically."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.gradient import Rop
from symtheano.tensor.shapes.rolling import Roll
from symtheano.tensor.vectorize import vectorize_graph

FAR = [0, 1, -1, 5, 100, -100, 2**62, 2**63 - 1, -(2**63), 1 - 2**63]
SHAPES = [(9, 8), (3, 5), (1, 1), (0, 3), (3, 0)]


@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_any_number_of_places(mode):
    x, places = T.matrix("x", dtype="int16"), T.lscalar("places")
    f = function([x, places], [T.roll(x, places, 1), T.roll(x, places, 0), T.roll(x, places)], mode)
    known = [function([x], T.roll(x, number, 1) + T.roll(x, number, 0), mode) for number in FAR]
    for shape in SHAPES:
        at = np.arange(np.prod(shape), dtype="int16").reshape(shape)
        for number, g in zip(FAR, known, strict=True):
            columns, rows, flat = f(at, number)
            assert_array_equal(columns, np.roll(at, number, 1))
            assert_array_equal(rows, np.roll(at, number, 0))
            assert_array_equal(flat, np.roll(at, number))
            assert_array_equal(g(at), np.roll(at, number, 1) + np.roll(at, number, 0))


@pytest.mark.parametrize("number", FAR)
def test_gradients_move_back(number):
    x, places = T.dmatrix("x"), T.lscalar("places")
    w = np.arange(15.0).reshape(3, 5)
    at = np.ones((3, 5))
    for shift in (number, places):
        f = function([x, places], grad((T.roll(x, shift, 1) * w).sum(), x),
                     on_unused_input="ignore")  # fmt: skip
        assert_array_equal(f(at, number), np.roll(w, -number, 1))
        f = function([x, places], Rop(T.roll(x, shift, 1), x, x), on_unused_input="ignore")
        assert_array_equal(f(w, number), np.roll(w, number, 1))


def test_of_batches():
    x, places = T.dmatrix("x"), T.lscalar("places")
    xs, several = T.dtensor3("xs"), T.lvector("several")
    y = T.roll(x, places, 1)
    at = np.random.default_rng(1).normal(size=(4, 3, 5))
    numbers = np.array([1, -7, 0, 12])
    f = function([xs, places], vectorize_graph(y, {x: xs}))
    assert_array_equal(f(at, -2), np.roll(at, -2, 2))
    f = function([x, several], vectorize_graph(y, {places: several}))
    assert_array_equal(f(at[0], numbers), [np.roll(at[0], k, 1) for k in numbers])
    f = function([xs, several], vectorize_graph(y, {x: xs, places: several}))
    assert_array_equal(f(at, numbers), [np.roll(a, k, 1) for a, k in zip(at, numbers, strict=True)])


def test_wrong_operands():
    with pytest.raises(ValueError, match="no axis 2"):
        Roll(2)(T.dmatrix("x"), T.lscalar("k"))
    with pytest.raises(TypeError, match="0-d integer"):
        T.roll(T.dmatrix("x"), 1.5, 0)
    with pytest.raises(ValueError, match="2 shifts along 3 axes"):
        T.roll(T.dtensor3("x"), (1, 2), (0, 1, 2))
