"""Losses of confident predictions, with their gradients, for batches of any rank; bad labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import ShapeError
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc

FAR = np.array([[[0.0, 2000, 0], [3000, -3000, 1]], [[1e5, 0, 0], [1, 2, 3]]])
LABELS = np.array([[0, 0], [1, 2]])


def expected() -> tuple[Any, Any]:
    """Return the losses of the labels and the gradients of their sum."""
    e = np.exp(FAR - FAR.max(-1, keepdims=True))
    logs = FAR - FAR.max(-1, keepdims=True) - np.log(e.sum(-1, keepdims=True))
    ones = np.eye(3)[LABELS]
    return -(logs * ones).sum(-1), e / e.sum(-1, keepdims=True) - ones


@pytest.mark.parametrize("given", ["labels", "one-hot", "logarithm", "divergence"])
def test_three_axes_of_confident_predictions(given: str) -> None:
    x, labels, ones = T.dtensor3("x"), T.lmatrix("labels"), T.dtensor3("ones")
    p = T.nnet.softmax(x)
    loss = {
        "labels": lambda: T.nnet.categorical_crossentropy(p, labels),
        "one-hot": lambda: T.nnet.categorical_crossentropy(p, ones),
        "logarithm": lambda: -(ones * T.nnet.logsoftmax(x)).sum(-1),
        "divergence": lambda: T.nnet.kl_divergence(ones, p),
    }[given]()
    f = compiled([x, labels, ones], [loss, grad(loss.sum(), x)])
    for found, want in zip(f(FAR, LABELS, np.eye(3)[LABELS]), expected(), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-12)


def test_rows_of_a_matrix_by_theanos_names() -> None:
    x, b, labels = T.dmatrix("x"), T.dvector("b"), T.ivector("labels")
    outputs = []
    for made in (
        T.nnet.crossentropy_softmax_argmax_1hot_with_bias(x, b, labels),
        T.nnet.crossentropy_softmax_1hot_with_bias(x, b, labels),
        T.nnet.crossentropy_softmax_1hot(x + b, labels),
        T.nnet.crossentropy_softmax_max_and_argmax_1hot_with_bias(x, b, labels),
    ):
        outputs += [made[0], grad(made[0].sum(), x)]
    rows, chosen = FAR.reshape(4, 3), LABELS.reshape(4).astype("int32")
    losses, slopes = expected()
    found = compiled([x, b, labels], outputs)(rows, np.zeros(3), chosen)
    for loss, slope in zip(found[::2], found[1::2], strict=True):
        np.testing.assert_allclose(loss, losses.reshape(4), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(slope, slopes.reshape(4, 3), rtol=1e-12, atol=1e-12)
    best = T.nnet.crossentropy_softmax_argmax_1hot_with_bias(x, b, labels)[2]
    assert best.dtype == "int32"
    with pytest.raises(ValueError, match="integer vector"):
        T.nnet.crossentropy_softmax_1hot(x, x)
    with pytest.raises(ValueError, match="a vector b"):
        T.nnet.softmax_with_bias(x, x)


def test_labels_of_another_shape_are_refused() -> None:
    x, labels = T.dtensor3("x"), T.lmatrix("labels")
    f = compiled([x, labels], T.nnet.categorical_crossentropy(T.nnet.softmax(x), labels))
    with pytest.raises(ShapeError, match="axis 0 has length 3"):
        f(np.zeros((2, 3, 4)), np.zeros((3, 2), "int64"))
    with pytest.raises(TypeError, match="labels do not fit"):
        T.nnet.categorical_crossentropy(x, T.lvector("v"))
    assert f(np.zeros((0, 3, 4)), np.zeros((0, 3), "int64")).shape == (0, 3)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_scores_of_zero_have_a_slope(dtype: str) -> None:
    x, t = T.vector("x", dtype), T.vector("t", dtype)
    loss = T.nnet.sigmoid_binary_crossentropy(x, t)
    assert loss.dtype == dtype
    f = compiled([x, t], [loss, grad(loss.sum(), x)])
    values, slopes = f(np.array([0, 0, 800, -800, 30], dtype), np.array([0, 1, 0, 1, 1], dtype))
    np.testing.assert_allclose(values[:4], [np.log(2), np.log(2), 800, 800], rtol=1e-3)
    np.testing.assert_allclose(slopes, [0.5, -0.5, 1, -1, 0], atol=1e-3)
    if dtype != "float16":
        np.testing.assert_allclose([values[4], -slopes[4]], np.exp(-30.0), rtol=1e-5)


def test_hubers_loss_far_from_zero() -> None:
    x = T.dvector("x")
    loss = T.nnet.huber_loss(x, 0.0, 2.0)
    f = compiled([x], [loss, grad(loss.sum(), x)])
    values, slopes = f(np.array([0.0, 1.0, 2.0, -3.0, 1e200, np.inf]))
    np.testing.assert_array_equal(values, [0.0, 0.5, 2.0, 4.0, 2e200, np.inf])
    np.testing.assert_array_equal(slopes, [0.0, 1.0, 2.0, -2.0, 2.0, 2.0])


def test_divergence_from_nothing_is_nothing() -> None:
    p, q = T.dmatrix("p"), T.dmatrix("q")
    f = compiled([p, q], T.nnet.kl_divergence(p, q))
    found = f(np.array([[0.0, 1.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    np.testing.assert_array_equal(found, [0.0, np.inf])


def test_hinges_and_their_labels() -> None:
    x, labels = T.dmatrix("x"), T.lvector("labels")
    loss = T.nnet.multiclass_hinge_loss(x, labels)
    f = compiled([x, labels], [loss, grad(loss.sum(), x)])
    values, slopes = f(np.array([[1.0, 2, 3], [3, 1, 2.5], [9, 1, 2]]), np.array([1, 0, -3]))
    np.testing.assert_array_equal(values, [2.0, 0.5, 0.0])
    np.testing.assert_array_equal(slopes, [[0, -1, 1], [-1, 0, 1], [0, 0, 0]])
    with pytest.raises(TypeError, match="labels must be integers"):
        T.nnet.multiclass_hinge_loss(x, T.dvector("d"))
    with pytest.raises(TypeError, match="matrix of scores"):
        T.nnet.multiclass_hinge_loss(T.dvector("d"), labels)


def test_confusion_of_other_labels_and_lengths() -> None:
    actual, pred = T.lvector("actual"), T.lvector("pred")
    f = compiled([actual, pred], T.nnet.confusion_matrix(actual, pred))
    counts, order = f(np.array([7, -1, 7]), np.array([7, 7, 3]))
    assert order.tolist() == [-1, 3, 7]
    assert counts.tolist() == [[0, 0, 1], [0, 0, 0], [0, 1, 1]]
    counts, order = f(np.zeros(0, "int64"), np.zeros(0, "int64"))
    assert counts.shape == (0, 0)
    with pytest.raises(ShapeError):
        f(np.array([1, 2]), np.array([1]))
    with pytest.raises(ValueError, match="integer vectors"):
        T.nnet.confusion_matrix(actual, T.dvector("d"))


@pytest.mark.parametrize("count", [1, 2, 4])
def test_as_many_labels_as_rows(count: int) -> None:
    """Neither a value nor a gradient is computed for other numbers of labels."""
    x, labels = T.dmatrix("x"), T.lvector("labels")
    p = T.nnet.softmax(x)
    given = np.zeros(count, "int64")
    for loss in (
        T.nnet.categorical_crossentropy(p, labels),
        T.nnet.categorical_crossentropy(p, given),
        T.nnet.crossentropy_softmax_1hot(x, labels)[0],
        T.nnet.multiclass_hinge_loss(x, labels),
    ):
        for output in (loss, grad(loss.sum(), x)):
            f = function([x, labels], output, on_unused_input="ignore", mode="INTERPRET")
            with pytest.raises(ShapeError):
                f(np.ones((3, 4)), given)
    f = compiled([x, labels], [T.nnet.categorical_crossentropy(p, labels)])
    with pytest.raises(ShapeError, match="length"):
        f(np.ones((3, 4)), given)
