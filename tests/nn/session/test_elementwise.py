"""Elementwise functions by TensorFlow's names, against NumPy."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.session import elementwise
from tests.support.compare import oracle

A, B = np.array([-1.5, -0.5, 0.0, 0.5, 2.5]), np.array([2.0, -0.5, 1.0, 3.0, 2.5])
P = np.abs(A) + 0.5


UNARY: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs, "ceil": np.ceil, "cos": np.cos, "exp": np.exp, "floor": np.floor,
    "round": np.rint, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "sign": np.sign, "sin": np.sin,
    "softplus": lambda x: np.log1p(np.exp(x)), "square": np.square, "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}  # fmt: skip
POSITIVE = {"log": np.log, "rsqrt": lambda x: x**-0.5, "sqrt": np.sqrt}
BINARY = {
    "add": np.add, "divide": np.divide, "equal": np.equal, "greater": np.greater,
    "greater_equal": np.greater_equal, "less": np.less, "less_equal": np.less_equal,
    "maximum": np.maximum, "minimum": np.minimum, "mod": np.mod, "multiply": np.multiply,
    "not_equal": np.not_equal, "subtract": np.subtract,
}  # fmt: skip


def test_values() -> None:
    x, y = T.vector("x"), T.vector("y")
    rows = [*UNARY, *POSITIVE, *BINARY, "pow"]
    outputs = [getattr(elementwise, name)(x) for name in UNARY]
    outputs += [getattr(elementwise, name)(abs(x) + 0.5) for name in POSITIVE]
    outputs += [getattr(elementwise, name)(x, y) for name in BINARY]
    outputs.append(elementwise.pow(abs(x) + 0.5, y))
    expected = [f(A) for f in UNARY.values()] + [f(P) for f in POSITIVE.values()]
    expected += [f(A, B) for f in BINARY.values()] + [P**B]
    for name, found, wanted in zip(rows, oracle([x, y], outputs)(A, B), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15, err_msg=name)


def test_logic_and_several_operands() -> None:
    p, q, r = (T.vector(name, "bool") for name in "pqr")
    a, b, c = (np.array(bits, bool) for bits in ([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0]))
    outputs = [elementwise.logical_and(p, q, r), elementwise.logical_or(p, q, r)]
    outputs.append(elementwise.logical_not(p))
    found = oracle([p, q, r], outputs)(a, b, c)
    for mine, wanted in zip(found, [a & b & c, a | b | c, ~a], strict=True):
        np.testing.assert_array_equal(mine, wanted)
    x = T.vector("x")
    total = oracle([x], elementwise.add(x, x, 1.0))(A)
    np.testing.assert_array_equal(total, 2 * A + 1)


def test_options() -> None:
    x = T.vector("x")
    leaky, clipped = oracle(
        [x], [elementwise.relu(x, 0.1), elementwise.clip_by_value(x, -1.0, 1.0)]
    )(A)
    np.testing.assert_allclose(leaky, np.where(A > 0, A, 0.1 * A))
    np.testing.assert_array_equal(clipped, np.clip(A, -1, 1))
    assert elementwise.exp(x, name="power").name == "power"


def test_names_and_docstrings() -> None:
    for name in (*UNARY, *POSITIVE, *BINARY, "pow", "logical_and", "clip_by_value"):
        call = getattr(elementwise, name)
        assert call.__name__ == name
        assert call.__doc__.startswith("Return ")
    assert elementwise.abs is not builtins.abs
