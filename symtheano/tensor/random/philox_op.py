"""The op that draws an array of numbers from a stream of Philox."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import philox
from symtheano.tensor.messages import build_message
from symtheano.tensor.random.sizes import check_lengths, length_requirements, shape_of_values
from symtheano.tensor.shapes.shape import join_dims, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


def _counting(shape: Sequence[int]) -> Any:
    """Return a number from zero on for each element, flat.

    NumPy's ``arange`` of 2**63 - 1 such numbers is empty, and a product of lengths may wrap.
    """
    return np.cumsum(np.ones(shape, "uint64")) - np.uint64(1)


class PhiloxNumbers(Op):
    """The first numbers of a stream of Philox, in row-major order.

    The inputs are the key and the number of the stream, 0-d uint64, and one 0-d integer per dim.
    A number depends on these two and on its position only, so it is the same in arrays of any
    length, and in any thread.

    Parameters
    ----------
    kind, dtype
        A kind and a dtype of :data:`symtheano.scalar.philox.BY_KIND`.
    """

    __props__: tuple[str, ...] = ("kind", "dtype")
    takes = "i0 i0 l0..."
    differentiable_inputs = 0

    def __init__(self, kind: str, dtype: str) -> None:
        if (kind, dtype) not in philox.BY_KIND:
            raise ValueError(
                f"PhiloxNumbers: {kind!r} numbers of dtype {dtype!r} are not supported"
            )
        self.kind, self.dtype = kind, dtype

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.kind

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """An array of the given lengths."""
        for item in inputs[:2]:
            if item.dtype != "uint64" or item.ndim:
                raise TypeError(build_message("a key and a stream are 0-d uint64", item))
        check_lengths(self.kind, inputs[2:])
        return [TensorType(self.dtype, static_dims(inputs[2:]))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [join_dims(node.outputs[0], node.inputs[2:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No length is negative."""
        return length_requirements(node, node.inputs[2:], node.outputs[0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Draw by the row of the scalar table."""
        key, stream, *dims = inputs
        shape = shape_of_values(node, dims)
        positions = _counting(shape)
        numbers = philox.BY_KIND[self.kind, self.dtype].numpy(key, stream, positions)
        output_storage[0][0] = np.asarray(numbers, self.dtype).reshape(shape)

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (numbers,) = arrays.outputs
        key, stream = (item.address for item in arrays.inputs[:2])
        b.call(f"philox_{self.kind}", numbers.size, numbers.address, key, stream)


class FirstPhiloxNumbers(PhiloxNumbers):
    """The first numbers of several streams of Philox.

    The inputs are the key, the number of the first stream, and the number of streams.

    Parameters
    ----------
    kind, dtype
        As of :class:`PhiloxNumbers`.
    by
        By how much the number of a stream exceeds that of the one before it.
    """

    __props__ = ("kind", "dtype", "by")
    takes = "i0 i0 l0"

    def __init__(self, kind: str, dtype: str, by: int) -> None:
        super().__init__(kind, dtype)
        if not 0 <= by < 2**63:
            raise ValueError(f"FirstPhiloxNumbers: streams do not grow by {by}")
        self.by = by

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        key, stream, *dims = inputs
        shape = shape_of_values(node, dims)
        streams = stream + _counting(shape) * np.uint64(self.by)
        numbers = philox.BY_KIND[self.kind, self.dtype].numpy(key, streams, np.uint64(0))
        output_storage[0][0] = np.asarray(numbers, self.dtype)

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (numbers,) = arrays.outputs
        key, stream = (item.address for item in arrays.inputs[:2])
        b.call(f"philox_first_{self.kind}", numbers.size, numbers.address, key, stream, self.by)
