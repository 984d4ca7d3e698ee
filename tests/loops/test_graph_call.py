"""GraphCall: a graph that is one C function."""

from __future__ import annotations

import re

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import FunctionGraph, as_op, function
from symtheano.errors import ShapeError
from symtheano.loops.graph_call import GraphCall

x, b, a, c = T.dvectors("x", "b", "a", "c")
w, W = T.dmatrices("w", "W")
VECTOR, MATRIX = np.array([1.0, -2.0, 3.0]), np.arange(9.0).reshape(3, 3) / 10
LAYER = GraphCall([FunctionGraph([x, w, b], [T.tanh(T.dot(w, T.exp(x)) + b)])], "layer")


def layer(value: np.ndarray) -> np.ndarray:
    """Return what LAYER computes."""
    return np.tanh(MATRIX @ np.exp(value) + VECTOR)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_values(mode: str | None) -> None:
    f = function([a, W, c], LAYER(LAYER(a, W, c), W, c), mode=mode)
    np.testing.assert_allclose(f(VECTOR, MATRIX, VECTOR), layer(layer(VECTOR)))
    with pytest.raises(ShapeError) as found:
        f(VECTOR, MATRIX, VECTOR[:2])
    assert "test_graph_call.py" in str(found.value)


def test_the_function_is_printed_once() -> None:
    f = function([a, W, c], LAYER(LAYER(LAYER(a, W, c), W, c), W, c))
    text = f.c_source
    assert len(re.findall(r"ST_KERNEL \w+ layer\w*\(", text)) == 1
    assert len(re.findall(r"^    layer\(runtime", text, re.MULTILINE)) == 3


def test_several_results_and_numbers() -> None:
    n = T.lscalar("n")
    op = GraphCall([FunctionGraph([x, n], [T.sort(x) * n, x.max() + n, T.arange(n)])])
    made = op(a, n, return_list=True)
    f = function([a, n], [*made, made[2].shape[0]])
    g = function([a, n], [*made, made[2].shape[0]], mode="INTERPRET")
    for one, other in zip(f(VECTOR, 4), g(VECTOR, 4), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_can_not_be_a_function_is_in_the_text_around() -> None:
    @as_op([T.dvector], [T.dvector], infer_shape=lambda node, shapes: shapes)
    def turned(value: np.ndarray) -> np.ndarray:
        return value[::-1].copy()

    op = GraphCall([FunctionGraph([x], [turned(T.sort(x))])])
    np.testing.assert_array_equal(function([a], op(a) + 1)(VECTOR), np.sort(VECTOR)[::-1] + 1)
    f = function([a, W, c], LAYER(LAYER(a, W, c), W, c), profile=True)
    np.testing.assert_allclose(f(VECTOR, MATRIX, VECTOR), layer(layer(VECTOR)))
    assert any("dot" in step.label for step in f.profile.steps)
