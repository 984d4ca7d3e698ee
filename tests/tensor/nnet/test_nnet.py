"""Softmax and its relatives, activations and losses, also at extreme values; fused networks."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc

REDUCING = [T.nnet.softmax, T.nnet.logsoftmax, T.logsumexp]


def tolerance(dtype: str) -> float | None:
    """Return how far results may be off, relative to the largest."""
    return {"float16": 1e-2, "float32": 1e-5}.get(dtype, 1e-12)


def exact_logsumexp(x: Array, axis: Any) -> Array:
    """Return logsumexp, shifted by the maximum where that is finite."""
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(all="ignore"):
        return np.log(np.exp(x - top).sum(axis=axis, keepdims=True)) + top


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_along_every_axis(dtype: str, ndim: int) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None,) * ndim).make_variable("x")
    axes: list[Any] = [*range(ndim), -1] + ([(0, 1), (0, ndim - 1)] if ndim > 2 else [])
    outputs = [op(x, axis) for op in REDUCING for axis in axes]
    outputs.append(T.logsumexp(x, 0, keepdims=True))
    calls = [[random_array(random, dtype, shape)] for shape in sizes(ndim) if 0 not in shape]

    def reference(v: Array) -> list[Array]:
        wide = v.astype("float64")
        sums = [exact_logsumexp(wide, axis) for axis in axes]
        found = [np.exp(wide - s) for s in sums] + [wide - s for s in sums]
        found += [s.squeeze(axis=axis) for s, axis in zip(sums, axes, strict=True)] + [sums[0]]
        return [item.astype(dtype) for item in found]

    check([x], outputs, calls, reference, kind="nnet", tolerance=tolerance(dtype))


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


def test_empty_and_discrete_operands() -> None:
    x, n = T.matrix("x"), T.matrix("n", "int8")
    outputs = [op(x, 1) for op in REDUCING] + [op(n, 0) for op in REDUCING]
    outputs += [T.nnet.softmax(n), T.nnet.sigmoid(n), T.nnet.softplus(n)]
    args = [np.zeros((0, 3)), np.arange(-6, 6, dtype="int8").reshape(3, 4)]
    check([x, n], outputs, [args], kind="nnet")
    with pytest.raises(TypeError, match="real floating-point"):
        T.nnet.softmax(T.zmatrix("z"))


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


def normalized(x: Any, gain: Any, shift: Any, axis: Any) -> Any:
    """Return the layer norm of ``x``."""
    centered = x - x.mean(axis=axis, keepdims=True)
    variance = (centered**2).mean(axis=axis, keepdims=True)
    return centered / T.sqrt(variance + 1e-5) * gain + shift


@pytest.mark.parametrize("ndim", [2, 3, 4])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_fused_forward_and_backward(dtype: str, ndim: int) -> None:
    random = np.random.default_rng(3)
    x, w = (TensorType(dtype, (None,) * ndim).make_variable(name) for name in "xw")
    gain, shift = T.vector("gain", dtype), T.vector("shift", dtype)
    outputs: list[Any] = []
    for y in (
        normalized(x, gain, shift, -1), normalized(x, 1.0, 0.0, 0), T.nnet.softmax(x),
        T.nnet.softmax(x, 0), T.nnet.logsoftmax(x), T.logsumexp(x, axis=1, keepdims=True) * gain,
        T.var(x, axis=-1, keepdims=True) + shift, T.std(x, axis=0, keepdims=True) * x,
        T.mean(T.tanh(x * gain), axis=(0, -1), keepdims=True) * x, x / x.norm(2),
        T.max(x, axis=-1, keepdims=True) - x, T.nnet.sigmoid(x).prod(axis=-1, keepdims=True) * x,
    ):  # fmt: skip
        cost = (y * w).sum()
        known = [v for v in (x, gain, shift) if v in (x, gain)]
        outputs += [y, *grad(cost, known, disconnected_inputs="ignore")]
    calls = [
        [random_array(random, dtype, shape) for shape in (dims, dims, dims[-1:], dims[-1:])]
        for dims in ((5, 3, 4, 3)[-ndim:], (3,) * (ndim - 1) + (4,))
    ]
    # The gradient of two normalized rows would be all but zero: most digits cancel.
    limit = 2e-4 if dtype == "float32" else 1e-10
    check([x, w, gain, shift], outputs, calls, kind="nnet", tolerance=limit)


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


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_layouts(dtype: str) -> None:
    random = np.random.default_rng(5)
    x = T.matrix("x", dtype)
    outputs = [op(x, axis) for op in REDUCING for axis in (0, 1)]
    outputs.append(grad((T.nnet.softmax(x) ** 2).sum(), x))
    f, g = compiled([x], outputs), oracle([x], outputs)
    value = random_array(random, dtype, (5, 7))
    for layout in LAYOUTS:
        args = [laid_out(value, layout)]
        compare_call(f, g, args, kind="layouts", tolerance=tolerance(dtype))
    for axis in (0, 1):
        compare_call(f, g, [repeated(value, axis)], kind="layouts", tolerance=tolerance(dtype))


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


def test_classes_of_softmax():
    """Theano's classes are constructed without arguments, and called with a matrix."""
    x = T.dmatrix("x")
    value = np.array([[0.0, 0.0], [1000.0, -1000.0]])
    f = function([x], [T.nnet.Softmax()(x), T.nnet.LogSoftmax()(x)], mode="INTERPRET")
    shares, logarithms = f(value)
    np.testing.assert_array_equal(shares, [[0.5, 0.5], [1, 0]])
    np.testing.assert_allclose(logarithms, [[-np.log(2), -np.log(2)], [0, -2000]])
    assert isinstance(T.nnet.softmax(x).owner.op, T.nnet.Softmax)


@pytest.mark.parametrize(
    "mode", ["INTERPRET", pytest.param("FAST_RUN", marks=pytest.mark.needs_cc)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax_of_one_element_is_1_or_nan(mode: str, dtype: str) -> None:
    """Whether the length of the axis is known before the call makes no difference."""
    special = np.array([[0.5, 1000.0, -1000.0, np.nan, np.inf, -np.inf]], dtype)
    shapes: list[tuple[int | None, ...]] = [(1, None), (None, None)]
    for shape in shapes:
        x = TensorType(dtype, shape)("x")
        outputs = [T.nnet.softmax(x, axis=0), T.nnet.logsoftmax(x, axis=0)]
        shares, logarithms = function([x], outputs, mode=mode)(special)
        np.testing.assert_array_equal(shares[0], [1, 1, 1, np.nan, np.nan, np.nan])
        np.testing.assert_array_equal(logarithms[0], [0, 0, 0, np.nan, np.nan, np.nan])
    x = TensorType(dtype, (1, 1))("x")
    both = function([x], T.nnet.softmax(x, axis=(0, 1)), mode=mode)
    np.testing.assert_array_equal([both([[v]])[0, 0] for v in (3, np.inf)], [1, np.nan])
