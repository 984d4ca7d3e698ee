"""Layers: functions of symbolic arrays that own their parameters."""

from typing import NoReturn

from symtheano.nn.foreign import MissingNetworkName
from symtheano.nn.layers import (
    activation,
    attention,
    convolution,
    dense,
    embedding,
    merging,
    noise,
    normalization,
    pooling,
    positions,
    recurrent,
    resizing,
    separable,
    shapes,
    transformer,
    transposed,
    weights,
    wrappers,
)
from symtheano.nn.layers.base import LAYERS

__all__ = [
    "activation", "attention", "convolution", "dense", "embedding", "merging", "noise",
    "normalization", "pooling", "positions", "recurrent", "resizing", "separable", "shapes",
    "transformer", "transposed", "weights", "wrappers",
]  # fmt: skip


def __getattr__(name: str) -> NoReturn:
    """Raise an error that says where a layer is; its class is a name of :mod:`symtheano.nn`."""
    raise MissingNetworkName(__name__, name, LAYERS)
