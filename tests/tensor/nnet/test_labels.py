"""Labels of classes, which are checked."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import BoundsError
from symtheano.tensor.nnet.labels import ClassLabels, class_labels
from symtheano.tensor.type import TensorType

MODES = [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize("ndim", [0, 1, 2])
def test_labels_are_numbers_from_zero(mode: str, dtype: str, ndim: int) -> None:
    labels = TensorType(dtype, (None,) * ndim).make_variable("labels")
    n = T.lscalar("n")
    f = function([labels, n], ClassLabels("loss")(labels, n) + T.zeros_like(labels), mode=mode)

    def made(value: int) -> np.ndarray:
        array = np.zeros((3,) * ndim, dtype)
        array[(-1,) * ndim] = value
        return array

    np.testing.assert_array_equal(f(made(4), 5), made(4))
    assert f(made(4), 5).dtype == dtype
    for value in (5, *([-1, -5] if dtype.startswith("i") else [])):
        with pytest.raises(BoundsError, match="loss: a label in labels is outside the 5 classes"):
            f(made(value), 5)
    if ndim:
        assert f(np.zeros((0,) * ndim, dtype), 0).shape == (0,) * ndim


def test_labels_that_are_known() -> None:
    p, q = T.matrix("p"), T.matrix("q", shape=(None, 3))
    known = T.constant([0, 2])
    assert class_labels("loss", known, q).owner.op == ClassLabels("loss")
    with pytest.raises(BoundsError, match="outside the 3 classes, which are counted from 0"):
        class_labels("loss", T.constant([0, 3]), q)
    with pytest.raises(BoundsError, match="outside the classes"):
        class_labels("loss", T.constant([-1]), p)
    losses = T.nnet.categorical_crossentropy(p, known)
    assert losses.eval({p: np.full((2, 3), 0.5)}).round(3).tolist() == [0.693, 0.693]
    with pytest.raises(BoundsError, match="outside the 2 classes"):
        losses.eval({p: np.full((2, 2), 0.5)})
