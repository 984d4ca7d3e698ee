"""Derivatives by parameters at the edges, and of second order."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from tests.scalar.exact import vectors


@pytest.mark.needs_cc
def test_slopes_at_the_edges() -> None:
    k, x = vectors(2)
    by_k, by_x = grad(T.gammainc(k, x).sum(), [k, x])
    orders = [2.0, 2.0, 1.0, 0.5, -1.0, np.nan, 2.0, 2.0]
    places = [0.0, np.inf, 0.0, 0.0, 1.0, 1.0, np.nan, -1.0]
    for mode in ("FAST_RUN", "INTERPRET"):
        got = function([k, x], [by_k, by_x], mode=mode)(orders, places)
        np.testing.assert_array_equal(got[0], [0, 0, 0, 0, *[np.nan] * 4])
        np.testing.assert_array_equal(got[1][[0, 2, 3]], [0, 1, np.inf])
    a, b, x = vectors(3)
    by_all = grad(T.betainc(a, b, x).sum(), [a, b, x])
    points = np.array(
        [(2, 3, 0), (2, 3, 1), (1, 3, 0), (2, 1, 1), (-1, 3, 0.5), (2, 3, 1.5)], float
    )
    for mode in ("FAST_RUN", "INTERPRET"):
        by_a, by_b, by_x = function([a, b, x], by_all, mode=mode)(*points.T)
        for by in (by_a, by_b):
            np.testing.assert_array_equal(by, [0, 0, 0, 0, np.nan, np.nan])
        np.testing.assert_allclose(by_x[:4], [0, 0, 3, 2], rtol=1e-14)
    empty = function([a, b, x], by_all)([], [], [])
    assert [item.shape for item in empty] == [(0,)] * 3


def test_mixed_second_derivatives() -> None:
    cases = [("gammainc", (1.3, 0.7)), ("betainc", (1.3, 2.1, 0.4)), ("kve", (1.3, 0.7))]
    for name, point in cases:
        operands = vectors(len(point))
        y = getattr(T, name)(*operands).sum()
        by_last = function(operands, grad(y, operands[-1]), mode="INTERPRET")
        values = [np.array([item]) for item in point]
        for at, operand in enumerate(operands[:-1]):
            mixed = grad(grad(y, operand).sum(), operands[-1])
            got = function(operands, mixed, mode="INTERPRET")(*values)
            step = [1e-6 * (at == other) for other in range(len(point))]
            above = by_last(*[v + s for v, s in zip(values, step, strict=True)])
            below = by_last(*[v - s for v, s in zip(values, step, strict=True)])
            np.testing.assert_allclose(got, (above - below) / 2e-6, rtol=1e-7)
        with pytest.raises(NullTypeGradError, match="second derivatives by parameters"):
            grad(grad(y, operands[0]).sum(), operands[0])
