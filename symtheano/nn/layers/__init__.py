"""Layers: functions of arrays with parameters of their own."""

from symtheano.nn.layers import (
    convolution,
    dense,
    embedding,
    merging,
    noise,
    normalization,
    pooling,
    shapes,
)

__all__ = [
    "convolution", "dense", "embedding", "merging", "noise", "normalization", "pooling", "shapes",
]  # fmt: skip
