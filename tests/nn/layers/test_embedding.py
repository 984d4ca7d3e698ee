"""Masks of steps, and where they are passed on."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_array_equal

from symtheano import nn


def test_masking() -> None:
    x = nn.Input((None, 2), "float64")
    y = nn.Masking(-1.0)(x)
    data = np.array([[[1.0, 2.0], [-1.0, 0.0], [-1.0, -1.0]]])
    assert_array_equal(y.masks[1].eval({x.test: data}), [[True, True, False]])
    assert_array_equal(y.test.eval({x.test: data}), [[[1, 2], [-1, 0], [0, 0]]])
    both = nn.Masking(1.0)(y)
    assert_array_equal(
        both.masks[1].eval({x.test: np.array([[[1.0, 1.0], [-1.0, -1.0], [0.0, 1.0]]])}),
        [[False, False, True]],
    )


def test_masks_are_passed_on_while_steps_stay() -> None:
    x = nn.Input((None,), "int32")
    words = nn.Embedding(5, 4, mask_zero=True)(x)
    mask = words.masks[0]
    assert mask is words.masks[1]
    kept = nn.LayerNorm()(nn.Dropout(0.1)(nn.Dense(3, "relu")(words)))
    assert kept.masks == (mask, mask)
    assert (kept + kept).masks[0] is not None
    assert nn.Flatten()(words).masks == (None, None)
    assert nn.LSTM(2)(words).masks == (None, None)
    assert nn.Embedding(5, 4)(x).masks == (None, None)
