"""Rows of a table by their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape


@dataclass(eq=False)
class Embedding(Layer):
    """Rows of a matrix, by integers: words, characters, categories.

    Parameters
    ----------
    input_dim
        The number of rows; inputs are from 0 to one below it.
    output_dim
        The length of a row.
    embeddings_initializer, embeddings_regularizer, embeddings_constraint
        As in :class:`Dense`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Embedding(100, 8)(nn.Input((5,), dtype="int32"))
    Value(float32, (n, 5, 8) of embedding)
    """

    input_dim: int
    output_dim: int
    embeddings_initializer: Any = "uniform"
    embeddings_regularizer: Any = None
    embeddings_constraint: Any = None

    def build(self, *shapes: Shape) -> None:
        self.table = self.parameter(
            "embeddings",
            (self.input_dim, self.output_dim),
            self.embeddings_initializer,
            regularizer=self.embeddings_regularizer,
            constraint=self.embeddings_constraint,
        )

    def output_shape(self, *shapes: Shape) -> Shape:
        return (*shapes[0], self.output_dim)

    def apply(self, *inputs: Any, training: bool) -> Any:
        if not inputs[0].dtype.startswith(("int", "uint")):
            raise self.error(f"takes integers, not {inputs[0].dtype}; use nn.Input(..., 'int32')")
        return self.table[inputs[0]]
