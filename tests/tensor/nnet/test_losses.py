"""Losses of confident predictions, with their gradients, for batches of any rank; bad labels."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import BoundsError, ShapeError
from tests.support.compare import compiled
from tests.tensor.nnet.labels import FAR, LABELS, expected

pytestmark = pytest.mark.needs_cc


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


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_negative_labels_are_refused(dtype: str) -> None:
    """An index may be negative; a class may not."""
    x, b, cube = T.dmatrix("x"), T.dvector("b"), T.dtensor3("cube")
    y, grid = T.vector("y", dtype), T.matrix("grid", dtype)
    p = T.nnet.softmax(x)
    loss = T.nnet.categorical_crossentropy(p, y)
    made = [
        ([x, y], loss), ([x, y], grad(loss.sum(), x)),
        ([b, y], T.nnet.categorical_crossentropy(b, y[0])),
        ([x, b, y], T.nnet.crossentropy_softmax_argmax_1hot_with_bias(x, b, y)[0]),
        ([b, x, y], T.nnet.crossentropy_categorical_1hot_grad(b, p, y)),
        ([b, x, y], T.nnet.crossentropy_softmax_1hot_with_bias_dx(b, p, y)),
        ([cube, grid], T.nnet.categorical_crossentropy(T.nnet.softmax(cube), grid)),
    ]  # fmt: skip
    values = {x: np.ones((2, 2)), b: np.full(2, 0.5), cube: np.ones((1, 2, 2))}
    for inputs, output in made:
        for mode in ("FAST_RUN", "INTERPRET"):
            f = function(inputs, output, mode=mode)
            for label, bad in ((-1, True), (1, False), (2, True)):
                labels = {y: np.array([0, label], dtype), grid: np.array([[0, label]], dtype)}
                if inputs[-1] is y and inputs[0] is b and len(inputs) == 2:
                    labels[y] = labels[y][::-1]
                arguments = [{**values, **labels}[item] for item in inputs]
                if not bad:
                    assert np.isfinite(f(*arguments)).all()
                    continue
                with pytest.raises(BoundsError, match="outside the 2 classes"):
                    f(*arguments)
    with pytest.raises(
        BoundsError, match=r"categorical_crossentropy: a label in .* is outside the classes"
    ):
        T.nnet.categorical_crossentropy(x, T.constant([0, -1]))
