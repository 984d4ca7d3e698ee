"""Numbers of axes of samples, and the formats of outputs."""

from __future__ import annotations

import pytest

from symtheano import nn


def test_numbers_of_axes() -> None:
    layer = nn.Softmax()
    assert layer.axes_of(-1, (4, 5)) == (2,)
    assert layer.axes_of([1, -1], (4, 5)) == (1, 2)
    for axis in (0, 3, -3):
        with pytest.raises(ValueError, match=r"samples of shape .* have no axis"):
            layer.axes_of(axis, (4, 5))


def test_the_format_stays_where_axes_do() -> None:
    last = nn.MaxPool2D(2, data_format="channels_last")(nn.Input((8, 8, 3)))
    assert last.data_format == "channels_last"
    assert nn.Activation("relu")(last).data_format == "channels_last"
    assert nn.Flatten()(last).data_format is None
    assert nn.Lambda(lambda x: x.dimshuffle(0, 2, 1, 3))(nn.Input((8, 6, 3))).data_format is None
