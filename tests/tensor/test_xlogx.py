"""Products with logarithms, where the factor is zero."""

from __future__ import annotations

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.tensor import xlogx


def test_products_with_logarithms() -> None:
    x, y = T.dvector("x"), T.dvector("y")
    made = [xlogx.xlogx(x), xlogx.xlogy0(x, y)]
    values = np.array([0.0, 0.0, 2.0, -1.0, np.nan]), np.array([0.0, np.nan, 3.0, 1.0, 1.0])
    for mode in ("FAST_RUN", "FAST_COMPILE"):
        first, second = symtheano.function([x, y], made, mode=mode)(*values)
        np.testing.assert_allclose(first, [0.0, 0.0, 2 * np.log(2.0), np.nan, np.nan])
        np.testing.assert_allclose(second, [0.0, 0.0, 2 * np.log(3.0), 0.0, np.nan])


def test_derivatives_of_products_with_logarithms_where_the_factor_is_zero() -> None:
    x, y = T.dvector("x"), T.ivector("y")
    slope = symtheano.grad(xlogx.xlogy0(x, y).sum(), x)
    result = slope.eval({x: [0.0, 0.0, 2.0], y: np.array([3, 0, 5], "int32")})
    np.testing.assert_array_max_ulp(result, np.array([np.log(3.0), 0.0, np.log(5.0)]), 3)
