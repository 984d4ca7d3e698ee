"""Layers that change the shape of samples: flatten, reshape, permute and repeat."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Format, Shape, shown


@dataclass(eq=False)
class Flatten(Layer):
    """Flattens each sample to a vector.

    Samples that are single numbers become vectors of length 1.

    Examples
    --------
    >>> nn.Flatten()(nn.Input((3, 4)))
    Value(float32, (n, 12) of flatten)
    """

    def output_shape(self, *shapes: Shape) -> Shape:
        known_lengths = [n for n in shapes[0] if n is not None]
        return (math.prod(known_lengths) if len(known_lengths) == len(shapes[0]) else None,)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0].flatten(2) if inputs[0].ndim > 1 else inputs[0].dimshuffle(0, "x")


@dataclass(eq=False)
class Reshape(Layer):
    """Changes the shape of each sample.

    Parameters
    ----------
    shape
        The new shape of a sample, without the batch axis. One length may be -1; it is computed from
        the number of elements and the other lengths.

    Examples
    --------
    >>> nn.Reshape((2, -1))(nn.Input((3, 4)))
    Value(float32, (n, 2, 6) of reshape)
    """

    shape: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths = self.shape if isinstance(self.shape, list | tuple) else (self.shape,)
        whole = [isinstance(n, int | np.integer) and n >= -1 for n in lengths]
        if not all(whole) or sum(n == -1 for n in lengths) > 1:
            raise self.error(
                f"shape must consist of lengths, at most one of which is -1, not {self.shape!r}"
            )
        self.shape = tuple(int(n) for n in lengths)

    def output_shape(self, *shapes: Shape) -> Shape:
        known_lengths = [n for n in shapes[0] if n is not None]
        if len(known_lengths) < len(shapes[0]):
            return tuple(None if n == -1 else n for n in self.shape)
        count, rest = math.prod(known_lengths), math.prod(n for n in self.shape if n != -1)
        if rest == 0 or count % rest or (-1 not in self.shape and count != rest):
            raise self.error(
                f"samples of shape {shown(shapes[0])} cannot be reshaped to {self.shape}"
            )
        return tuple(count // rest if n == -1 else n for n in self.shape)

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return None

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        rest = math.prod(n for n in self.shape if n != -1)
        # The length that is -1 is computed from one sample, because a batch may be empty.
        count = reduce(operator.mul, (x.shape[k] for k in range(1, x.ndim)), 1)
        lengths = (count // rest if n == -1 else n for n in self.shape)
        return x.reshape((x.shape[0], *lengths), ndim=len(self.shape) + 1)


@dataclass(eq=False)
class Permute(Layer):
    """Reorders the axes of each sample.

    Parameters
    ----------
    axes
        The axes of the input in their new order. Axis 1 is the first axis of a sample. For example,
        ``(2, 1)`` transposes matrices.

    Examples
    --------
    >>> nn.Permute((2, 1))(nn.Input((3, 4)))
    Value(float32, (n, 4, 3) of permute)
    """

    axes: tuple[int, ...]

    def output_shape(self, *shapes: Shape) -> Shape:
        if sorted(self.axes) != list(range(1, len(shapes[0]) + 1)):
            raise self.error(
                f"{self.axes} is not a permutation of the {len(shapes[0])} axes of a sample, which "
                "are numbered from 1"
            )
        return tuple(shapes[0][k - 1] for k in self.axes)

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return None

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0].dimshuffle(0, *self.axes)


@dataclass(eq=False)
class RepeatVector(Layer):
    """Repeats each sample along a new first axis, for example a vector for each step of a sequence.

    Parameters
    ----------
    times
        The number of repetitions, which is the length of the new axis.

    Examples
    --------
    >>> nn.RepeatVector(5)(nn.Input((3,)))
    Value(float32, (n, 5, 3) of repeat_vector)
    """

    times: int

    counts = ("times",)

    def output_shape(self, *shapes: Shape) -> Shape:
        return (self.times, *shapes[0])

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        lengths = [x.shape[0], self.times, *(x.shape[k] for k in range(1, x.ndim))]
        return T.alloc(x.dimshuffle(0, "x", *range(1, x.ndim)), *lengths)
