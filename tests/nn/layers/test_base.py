"""What layers of users define."""

from __future__ import annotations

import pytest

from symtheano import nn


def test_parameters_are_made_when_the_shape_is_known() -> None:
    class Early(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w = self.add_weight((3,), name="w")

    with pytest.raises(ValueError, match=r"'early'.*'w' is created before the shape.*build"):
        Early()


def test_a_layer_without_call_says_so() -> None:
    with pytest.raises(NotImplementedError, match="Empty defines neither call nor apply"):
        type("Empty", (nn.Layer,), {})()(nn.Input((3,)))


def test_a_layer_in_the_style_of_torch_is_told_the_name() -> None:
    with pytest.raises(NotImplementedError, match="the method forward is named call here"):
        type("Torch", (nn.Layer,), {"forward": lambda self, x: x})()(nn.Input((3,)))
