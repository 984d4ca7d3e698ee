"""Losses: gradients, dtypes, edges, names, errors."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import function, grad, nn, verify_grad
from symtheano.nn import losses
from symtheano.nn.losses import LOSSES, Loss, from_config, get
from tests.nn.losses.cases import CASES, INTERPRET


def test_all_are_listed() -> None:
    assert {LOSSES[name] for name in CASES} == set(LOSSES.values())


@pytest.mark.parametrize("name", CASES)
def test_gradient(name: str) -> None:
    targets, x = CASES[name]
    verify_grad(lambda x: LOSSES[name](x, *targets), [x], rng=np.random, mode=INTERPRET)


@pytest.mark.parametrize("name", sorted(set(CASES) - {"ctc"}))
@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "weighted_mean", None])
def test_dtype(name: str, dtype: str, reduction: str | None) -> None:
    """The loss and its gradient have the dtype of the predictions, whatever targets have."""
    targets, value = CASES[name]
    x = T.tensor(dtype, shape=(None,) * value.ndim)
    loss = LOSSES[name](x, *targets, reduction=reduction, weights=np.ones(len(value)))
    assert loss.dtype == dtype
    if name == "root_mean_squared_error":
        assert loss.ndim == (reduction is None)
    assert grad(loss.sum(), x).dtype == dtype
    double = LOSSES[name](value, *targets, reduction=reduction, weights=np.ones(len(value))).eval(
        mode=INTERPRET
    )
    found = function([x], loss, mode=INTERPRET)(value.astype(dtype))
    assert_allclose(found, double, rtol=0.05 if dtype == "float16" else 1e-4, atol=2e-3)


def test_predictions_of_one_column() -> None:
    """(n, 1) and (n,) fit; no outer difference is made of them."""
    column, vector = np.array([[1.0], [2.0], [4.0]]), np.array([1.0, 2.0, 3.0])
    for left, right in [(column, vector), (vector, column)]:
        assert losses.mean_squared_error(left, right, reduction=None).eval(
            mode=INTERPRET
        ).shape == (3,)
        assert_allclose(losses.mean_squared_error(left, right).eval(mode=INTERPRET), 1 / 3)
    with pytest.raises(ValueError, match="3"):
        losses.mean_squared_error(np.ones((3, 2)), vector).eval(mode=INTERPRET)
    with pytest.raises(ValueError, match="mean_squared_error: the predictions have 3 axes"):
        losses.mean_squared_error(np.ones((3, 2, 2)), vector)


@pytest.mark.parametrize("name", ["mean_squared_error", "binary_crossentropy", "hinge", "huber"])
def test_vectors_are_items(name: str) -> None:
    p, t = np.array([0.25, 0.5, 0.75]), np.array([0.0, 1.0, 1.0])
    each = LOSSES[name](p, t, reduction=None).eval(mode=INTERPRET)
    assert each.shape == (3,)
    columns = LOSSES[name](p[:, None], t[:, None], reduction=None).eval(mode=INTERPRET)
    assert_array_equal(columns, each)


def test_empty_batches() -> None:
    x = np.zeros((0, 3))
    assert losses.mean_squared_error(x, x, reduction="sum").eval(mode=INTERPRET) == 0
    assert losses.mean_squared_error(x, x, reduction=None).eval(mode=INTERPRET).shape == (0,)
    labels = np.zeros(0, "int64")
    assert losses.categorical_crossentropy(x, labels, reduction=None).eval(
        mode=INTERPRET
    ).shape == (0,)


def test_wrong_arguments() -> None:
    x = np.ones((2, 3))
    with pytest.raises(ValueError, match="'mean', 'sum', 'weighted_mean' or None, not 'average'"):
        losses.mean_squared_error(x, x, reduction="average")
    with pytest.raises(ValueError, match="the weights have 2 axes, but the losses have 1"):
        losses.mean_squared_error(x, x, weights=x)
    with pytest.raises(ValueError, match="label_smoothing must be between 0 and 1, not 2"):
        losses.categorical_crossentropy(x, x, label_smoothing=2)
    with pytest.raises(ValueError, match="targets must be integer labels with 1 axes"):
        losses.categorical_crossentropy(x, np.ones(2))
    with pytest.raises(ValueError, match="sparse_categorical_crossentropy: targets must be"):
        losses.sparse_categorical_crossentropy(x, x)
    with pytest.raises(ValueError, match="p must be 1 or 2, not 3"):
        losses.multi_margin(x, np.array([0, 1]), p=3)
    with pytest.raises(ValueError, match="share must be between 0 and 1"):
        losses.quantile(x, x, share=2)
    with pytest.raises(ValueError, match=r"scores must have shape \(items, steps, classes\)"):
        losses.ctc(x, x)
    with pytest.raises((ValueError, IndexError)):
        losses.categorical_crossentropy(x, np.array([0, 3])).eval(mode=INTERPRET)


def test_get() -> None:
    for name, loss in LOSSES.items():
        assert get(name).function is loss
        assert get(loss).function is loss
    assert get(losses.regression.huber).function is LOSSES["huber"]
    own = Loss("huber", delta=2.0)
    assert get(own) is own
    assert get(max) is max
    with pytest.raises(ValueError, match="unknown loss 'msa'; did you mean 'ms"):
        get("msa")
    with pytest.raises(TypeError, match="a name, a Loss or a function, not 3"):
        get(3)
    with pytest.raises(TypeError, match="huber has no option 'beta'; it has delta, reduction"):
        Loss("huber", beta=1)


def test_options_of_an_object() -> None:
    loss = Loss("huber", delta=2.0, reduction="sum")
    x, y = np.array([4.0, 0.5]), np.zeros(2)
    assert loss(x, y).eval(mode=INTERPRET) == 6.125
    assert loss(x, y, reduction="mean").eval(mode=INTERPRET) == 3.0625
    assert_array_equal(
        loss(x, y, reduction=None, weights=np.array([1.0, 2.0])).eval(mode=INTERPRET), [6, 0.25]
    )


def test_descriptions_come_back() -> None:
    loss = Loss("bce", positive_weight=np.array([1.0, 2.0]), from_logits=True)
    config = json.loads(json.dumps(loss.config()))
    back = from_config(config)
    assert back.config() == config
    x, y = np.array([[1.0, -1.0]]), np.array([[1.0, 1.0]])
    assert back(x, y).eval(mode=INTERPRET) == loss(x, y).eval(mode=INTERPRET)
    assert get(config).name == "binary_crossentropy"
    with pytest.raises(ValueError, match="must have the class 'Loss' and a name"):
        from_config({"name": "mse"})


def test_what_is_fed_later_is_taken() -> None:
    """Placeholders of any shape and outputs of layers, which sessions make expressions of."""
    with nn.Graph(seed=0).as_default(), nn.Session(backend="numpy") as session:
        x, inputs = nn.placeholder("float64"), nn.placeholder("float64", (None, 2))
        loss = losses.mean_squared_error(x, np.zeros((1, 2)))
        assert session.run(loss, {x: [[1.0, 2.0]]}) == 2.5
        y = nn.dense(inputs, 2, kernel_initializer="ones")
        own = Loss("huber", delta=0.5)(y, np.zeros((1, 2)))
        assert session.run(own, {inputs: [[1.0, 1.0]]}) == 0.875
        with pytest.raises(ValueError, match="huber: the predictions have 2 axes"):
            losses.huber(y, np.zeros((1, 2, 2, 2)))
        wrong = losses.huber(x, np.zeros((1, 2, 2, 2)))
        with pytest.raises(ValueError, match="huber: the predictions have 2 axes") as caught:
            session.run(wrong, {x: [[1.0, 1.0]]})
        assert "test_losses.py" in caught.value.__notes__[0]
