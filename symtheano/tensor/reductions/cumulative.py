"""Cumulative sums and products along an axis, and differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.checks import check_axes, one_axis, one_of
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.reductions.accumulators import accumulated_dtype
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View
    from symtheano.loopir.operands import Operand


class Running(Op):
    """Loops along one axis in which each item depends on the previous one.

    Attributes
    ----------
    axis
        The axis, not negative.
    """

    __props__: tuple[str, ...] = ("axis",)

    def __init__(self, axis: int) -> None:
        self.axis = one_axis("axis", axis)

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of first items: one, or zero for an empty axis."""
        length = shapes[0][self.axis]
        return [min(length, 1) if isinstance(length, int) else scalar.minimum(length, 1)]

    def write(
        self,
        b: Builder,
        target: View,
        count: Index,
        first: Callable[[list[Index]], Operand],
        following: Callable[[list[Index], Operand], Operand],
    ) -> None:
        """Write the loops; the axis is the inner loop if it is the last one.

        ``first`` computes the item at the beginning of the axis, ``following`` any other one from
        its index and the previous item.
        """
        outer, inner = target.shape[: self.axis], target.shape[self.axis + 1 :]
        length = target.shape[self.axis]
        if not inner:
            with b.nest(outer, simd=False) as o, b.loop("begin", count) as begin:
                running = b.declare("running", first([*o, begin]))
                b.store(target, [*o, begin], running)
                with b.loop("k", length, 1) as k:
                    b.assign(running, following([*o, k], running))
                    b.store(target, [*o, k], running)
            return
        # Two nests, whose loops over the elements of an item can both be moved outside.
        rows = partial(b.nest, outer, simd=False, work=target.size)
        with rows() as o, b.loop("begin", count) as begin, b.nest(inner) as i:
            b.store(target, [*o, begin, *i], first([*o, begin, *i]))
        with rows() as o, b.loop("k", length, 1) as k, b.nest(inner) as i:
            before = b.load(target, [*o, k - 1, *i])
            b.store(target, [*o, k, *i], following([*o, k, *i], before))

    def _before(self, items: Any, first: Any) -> Any:
        """Return for each item the previous one along the axis, and ``first`` for the first."""
        from symtheano.tensor.shapes.join import join

        begin = _part(items, self.axis, slice(None, 1))
        start = begin.ones_like() if first else begin.zeros_like()
        return join(self.axis, start, _part(items, self.axis, slice(None, -1)))

    def _backwards(self, factors: Any, g: Any) -> Any:
        """Return ``s`` with ``s[k] = g[k] + conj(factors[k + 1]) * s[k + 1]``."""
        from symtheano.tensor.shapes.join import join

        back = _part(scalar.conj(factors), self.axis, slice(None, None, -1))
        begin, rest = (_part(back, self.axis, s) for s in (slice(None, 1), slice(None, -1)))
        sums = Recurrence(self.axis)(
            join(self.axis, begin, rest), _part(g, self.axis, slice(None, None, -1))
        )
        return _part(sums, self.axis, slice(None, None, -1))


def _part(x: Any, axis: int, item: slice) -> Any:
    return x[(*[slice(None)] * axis, item)]


class CumOp(Running):
    """Cumulative sum or product along an axis.

    Attributes
    ----------
    mode
        ``add`` or ``mul``.
    axis
        The axis, not negative.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("axis", "mode")
    takes = "*1+"

    def __init__(self, axis: int, mode: str = "add") -> None:
        super().__init__(axis)
        self.mode = one_of("mode", mode, "add", "mul")

    def infer(self, *inputs: Any) -> Sequence[Any]:
        check_axes(self, inputs[0], [self.axis])
        return [TensorType(inputs[0].dtype, inputs[0].type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        ufunc = np.add if self.mode == "add" else np.multiply
        with np.errstate(all="ignore"):
            output_storage[0][0] = ufunc.accumulate(x, axis=self.axis, dtype=x.dtype)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Sum the following gradients; for a product, without the factor itself.

        There is no division by the items, so zeros need no special case.
        """
        (x,), (y,), (g,) = inputs, outputs, output_grads
        if not dtypes.is_continuous(x.dtype):
            return [None]
        if self.mode == "add":
            back = slice(None, None, -1)
            return [_part(self(_part(g, self.axis, back)), self.axis, back)]
        return [self._backwards(x, g) * scalar.conj(self._before(y, 1))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A sum is linear; a product uses the product rule from item to item."""
        (x,), (point,) = inputs, eval_points
        if point is None:
            return [None]
        if self.mode == "add":
            return [self(point)]
        return [Recurrence(self.axis)(x, point * self._before(self(x), 1))]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Run along the same axis."""
        return [CumOp(self.axis + batch.ndim, self.mode)(batch.inputs[0])]

    @partial(Statements, scalars=Running.scalars)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Add or multiply one item after the other."""
        (x,), (target,) = arrays.inputs, arrays.outputs

        def first(index: list[Index]) -> Operand:
            return b.load(x, index)

        def following(index: list[Index], before: Operand) -> Operand:
            return b.let(self.mode, target.dtype, [before, b.load(x, index)])

        self.write(b, target, arrays.scalars[0], first, following)

    def __str__(self) -> str:
        return f"{'Cumsum' if self.mode == 'add' else 'Cumprod'}{{axis={self.axis}}}"


class Recurrence(Running):
    """``y[k] = a[k] * y[k - 1] + b[k]`` along an axis, beginning with ``y[0] = b[0]``.

    The inputs are ``a`` and ``b``, of one shape and dtype. Derivatives of cumulative products have
    this form, and derivatives of recurrences do, too.
    """

    takes = "*1+ *1+"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        a, b = inputs
        check_axes(self, a, [self.axis])
        shape = [p if p is not None else q for p, q in zip(a.type.shape, b.type.shape, strict=True)]
        return [TensorType(dtypes.upcast(a.dtype, b.dtype), shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The operands have one shape."""
        requirements: list[Requirement] = []
        for mine, its in zip(*shapes, strict=True):
            requirements += same_length(mine, its, partial(_unequal, node))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy, one item of the axis after the other."""
        a, b = (np.moveaxis(item, self.axis, 0) for item in inputs)
        if a.shape != b.shape:
            raise ShapeError(_unequal(node, [a.size, b.size]))
        result = np.array(b, dtype=node.outputs[0].dtype)
        with np.errstate(all="ignore"):
            for k in range(1, len(b)):
                result[k] = a[k] * result[k - 1] + b[k]
        output_storage[0][0] = np.moveaxis(result, 0, self.axis)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Run the recurrence backwards."""
        a, _ = inputs
        back = self._backwards(a, output_grads[0])
        return [back * scalar.conj(self._before(outputs[0], 0)), back]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in ``b``, and in each item of ``a``."""
        a, b = inputs
        points = [
            item.zeros_like() if point is None else point
            for item, point in zip(inputs, eval_points, strict=True)
        ]
        return [self(a, points[0] * self._before(self(a, b), 0) + points[1])]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Run along the same axis."""
        return [Recurrence(self.axis + batch.ndim)(batch.full(0), batch.full(1))]

    @partial(Statements, scalars=Running.scalars)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Compute one item after the other."""
        factors, summands = arrays.inputs
        dtype = arrays.outputs[0].dtype

        def first(index: list[Index]) -> Operand:
            return b.cast(b.load(summands, index), dtype)

        def following(index: list[Index], before: Operand) -> Operand:
            factor = b.cast(b.load(factors, index), dtype)
            summand = b.cast(b.load(summands, index), dtype)
            return b.let("add", dtype, [b.let("mul", dtype, [factor, before]), summand])

        self.write(b, arrays.outputs[0], arrays.scalars[0], first, following)


def _unequal(node: Apply, lengths: Sequence[int]) -> str:
    return call_message(f"recurrence: lengths {lengths[0]} and {lengths[1]}", node, *node.inputs)


def _cumulative(mode: str, x: Any, axis: int | None, dtype: Any) -> Tensor:
    x = as_tensor_variable(x)
    if axis is None:
        x, axis = x.flatten(), 0
    (position,) = normalize_axis(axis, x.ndim)
    wanted = accumulated_dtype(x.dtype) if dtype is None else dtypes.canonical(dtype)
    return CumOp(position, mode)(cast(x, wanted))


@explained(OF_REDUCTIONS)
def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the cumulative sum along ``axis``.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        The axis; None uses the flattened array, and the result is a vector.
    dtype
        Dtype of the result and of the sums; by default that of ``x``, or (u)int64 for integers and
        bool.

    Examples
    --------
    >>> cumsum([[1, 2], [3, 4]], axis=0).eval().tolist()
    [[1, 2], [4, 6]]
    """
    return _cumulative("add", x, axis, dtype)


@explained(OF_REDUCTIONS)
def cumprod(x: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the cumulative product along ``axis``; arguments as for :func:`cumsum`.

    Examples
    --------
    >>> cumprod([1.0, 2.0, 3.0]).eval().tolist()
    [1.0, 2.0, 6.0]
    """
    return _cumulative("mul", x, axis, dtype)


@explained(OF_REDUCTIONS)
def diff(x: TensorLike, n: int = 1, axis: int = -1) -> Tensor:
    """Return the differences of adjacent items along ``axis``, applied ``n`` times.

    For bool, the result is whether adjacent items differ. Each application shortens the axis by one
    item, until it is empty.

    Raises
    ------
    ValueError
        If ``n`` is negative or the axis does not exist.

    Examples
    --------
    >>> diff([1.0, 4.0, 9.0]).eval().tolist()
    [3.0, 5.0]
    """
    x = as_tensor_variable(x)
    if n < 0:
        raise ValueError(build_message(f"diff: n={n} is negative", x))
    (position,) = normalize_axis(axis, x.ndim)
    for _ in range(n):
        later, earlier = (_part(x, position, s) for s in (slice(1, None), slice(None, -1)))
        x = scalar.neq(later, earlier) if x.dtype == "bool" else later - earlier
    return x
