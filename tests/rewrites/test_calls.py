"""Which graphs of OpFromGraph become calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import OpFromGraph, function, grad, scan, shared

x = T.dvector("x")
W = T.dmatrix("W")
v, w = T.dvector("v"), T.dmatrix("w")
VECTOR, MATRIX = np.array([1.0, -2.0, 3.0]), np.arange(9.0).reshape(3, 3) / 10


def layer(**options: Any) -> OpFromGraph:
    """Return an op with a product."""
    return OpFromGraph([v, w], [T.tanh(T.dot(w, v))], **options)


def calls(f: Any) -> int:
    """Return how many calls there are in a function's graph."""
    return sum("GraphCall" in str(node.op) for node in f.maker.fgraph.toposort())


def test_graphs_that_are_used_twice() -> None:
    op = layer()
    f = function([x, W], op(op(x, W), W))
    assert calls(f) == 2
    wanted = np.tanh(MATRIX @ np.tanh(MATRIX @ VECTOR))
    np.testing.assert_allclose(f(VECTOR, MATRIX), wanted)
    np.testing.assert_allclose(function([x, W], op(op(x, W), W), mode="INTERPRET")(VECTOR, MATRIX),
                               wanted)  # fmt: skip


@pytest.mark.parametrize("case", ["once", "inline", "cheap", "needed inside"])
def test_graphs_that_are_replaced(case: str) -> None:
    op, cheap = layer(inline=case == "inline"), OpFromGraph([v], [T.exp(v) + 1])
    made = {
        "once": op(x, W),
        "inline": op(op(x, W), W),
        "cheap": cheap(cheap(x)),
        "needed inside": op(x, W) + op(x * 2, W) + T.dot(W, x) + T.dot(W, x * 2),
    }[case]
    f = function([x, W], made, on_unused_input="ignore")
    assert calls(f) == 0
    g = function([x, W], made, mode="INTERPRET", on_unused_input="ignore")
    np.testing.assert_allclose(f(VECTOR, MATRIX), g(VECTOR, MATRIX))


def _power(value: Any, power: int) -> Any:
    return value if power == 1 else value**power


@pytest.mark.parametrize("power", [1, 3])
def test_gradients_use_the_values_inside(power: int) -> None:
    """That of tanh uses the result, that of its power what is inside."""
    op = OpFromGraph([v, w], [_power(T.tanh(T.dot(w, v)), power)])
    made = op(op(x, W), W).sum()
    f = function([x, W], [made, grad(made, W)])
    assert calls(f) == (2 if power == 1 else 0)
    plain = _power(T.tanh(T.dot(W, _power(T.tanh(T.dot(W, x)), power))), power).sum()
    g = function([x, W], [plain, grad(plain, W)])
    for one, other in zip(f(VECTOR, MATRIX), g(VECTOR, MATRIX), strict=True):
        np.testing.assert_allclose(one, other)


def test_shared_variables_and_loops() -> None:
    weights = shared(MATRIX, "weights")
    op = OpFromGraph([v], [T.tanh(T.dot(weights, v))])
    f = function([x], op(op(x)))
    assert calls(f) == 2
    rows, _ = scan(lambda h: op(op(h)), outputs_info=x, n_steps=3)
    found = function([x], [rows[-1], op(op(x))])(VECTOR)
    state = VECTOR
    for _ in range(6):
        state = np.tanh(MATRIX @ state)
    np.testing.assert_allclose(found[0], state)
    np.testing.assert_allclose(found[1], f(VECTOR))


def test_lengths_are_required_also_of_what_is_dropped() -> None:
    op = layer()
    f = function([x, W], T.zeros_like(op(x, W)) + op(op(x, W), W))
    with pytest.raises(ValueError, match="columns"):
        f(VECTOR[:2], MATRIX)
