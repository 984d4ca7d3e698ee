"""Steps that adapt to squares of gradients, by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano import Mode, function, nn, shared

W = np.array([1.0, -2.0])
G = 2 * W


def first_step(rule: Any) -> Any:
    """Return how much the first step on the sum of squares changes."""
    w = shared(W, "w")
    function([], updates=rule.updates((w**2).sum(), [w]), mode=Mode("interpret", "fast_run"))()
    return W - w.get_value()


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        (nn.optimizers.Adagrad(0.5, initial_accumulator_value=1.0), 0.5 * G / np.sqrt(1 + G**2)),
        (nn.optimizers.RMSProp(0.5, rho=0.75), 0.5 * G / np.sqrt(0.25 * G**2)),
        (
            nn.optimizers.RMSProp(0.5, rho=0.75, centered=True),
            0.5 * G / np.sqrt(0.25 * G**2 - (0.25 * G) ** 2),
        ),
        (
            nn.optimizers.Adadelta(0.5, rho=0.75, epsilon=0.01),
            0.5 * G * np.sqrt(0.01) / np.sqrt(0.25 * G**2 + 0.01),
        ),
    ],
    ids=["adagrad", "rmsprop", "centered", "adadelta"],
)
def test_first_steps(rule: Any, wanted: Any) -> None:
    assert_allclose(first_step(rule), wanted, rtol=1e-6)
