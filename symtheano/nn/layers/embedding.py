"""Embeddings of integers, and masks of the steps to leave out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.errors import BoundsError
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class Embedding(Layer):
    """Turns integers, such as the numbers of words or characters, into learned vectors.

    The output has the shape of the input with one more axis of length ``output_dim``.

    Parameters
    ----------
    input_dim
        The number of vectors. Inputs are integers from 0 to ``input_dim - 1``.
    output_dim
        The length of each vector.
    embeddings_initializer
        Initial values of the vectors, a matrix of shape (input_dim, output_dim): the name of an
        initializer, an :class:`Initializer`, a number, or an array.
    embeddings_regularizer
        A penalty on the vectors that is added to the loss: a name such as ``"l2"``, a
        :class:`Regularizer`, or None.
    embeddings_constraint
        A condition that the vectors satisfy after each update: a name such as ``"unit_norm"``, a
        :class:`Constraint`, or None.
    mask_zero
        Whether the input 0 marks a step that does not exist, as in the padding of short sequences.
        Recurrent layers, attention and the loss leave these steps out.

    Examples
    --------
    >>> nn.Embedding(100, 8)(nn.Input((5,), dtype="int32"))
    Value(float32, (n, 5, 8) of embedding)
    """

    input_dim: int
    output_dim: int
    embeddings_initializer: Any = "uniform"
    embeddings_regularizer: Any = None
    embeddings_constraint: Any = None
    mask_zero: bool = False

    counts = ("input_dim", "output_dim")

    def build(self, *shapes: Shape) -> None:
        self.table = self.described("embeddings", (self.input_dim, self.output_dim))

    def output_shape(self, *shapes: Shape) -> Shape:
        return (*shapes[0], self.output_dim)

    def apply(self, *inputs: Any, training: bool) -> Any:
        if not inputs[0].dtype.startswith(("int", "uint")):
            raise self.error(f"takes integers, not {inputs[0].dtype}; use nn.Input(..., 'int32')")
        return self.table[inputs[0]]

    def check_indices(self, array: Any, name: str) -> None:
        """Raise an error if an array of integers has a number that is not a row.

        Raises
        ------
        BoundsError
            If a number is ``input_dim`` or more, or below ``-input_dim``.
        """
        if not array.size or -self.input_dim <= array.min() <= array.max() < self.input_dim:
            return
        place = np.argwhere((array >= self.input_dim) | (array < -self.input_dim))[0]
        problem = f"{name} has {array[tuple(place)]} at {place.tolist()}"
        text = f"{problem}, and the table has rows 0 to {self.input_dim - 1}: give a larger "
        raise BoundsError(str(self.error(text + "input_dim, or smaller numbers")))

    def mask(self, *inputs: Any) -> Any:
        return T.neq(inputs[0], 0) if self.mask_zero and inputs[0].ndim == 2 else None


@dataclass(eq=False)
class Masking(Layer):
    """Masks the steps of a sequence whose features all equal one value.

    Samples have shape (steps, features). The layers that follow leave out the masked steps if they
    are recurrent layers or attention. In the output of this layer, masked steps are zeros.

    Parameters
    ----------
    mask_value
        The value that all features of a masked step have. The default is 0.

    Examples
    --------
    >>> nn.LSTM(4)(nn.Masking()(nn.Input((None, 3))))
    Value(float32, (n, 4) of lstm)
    """

    mask_value: float = 0.0

    def output_shape(self, *shapes: Shape) -> Shape:
        if len(shapes[0]) != 2:
            raise self.error(f"takes samples of shape (n, steps, features), not {shown(shapes[0])}")
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        return T.switch(self.mask(x).dimshuffle(0, 1, "x"), x, T.zeros_like(x))

    def mask(self, *inputs: Any) -> Any:
        own = T.any(T.neq(inputs[0], T.constant(self.mask_value, dtype=inputs[0].dtype)), axis=-1)
        return own if self.masks[0] is None else T.and_(own, self.masks[0])
