"""Steps of optimizers on the problem whose numbers are recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import Mode, function, shared
from tests.nn.recorded import load

RECORDED = load("optimizers")


PROBLEM = {name: np.array(value) for name, value in RECORDED.pop("problem").items()}


INTERPRET = Mode("interpret", "fast_run")


# Keras computes the factors of these in float32, with any dtype of the variables.
ROUNDED = {"keras_clipnorm", "keras_global_clipnorm"}


def compare(name: str, found: np.ndarray) -> None:
    assert_allclose(found, RECORDED[name], rtol=1e-7 if name in ROUNDED else 1e-9, atol=1e-11)


def steps(rule: Any, dtype: str = "float64", mode: Any = INTERPRET) -> np.ndarray:
    """Return the parameters after each update; ``rule`` is a function of cost and parameters."""
    w, b = (shared(PROBLEM[name].astype(dtype), name) for name in "wb")
    x, y = T.matrix("x", dtype), T.matrix("y", dtype)
    cost = T.sqr(T.tanh(T.dot(x, w) + b) - y).mean()
    step = function([x, y], [], updates=rule(cost, [w, b]), mode=mode)
    path = []
    for batch in zip(PROBLEM["x"].astype(dtype), PROBLEM["y"].astype(dtype), strict=True):
        step(*batch)
        path.append([*w.get_value().ravel(), *b.get_value()])
    return np.array(path)
