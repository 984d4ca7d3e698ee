"""Hinges, the loss of Huber, and divergences."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc


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
