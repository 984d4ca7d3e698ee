"""Lengths that a call checks: those of matrices and of batches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import SAME_AXES
from symtheano.tensor.checks import check_axes, one_axis
from symtheano.tensor.creation.filled import alloc_op
from symtheano.tensor.elemwise import pad_left, same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.shape import as_dims, shape_of


class CheckedLengths(Op):
    """The first input, with some of its lengths checked against the following 0-d integers.

    Attributes
    ----------
    axes
        For each further input, the axis of the first one.
    what
        Description of the lengths, for the message.
    """

    __props__ = ("axes", "what")
    takes = "** l0..."
    differentiable_inputs = 1
    lowering = SAME_AXES

    def __init__(self, axes: tuple[int, ...], what: str) -> None:
        self.axes = tuple([one_axis("axes", axis) for axis in axes])
        self.what = what

    def infer(self, *inputs: Any) -> Sequence[Any]:
        x, *lengths = inputs
        if len(lengths) != len(self.axes) or any(n.ndim or n.dtype != "int64" for n in lengths):
            raise TypeError(build_message(f"{self}: one 0-d int64 for each axis", *inputs))
        check_axes(self, x, self.axes)
        return [x.type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Each length is as given."""
        requirements: list[Requirement] = []
        for axis, length in zip(self.axes, node.inputs[1:], strict=True):
            wanted = int(length.data) if isinstance(length, Constant) else length
            requirements += same_length(shapes[0][axis], wanted, partial(_other_length, node, axis))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, *lengths = inputs
        for axis, length in zip(self.axes, lengths, strict=True):
            if x.shape[axis] != length:
                raise ShapeError(_other_length(node, axis, [x.shape[axis], int(length)]))
        output_storage[0][0] = x

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The identity."""
        return [output_grads[0], *[None] * (len(inputs) - 1)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The identity."""
        return [eval_points[0]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """The same axes after those of the batch."""
        batch.needs_plain(node, 1)
        x, *lengths = batch.inputs
        return [CheckedLengths(batch.shifted(self.axes), self.what)(x, *lengths)]

    def __str__(self) -> str:
        return f"CheckedLengths{{{','.join(map(str, self.axes))}}}"


def _other_length(node: Apply, axis: int, values: Sequence[int]) -> str:
    what = getattr(node.op, "what", "")
    return call_message(
        f"{what}: axis {axis} has length {values[0]}, but must have length {values[1]}",
        node,
        node.inputs[0],
    )


def checked_lengths(what: str, x: Any, wanted: Sequence[tuple[int, Any]]) -> Any:
    """Return ``x`` with its lengths along axes checked, except those known to be correct.

    Raises
    ------
    ShapeError
        If two static lengths differ.
    """
    static_shape = x.type.shape
    open_ = []
    for axis, length in wanted:
        if isinstance(length, int) and static_shape[axis] is not None:
            if length != static_shape[axis]:
                raise ShapeError(
                    build_message(
                        f"{what}: axis {axis} has length {static_shape[axis]}, but must have "
                        f"length {length}",
                        x,
                    )
                )
        else:
            open_.append((axis, length))
    if not open_:
        return x
    lengths = as_dims([length for _, length in open_])
    return CheckedLengths(tuple(axis for axis, _ in open_), what)(x, *lengths)


def broadcast_batches(what: str, *operands: Any, core: Sequence[int]) -> list[Any]:
    """Broadcast the batch axes of operands to a common shape.

    ``core`` is the number of last axes of each operand that are not batch axes. An axis is
    broadcast if its length is known to be 1, as everywhere in the package.
    """
    extra = max(item.ndim - n for item, n in zip(operands, core, strict=True))
    padded = [pad_left(item, extra + n) for item, n in zip(operands, core, strict=True)]
    shapes = [shape_of(item) for item in padded]
    batch = []
    for axis in range(extra):
        lengths = [s[axis] for s in shapes if not (isinstance(s[axis], int) and s[axis] == 1)]
        batch.append(next((n for n in lengths if isinstance(n, int)), lengths[0]) if lengths else 1)
    results = []
    for item, shape, n in zip(padded, shapes, core, strict=True):
        whole = [axis for axis in range(extra) if item.type.shape[axis] != 1]
        open_ = [(a, batch[a]) for a in whole if batch[a] is not shape[a]]
        item = checked_lengths(what, item, open_)
        repeated = any(item.type.shape[a] == 1 and batch[a] != 1 for a in range(extra))
        wanted = (*batch, *shape[extra:])
        results.append(alloc_op(item, *as_dims(wanted)) if repeated else item)
        assert results[-1].ndim == extra + n
    return results
