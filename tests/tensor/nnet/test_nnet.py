"""Softmax and its relatives, activations and losses, also at extreme values; fused networks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from tests.support.arrays import random_array
from tests.support.compare import check, compiled
from tests.tensor.nnet.expected import REDUCING, exact_logsumexp, tolerance

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_at_extreme_values(dtype: str) -> None:
    x = T.matrix("x", dtype)
    large = np.finfo(dtype).max
    rows: list[list[float]] = [
        [1000, 1000, 1000], [-1000, -1000, 0], [large, large, -large], [np.inf, 0, 1],
        [np.inf, np.inf, 1], [-np.inf, 0, 1], [-np.inf, -np.inf, -np.inf], [np.nan, 0, 1],
        [0, 0, 0], [-0.0, 0.0, 1e-40], [88, -88, 700], [-large, -large, -large],
        [np.inf, -np.inf, 0],
    ]  # fmt: skip
    calls = [[np.array([row], dtype)] for row in rows] + [[np.array(rows, dtype)]]
    outputs = [op(x, axis) for op in REDUCING for axis in (0, 1)]
    outputs += [T.nnet.sigmoid(x), T.nnet.softplus(x), T.nnet.relu(x), T.nnet.elu(x)]
    check([x], outputs, calls, kind="nnet", tolerance=tolerance(dtype))
    f = compiled([x], outputs)
    with np.errstate(all="ignore"):
        for values in [*rows[:2], *rows[8:11]]:
            soft, log, whole = (f(np.array([values], dtype))[k] for k in (1, 3, 5))
            np.testing.assert_allclose(soft.sum(), 1, rtol=1e-6)
            want = exact_logsumexp(np.array([values]), 1)[0]
            np.testing.assert_allclose(whole, want, rtol=1e-6)
            np.testing.assert_allclose(log, np.array([values]) - want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_activations(dtype: str) -> None:
    x = T.vector("x", dtype)
    outputs = [
        T.nnet.relu(x), T.nnet.relu(x, 0.1), T.nnet.leaky_relu(x), T.nnet.elu(x, 2.0),
        T.nnet.elu(x), T.nnet.hard_sigmoid(x), T.nnet.ultra_fast_sigmoid(x), T.nnet.sigmoid(x),
        T.nnet.softplus(x),
    ]  # fmt: skip
    values = [*np.linspace(-30, 30, 41), np.inf, -np.inf, np.nan, -0.0, 1000, -1000]
    check([x], outputs, [[np.array(values, dtype)]], kind="nnet", tolerance=tolerance(dtype))


def test_crossentropies() -> None:
    random = np.random.default_rng(2)
    x, p, labels, target = T.matrix("x"), T.matrix("p"), T.lvector("labels"), T.matrix("target")
    soft = T.nnet.softmax(x)
    costs = [
        T.nnet.categorical_crossentropy(soft, labels), T.nnet.categorical_crossentropy(soft, p),
        T.nnet.categorical_crossentropy(p, p),
        T.nnet.binary_crossentropy(T.nnet.sigmoid(x), target),
        T.nnet.sigmoid_binary_crossentropy(x, target),
    ]  # fmt: skip
    outputs = [*costs, *(grad(cost.mean(), x) for k, cost in enumerate(costs) if k != 2)]
    calls = []
    for n, k in ((4, 3), (1, 1), (5, 10)):
        logits = random.normal(0, 3, (n, k))
        labels_ = random.integers(0, k, n)
        weights = random.uniform(0.1, 1, (n, k))
        p_ = weights / weights.sum(1, keepdims=True)
        calls.append([logits, p_, labels_, random.uniform(0, 1, (n, k))])
    check([x, p, labels, target], outputs, calls, kind="nnet", tolerance=1e-11)


def test_crossentropy_of_confident_predictions_is_finite() -> None:
    x, labels = T.matrix("x"), T.lvector("labels")
    cost = T.nnet.categorical_crossentropy(T.nnet.softmax(x), labels)
    f = compiled([x, labels], [cost, grad(cost.sum(), x)])
    loss, slope = f(np.array([[0.0, 2000.0], [3000.0, -3000.0]]), np.array([0, 0]))
    assert loss.tolist() == [2000.0, 0.0]
    assert slope.tolist() == [[-1.0, 1.0], [0.0, 0.0]]
    y, t = T.vector("y"), T.vector("t")
    entropy = T.nnet.binary_crossentropy(T.nnet.sigmoid(y), t)
    g = compiled([y, t], [entropy, grad(entropy.sum(), y)])
    loss, slope = g(np.array([800.0, -800.0]), np.array([0.0, 0.0]))
    assert loss.tolist() == [800.0, 0.0]
    assert slope.tolist() == [1.0, 0.0]


def test_a_network_with_its_gradients() -> None:
    random = np.random.default_rng(4)
    x, labels = T.matrix("x"), T.lvector("labels")
    w, v = T.matrix("w"), T.matrix("v")
    b, c = T.vector("b"), T.vector("c")
    for act, reg in product((T.tanh, T.nnet.relu, T.nnet.sigmoid), (0.0, 0.01)):
        hidden = act(T.dot(x, w) + b)
        prob = T.nnet.softmax(T.dot(hidden, v) + c)
        cost = T.nnet.categorical_crossentropy(prob, labels).mean()
        cost = cost + reg * ((w**2).sum() + abs(v).sum())
        outputs = [cost, prob, T.argmax(prob, axis=1), *grad(cost, [w, b, v, c])]
        shapes = ((8, 5), (5, 6), (6, 3), (6,), (3,))
        a, w_, v_, b_, c_ = (random_array(random, "float64", s) for s in shapes)
        args = [a, random.integers(0, 3, 8), w_, v_, b_, c_]
        check([x, labels, w, v, b, c], outputs, [args], kind="nnet", tolerance=1e-11)


def test_slopes_that_are_symbolic_and_integers() -> None:
    x, s, v, n = T.dvector("x"), T.dscalar("s"), T.dvector("v"), T.ivector("n")
    value = np.array([-2.0, 0.0, 3.0, np.nan])
    f = function([x, s, v], [T.nnet.relu(x, s), T.nnet.relu(x, alpha=v)], mode="INTERPRET")
    one, many = f(value, 0.5, np.array([0.1, 0.2, 0.3, 0.4]))
    np.testing.assert_array_equal(one, [-1.0, 0.0, 3.0, np.nan])
    np.testing.assert_array_equal(many, [-0.2, 0.0, 3.0, np.nan])
    hard = T.nnet.hard_sigmoid(n)
    assert hard.dtype == "float64"
    np.testing.assert_allclose(hard.eval({n: [-9, -1, 0, 2, 9]}), [0.0, 0.3, 0.5, 0.9, 1.0])
    assert T.nnet.hard_sigmoid(T.bvector("b")).dtype == "float32"
