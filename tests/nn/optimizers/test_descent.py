"""Gradient descent with momentum, and Lion, by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano import Mode, function, nn, shared
from symtheano.nn.optimizers import SGD, Lion

INTERPRET = Mode("interpret", "fast_run")


def positions(rule: Any, count: int) -> list[float]:
    """Return the parameter after each step on half its square."""
    w = shared(np.array(1.0), "w")
    step = function([], updates=rule.updates(w**2 / 2, [w]), mode=INTERPRET)
    found = []
    for _ in range(count):
        step()
        found.append(float(w.get_value()))
    return found


@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum(nesterov: bool) -> None:
    w, v, wanted = 1.0, 0.0, []
    for _ in range(4):
        g = w
        v = 0.5 * v + g
        w -= 0.1 * (g + 0.5 * v if nesterov else v)
        wanted.append(w)
    assert_allclose(positions(SGD(0.1, momentum=0.5, nesterov=nesterov), 4), wanted)


def test_the_first_gradient_is_not_dampened() -> None:
    assert_allclose(positions(SGD(0.1, momentum=0.5, dampening=0.5), 2), [0.9, 0.9 - 0.095])


def test_nesterov_needs_momentum() -> None:
    for options in ({}, {"momentum": 0.5, "dampening": 0.1}):
        with pytest.raises(ValueError, match="nesterov=True needs momentum > 0 and dampening = 0"):
            nn.SGD(nesterov=True, **options)


def test_lion_steps_have_one_size() -> None:
    assert_allclose(positions(Lion(0.25), 3), [0.75, 0.5, 0.25])
