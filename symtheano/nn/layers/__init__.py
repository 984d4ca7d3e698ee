"""Layers: functions of arrays with parameters of their own."""

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

__all__ = [
    "activation", "attention", "convolution", "dense", "embedding", "merging", "noise",
    "normalization", "pooling", "positions", "recurrent", "resizing", "separable", "shapes",
    "transformer", "transposed", "weights", "wrappers",
]  # fmt: skip
