"""Numbers of layers, losses and optimizers: dtypes, and what compiled code does not depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn
from symtheano.function.stages import Stages
from symtheano.nn.floats import like, setting


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_numbers_have_the_dtype_of_the_array(dtype: str) -> None:
    x = T.vector(dtype=dtype)
    for number in (0.1, setting("number", 0.1), T.constant(0.1)):
        found = like(number, x)
        assert found.dtype == dtype
        assert found.eval() == np.asarray(0.1, dtype)


def trained(k: int) -> list[Any]:
    """Return the parameters of a network after an epoch, with the k-th choice of numbers."""
    numbers = [(0.1, 0.2, 0.01, 0.3, 0.9, 1e-4), (0.3, 0.1, 0.05, 0.2, 0.5, 1e-2)][k]
    rate, smoothing, penalty, noise, share, decay = numbers
    model = nn.Model(seed=0)
    model.add(nn.GaussianNoise(noise))
    model.add(nn.Dense(6, "tanh", kernel_regularizer=nn.regularizers.L1L2(penalty, 2 * penalty)))
    model.add(nn.Dropout(rate))
    model.add(nn.AlphaDropout(rate))
    model.add(nn.Dense(3, "softmax"))
    loss = nn.losses.Loss("categorical_crossentropy", label_smoothing=smoothing)
    optimizer = nn.Adam(0.01, share, 0.99, weight_decay=decay, global_clipnorm=share)
    model.compile(loss, optimizer)
    random = np.random.default_rng(0)
    model.fit(random.normal(size=(40, 4)), random.integers(0, 3, 40), verbose=0)
    return model.get_weights()


@pytest.mark.needs_cc
def test_another_number_needs_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again = trained(0), trained(0)
    with monkeypatch.context() as patch:
        patch.setattr(Stages, "_compiled", None)
        other = trained(1)
    for one, same, another in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(one, same)
        assert not np.array_equal(one, another)
