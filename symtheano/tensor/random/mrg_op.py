"""The op that draws uniform numbers from streams of MRG31k3p."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.random.mrg31k3p import NORM, step
from symtheano.tensor.random.sizes import (
    check_lengths,
    length_requirements,
    shape_of_values,
    size_of,
)
from symtheano.tensor.shapes.shape import join_dims, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class MRGUniform(Op):
    """Uniform numbers from (0, 1): the states after drawing them, and the numbers.

    The inputs are the states, an int32 matrix with a row for each stream, and one 0-d integer per
    dim. Element ``i`` in row-major order comes from stream ``i`` modulo the number of streams.

    Parameters
    ----------
    dtype
        float32 or float64.
    """

    __props__ = ("dtype",)
    takes = "i2 l0..."
    differentiable_inputs = 0

    def __init__(self, dtype: str) -> None:
        if dtype not in NORM:
            raise ValueError(f"uniform: MRG31k3p draws float32 and float64 numbers, not {dtype!r}")
        self.dtype = dtype

    @classmethod
    def new(cls, rstate: Any, ndim: int | None, dtype: str, size: Any) -> Any:
        """Return the new states and the numbers, as in Theano.

        Parameters
        ----------
        rstate
            The states.
        ndim, dtype, size
            Of the numbers.
        """
        return cls(dtype)(rstate, *size_of("uniform", size, ndim, []))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The states, and an array of the given lengths."""
        states, *dims = inputs
        if states.dtype != "int32" or states.ndim != 2 or states.type.shape[1] not in (6, None):
            raise TypeError(build_message("uniform: states are an int32 matrix with 6 columns",
                                          states))  # fmt: skip
        check_lengths("uniform", dims)
        return [
            TensorType("int32", (states.type.shape[0], 6)),
            TensorType(self.dtype, static_dims(dims)),
        ]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(shapes[0][0], 6), join_dims(node.outputs[1], node.inputs[1:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative, and there is a stream."""
        return [
            *length_requirements(node, node.inputs[1:], node.outputs[1]),
            *same_length(shapes[0][1], 6, partial(_no_states, node), shapes[0]),
            Requirement(_is_positive(shapes[0][0]), shapes[0], partial(_no_states, node)),
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Draw a number from each stream, until there are enough."""
        states, *dims = inputs
        shape = shape_of_values(node, dims)
        if states.shape[0] == 0 or states.shape[1] != 6:
            raise ShapeError(_no_states(node, states.shape))
        numbers = np.empty(int(np.prod(shape, dtype="int64")), "int64")
        states = states.copy()
        for start in range(0, len(numbers), len(states)):
            part = numbers[start : start + len(states)]
            states[: len(part)], part[:] = step(states[: len(part)])
        output_storage[0][0] = states
        output_storage[1][0] = (numbers.astype(self.dtype) * NORM[self.dtype]).reshape(shape)

    @partial(Statements, accepts=contiguous, overwrites=0)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call the routine; the states are already in the first output."""
        states, numbers = arrays.outputs
        b.call("mrg_uniform", numbers.size, states.shape[0], numbers.address, states.address)


def _is_positive(length: Any) -> Any:
    return length > 0 if isinstance(length, int) else scalar.gt(length, 0)


def _no_states(node: Apply, values: Sequence[int]) -> str:
    return call_message(f"uniform: states have shape {tuple(values)}, not (streams, 6)", node)
