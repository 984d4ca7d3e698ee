"""Rows of ones and zeros, by Theano's names."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from tests.support.compare import compiled
from tests.tensor.nnet.labels import FAR, LABELS, expected

pytestmark = pytest.mark.needs_cc


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
