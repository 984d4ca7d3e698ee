"""Matrices of confusion."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import ShapeError
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc


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
    with pytest.raises(ValueError, match="two vectors of labels"):
        T.nnet.confusion_matrix(actual, T.dmatrix("d"))
    with pytest.raises(ValueError, match="two vectors of labels"):
        T.nnet.confusion_matrix(actual, T.zvector("c"))


def test_confusion_of_labels_that_are_floats() -> None:
    actual, pred = T.dvector("actual"), T.ivector("pred")
    f = compiled([actual, pred], T.nnet.confusion_matrix(actual, pred))
    counts, order = f(np.array([1.5, 2, 2, np.nan, np.nan]), np.array([2, 2, 4, 2, 4], "int32"))
    np.testing.assert_array_equal(order, [1.5, 2, 4, np.nan])
    assert counts.tolist() == [[0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 1, 0]]
