"""Layers of both formats."""

from __future__ import annotations

from typing import Any

from symtheano import nn

FIRST = {"data_format": "channels_first"}
LAST = {"data_format": "channels_last"}


def stem(**options: Any) -> nn.Value:
    """Return the output of a convolution that says that its channels are last."""
    return nn.Conv2D(6, 3, **LAST, **options)(nn.Input((10, 9, 3), seed=0))
