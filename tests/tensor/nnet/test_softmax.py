"""Softmax, its logarithm, and logarithms of sums, along any axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle
from tests.support.layouts import LAYOUTS, laid_out, repeated
from tests.tensor.nnet.expected import REDUCING, exact_logsumexp, tolerance

pytestmark = pytest.mark.needs_cc


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


def test_empty_and_discrete_operands() -> None:
    x, n = T.matrix("x"), T.matrix("n", "int8")
    outputs = [op(x, 1) for op in REDUCING] + [op(n, 0) for op in REDUCING]
    outputs += [T.nnet.softmax(n), T.nnet.sigmoid(n), T.nnet.softplus(n)]
    args = [np.zeros((0, 3)), np.arange(-6, 6, dtype="int8").reshape(3, 4)]
    check([x, n], outputs, [args], kind="nnet")
    with pytest.raises(TypeError, match="real floating-point"):
        T.nnet.softmax(T.zmatrix("z"))


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
