"""``fit(on_nan="raise")`` says where the first NaN comes from."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import nn
from symtheano.errors import NotFiniteError

X = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")
Y = X[:, :1]


def model(*layers: Any, loss: Any = "mse", rate: float = 0.01) -> nn.Model:
    """Return a model that is compiled."""
    made = nn.Model(seed=0)
    for layer in layers:
        made.add(layer)
    made.compile(loss, nn.SGD(rate), backend="numpy")
    return made


def error_of(made: nn.Model, x: Any = X, y: Any = Y, **options: Any) -> NotFiniteError:
    """Return the error of training."""
    options = {"batch_size": 5, "verbose": 0, "shuffle": False, **options}
    with np.errstate(all="ignore"), pytest.raises(NotFiniteError) as caught:
        made.fit(x, y, on_nan="raise", **options)
    return caught.value


@pytest.mark.filterwarnings("ignore::symtheano.nn.TrainingWarning")
def test_data() -> None:
    x = X.copy()
    x[12, 1] = np.nan
    made = model(nn.Dense(1))
    text = str(error_of(made, x))
    assert "the loss is nan in epoch 1, batch 3; in the data, x has the first nan" in text
    assert "nan, at (2, 1) of the batch" in text
    batches = [(x[k : k + 5], Y[k : k + 5]) for k in range(0, 20, 5)]
    assert "batch 3; in the data, x" in str(error_of(model(nn.Dense(1)), batches, None))
    assert "batch 3; in the data, x" in str(
        error_of(model(nn.Dense(1)), iter(batches), None, steps_per_epoch=4)
    )


def test_the_output_of_a_layer() -> None:
    root = nn.Lambda(lambda x: T.sqrt(x), name="root")
    text = str(error_of(model(nn.Dense(2), root, nn.Dense(1))))
    assert "the output of Lambda 'root' has the first nan, at" in text
    assert "batch 1" in text


def test_a_parameter_after_an_update() -> None:
    def root(x: Any) -> Any:  # whose derivative at 0 is infinite
        return T.sqrt(abs(x))

    first = nn.Dense(1, kernel_initializer="zeros")
    error = error_of(model(first, nn.Lambda(root)))
    assert "batch 2; the parameter dense/kernel has the first nan" in str(error)
    assert "which comes from the previous update" in str(error)


def test_an_infinite_loss_and_the_parameters_before() -> None:
    made = model(nn.Dense(1), rate=1e30)
    made.build((3,))
    error = error_of(made)
    assert error.kind in ("nan", "inf")
    assert "batch 1" not in str(error)
    made = model(nn.Dense(1), loss=lambda p, t: T.log(0 * p.sum(axis=1)))
    made.build((3,))
    before = made.get_weights()
    assert "all outputs are finite, so the loss, " in str(error_of(made))
    for old, new in zip(before, made.get_weights(), strict=True):
        assert_array_equal(old, new)


@pytest.mark.filterwarnings("ignore::symtheano.nn.TrainingWarning")
@pytest.mark.parametrize(
    ("loss", "remedy"),
    [
        ("categorical_crossentropy", "'softmax' as the activation of the last layer, or nn.Loss"),
        ("binary_crossentropy", "'sigmoid' .*from_logits=True"),
        ("kl_divergence", "'softmax' as the activation of the last layer. The parameters"),
        ("poisson", "'softplus' .*log_input=True"),
    ],
)
def test_outputs_that_are_no_probabilities(loss: str, remedy: str) -> None:
    labels = np.eye(2)[(X[:, 0] > 0).astype(int)]
    text = str(error_of(model(nn.Dense(2), loss=loss), y=labels))
    assert re.search(f"the output of Dense 'dense' is from -.* the loss {loss} takes", text)
    assert re.search(f"take {remedy}", text)


def test_sound_training_has_the_same_bits() -> None:
    one, other = model(nn.Dense(1)), model(nn.Dense(1))
    one.fit(X, Y, 5, 2, 0, on_nan="raise")
    other.fit(X, Y, 5, 2, 0)
    for a, b in zip(one.get_weights(), other.get_weights(), strict=True):
        assert_array_equal(a, b)


def test_other_words() -> None:
    with pytest.raises(ValueError, match="on_nan must be None or 'raise', not 'stop'"):
        model(nn.Dense(1)).fit(X, Y, on_nan="stop")
