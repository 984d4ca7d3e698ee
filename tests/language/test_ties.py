"""Arrays with many equal elements: which of them is found, and which gets the gradient."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from tests.language.check import agree
from tests.language.plain import NUMERIC, SYMBOLIC
from tests.language.program import Array
from tests.support.compare import compiled, count, oracle

VALUES = (
    "T.max(x, axis=1)", "T.min(x, axis=0)", "T.max(x)", "T.argmax(x, axis=1)", "T.argmax(x)",
    "T.argmin(x, axis=0)", "T.sort(x, axis=0)", "T.sort(x, axis=1)", "T.argsort(x, axis=1)",
    "T.argsort(x, axis=0)", "T.median(x, axis=1)", "T.median(x)", "T.unique(x)",
    "T.unique(x, return_counts=True)[1]", "T.unique(x, return_index=True)[1]",
    "T.ptp(x, axis=0)", "T.maximum(x, x[::-1])",
)  # fmt: skip
SLOPES = ("T.max(x, axis=1)", "T.min(x, axis=0)", "T.max(x)", "T.sort(x, axis=0)",
          "T.median(x, axis=1)", "T.unique(x)", "T.maximum(x, x[::-1])")  # fmt: skip


def placed(x: Array, order: Array, g: Array, axis: int) -> Array:
    """Return zeros with numbers at some positions along an axis."""
    made = np.zeros_like(x)
    np.put_along_axis(made, order, g, axis)
    return made


def shared_out(g: Array, equal: Array, axis: int | None) -> Array:
    """Return numbers divided among the elements that equal the extrema along an axis."""
    return np.asarray(equal * (g / equal.sum(axis, keepdims=True)))


def slopes(x: Array) -> list[Array]:
    """Return the gradients of :data:`SLOPES`, of which each element counts as its number from 1."""
    n, m = x.shape
    rows, columns = np.arange(1.0, n + 1)[:, None], np.arange(1.0, m + 1)[None]
    along, across = (np.argsort(x, axis, kind="stable") for axis in (0, 1))
    middle = across[:, [(m - 1) // 2, m // 2]]
    half = np.zeros_like(x)
    np.add.at(half, (np.arange(n)[:, None], middle), rows / 2)
    first = np.unique(x, return_index=True)[1]
    of_unique = np.zeros(x.size)
    of_unique[first] = np.arange(1.0, len(first) + 1)
    every = np.arange(1.0, x.size + 1).reshape(x.shape)
    is_first = x >= x[::-1]
    return [
        shared_out(rows, x == x.max(1, keepdims=True), 1),
        shared_out(columns, x == x.min(0, keepdims=True), 0),
        shared_out(np.ones((1, 1)), x == x.max(), None),
        placed(x, along, every, 0),
        half,
        of_unique.reshape(x.shape),
        every * is_first + (every * ~is_first)[::-1],
    ]


@pytest.mark.needs_cc
def test_equal_elements_and_their_gradients() -> None:
    x = T.dmatrix("x")
    outputs = [eval(text, {**SYMBOLIC, "x": x}) for text in VALUES]
    for text in SLOPES:
        y = eval(text, {**SYMBOLIC, "x": x})
        outputs.append(grad((y.flatten() * (T.arange(y.size) + 1.0)).sum(), x))
    f, g = compiled([x], outputs), oracle([x], outputs)
    random = np.random.default_rng(0)
    for n, m, numbers in ((3, 4, 2), (40, 33, 3), (1, 5, 1), (7, 600, 2), (300, 2, 1), (1, 1, 1)):
        value = random.integers(0, numbers, (n, m)) - 1.0
        want = [np.asarray(eval(text, {**NUMERIC, "x": value})) for text in VALUES]
        want += slopes(value)
        for text, mine, its, ours in zip((*VALUES, *SLOPES), f(value), g(value), want, strict=True):
            what = f"{text} for {numbers} numbers in {(n, m)}"
            agree(mine, its, 1e-12, 1.0, f"{what}, against the interpreter")
            agree(mine, ours, 1e-12, 1.0, f"{what}, against NumPy")
            count("ties", mine.size)
