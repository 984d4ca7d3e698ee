"""Theano's names of sigmoids."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc


def test_theanos_names_of_sigmoids() -> None:
    from symtheano.tensor.nnet import sigm

    x = T.dvector("x")
    values = np.array([-800.0, 0.0, 800.0])
    made = [
        T.elemwise.Elemwise(sigm.ScalarSigmoid(name="scalar_sigmoid"))(x), sigm.sigmoid_inplace(x),
        sigm.ultra_fast_sigmoid_inplace(x),
    ]  # fmt: skip
    for found in compiled([x], made)(values):
        np.testing.assert_array_equal(found, [0.0, 0.5, 1.0])
    assert sigm.sigmoid is T.sigmoid
    soft = T.elemwise.Elemwise(sigm.ScalarSoftplus())(x)
    np.testing.assert_allclose(compiled([x], soft)(values), [0.0, np.log(2), 800.0])
