"""The loss of labels without alignment, against the sum over all alignments; its gradient."""

from __future__ import annotations

from itertools import groupby, product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import BoundsError, NullTypeGradError, ShapeError
from symtheano.tensor.nnet.ctc import ctc, ctc_available
from tests.support.compare import Array, check, compiled

pytestmark = pytest.mark.needs_cc


def collapsed(alignment: tuple[int, ...]) -> list[int]:
    """Return an alignment's labels: repetitions are removed, then blanks."""
    return [label for label, _ in groupby(alignment) if label]


def brute_force(scores: Array, labels: list[int]) -> float:
    """Return the cost of one item by the sum over all alignments."""
    steps, classes = scores.shape
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    total = sum(
        np.prod([p[t, c] for t, c in enumerate(alignment)])
        for alignment in product(range(classes), repeat=steps)
        if collapsed(alignment) == labels
    )
    with np.errstate(divide="ignore"):
        return float(-np.log(total))


def variables(dtype: str = "float64") -> tuple[Any, Any, Any]:
    """Return inputs for scores, labels and lengths."""
    return T.tensor3("x", dtype), T.lmatrix("labels"), T.lvector("lengths")


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_the_cost_is_the_sum_over_all_alignments(steps: int) -> None:
    random = np.random.default_rng(steps)
    rows = [[1, 2], [1, 1], [2, -1], [-1, -1], [-1, 2], [2, 1]]
    scores = random.normal(0, 2, (steps, len(rows), 3))
    lengths = np.array([steps, steps, steps, steps, max(steps - 1, 0), steps])
    x, labels, n = variables()
    f = compiled([x, labels, n], ctc(x, labels, n))
    found = f(scores, np.array(rows), lengths)
    for item, row in enumerate(rows):
        want = brute_force(scores[: lengths[item], item], [label for label in row if label >= 0])
        np.testing.assert_allclose(found[item], want, rtol=1e-12, err_msg=f"{row}")


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_compiled_and_interpreted_values_and_slopes(dtype: str) -> None:
    random = np.random.default_rng(6)
    x, labels, n = variables(dtype)
    cost = ctc(x, labels, n)
    assert cost.dtype == ("float64" if dtype == "float64" else "float32")
    slope = grad((cost * T.arange(cost.shape[0])).sum(), x)
    calls = []
    for steps, items, classes, most in ((9, 4, 5, 3), (1, 1, 1, 1), (6, 2, 3, 0), (4, 0, 2, 2)):
        scores = random.normal(0, 3, (steps, items, classes)).astype(dtype)
        given = random.integers(-1, classes, (items, most))
        calls.append([scores, given, random.integers(0, steps + 1, items)])
    limit = 1e-12 if dtype == "float64" else 2e-3
    check([x, labels, n], [cost, slope], calls, kind="nnet", tolerance=limit)


def test_slopes_by_differences() -> None:
    random = np.random.default_rng(7)
    x, labels, n = variables()
    cost = ctc(x, labels, n)
    weights = np.array([1.0, -2.0, 0.5])
    f = compiled([x, labels, n], [(cost * weights).sum(), grad((cost * weights).sum(), x)])
    scores = random.normal(0, 2, (6, 3, 4))
    rest = (np.array([[1, 2, 2], [3, -1, -1], [1, 1, 3]]), np.array([6, 4, 5]))
    _, slope = f(scores, *rest)
    np.testing.assert_array_equal(slope[4:, 1], 0)
    np.testing.assert_allclose(slope.sum(2), 0, atol=1e-12)
    for index in np.ndindex(*scores.shape):
        step = np.zeros_like(scores)
        step[index] = 1e-5
        difference = (f(scores + step, *rest)[0] - f(scores - step, *rest)[0]) / 2e-5
        np.testing.assert_allclose(slope[index], difference, atol=1e-8)


def test_long_sequences_and_far_scores_do_not_underflow() -> None:
    random = np.random.default_rng(8)
    x, labels, n = variables("float32")
    cost = ctc(x, labels, n)
    f = compiled([x, labels, n], [cost, grad(cost.sum(), x)])
    scores = random.normal(0, 300, (400, 2, 20)).astype("float32")
    values, slope = f(scores, random.integers(1, 20, (2, 50)), np.array([400, 300]))
    assert np.isfinite(values).all()
    assert (values > 1e4).all()
    assert np.isfinite(slope).all()
    np.testing.assert_allclose(slope.sum(2), 0, atol=1e-4)


def test_too_few_steps_cost_infinitely_without_a_slope() -> None:
    x, labels, n = variables()
    cost = ctc(x, labels, n)
    f = compiled([x, labels, n], [cost, grad(cost.sum(), x)])
    values, slope = f(np.zeros((2, 4, 3)), np.array([[1, 1], [1, 2], [2, -1], [-1, -1]]),
                      np.array([2, 2, 0, 0]))  # fmt: skip
    np.testing.assert_allclose(values, [np.inf, np.log(9), np.inf, 0])
    np.testing.assert_array_equal(slope[:, [0, 2, 3]], 0)
    assert not np.signbit(values[3])


def test_descent_learns_an_alignment() -> None:
    x, labels, n = variables()
    cost = ctc(x, labels, n)
    f = compiled([x, labels, n], [cost, grad(cost.sum(), x)])
    scores, given = np.zeros((8, 1, 4)), np.array([[3, 1, 1]])
    for _ in range(300):
        scores -= f(scores, given, np.array([8]))[1]
    assert f(scores, given, np.array([8]))[0][0] < 0.05
    assert collapsed(tuple(scores[:, 0].argmax(1))) == [3, 1, 1]


def test_bad_arguments() -> None:
    x, labels, n = variables()
    cost = ctc(x, labels, n)
    for mode in ("FAST_RUN", "INTERPRET"):
        f = function([x, labels, n], cost, mode=mode)
        ok = (np.zeros((2, 1, 3)), np.array([[1]]), np.array([2]))
        assert f(*ok).shape == (1,)
        with pytest.raises(BoundsError, match="not one of the 3 classes"):
            f(ok[0], np.array([[3]]), ok[2])
        for length in (3, -1):
            with pytest.raises(BoundsError, match="number of steps, 2"):
                f(*ok[:2], np.array([length]))
        with pytest.raises(ShapeError, match="2 items of labels, and 1 of scores"):
            f(ok[0], np.array([[1], [1]]), ok[2])
        with pytest.raises(ShapeError, match="2 items of lengths"):
            f(*ok[:2], np.array([2, 2]))
        with pytest.raises(BoundsError, match="not one of the 0 classes"):
            f(np.zeros((2, 1, 0)), ok[1] - 2, ok[2])
    with pytest.raises(NullTypeGradError, match="gradient of the gradient"):
        grad(grad(cost.sum(), x).sum(), x)
    with pytest.raises(TypeError, match="integers"):
        ctc(x, T.dmatrix("d"), n)
    with pytest.raises(TypeError, match="a matrix of labels"):
        ctc(x, n, n)
    assert ctc_available()
