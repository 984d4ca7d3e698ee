"""Random programs with choices: C and the interpreter against Python, gradients against switch."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.ifelse import ifelse
from tests.support.seeds import seeds

x, y = T.dvectors("x", "y")
c, d = T.bscalar("c"), T.dscalar("d")
W = T.dmatrix("W")


class Program:
    """A random expression of vectors, with choices or with switches in their places.

    Parameters
    ----------
    seed
        Determines the expression.
    lazy
        Whether choices are made by ``ifelse``.
    """

    def __init__(self, seed: int, lazy: bool) -> None:
        self.random, self.lazy = Random(seed), lazy
        self.made: list[Any] = [x, y]
        self.condition = [c, d > 0.5, T.gt(x.sum(), y.sum())]
        for _ in range(12):
            self.made.append(self.next())

    def next(self) -> Any:
        """Return one more vector."""
        a, b, e = (self.random.choice(self.made) for _ in range(3))
        kind = self.random.randrange(9)
        if kind == 0:
            return T.tanh(T.dot(W, a))
        if kind == 1:
            return T.exp(-T.sqr(a)) + b
        if kind == 2:
            return a * T.sin(b)
        if kind == 3:
            return T.sort(a) + b.sum() / 3
        if kind == 4:
            return T.cumsum(a) * b
        condition = self.random.choice(self.condition)
        first, second = (a, b) if kind < 7 else (a * b, T.cos(e))
        if self.lazy:
            return ifelse(condition, first, second)
        return T.switch(condition, first, second)


@pytest.mark.parametrize("seed", seeds(range(12)))
def test_programs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inputs = [x, y, c, d, W]
    chosen, plain = (Program(seed, lazy).made[-1] for lazy in (True, False))
    outputs = [
        [made, *grad((made * T.cos(made)).sum(), [x, y, W], disconnected_inputs="ignore")]
        for made in (chosen, plain)
    ]
    options: dict[str, Any] = {"on_unused_input": "ignore"}
    f, g = function(inputs, outputs[0], **options), function(inputs, outputs[1], **options)
    h = function(inputs, outputs[0], mode="INTERPRET", **options)
    for flag, number in ((0, 0.0), (1, 0.0), (0, 1.0), (1, 1.0)):
        values = [rng.normal(size=3), rng.normal(size=3), flag, number, rng.normal(size=(3, 3))]
        for one, two, three in zip(f(*values), g(*values), h(*values), strict=True):
            np.testing.assert_allclose(one, two, 1e-9, 1e-11)
            np.testing.assert_allclose(one, three, 1e-9, 1e-11)
