"""Canonical form of reductions: one instead of two, over less, scalars outside."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import as_scalar, dim_of, inputs_of
from symtheano.rewrites.rule import Context, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation import Alloc, alloc_op
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.reduce import CAReduce
from symtheano.tensor.shape import dims_product


def with_axes(op: Any, axes: Any) -> Any:
    """Return the same reduction over other axes."""
    return CAReduce(op.scalar_name, tuple(sorted(axes)), op.dtype, op.acc_dtype)


def is_plain_sum(node: Apply) -> bool:
    """Tell whether a node is a sum in the dtype of its float operand."""
    op: Any = node.op
    return bool(
        op.scalar_name == "add"
        and op.dtype == node.inputs[0].dtype
        and dtypes.is_continuous(op.dtype)
    )


@rule("canonicalize", tracks=[CAReduce], numerics="sign of zero")
def reduce_axes_of_one(node: Apply) -> Any:
    """Reducing one element gives that element: the axis is only dropped."""
    (x,), op = node.inputs, node.op
    ones = [axis for axis in op.axis if x.type.shape[axis] == 1]  # type: ignore[attr-defined]
    if not ones:
        return x if not op.axis and x.dtype == op.dtype else None  # type: ignore[attr-defined]
    kept = [axis for axis in range(x.ndim) if axis not in ones]
    narrow = x.dimshuffle(*kept)
    axes = [kept.index(axis) for axis in op.axis if axis not in ones]  # type: ignore[attr-defined]
    if axes:
        return with_axes(op, axes)(narrow)
    if dtypes.is_complex(x.dtype) and not dtypes.is_complex(op.dtype):  # type: ignore[attr-defined]
        return None
    return cast(cast(narrow, op.acc_dtype), op.dtype)  # type: ignore[attr-defined]


@rule("canonicalize", tracks=[CAReduce], operands=[CAReduce], numerics="reassociates")
def reduce_of_reduce(node: Apply) -> Any:
    """A reduction of the same reduction over other axes is one over both."""
    outer: Any = node.op
    inner = node.inputs[0].owner.op
    if inner.scalar_name != outer.scalar_name:
        return None
    if not inner.dtype == inner.acc_dtype == outer.acc_dtype == outer.dtype and not (
        inner.dtype == outer.dtype == node.inputs[0].owner.inputs[0].dtype
        and inner.acc_dtype == outer.acc_dtype
    ):
        return None
    x = node.inputs[0].owner.inputs[0]
    kept = [axis for axis in range(x.ndim) if axis not in inner.axis]
    axes = (*inner.axis, *(kept[axis] for axis in outer.axis))
    return with_axes(outer, axes)(x)


@rule("canonicalize", tracks=[CAReduce], operands=[DimShuffle], numerics="reassociates")
def reduce_of_dimshuffle(node: Apply) -> Any:
    """A reduction takes its axes in any order, so it goes before the dimshuffle, or replaces it."""
    op: Any = node.op
    x = node.inputs[0]
    order, source = x.owner.op.new_order, x.owner.inputs[0]
    if any(order[axis] == "x" for axis in op.axis):
        return None
    axes = [order[axis] for axis in op.axis]
    left = [axis for axis in range(source.ndim) if axis not in axes]
    rest = [order[axis] for axis in range(len(order)) if axis not in op.axis]
    reduced = with_axes(op, axes)(source)
    return reduced.dimshuffle(*["x" if axis == "x" else left.index(axis) for axis in rest])


@rule("canonicalize", tracks=[CAReduce], operands=[scalar.neg], numerics="sign of zero")
def sum_of_negative(node: Apply) -> Any:
    """A sign is taken once, not for each term."""
    if not is_plain_sum(node):
        return None
    found = inputs_of(node.inputs[0], scalar.neg)
    return None if found is None else -node.op(found[0])


@rule(
    "canonicalize",
    tracks=[CAReduce],
    operands=[scalar.mul, scalar.true_div],
    numerics="reassociates",
)
def sum_of_scaled(node: Apply, context: Context) -> Any:
    """A scalar factor or divisor is applied once, not to each term.

    Where the terms are needed for something else too, only if they are at hand without it.
    """
    if not is_plain_sum(node):
        return None
    found, row = inputs_of(node.inputs[0], scalar.mul), scalar.mul
    if found is None:
        found, row = inputs_of(node.inputs[0], scalar.true_div), scalar.true_div
    if found is None:
        return None
    a, b = found
    for x, factor in ((a, b), (b, a)) if row is scalar.mul else ((a, b),):
        number = as_scalar(factor)
        if number is None or x.type.shape != node.inputs[0].type.shape:
            continue
        if x.owner is None or context.uses(x) > 1 or context.uses(node.inputs[0]) <= 1:
            return row(node.op(x), number)
    return None


@rule("canonicalize", tracks=[CAReduce], operands=[Alloc], numerics="reassociates")
def reduce_of_alloc(node: Apply) -> Any:
    """Of a repeated value the sum is a product and the extremum the value."""
    op: Any = node.op
    x = node.inputs[0]
    value, *dims = x.owner.inputs
    missing = x.ndim - value.ndim
    axes = [
        axis for axis in op.axis if axis < missing or value.type.shape[axis - missing] == 1
    ]  # those along which the value is repeated
    if not axes or op.scalar_name not in ("add", "maximum", "minimum"):
        return None
    if op.scalar_name != "add" and any(not _is_positive(x.type.shape[axis]) for axis in axes):
        return None
    wide = value.dimshuffle(*["x"] * missing, *range(value.ndim))
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    rest = wide.dimshuffle(*kept)
    if op.scalar_name == "add":
        rest = cast(rest, op.acc_dtype) * _count([dim_of(x, axis) for axis in axes], op.acc_dtype)
    rest = cast(rest, op.dtype)
    if any(x.type.shape[axis] != rest.type.shape[k] for k, axis in enumerate(kept)):
        rest = alloc_op(rest, *[dims[axis] for axis in kept])
    left = [kept.index(axis) for axis in op.axis if axis not in axes]
    return with_axes(op, left)(rest) if left else rest


def _is_positive(length: int | None) -> bool:
    return length is not None and length > 0


def _count(dims: list[Any], dtype: str) -> Any:
    total = dims_product(dims)
    return constant(total, dtype=dtype) if isinstance(total, int) else cast(total, dtype)
