"""SameShape: an array that has the lengths of another one, which a call checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from symtheano.errors import ShapeError, printable_name
from symtheano.graph.op import Op, Requirement, disconnected
from symtheano.graph.variable import Apply
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value, shape_of
from symtheano.tensor.type import TensorType

_Message = Callable[[int, Sequence[int]], str]


class SameShape(Op):
    """An array, which must have given lengths: 0-d integers, one for each axis.

    It is for lengths that depend on values, such as those of a choice between arrays.

    Parameters
    ----------
    words
        Returns the message for an axis, given the length and the one it must have.
    name
        The function that needs it, for the message if there are no words.

    Examples
    --------
    >>> x, n = T.dvector("x"), T.lscalar("n")
    >>> SameShape()(x, n).eval({x: [1.0, 2.0], n: 2})
    array([1., 2.])
    """

    takes = "**..."
    __props__ = ("words", "name")
    differentiable_inputs = 1
    lowering = SAME_AXES

    def __init__(self, words: _Message | None = None, name: str = "") -> None:
        self.words, self.name = words, name

    def __str__(self) -> str:
        return "SameShape"

    def infer(self, *inputs: Any) -> list[TensorType]:
        array, *lengths = inputs
        if len(lengths) != array.ndim:
            raise TypeError(build_message(f"SameShape: needs {array.ndim} lengths", *inputs))
        for length in lengths:
            as_dim(length)
        return [array.type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(dim_value(length) for length in node.inputs[1:])]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The lengths are those given."""
        requirements = []
        for axis, (length, dim) in enumerate(zip(shapes[0], node.inputs[1:], strict=True)):
            wanted = dim_value(dim)
            message = partial(self.message, node, axis)
            is_static = isinstance(length, int) and isinstance(wanted, int)
            same = length == wanted if is_static else scalar.eq(length, wanted)
            requirements.append(
                Requirement(same, (length, wanted), message, equal=(length, wanted))
            )
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        for axis, (length, wanted) in enumerate(zip(inputs[0].shape, inputs[1:], strict=True)):
            if length != wanted:
                raise ShapeError(self.message(node, axis, [length, int(wanted)]))
        output_storage[0][0] = inputs[0]

    def message(self, node: Apply, axis: int, values: Sequence[int]) -> str:
        """Return the message for an axis of another length."""
        if self.words is not None:
            return self.words(axis, values)
        return call_message(
            f"{printable_name(self.name)}{': ' if self.name else ''}axis {axis} has length "
            f"{values[0]}, but must have length {values[1]}",
            node,
            node.inputs[0],
        )

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The identity."""
        return [output_grads[0], *(disconnected() for _ in inputs[1:])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The direction has the same lengths."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Return the batch as it is."""
        return [batch.full(0)]


def same_shape(x: Any, model: Any) -> Any:
    """Return an array with a check that it has the lengths of another one.

    Examples
    --------
    >>> same_shape(T.dvector("x"), T.dvector("y")).type
    TensorType(float64, vector)
    """
    if all(a is not None and a == b for a, b in zip(x.type.shape, model.type.shape, strict=True)):
        return x
    return SameShape()(x, *as_dims(shape_of(model)))
