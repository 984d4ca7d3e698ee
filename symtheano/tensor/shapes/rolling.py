"""The op that moves the elements of an array cyclically along an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import Element
from symtheano.scalar import table as scalar
from symtheano.tensor.checks import check_axes, one_axis
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.shapes.shape import as_dim
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand
    from symtheano.scalar.operand import Tensor

_FAR = 2**62
"""Numbers of places from here on are divided by the length before anything is added to them."""


class Roll(Op):
    """An array whose element ``i`` along an axis is moved to ``(i + places) % length``.

    Attributes
    ----------
    axis
        The axis, not negative.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("axis",)
    takes = "*1+ l0"
    differentiable_inputs = 1

    def __init__(self, axis: int) -> None:
        self.axis = one_axis("axis", axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the type of the array."""
        check_axes(self, inputs[0], [self.axis])
        return [TensorType(inputs[0].dtype, inputs[0].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the shape of the array."""
        return [tuple(shapes[0])]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, places = inputs
        output_storage[0][0] = np.roll(x, int(places), self.axis)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Move the gradient back."""
        x, places = inputs
        return [self(output_grads[0], opposite(places, x.shape[self.axis])), None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Move the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], inputs[1])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        x, places = batch.inputs
        if not batch.batched[1]:
            return [Roll(self.axis + batch.ndim)(x, places)]
        length = x.shape[self.axis + batch.ndim * batch.batched[0]]
        longest = scalar.maximum(length, 1)
        back = (places % longest).dimshuffle(*batch.front(), "x")
        return [batch.gathered(x, [(arange(length) - back) % longest], self.axis)]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the length of the axis."""
        return [shapes[0][self.axis]]

    @partial(Element, scalars=scalars)
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        """Read the element that is moved here."""
        places, length = b.cast(read(1, ()), "int64"), b.operand(scalars[0])
        shift = b.as_index(places)
        if shift.constant is None or abs(shift.constant) >= _FAR:
            shift = b.as_index(b.let("mod", "int64", [places, length], "places"))
        moved = b.let("mod", "int64", [b.operand(index[self.axis] - shift), length], "moved")
        return read(0, [*index[: self.axis], b.as_index(moved), *index[self.axis + 1 :]])

    def __str__(self) -> str:
        return f"Roll{{axis={self.axis}}}"


def opposite(places: Any, length: Any) -> Any:
    """Return the number of places that moves elements back."""
    if isinstance(places, Constant) and abs(int(places.data)) < _FAR:
        return as_dim(-int(places.data))
    return -(places % scalar.maximum(length, 1))
