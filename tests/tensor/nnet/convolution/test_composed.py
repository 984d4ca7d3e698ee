"""Separable convolutions, and those of sequences in time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from tests.support.gradients import verify_slopes

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("options", [{}, {"border_mode": "half", "filter_flip": False}])
def test_separable_filters_are_products(dims: int, options: dict[str, Any]) -> None:
    """They are one filter: the sum of products of depthwise and pointwise ones."""
    rng = np.random.default_rng(dims)
    lengths, taps, once = (4, 3, 3)[:dims], (3, 2, 2)[:dims], (1,) * dims
    values = [rng.normal(size=s) for s in ((2, 3, *lengths), (6, 1, *taps), (4, 6, *once))]
    x, depthwise, pointwise = (T.TensorType("float64", (None,) * (dims + 2))() for _ in range(3))
    separable = getattr(T.nnet, f"separable_conv{dims}d")
    made = separable(x, depthwise, pointwise, 3, (2, 3, *lengths), (6, None, *taps), **options)
    weights = values[2].reshape(4, 3, 2)
    filters = np.einsum("fcd,cd...->fc...", weights, values[1].reshape(3, 2, *taps))
    plain = getattr(T.nnet, f"conv{dims}d")(x, filters, **options)
    found, expected = function([x, depthwise, pointwise], [made, plain],
                               on_unused_input="ignore")(*values)  # fmt: skip
    np.testing.assert_allclose(found, expected, atol=1e-12)
    verify_slopes(lambda a, b, c: separable(a, b, c, 3, **options), values, rng, "INTERPRET")


def test_wrong_numbers_of_channels() -> None:
    x, a, b = T.dtensor4("x"), T.dtensor4("a"), T.dtensor4("b")
    f = function([x, a, b], T.nnet.separable_conv2d(x, a, b, 3))
    ones = [np.ones(s) for s in ((1, 3, 4, 4), (6, 1, 2, 2), (1, 6, 1, 1))]
    assert f(*ones).shape == (1, 1, 3, 3)
    with pytest.raises(ShapeError, match="the image has 2 channels, the filter 1 in each of 3"):
        f(ones[0][:, :2], *ones[1:])
    with pytest.raises(ShapeError, match="5 filters can't be divided among 3 groups"):
        f(ones[0], ones[1][:5], ones[2])
    with pytest.raises(ShapeError, match="the image has 6 channels, the filter 5"):
        f(*ones[:2], ones[2][:, :5])


@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_nothing_depends_on_later_elements(stride: int, dilation: int) -> None:
    rng = np.random.default_rng(stride)
    x, w = T.dtensor3("x"), T.dtensor3("w")
    values = [rng.normal(size=s) for s in ((2, 3, 11), (4, 3, 3))]
    known = T.nnet.causal_conv1d(
        x, w, (4, 3, 3), subsample=stride, filter_dilation=dilation, filter_flip=False
    )
    flipped = T.nnet.causal_conv1d(
        x, w[:, :, ::-1], subsample=stride, filter_dilation=dilation, input_shape=(2, 3, None)
    )
    found, other = function([x, w], [known, flipped])(*values)
    padded = np.pad(values[0], ((0, 0), (0, 0), (2 * dilation, 0)))
    expected = [
        np.einsum("nck,fck->nf", padded[:, :, t : t + 2 * dilation + 1 : dilation], values[1])
        for t in range(0, 11, stride)
    ]
    np.testing.assert_allclose(found, np.stack(expected, axis=2), atol=1e-12)
    np.testing.assert_allclose(other, found, atol=1e-12)


def test_gradients_in_time() -> None:
    rng = np.random.default_rng(0)
    values = [rng.normal(size=s) for s in ((2, 4, 7), (4, 2, 3))]
    verify_slopes(
        lambda x, w: T.nnet.causal_conv1d(x, w, subsample=2, num_groups=2), values, rng, "INTERPRET"
    )
