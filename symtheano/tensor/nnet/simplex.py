"""Sparsemax: the projection onto the probability simplex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import float_operand
from symtheano.tensor.nnet.softmax import AlongAxes, finite_max
from symtheano.tensor.reductions.cumulative import cumsum
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.sorting.sort import sort


class Sparsemax(AlongAxes):
    """``max(x - t, 0)`` along one axis, with the threshold t for which it sums to one."""

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (axis,) = self.axis
        x = np.moveaxis(inputs[0], axis, -1)
        with np.errstate(all="ignore"):
            top = x.max(axis=-1, keepdims=True, initial=-np.inf)
            z = x - np.where(np.isinf(top), x.dtype.type(0), top)
            wide = z.astype("float32") if z.dtype == np.float16 else z
            below = np.sort(-wide, axis=-1)
            sums = np.cumsum(below, axis=-1) + 1
            counts = np.arange(1, x.shape[-1] + 1, dtype=wide.dtype)
            kept = (below * counts < sums).sum(axis=-1, keepdims=True)
            total = np.where(np.arange(x.shape[-1]) == kept - 1, sums, 0).sum(-1, keepdims=True)
            threshold = -total.astype(wide.dtype) / kept.astype(wide.dtype)
            projection = np.maximum(wide - threshold, 0).astype(x.dtype)
        output_storage[0][0] = np.ascontiguousarray(np.moveaxis(projection, -1, axis))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return g without its mean over the positive probabilities, where they are positive."""
        (y,), (g,) = outputs, output_grads
        zero = g.constant_like(0)
        kept = scalar.gt(y, 0)
        total = scalar.switch(kept, g, zero).sum(axis=self.axis, keepdims=True)
        count = cast(kept, g.dtype).sum(axis=self.axis, keepdims=True)
        return [scalar.switch(kept, g - total / count, zero)]

    def written_out(self, x: Tensor, is_centered: bool = False) -> Tensor:
        """Sort, find the number of positive probabilities, and with it the threshold."""
        (axis,) = self.axis
        z = x - finite_max(x, self.axis)
        wide = cast(z, "float32") if x.dtype == "float16" else z
        below = sort(-wide, axis=axis)
        sums = cumsum(below, axis=axis) + wide.constant_like(1)
        place = arange(x.shape[axis]).dimshuffle(*[0 if a == axis else "x" for a in range(x.ndim)])
        inside = scalar.lt(below * cast(place + 1, wide.dtype), sums)
        kept = cast(inside, "int64").sum(axis=axis, keepdims=True)
        last = scalar.switch(scalar.eq(place, kept - 1), sums, wide.constant_like(0))
        threshold = -last.sum(axis=axis, keepdims=True) / cast(kept, wide.dtype)
        return cast(scalar.maximum(wide - threshold, wide.constant_like(0)), x.dtype)


def sparsemax(x: Any, axis: int = -1) -> Tensor:
    """Return the sparsemax of ``x``: the nearest probabilities along ``axis``, many of them zero.

    See Martins and Astudillo, 2016, From softmax to sparsemax.

    Parameters
    ----------
    x
        Array of any shape; integers are computed as floats.
    axis
        One axis, the last by default.

    Returns
    -------
    Array in the shape of ``x``: nonnegative, with sum 1 along the axis.

    Examples
    --------
    >>> sparsemax(np.array([0.5, 1.0, -1.0])).eval().tolist()
    [0.25, 0.75, 0.0]
    """
    x = float_operand(x)
    axes = normalize_axis(axis, x.ndim)
    if len(axes) != 1:
        raise ValueError(build_message("sparsemax: axis must be one axis", x))
    return Sparsemax(axes)(x)
