"""Transposed convolutions: lengths, equality with gradients, messages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
import symtheano.tensor as T
from symtheano import nn

LENGTHS = [
    # window, stride, padding, output_padding, length of 5 elements
    (3, 2, "valid", None, 11),
    (2, 3, "valid", None, 15),
    (3, 2, "same", None, 10),
    (2, 3, "same", None, 15),
    (3, 2, "valid", 1, 12),
    (3, 2, "same", 1, 10),
    (4, 3, "same", 0, 12),
    (3, 2, 1, None, 9),
    (3, 2, 1, 1, 10),
    (3, 2, ((0, 2),), None, 9),
    (3, 2, "full", None, 7),
]


@pytest.mark.parametrize(("window", "stride", "padding", "extra", "length"), LENGTHS)
def test_lengths(window: int, stride: int, padding: Any, extra: Any, length: int) -> None:
    layer = nn.Conv1DTranspose(2, window, stride, padding, output_padding=extra)
    assert layer(nn.Input((3, 5))).shape == (2, length)


def test_it_is_the_gradient_of_a_convolution() -> None:
    rng = np.random.default_rng(1)
    g = nn.Input((4, 3, 3), "float64")
    back = nn.Conv2DTranspose(2, 3, 2, 1, use_bias=False, output_padding=(0, 1))
    z = back(g)
    assert z.shape == (2, 5, 6)
    forward = nn.Conv2D(4, 3, 2, 1, use_bias=False)
    x = nn.Input((2, 5, 6), "float64", seed=1)
    y = forward(x)
    back.kernel.set_value(forward.kernel.get_value())
    expected = symtheano.grad(T.sum(y.test * g.test), x.test)
    f = symtheano.function([x.test, g.test], [z.test, expected], mode="INTERPRET")
    left, right = f(rng.normal(size=(2, 2, 5, 6)), rng.normal(size=(2, 4, 3, 3)))
    assert_allclose(left, right, rtol=1e-12)


def test_messages() -> None:
    x = nn.Input((3, 5))
    with pytest.raises(
        ValueError, match=r"output_padding must .* less than the strides \(2,\), not 2"
    ):
        nn.Conv1DTranspose(2, 3, 2, output_padding=2)(x)
    with pytest.raises(ValueError, match="must be 'valid', 'same' or numbers, not 'causal'"):
        nn.Conv1DTranspose(2, 3, padding="causal")(x)
    with pytest.raises(ValueError, match=r"takes samples of shape \(n, channels, rows, columns\)"):
        nn.Conv2DTranspose(2, 3)(x)
    with pytest.raises(ValueError, match="does not fit"):
        nn.Conv1DTranspose(2, 3, padding=9)(x)
