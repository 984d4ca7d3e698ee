"""Positions of extrema: argmax, argmin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.lowering import ArgReduction
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.checks import check_axes, one_axis, one_of
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import (
    empty_message,
    max,
    restore_axes,
)
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.type import TensorType


class ArgReduce(Op):
    """Position of the first extremum along one axis, which is removed; int64.

    Attributes
    ----------
    which
        ``argmax`` or ``argmin``; NaN is treated as the extremum.
    axis
        The axis.
    """

    __props__ = ("which", "axis")
    takes = "**"

    def __init__(self, which: str, axis: int) -> None:
        self.which: Any = one_of("which", which, "argmax", "argmin")
        self.axis = one_axis("axis", axis)

    @lazy
    def lowering(self) -> ArgReduction:
        """The position along the axis."""
        return ArgReduction(self.which, (self.axis,))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Drop the axis."""
        check_axes(self, inputs[0], [self.axis])
        if dtypes.is_complex(inputs[0].dtype):
            raise TypeError(
                build_message(f"{self.which}: complex numbers have no order", inputs[0])
            )
        shape = [d for axis, d in enumerate(inputs[0].type.shape) if axis != self.axis]
        return [TensorType("int64", shape)]

    def positions_below(self, node: Apply, number: int) -> Any:
        """Positions along the axis."""
        return shape_of(node.inputs[0])[self.axis]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [tuple(d for axis, d in enumerate(shapes[0]) if axis != self.axis)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The axis is not empty."""
        return [
            Requirement(
                condition=shapes[0][self.axis] > 0,
                values=(shapes[0][self.axis],),
                message=partial(empty_message, node, self.axis),
                code="value",
            )
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        if inputs[0].shape[self.axis] == 0:
            raise ValueError(empty_message(node, self.axis, [0]))
        positions = getattr(np, self.which)(inputs[0], axis=self.axis)
        output_storage[0][0] = np.asarray(positions, dtype="int64")

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        return [ArgReduce(self.which, self.axis + batch.ndim)(batch.inputs[0])]

    def __str__(self) -> str:
        return f"{self.which.capitalize()}{{axis={self.axis}}}"


def _arg(which: str, x: TensorLike, axis: Any, keepdims: bool) -> Tensor:
    x = as_tensor_variable(x)
    if axis is None:
        flat = x.flatten() if x.ndim != 1 else x
        result = ArgReduce(which, 0)(flat)
        positions: Tensor = result.dimshuffle(*["x"] * x.ndim) if keepdims else result
        return positions
    axes = normalize_axis(axis, x.ndim)
    if len(axes) == 1:
        result = ArgReduce(which, axes[0])(x)
    else:
        kept = [position for position in range(x.ndim) if position not in axes]
        rows = x.dimshuffle(*kept, *(axes or "x")).flatten(len(kept) + 1)
        result = ArgReduce(which, len(kept))(rows)
    return restore_axes(result, axes, x.ndim) if keepdims else result


@explained(OF_REDUCTIONS)
def argmax(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first maximum along ``axis`` (by default, in the flattened array).

    With several axes, it is the position among their elements in C order, as if they were one axis.

    Examples
    --------
    >>> argmax([[3, 9, 9]], axis=1).eval().tolist()
    [1]
    """
    return _arg("argmax", x, axis, keepdims)


@explained(OF_REDUCTIONS)
def argmin(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first minimum along ``axis`` (by default, in the flattened array).

    Several axes count as one, as for :func:`argmax`.

    Examples
    --------
    >>> argmin([[3, 9, 3]], axis=1).eval().tolist()
    [0]
    """
    return _arg("argmin", x, axis, keepdims)


@explained(OF_REDUCTIONS)
def max_and_argmax(x: Any, axis: Any = None, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Return the maximum along ``axis``, and the position of the first maximum.

    Several axes count as one, as for :func:`argmax`.

    Examples
    --------
    >>> [item.eval().tolist() for item in max_and_argmax([3, 9, 5])]
    [9, 1]
    """
    return max(x, axis, keepdims), argmax(x, axis, keepdims)
