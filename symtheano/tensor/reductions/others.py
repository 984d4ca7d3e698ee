"""Products of all other elements along axes, the derivative of a product."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.checks import check_axes, some_axes
from symtheano.tensor.reductions.cumulative import CumOp, Recurrence
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays


class ProductOfOthers(Op):
    """For each element, the product of all other elements along axes.

    It is the product of those before it and of those after it. There is no division by the element,
    so that zeros, infinities and NaN need no special case.

    Attributes
    ----------
    axis
        The axes, ascending.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("axis",)
    takes = "**"

    def __init__(self, axis: tuple[int, ...]) -> None:
        self.axis = some_axes("axis", axis)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        check_axes(self, inputs[0], self.axis)
        return [TensorType(inputs[0].dtype, inputs[0].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        first = x.ndim - len(self.axis)
        last = tuple(range(first, x.ndim))
        moved = np.moveaxis(x, self.axis, last)
        rows = moved.reshape(*moved.shape[:first], math.prod(moved.shape[first:]))
        with np.errstate(all="ignore"):
            products = _before(rows) * _before(rows[..., ::-1])[..., ::-1]
        output_storage[0][0] = np.moveaxis(products.reshape(moved.shape), last, self.axis).copy()

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The second derivatives of a product are symmetric: forward mode, conjugated."""
        (x,), (g,) = inputs, output_grads
        return [scalar.conj(self._tangent(x, scalar.conj(g)))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Use the product rule from element to element."""
        (x,), (point,) = inputs, eval_points
        return [None if point is None else self._tangent(x, point)]

    def _tangent(self, x: Any, point: Any) -> Any:
        kept = [axis for axis in range(x.ndim) if axis not in self.axis]
        order = [*kept, *self.axis]
        moved = x.dimshuffle(*order)
        dims = shape_of(moved)
        flat = as_dims((*dims[: len(kept)], dims_product(dims[len(kept) :])))
        rows, tangents = (reshape_op(item.dimshuffle(*order), *flat) for item in (x, point))
        tangent = reshape_op(_tangent_of_rows(rows, tangents), *as_dims(dims))
        return tangent.dimshuffle(*np.argsort(order).tolist())

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Multiply along the same axes."""
        return [ProductOfOthers(batch.shifted(self.axis))(batch.inputs[0])]

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Store the products of those before each element, and multiply by those after it."""
        (x,), (target,) = arrays.inputs, arrays.outputs
        kept = [axis for axis in range(node.inputs[0].ndim) if axis not in self.axis]
        lengths = [target.shape[axis] for axis in self.axis]
        dtype = target.dtype
        one = np.ones((), dtype).item()

        def place(outer: list[Index], inner: list[Index]) -> list[Index]:
            by_axis = dict(zip([*kept, *self.axis], [*outer, *inner], strict=True))
            return [by_axis[axis] for axis in sorted(by_axis)]

        with b.nest([target.shape[axis] for axis in kept], simd=False) as outer:
            for is_first in (True, False):
                running = b.declare("running", b.literal(one, dtype))
                with ExitStack() as stack:
                    inner = [stack.enter_context(b.loop("k", n)) for n in lengths]
                    if not is_first:
                        inner = [n - 1 - k for n, k in zip(lengths, inner, strict=True)]
                    index = place(outer, inner)
                    product = running
                    if not is_first:
                        product = b.let("mul", dtype, [b.load(target, index), running])
                    b.store(target, index, product)
                    b.assign(running, b.let("mul", dtype, [running, b.load(x, index)]))


def _before(rows: Any) -> Any:
    """Return for each number of a row the product of those before it."""
    products = np.multiply.accumulate(rows, axis=-1, dtype=rows.dtype)
    return np.concatenate([np.ones_like(rows[..., :1]), products[..., :-1]], axis=-1)


def _tangent_of_rows(x: Any, point: Any) -> Any:
    """Return the derivative of the products along the last axis in a direction."""
    axis = x.ndim - 1

    def reverse(item: Any) -> Any:
        return item[..., ::-1]

    def side(x: Any, point: Any) -> tuple[Any, Any]:
        """Return the products of those before each number, and the derivatives up to it."""
        before = join(axis, x[..., :1].ones_like(), CumOp(axis, "mul")(x)[..., :-1])
        return before, Recurrence(axis)(x, point * before)

    left, up_to = side(x, point)
    right, down_to = (reverse(item) for item in side(reverse(x), reverse(point)))
    # Of the first number, nothing is before: no term, which could be zero times infinity.
    nothing = x[..., :1].zeros_like()
    first = join(axis, nothing, up_to[..., :-1] * right[..., 1:])
    return first + join(axis, left[..., :-1] * down_to[..., 1:], nothing)
