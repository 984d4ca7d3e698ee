"""Parts that conditions select."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import BoundsError
from symtheano.tensor.selection import argwhere, compress
from symtheano.verify import verify_grad, verify_rop
from tests.support.compare import Array, check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


def test_items_that_a_condition_selects() -> None:
    c, x = T.vector("c", "bool"), T.matrix("x")
    outputs = [
        compress(c, x, 0), compress(c[:2], x, 0), compress(c, x.T, 1), compress(x[:, 0] > 0, x, 0),
        compress(c, x), compress(c, x, 0).sum(), argwhere(x > 0), argwhere(x[0]), argwhere(c),
    ]  # fmt: skip

    def reference(c: Array, x: Array) -> list[Array]:
        return [
            np.compress(c, x, 0), np.compress(c[:2], x, 0), np.compress(c, x.T, 1),
            np.compress(x[:, 0] > 0, x, 0), np.compress(c, x), np.compress(c, x, 0).sum(),
            np.argwhere(x > 0), np.argwhere(x[0]), np.argwhere(c),
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = [
        [np.array(condition), random.uniform(-1, 1, (3, 4))]
        for condition in ([True, False, True], [False] * 3, [True] * 3)
    ]
    check([c, x], outputs, calls, reference, kind="selection")
    point = random.uniform(-1, 1, (3, 2))
    verify_grad(lambda x: compress([True, False, True], x, 0) ** 2, [point])
    verify_rop(lambda x: compress([True, False, True], x, 0) ** 2, [point])


def test_conditions_longer_than_the_axis() -> None:
    c, x = T.lvector("c"), T.matrix("x")
    y = compress(c, x, 0)
    for h in (compiled([c, x], y), oracle([c, x], y)):
        assert outcome(h, [np.array([0, 0, 1]), np.ones((2, 2))])[0] is BoundsError
        assert h(np.array([0, 1, 0]), np.ones((2, 2))).shape == (1, 2)
    with pytest.raises(ValueError, match="the condition is no vector"):
        compress(x, x, 0)
