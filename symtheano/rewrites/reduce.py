"""Canonical form of reductions: combined, over fewer elements, with scalars outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    arrays_of,
    dim_of,
    inputs_of,
    is_constant,
    same_dim,
    scalar_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.rewrites.scalars import is_count
from symtheano.rewrites.terms import (
    FACTORS,
    chain,
    factors_of,
    is_extreme,
    product_of,
    sign_of,
    terms_of,
)
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import count_as, dim_value
from symtheano.tensor.variable import Tensor


def with_axes(op: CAReduce, axes: Sequence[int]) -> CAReduce:
    """Return the same reduction over other axes."""
    return op.over(axes)


def is_plain_sum(node: Apply) -> bool:
    """Return whether a node is a sum in the dtype of its float operand."""
    op = node.op
    assert isinstance(op, CAReduce)
    return bool(
        op.scalar_name == "add"
        and op.dtype == node.inputs[0].dtype
        and dtypes.is_continuous(op.dtype)
    )


@rule("canonicalize", tracks=[CAReduce], numerics="sign of zero")
def reduce_axes_of_one(node: Apply) -> Replacement:
    """A reduction of one element is this element: the axis is dropped."""
    (x,), op = node.inputs, node.op
    assert isinstance(op, CAReduce)
    ones = [axis for axis in op.axis if x.type.shape[axis] == 1]
    if not ones:
        return x if not op.axis and x.dtype == op.dtype else None
    kept = [axis for axis in range(x.ndim) if axis not in ones]
    narrow = x.dimshuffle(*kept)
    axes = [kept.index(axis) for axis in op.axis if axis not in ones]
    if axes:
        return with_axes(op, axes)(narrow)
    if dtypes.is_complex(x.dtype) and not dtypes.is_complex(op.dtype):
        return None
    return cast(cast(narrow, op.acc_dtype), op.dtype)


@rule("canonicalize", tracks=[CAReduce], operands=[CAReduce], numerics="reassociates")
def reduce_of_reduce(node: Apply) -> Replacement:
    """Two equal reductions over different axes become one reduction over all of these axes."""
    outer = node.op
    assert isinstance(outer, CAReduce)
    inner = node.inputs[0].owner.op
    if (inner.scalar_name, inner.of_nothing) != (outer.scalar_name, outer.of_nothing):
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
def reduce_of_dimshuffle(node: Apply) -> Replacement:
    """A reduction does not depend on the order of its axes, so it precedes the dimshuffle."""
    op = node.op
    assert isinstance(op, CAReduce)
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
def sum_of_negative(node: Apply) -> Replacement:
    """A sign is applied once instead of to each term."""
    if not is_plain_sum(node):
        return None
    operands = inputs_of(node.inputs[0], scalar.neg)
    return None if operands is None else -node.op(operands[0])


@rule(
    "pushdown",
    tracks=[CAReduce],
    operands=[scalar.mul, scalar.true_div, scalar.sqr],
    numerics="reassociates",
)
def sum_of_scaled(node: Apply, context: Context) -> Replacement:
    """Scalar factors and divisors are applied once instead of to each term.

    If the terms are used elsewhere, only if their factors are available separately. Sums of float16
    overflow too easily without them.
    """
    term = node.inputs[0]
    if not is_plain_sum(node) or term.dtype == "float16":
        return None
    factors = factors_of(term)
    arrays = factors.arrays
    if not factors.scalars or not arrays or len(arrays) > FACTORS:
        return None
    if any(x.type.shape != term.type.shape for x in arrays):
        return None
    if any(is_extreme(x) or _counts_others(x, node) for _, x in factors.scalars):
        return None
    ready = all(x.owner is None or context.uses(x) > 1 for x in arrays) and len(arrays) == 1
    if context.uses(term) > 1 and not ready:
        return None
    result: Tensor = node.op(product_of(arrays))
    for row, number in factors.scalars:
        result = row(result, number)
    return result


def _counts_others(number: Tensor, node: Apply) -> bool:
    """Return whether a number is a count, or one over it, of elements that are not summed.

    If there are none, their mean is not a number, but the sum of no means is zero.
    """
    inverse = inputs_of(number, scalar.reciprocal)
    count = number if inverse is None else inverse[0]
    if not is_count(count):
        return False
    (x,), axes = node.inputs, node.op.axis  # type: ignore[attr-defined]
    stack = arrays_of(count.owner)  # type: ignore[arg-type]
    while stack:
        *stack, dim = stack
        factors = inputs_of(dim, scalar.mul)
        if factors is not None:
            stack += factors
        elif any(same_dim(dim_of(x, axis), dim_value(dim)) for axis in axes):
            return False
    return True


@rule(
    "specialize",
    tracks=[CAReduce],
    operands=[scalar.add, scalar.sub],
    numerics="reassociates",
)
def sum_of_shifted(node: Apply, context: Context) -> Replacement:
    """A scalar added to each term of a sum, if the terms have one sign, is added once.

    It is not changed for terms of any sign, because cancellation should occur in each term, as in
    the sum of the differences from a mean.
    """
    term, op = node.inputs[0], node.op
    if not is_plain_sum(node) or dtypes.is_complex(term.dtype) or context.uses(term) > 1:
        return None
    arrays, scalars_ = terms_of(term, context)
    if (
        not scalars_
        or not 0 < len(arrays) <= FACTORS
        or any(x.type.shape != term.type.shape for _, x in arrays)
    ):
        return None
    signs = {sign * sign_of(x) for sign, x in arrays}
    if signs not in ({1}, {-1}):
        return None
    positive = [x for sign, x in arrays if sign > 0]
    negative = [x for sign, x in arrays if sign < 0]
    # The two parts may cancel, so they are rounded after they have been added.
    acc_dtype = op.acc_dtype  # type: ignore[attr-defined]
    wide = CAReduce("add", op.axis, acc_dtype, acc_dtype)  # type: ignore[attr-defined]
    total = wide(chain(scalar.add, positive)) if positive else None
    if negative:
        less = wide(chain(scalar.add, negative))
        total = -less if total is None else total - less
    count = count_as([dim_of(term, axis) for axis in wide.axis], acc_dtype)
    shift = chain(scalar.add, [number if sign > 0 else -number for sign, number in scalars_])
    shifts = times_count(cast(shift, acc_dtype), count)
    return cast(total + shifts, op.dtype)  # type: ignore[attr-defined]


@rule("canonicalize", tracks=[CAReduce], operands=[Alloc], numerics="reassociates")
def reduce_of_alloc(node: Apply) -> Replacement:
    """The sum of a broadcast value is a product, its extremum is the value.

    Other axes are reduced before the value is broadcast, so each of its elements is read once.
    """
    op = node.op
    assert isinstance(op, CAReduce)
    x = node.inputs[0]
    value, *dims = x.owner.inputs
    missing = x.ndim - value.ndim
    repeated = [
        axis for axis in range(x.ndim) if axis < missing or value.type.shape[axis - missing] == 1
    ]
    axes = _counted_axes(op, x, repeated)
    copied = [axis for axis in repeated if axis not in op.axis and x.type.shape[axis] != 1]
    if not axes and not copied:
        return None
    kept = [axis for axis in range(x.ndim) if axis not in axes and axis not in copied]
    rest = value.dimshuffle(*["x"] * missing, *range(value.ndim)).dimshuffle(*kept)
    if axes:
        if op.scalar_name == "add":
            count = count_as([dim_of(x, axis) for axis in axes], op.acc_dtype)
            rest = times_count(cast(rest, op.acc_dtype), count)
        rest = cast(rest, op.dtype)
    if any(x.type.shape[axis] != rest.type.shape[k] for k, axis in enumerate(kept)):
        rest = alloc_op(rest, *[dims[axis] for axis in kept])
    left = [kept.index(axis) for axis in op.axis if axis not in axes]
    rest = with_axes(op, left)(rest) if left else rest
    if not copied:
        return rest
    narrow = [axis for axis in kept if axis not in op.axis]
    wide = [axis for axis in range(x.ndim) if axis not in op.axis]
    order = [narrow.index(axis) if axis in narrow else "x" for axis in wide]
    return alloc_op(rest.dimshuffle(*order), *[dims[axis] for axis in wide])


def _counted_axes(op: CAReduce, x: Tensor, repeated: Sequence[int]) -> list[int]:
    """Return the axes of a reduction for which it is enough to know how long they are."""
    axes = [axis for axis in op.axis if axis in repeated]
    if op.scalar_name == "add":
        return axes
    if op.scalar_name not in ("maximum", "minimum"):
        return []
    return axes if all(_is_positive(x.type.shape[axis]) for axis in axes) else []


def _is_positive(length: int | None) -> bool:
    return length is not None and length > 0


def times_count(value: Tensor, count: Tensor) -> Tensor:
    """Return the sum of equal terms: zero for no terms, even if the value is infinite or NaN."""
    number = scalar_value(value)
    finite = dtypes.is_discrete(value.dtype) or (number is not None and np.isfinite(number))
    if finite or (is_constant(count) and count.data > 0):
        return value * count
    return scalar.switch(scalar.eq(count, 0), value.constant_like(0), value * count)
