"""Layers that arrange elements anew."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class Flatten(Layer):
    """All axes of a sample as one.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Flatten()(nn.Input((3, 4)))
    Value(float32, (n, 12) of flatten)
    """

    def output_shape(self, *shapes: Shape) -> Shape:
        known = [n for n in shapes[0] if n is not None]
        return (math.prod(known) if len(known) == len(shapes[0]) else None,)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0].flatten(2) if inputs[0].ndim > 1 else inputs[0].dimshuffle(0, "x")


@dataclass(eq=False)
class Reshape(Layer):
    """The elements of a sample in another shape.

    Parameters
    ----------
    shape
        Lengths of axes; one may be -1, which follows from the others.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Reshape((2, -1))(nn.Input((3, 4)))
    Value(float32, (n, 2, 6) of reshape)
    """

    shape: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.shape if isinstance(self.shape, list | tuple) else (self.shape,)
        whole = [isinstance(n, int | np.integer) and n >= -1 for n in given]
        if not all(whole) or sum(n == -1 for n in given) > 1:
            raise self.error(
                f"shape: lengths of axes expected, of which one may be -1, not {self.shape!r}"
            )
        self.shape = tuple(int(n) for n in given)

    def output_shape(self, *shapes: Shape) -> Shape:
        known = [n for n in shapes[0] if n is not None]
        if len(known) < len(shapes[0]):
            return tuple(None if n == -1 else n for n in self.shape)
        count, rest = math.prod(known), math.prod(n for n in self.shape if n != -1)
        if rest == 0 or count % rest or (-1 not in self.shape and count != rest):
            raise self.error(f"samples of shape {shown(shapes[0])} do not fit {self.shape}")
        return tuple(count // rest if n == -1 else n for n in self.shape)

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        rest = math.prod(n for n in self.shape if n != -1)
        # An array without elements does not tell the length that is -1: samples do.
        count = reduce(operator.mul, (x.shape[k] for k in range(1, x.ndim)), 1)
        lengths = (count // rest if n == -1 else n for n in self.shape)
        return x.reshape((x.shape[0], *lengths), ndim=len(self.shape) + 1)


@dataclass(eq=False)
class Permute(Layer):
    """The axes of a sample in another order.

    Parameters
    ----------
    axes
        The numbers of the input's axes, from 1, in the order of the output's.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Permute((2, 1))(nn.Input((3, 4)))
    Value(float32, (n, 4, 3) of permute)
    """

    axes: tuple[int, ...]

    def output_shape(self, *shapes: Shape) -> Shape:
        if sorted(self.axes) != list(range(1, len(shapes[0]) + 1)):
            raise self.error(f"{self.axes} is no order of the {len(shapes[0])} axes of a sample")
        return tuple(shapes[0][k - 1] for k in self.axes)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0].dimshuffle(0, *self.axes)


@dataclass(eq=False)
class RepeatVector(Layer):
    """A vector several times, along a new first axis of the sample.

    Parameters
    ----------
    times
        The length of the new axis.

    Examples
    --------
    >>> from symtheano import nn
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
