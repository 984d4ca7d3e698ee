"""Rows of a few elements, whose loops are unrolled: compiled values, also of unusual numbers."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize(("dtype", "length"), [("float32", 4), ("float64", 3), ("float32", 5)])
def test_short_rows(dtype: str, length: int) -> None:
    x = T.TensorType(dtype, (None, length))("x")
    results = [
        x.argmax(1), x.argmin(1), x.max(1), T.sqr(x).sum(1), x.sum(1), T.nnet.softmax(x),
        x / T.abs(x).sum(1, keepdims=True), T.exp(x).sum(0),
    ]  # fmt: skip
    compiled = [function([x], results), function([x], results[0]), function([x], results[-2])]
    interpreted = function([x], results, mode="INTERPRET")
    odd = np.array([0.0, -0.0, 1.5, 1.5, -2, np.nan, np.inf, -np.inf, 1e30, 1e-42])
    generator = np.random.default_rng(1)
    for rows in (0, 1, 3, 70):
        for values in (
            generator.normal(size=(rows, length)),
            generator.choice(odd, (rows, length)),
        ):
            given = np.asfortranarray(values.astype(dtype))
            with np.errstate(all="ignore"):
                wanted = interpreted(given)
            got = compiled[0](given)
            for one, other in zip(got, wanted, strict=True):
                np.testing.assert_allclose(one, other, 2e-6)
            np.testing.assert_array_equal(compiled[1](given), wanted[0])
            np.testing.assert_allclose(compiled[2](given), wanted[-2], 2e-6)


def test_narrow_sums_are_those_without_sign() -> None:
    x = T.TensorType("float32", (None, 3))("x")
    exact = function([x], [x.sum(1), T.sqr(x).sum(1), (x * abs(x)).sum(1)])
    total, squares, signed = exact(np.array([[5e7, 1, -5e7]], "float32"))
    assert total == 1
    np.testing.assert_allclose(squares, 5e15, 3e-7)
    assert signed == 1
    (whole,) = function([x], [T.sqr(x[0]).sum()])(np.array([[3, 4, 12]], "float32"))
    assert whole == 169
