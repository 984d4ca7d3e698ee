"""Sparsemax: what it solves, its derivatives, batches, values that are not finite."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, grad, verify_grad
from symtheano.gradient import jacobian
from tests.support.compare import check, compiled

pytestmark = pytest.mark.needs_cc


def test_the_result_is_the_nearest_distribution() -> None:
    random = np.random.default_rng(7)
    x = T.dmatrix("x")
    f = check([x], [T.nnet.sparsemax(x)], [[random.normal(0, 2, (40, 9))]], kind="nnet")
    values = random.normal(0, 2, (40, 9))
    (p,) = f(values)
    np.testing.assert_allclose(p.sum(1), 1)
    assert (p >= 0).all()
    assert (p == 0).any()
    # The inequality that characterizes a projection, for all corners of the simplex.
    inner = ((values - p)[:, None, :] * (np.eye(9)[None] - p[:, None, :])).sum(-1)
    assert inner.max() < 1e-12


def test_derivatives() -> None:
    random = np.random.default_rng(8)
    points = random.normal(0, 2, (6, 5))
    verify_grad(lambda x: T.nnet.sparsemax(x) ** 2, [points], rng=random)
    x, v = T.dmatrix("x"), T.dmatrix("v")
    slope = grad((T.nnet.sparsemax(x) ** 3).sum(), x)
    verify_grad(lambda x: grad((T.nnet.sparsemax(x) ** 3).sum(), x), [points], rng=random,
                mode="INTERPRET")  # fmt: skip
    forward = compiled([x, v], [Rop(T.nnet.sparsemax(x), x, v), slope])
    direction = random.normal(size=(6, 5))
    rows = compiled([x], T.nnet.sparsemax(x))
    difference = (rows(points + 1e-7 * direction) - rows(points - 1e-7 * direction)) / 2e-7
    np.testing.assert_allclose(forward(points, direction)[0], difference, atol=1e-7)
    y = T.dvector("y")
    whole = compiled([y], jacobian(T.nnet.sparsemax(y), y))(np.array([0.2, 0.1, -3.0]))
    np.testing.assert_allclose(whole, [[0.5, -0.5, 0], [-0.5, 0.5, 0], [0, 0, 0]])


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_values_that_are_not_finite_and_large_ones(dtype: str) -> None:
    x = T.matrix("x", dtype)
    rows = [[-np.inf, 0, 1], [np.inf, 0, 1], [np.nan, 1, 2], [-np.inf] * 3, [30000, 30000, 0]]
    f = check([x], [T.nnet.sparsemax(x)], [[np.array(rows, dtype)]], kind="nnet")
    want = [[0, 0, 1], [np.nan] * 3, [np.nan] * 3, [np.nan] * 3, [0.5, 0.5, 0]]
    np.testing.assert_array_equal(f(np.array(rows, dtype))[0], want)
    assert f(np.zeros((2, 0), dtype))[0].shape == (2, 0)
    with pytest.raises(ValueError, match="one axis"):
        T.nnet.sparsemax(x, axis=(0, 1))
