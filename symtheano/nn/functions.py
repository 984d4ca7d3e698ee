"""Layers as functions: from the output so far to the next one.

Each function makes a layer and applies it. What it returns has the expressions in training and at
test, the output's shape, and the parameters up to there; see :class:`symtheano.nn.Value`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.nn.layers.convolution import Conv1D, Conv2D, Conv3D
from symtheano.nn.layers.dense import Activation, Dense
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.layers.merging import Concatenate
from symtheano.nn.layers.noise import Dropout
from symtheano.nn.layers.normalization import BatchNorm, LayerNorm
from symtheano.nn.layers.pooling import (
    AveragePool1D,
    AveragePool2D,
    AveragePool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
)
from symtheano.nn.layers.shapes import Flatten, Reshape
from symtheano.nn.values import Value

Maker = Callable[..., Callable[[Value], Value]]


def dense(x: Value, units: int, activation: Any = None, **options: Any) -> Value:
    """Return products with a matrix, plus a vector; the options are those of :class:`Dense`.

    Examples
    --------
    >>> from symtheano import nn
    >>> y = nn.dense(nn.Input((3,)), 2, "tanh")
    >>> y.shape, y.parameters
    ((2,), [dense/kernel, dense/bias])
    """
    return Dense(units, activation, **options)(x)


def conv(x: Value, filters: int, kernel_size: Any, activation: Any = None, **options: Any) -> Value:
    """Return a convolution over all axes after the channels; see :class:`Conv2D` for the options.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.conv(nn.Input((1, 28, 28)), 8, 5, "relu").shape
    (8, 24, 24)
    """
    kinds = {1: Conv1D, 2: Conv2D, 3: Conv3D}
    return by_axes("conv", kinds, x)(filters, kernel_size, activation=activation, **options)(x)


def maxpool(x: Value, pool_size: Any = 2, **options: Any) -> Value:
    """Return the maxima of windows over all axes after the channels; see :class:`MaxPool2D`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.maxpool(nn.Input((8, 24, 24))).shape
    (8, 12, 12)
    """
    kinds = {1: MaxPool1D, 2: MaxPool2D, 3: MaxPool3D}
    return by_axes("maxpool", kinds, x)(pool_size, **options)(x)


def avgpool(x: Value, pool_size: Any = 2, **options: Any) -> Value:
    """Return the means of windows over all axes after the channels; see :class:`AveragePool2D`."""
    kinds = {1: AveragePool1D, 2: AveragePool2D, 3: AveragePool3D}
    return by_axes("avgpool", kinds, x)(pool_size, **options)(x)


def activation(x: Value, function: Any) -> Value:
    """Return an activation function of the output; see :class:`Activation`."""
    return Activation(function)(x)


def dropout(x: Value, rate: float = 0.5, **options: Any) -> Value:
    """Return the output with random zeros in training; see :class:`Dropout`."""
    return Dropout(rate, **options)(x)


def batch_norm(x: Value, **options: Any) -> Value:
    """Return the output normalized over the batch; see :class:`BatchNorm`."""
    return BatchNorm(**options)(x)


def layer_norm(x: Value, **options: Any) -> Value:
    """Return the output normalized over the features; see :class:`LayerNorm`."""
    return LayerNorm(**options)(x)


def embedding(x: Value, input_dim: int, output_dim: int, **options: Any) -> Value:
    """Return rows of a table by their numbers; see :class:`Embedding`."""
    return Embedding(input_dim, output_dim, **options)(x)


def flatten(x: Value) -> Value:
    """Return all axes of a sample as one; see :class:`Flatten`."""
    return Flatten()(x)


def reshape(x: Value, shape: tuple[int, ...]) -> Value:
    """Return the elements of a sample in another shape; see :class:`Reshape`."""
    return Reshape(shape)(x)


def concatenate(*values: Value, axis: int = -1) -> Value:
    """Return values one after the other along an axis; see :class:`Concatenate`."""
    return Concatenate(axis)(*values)


def by_axes(what: str, kinds: dict[int, Any], x: Value) -> Maker:
    """Return the layer for the number of axes after the channels."""
    axes = len(x.shape) - 1
    if axes not in kinds:
        raise ValueError(f"{what} takes samples of shape (channels, 1 to 3 axes), not {x}")
    kind: Maker = kinds[axes]
    return kind
