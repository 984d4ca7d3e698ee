"""Losses: gradients, dtypes, edges, names, errors."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano.tensor as T
from symtheano import Mode, function, grad, nn, verify_grad
from symtheano.nn import losses
from symtheano.nn.losses import LOSSES, Loss, from_config, get

INTERPRET = Mode("interpret", "fast_run")
RNG = np.random.default_rng(8)
LABELS = np.array([0, 2, 1, 2, 0])
ONE_HOT = np.eye(3)[LABELS]
BITS = RNG.integers(0, 2, size=(5, 3)).astype("float64")
OTHER = RNG.normal(size=(5, 3))
PROBABLE = RNG.dirichlet(np.ones(3), 5)

# The targets of each loss, and what is differentiated.
CASES: dict[str, tuple[list[Any], Any]] = {
    "binary_crossentropy": ([BITS], PROBABLE),
    "binary_focal_crossentropy": ([BITS], PROBABLE),
    "categorical_crossentropy": ([ONE_HOT], PROBABLE),
    "categorical_focal_crossentropy": ([LABELS], PROBABLE),
    "categorical_hinge": ([LABELS], OTHER),
    "cosine_embedding": ([OTHER[::-1].copy(), np.array([1, -1, 1, -1, 0])], OTHER),
    "cosine_similarity": ([OTHER[::-1].copy()], OTHER),
    "dice": ([BITS], PROBABLE),
    "gaussian_nll": ([OTHER[::-1].copy(), PROBABLE + 0.1], OTHER),
    "hinge": ([BITS], OTHER),
    "hinge_embedding": ([BITS], OTHER),
    "huber": ([OTHER[::-1].copy()], OTHER),
    "kl_divergence": ([PROBABLE[::-1].copy()], PROBABLE),
    "log_cosh": ([OTHER[::-1].copy()], OTHER),
    "margin_ranking": ([OTHER[::-1].copy() + 0.1, BITS], OTHER),
    "mean_absolute_error": ([OTHER[::-1].copy() + 0.1], OTHER),
    "mean_absolute_percentage_error": ([OTHER[::-1].copy() + 0.1], OTHER),
    "mean_squared_error": ([OTHER[::-1].copy()], OTHER),
    "mean_squared_logarithmic_error": ([PROBABLE[::-1].copy()], PROBABLE),
    "multi_label_margin": ([BITS], OTHER),
    "multi_margin": ([LABELS], OTHER),
    "nll": ([LABELS], OTHER),
    "poisson": ([np.round(5 * PROBABLE)], PROBABLE),
    "quantile": ([OTHER[::-1].copy() + 0.1], OTHER),
    "root_mean_squared_error": ([OTHER[::-1].copy()], OTHER),
    "smooth_l1": ([OTHER[::-1].copy() + 0.1], OTHER),
    "soft_margin": ([BITS], OTHER),
    "sparse_categorical_crossentropy": ([LABELS], PROBABLE),
    "squared_hinge": ([BITS], OTHER),
    "triplet_margin": ([OTHER[::-1].copy(), OTHER + 1], OTHER),
    "tversky": ([BITS], PROBABLE),
    "ctc": ([np.array([[1, 2], [2, -1]])], RNG.normal(size=(2, 4, 3))),
}


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


def test_extreme_logits() -> None:
    """Losses of logits, and of a sigmoid or a softmax, neither overflow nor lose their gradient."""
    x = T.fmatrix("x")
    big = np.array([[1000.0, -1000.0], [-1000.0, 1000.0]], "float32")
    t = np.array([[0.0, 1.0], [0.0, 1.0]], "float32")
    labels = np.array([1, 1])
    rows: list[tuple[Any, Any]] = [
        (losses.binary_crossentropy(x, t, from_logits=True), [[0.25, -0.25], [0, 0]]),
        (losses.binary_crossentropy(T.nnet.sigmoid(x), t), [[0.25, -0.25], [0, 0]]),
        (losses.categorical_crossentropy(x, t, from_logits=True), [[0.5, -0.5], [0, 0]]),
        (losses.categorical_crossentropy(x, labels, from_logits=True), [[0.5, -0.5], [0, 0]]),
        (losses.categorical_crossentropy(T.nnet.softmax(x), t), [[0.5, -0.5], [0, 0]]),
        (losses.categorical_crossentropy(T.nnet.softmax(x), labels), [[0.5, -0.5], [0, 0]]),
        (losses.kl_divergence(T.nnet.softmax(x), t), [[0.5, -0.5], [0, 0]]),
    ]
    for loss, slopes in rows:
        value, slope = function([x], [loss, grad(loss, x)], mode=INTERPRET)(big)
        assert value in (500.0, 1000.0)
        assert_allclose(slope, slopes, atol=1e-6)


def test_certain_probabilities() -> None:
    p = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert losses.categorical_crossentropy(p, p).eval(mode=INTERPRET) == 0
    assert losses.categorical_crossentropy(p, np.array([1, 0])).eval(mode=INTERPRET) == 0
    assert losses.categorical_crossentropy(p, np.array([0, 0])).eval(mode=INTERPRET) == np.inf
    assert losses.binary_crossentropy(p, p).eval(mode=INTERPRET) == 0
    assert losses.binary_crossentropy(p, 1 - p).eval(mode=INTERPRET) == np.inf
    assert losses.kl_divergence(p, p).eval(mode=INTERPRET) == 0
    assert losses.binary_focal_crossentropy(p, p).eval(mode=INTERPRET) == 0
    assert losses.categorical_focal_crossentropy(p, p).eval(mode=INTERPRET) == 0


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


def test_cosine_of_zero() -> None:
    zero, one = np.zeros((1, 2)), np.ones((1, 2))
    assert losses.cosine_similarity(zero, one).eval(mode=INTERPRET) == 0
    x = T.dmatrix()
    slope = function([x], grad(losses.cosine_similarity(x, one), x), mode=INTERPRET)(zero)
    assert np.isfinite(slope).all()


def test_empty_batches() -> None:
    x = np.zeros((0, 3))
    assert losses.mean_squared_error(x, x, reduction="sum").eval(mode=INTERPRET) == 0
    assert losses.mean_squared_error(x, x, reduction=None).eval(mode=INTERPRET).shape == (0,)
    labels = np.zeros(0, "int64")
    assert losses.categorical_crossentropy(x, labels, reduction=None).eval(
        mode=INTERPRET
    ).shape == (0,)


def test_weights_of_classes() -> None:
    x, table = np.log(PROBABLE), np.array([1.0, 2.0, 4.0])
    own = table[LABELS]
    for targets in (LABELS, ONE_HOT):
        loss = losses.categorical_crossentropy
        each = loss(x, targets, from_logits=True, reduction=None).eval(mode=INTERPRET)
        options = {"from_logits": True, "class_weights": table}
        found = loss(x, targets, **options, reduction=None).eval(mode=INTERPRET)
        assert_allclose(found, own * each)
        both = loss(x, targets, **options, weights=own).eval(mode=INTERPRET)
        assert_allclose(both, (own * own * each).mean())
    assert_allclose(losses.of_classes(table, PROBABLE, LABELS).eval(mode=INTERPRET), own)


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


def test_factors_of_classes_are_those_of_torch() -> None:
    # torch.nn.functional.cross_entropy(x, t, weight=w, label_smoothing=0.2, reduction="none")
    x, w = np.array([[1.0, 2.0, 0.5]]), np.array([0.5, 2.0, 1.0])
    logs = x - np.log(np.exp(x).sum())
    for t in (np.array([1]), np.array([[0.2, 0.5, 0.3]])):
        soft = np.eye(3)[t] if t.ndim == 1 else t
        want = -(w * (0.8 * soft + 0.2 / 3) * logs).sum()
        options = {"from_logits": True, "label_smoothing": 0.2, "class_weights": w}
        loss = losses.categorical_crossentropy(x, t, **options, reduction=None)
        assert_allclose(loss.eval(), [want])
        mean = losses.categorical_crossentropy(x, t, **options, reduction="weighted_mean")
        assert_allclose(mean.eval(), want / (soft * w).sum())
    loss = losses.nll(logs, np.array([[0.2, 0.5, 0.3]]), class_weights=w)
    assert_allclose(loss.eval(), -(w * [0.2, 0.5, 0.3] * logs).sum())


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
