"""Gradients at zeros, ties and jumps, where formulas divide zero by zero or count twice."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret

BASES = np.array([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan])
POWERS = np.arange(4.0)


def both(inputs, outputs, *values):
    """Compute without rewriting, and compiled; return the latter where they agree."""
    arrays = [np.asarray(value, item.dtype) for item, value in zip(inputs, values, strict=True)]
    plain = interpret(FunctionGraph(inputs, outputs), arrays)
    found = function(inputs, outputs)(*arrays)
    for one, other in zip(plain, found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12)
    return found


def slope(base, power):
    """Return the derivative of ``base**power`` for whole powers."""
    with np.errstate(all="ignore"):
        return np.zeros_like(base) if power == 0 else power * base ** (power - 1)


def test_powers_of_zero_and_others():
    x, p = T.dvector("x"), T.dvector("p")
    table = x[:, None] ** p
    outputs = [
        grad((x**0).sum(), x),
        grad((x**0.0).sum(), x),
        grad((x[:, None] ** np.arange(4)).sum(), x),
        grad((x[:, None] ** T.arange(4)).sum(), x),
        grad(table.sum(), x),
        grad(grad((x**1).sum(), x).sum(), x, disconnected_inputs="ignore"),
        grad(grad(table.sum(), x).sum(), x),
        grad(T.float_power(x, 0).sum(), x),
        grad((x ** T.constant([0], "uint8")).sum(), x),
    ]
    with np.errstate(all="ignore"):
        whole = sum(slope(BASES, power) for power in POWERS)
    curved = 2 + 6 * BASES
    found = both([x, p], outputs, BASES, POWERS)
    zeros = np.zeros_like(BASES)
    wanted = [zeros, zeros, whole, whole, whole, zeros, curved, zeros, zeros]
    for result, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_mixed_derivatives_of_powers():
    x, p = T.dvectors("x", "p")
    outputs = [grad(grad((x**p).sum(), x).sum(), p), grad(grad((x**p).sum(), p).sum(), x)]
    base, power = np.array([2.0, 3.0, 0.5]), np.array([0.0, 1.0, 0.0])
    expected = base ** (power - 1) * (1 + power * np.log(base))
    for result in both([x, p], outputs, base, power):
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_floor_division_and_remainder():
    x, y = T.dvectors("x", "y")
    total = (x // y).sum()
    by_divisor = grad((x % y).sum(), y)
    outputs = [*grad(total, [x, y]), by_divisor, *grad(by_divisor.sum(), [x, y])]
    a, b = np.array([7.5, -7.5, 3.0]), np.array([2.0, 2.0, -0.7])
    found = both([x, y], outputs, a, b)
    for result, expected in zip(found, [0 * a, 0 * a, -(a // b), 0 * a, 0 * a], strict=True):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("extremum", [T.max, T.min])
def test_tied_extrema_share_the_gradient(extremum):
    s, x = T.dscalar("s"), T.dmatrix("x")
    weights = np.array([1.0, 10.0])
    outputs = [
        grad(extremum(T.stack([s, s, s])), s),
        grad((extremum(x, axis=1) * weights).sum(), x),
        grad(extremum(x), x),
    ]
    sign = 1 if extremum is T.max else -1
    values = sign * np.array([[3.0, 3.0, 1.0], [2.0, 1.0, 0.0]])
    one, rows, whole = both([s, x], outputs, 2.0, values)
    assert one == 1
    np.testing.assert_array_equal(rows, [[0.5, 0.5, 0], [10, 0, 0]])
    np.testing.assert_array_equal(whole, [[0.5, 0.5, 0], [0, 0, 0]])


def test_tied_operands_count_as_the_first():
    x, y = T.dvectors("x", "y")
    both_ways = [T.maximum(x, y), T.minimum(x, y)]
    outputs = [g for result in both_ways for g in grad(result.sum(), [x, y])]
    found = both([x, y], outputs, [1.0, 2.0], [1.0, 3.0])
    expected = [[1, 0], [0, 1], [1, 1], [0, 0]]
    for result, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


def test_sorted_ties_keep_their_order():
    x = T.dvector("x")
    (found,) = both([x], [grad((T.sort(x) * [1.0, 10.0, 100.0]).sum(), x)], [5.0, 2.0, 5.0])
    np.testing.assert_array_equal(found, [10, 1, 100])


def test_nan_takes_no_share():
    x = T.dvector("x")
    (found,) = both([x], [grad(T.max(x), x)], [np.nan, 1.0])
    np.testing.assert_array_equal(found, [0, 0])
