"""Layers that add the position of each step of a sequence, for networks without recurrence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class PositionalEncoding(Layer):
    """Adds sines and cosines of the position to samples of shape (steps, features).

    ``sin(position / base ** (2 * k / features))`` is added to feature ``2 * k``, and the cosine of
    the same angle to feature ``2 * k + 1``. See Vaswani et al., 2017, Attention Is All You Need,
    section 3.5.

    Parameters
    ----------
    base
        The base of the wavelengths, which grow from ``2 * pi`` to ``2 * pi * base``. The default
        is 10,000.

    Examples
    --------
    >>> nn.PositionalEncoding()(nn.Input((None, 8)))
    Value(float32, (n, ?, 8) of positional_encoding)
    """

    base: float = 10000.0

    keeps_steps = True

    def build(self, *shapes: Shape) -> None:
        self._features = known_features(self, shapes[0])

    def output_shape(self, *shapes: Shape) -> Shape:
        known_features(self, shapes[0])
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        x, k = inputs[0], np.arange(self._features)
        exponents = -2.0 * (k // 2) / max(self._features, 1)
        frequencies = T.constant((self.base**exponents).astype(x.dtype))
        angles = T.cast(T.arange(x.shape[1]), x.dtype).dimshuffle(0, "x") * frequencies
        return x + T.switch(T.constant(k % 2 == 1), T.cos(angles), T.sin(angles))


@dataclass(eq=False)
class PositionEmbedding(Layer):
    """Adds a learned vector for each position to samples of shape (steps, features).

    Parameters
    ----------
    max_length
        The number of positions, which is the largest number of steps of a sequence.
    embeddings_initializer
        Initial values of the vectors, a matrix of shape (max_length, features): the name of an
        initializer, an :class:`Initializer`, a number, or an array.
    embeddings_regularizer
        A penalty on the vectors that is added to the loss: a name such as ``"l2"``, a
        :class:`Regularizer`, or None.

    Examples
    --------
    >>> y = nn.PositionEmbedding(50)(nn.Input((None, 8)))
    >>> y, y.parameters[0].get_value().shape
    (Value(float32, (n, ?, 8) of position_embedding), (50, 8))
    """

    max_length: int
    embeddings_initializer: Any = "uniform"
    embeddings_regularizer: Any = None

    keeps_steps = True
    counts = ("max_length",)

    def build(self, *shapes: Shape) -> None:
        features = known_features(self, shapes[0])
        self.table = self.described("embeddings", (self.max_length, features))

    def output_shape(self, *shapes: Shape) -> Shape:
        known_features(self, shapes[0])
        steps = shapes[0][0]
        if steps is not None and steps > self.max_length:
            raise self.error(f"{steps} steps are more than max_length, {self.max_length}")
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0] + self.table[T.arange(inputs[0].shape[1])]


def known_features(layer: Layer, shape: Shape) -> int:
    """Return the number of features of samples (steps, features)."""
    if len(shape) != 2 or shape[1] is None:
        raise layer.error(
            "takes samples of shape (n, steps, features) with a known number of features, not "
            f"{shown(shape)}"
        )
    return shape[1]
