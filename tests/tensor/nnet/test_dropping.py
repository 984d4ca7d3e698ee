"""Dropout with each kind of random streams: shares, shared axes, gradients, memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.printing.schedule import schedule_text
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams
from tests.support.compare import compiled

pytestmark = pytest.mark.needs_cc

STREAMS = (RandomStreams, MRG_RandomStreams, PhiloxStreams)


@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_the_share_that_stays_and_its_gradient(streams: Any, dtype: str) -> None:
    x, g = T.matrix("x", dtype), T.matrix("g", dtype)
    y = T.nnet.dropout(x, streams(4), 0.25)
    assert y.dtype == dtype
    f = function([x, g], [y, grad((y * g).sum(), x)])
    ones = np.ones((60, 50), dtype)
    (first, slope), (second, _) = f(ones, 2 * ones), f(ones, ones)
    np.testing.assert_allclose(np.unique(first), [0, 4 / 3], rtol=1e-3)
    assert abs((first > 0).mean() - 0.75) < 0.04
    np.testing.assert_allclose(slope, 2 * first, rtol=1e-3)
    assert (first != second).any()


@pytest.mark.parametrize("streams", STREAMS)
def test_axes_that_go_together(streams: Any) -> None:
    x = T.tensor3("x")
    f = compiled([x], T.nnet.dropout(x, streams(5), 0.5, shared_axes=(0, -1), rescale=False))
    value = np.random.default_rng(0).uniform(1, 2, (3, 40, 4))
    found = f(value)
    stays = found != 0
    assert (stays == stays[:1, :, :1]).all()
    assert 5 < stays[0, :, 0].sum() < 35
    np.testing.assert_array_equal(found[stays], value[stays])


def test_the_mask_is_kept_in_bytes_for_the_gradient() -> None:
    x, w = T.fmatrix("x"), T.fmatrix("w")
    hidden = T.tanh(T.dot(T.nnet.dropout(x, RandomStreams(6), 0.3), w))
    f = function([x, w], grad(hidden.sum(), [x, w]))
    assert "x_d0*x_d1 bytes: " in schedule_text(f)


def test_rates() -> None:
    x, rate = T.dvector("x"), T.dscalar("rate")
    f = function([x, rate], T.nnet.dropout(x, PhiloxStreams(7), rate))
    ones = np.ones(400)
    np.testing.assert_array_equal(f(ones, 0.0), ones)
    assert (f(ones, 0.99) > 0).sum() < 30
    for bad in (1, 1.5, -0.1):
        with pytest.raises(ValueError, match="below 1"):
            T.nnet.dropout(x, PhiloxStreams(7), bad)
