"""Sums and means of losses, with weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano.nn.losses import LOSSES
from tests.nn.losses.cases import CASES, INTERPRET


# The root is taken of the reduced error.
@pytest.mark.parametrize("name", sorted(set(CASES) - {"ctc", "root_mean_squared_error"}))
def test_reductions(name: str) -> None:
    targets, x = CASES[name]
    loss = LOSSES[name]
    weights = np.array([0.0, 1.0, 2.0, 0.5, 1.5])
    own = weights.reshape(-1, *[1] * (loss(x, *targets, reduction=None).ndim - 1))
    each = loss(x, *targets, reduction=None).eval(mode=INTERPRET)
    assert len(each) == 5
    assert_allclose(loss(x, *targets).eval(mode=INTERPRET), each.mean())
    assert_allclose(loss(x, *targets, reduction="sum").eval(mode=INTERPRET), each.sum())
    assert_allclose(loss(x, *targets, reduction="weighted_mean").eval(mode=INTERPRET), each.mean())
    found = [
        loss(x, *targets, reduction=how, weights=weights).eval(mode=INTERPRET)
        for how in ("mean", "sum", "weighted_mean", None)
    ]
    by_weights = (own * each).sum() / (own + 0 * each).sum()
    expected = [(own * each).mean(), (own * each).sum(), by_weights, own * each]
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other)
