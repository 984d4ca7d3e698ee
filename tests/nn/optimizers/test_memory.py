"""The arrays that optimizers keep."""

from __future__ import annotations

import numpy as np

from symtheano import shared
from symtheano.nn import SGD, Adam
from tests.nn.optimizers.rules import quadratic


def test_names_of_the_state() -> None:
    rule = Adam()
    assert list(rule.state) == ["step", "learning_rate"]
    a, b, c = (shared(np.ones(2), name) for name in ("w", "w", None))
    rule.updates((a + b + c).sum(), [a, b, c])
    names = [f"{p}.{slot}" for p in ("w", "w_2", "parameter") for slot in ("mean", "square")]
    assert list(rule.state) == ["step", "learning_rate", *names]
    assert [variable.name for variable in rule.state.values()] == list(rule.state)


def test_two_calls_share_the_state() -> None:
    cost, (p, q) = quadratic((2,), (2,))
    rule = SGD(0.1, momentum=0.9)
    first = rule.updates(cost, [p])
    both = rule.updates(cost, [p, q])
    assert set(first) < set(both)
    assert len(rule.state) == 4
