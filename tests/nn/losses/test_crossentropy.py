"""Cross-entropies: extreme predictions, and weights of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.nn import losses
from tests.nn.losses.cases import INTERPRET, LABELS, ONE_HOT, PROBABLE


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
