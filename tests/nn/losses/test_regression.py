"""Losses of numbers at their edges."""

from __future__ import annotations

import numpy as np

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.nn import losses
from tests.nn.losses.cases import INTERPRET


def test_cosine_of_zero() -> None:
    zero, one = np.zeros((1, 2)), np.ones((1, 2))
    assert losses.cosine_similarity(zero, one).eval(mode=INTERPRET) == 0
    x = T.dmatrix()
    slope = function([x], grad(losses.cosine_similarity(x, one), x), mode=INTERPRET)(zero)
    assert np.isfinite(slope).all()
