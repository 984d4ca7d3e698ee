"""Sums of one array at several places, as gradients of slices are, read it instead of adding it."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    computed_by,
    dim_of,
    inputs_of,
    real_value,
    same_dim,
    scalar_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.rewrites.subtensor import items_of
from symtheano.rewrites.terms import FACTORS, chain, factors_of, product_of
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.indexing.slices import IncSubtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.shape import as_dims, dim_value
from symtheano.tensor.variable import Dim, Tensor

_MOST_TRIMMED = 64
"""How many elements of an axis a slice may leave out to be nearly as long as the axis."""


@dataclass(frozen=True)
class _Increment:
    """An increment of a slice: ``x[offsets[0]:, offsets[1]:, ...] += base * scalars``.

    The factors of increments with the same base are the same arrays.
    """

    node: Apply
    base: Tensor
    factors: list[Tensor]
    scalars: list[tuple[ScalarOp, Tensor]]
    offsets: tuple[int, ...]


@rule("expand", tracks=[IncSubtensor], operands=[IncSubtensor], numerics="needs finite")
def increments_as_shifted_reads(node: Apply, context: Context) -> Replacement:
    """``z[1:] += v; z[:-1] += 2 * v`` is ``z + w[:-1] + 2 * w[1:]``, where w is v between zeros.

    Gradients of stencils and filters are such increments. The array is written once, instead of
    once for each slice. Outside of a slice, zero times its factor is added: if the factor, a number
    that varies from call to call, is infinite or NaN, so is the result there.
    """
    output = node.outputs[0]
    if not dtypes.is_continuous(output.dtype) or any(
        isinstance(op, IncSubtensor) for op in context.users(output)
    ):
        return None
    nodes, whole = _increments(output, context)
    increments = [item for item in map(_increment, nodes) if item is not None]
    bases = [item.factors for item in increments]
    group = [item for item in increments if bases.count(item.factors) > 1]
    group = [item for item in group if item.factors == group[0].factors]
    if not any(_is_long(item) for item in group):
        return None
    result = _shifted_sum(group, output)
    start = scalar_value(whole)
    if start is None or start != 0:
        result = whole + result
    taken = [item.node for item in group]
    for other in nodes:
        if other not in taken:
            result = other.op(result, *other.inputs[1:])
    return result if output.type.accepts(result.type) else None


def _increments(output: Tensor, context: Context) -> tuple[list[Apply], Tensor]:
    """Return the increments of slices that give an array, the first one first, and their start."""
    nodes: list[Apply] = []
    while computed_by(output, IncSubtensor) and (not nodes or context.uses(output) == 1):
        if output.owner.op.set_instead_of_inc:
            break
        nodes.append(output.owner)
        output = output.owner.inputs[0]
    return nodes[::-1], output


def _increment(node: Apply) -> _Increment | None:
    """Separate the scalar factors of a value, if its slices begin at known places."""
    x, value = node.inputs[:2]
    items = _slices_of(node)
    if len(items) < len(items_of(node, 2)) or any(item.step not in (None, 1) for item in items):
        return None
    starts = [0 if item.start is None else item.start for item in items]
    if not all(isinstance(start, int) and start >= 0 for start in starts):
        return None
    if any(a == 1 and b != 1 for a, b in zip(value.type.shape, x.type.shape, strict=True)):
        return None  # broadcast
    factors = factors_of(value)
    base = product_of(factors.arrays) if 0 < len(factors.arrays) <= FACTORS else None
    offsets = (*starts, *[0] * (x.ndim - len(starts)))
    if base is None or base.type.shape != value.type.shape or base.dtype != value.dtype:
        return _Increment(node, value, [value], [], offsets)
    return _Increment(node, base, factors.arrays, factors.scalars, offsets)


def _slices_of(node: Apply) -> list[slice]:
    """Return the slices of an increment, which has no other indices."""
    return [item for item in items_of(node, 2) if isinstance(item, slice)]


def _is_long(item: _Increment) -> bool:
    """Return whether a slice is known to be nearly as long as each axis."""
    x = item.node.inputs[0]
    for axis, part in enumerate(_slices_of(item.node)):
        trimmed = _trimmed(part.stop, x, axis)
        if trimmed is None or trimmed + item.offsets[axis] > _MOST_TRIMMED:
            return False
    return True


def _trimmed(stop: Dim | None, x: Tensor, axis: int) -> int | None:
    """Return how many elements a slice leaves out at the end of an axis, or None."""
    length = dim_of(x, axis)
    if stop is None:
        return 0
    if isinstance(stop, int):
        return -stop if stop < 0 else length - stop if isinstance(length, int) else None
    terms = inputs_of(stop, scalar.add)
    for a, b in () if terms is None else (terms, terms[::-1]):
        value = real_value(b)
        if value is not None and same_dim(dim_value(a), length):
            return -int(value)
    return None


def _shifted_sum(group: Sequence[_Increment], output: Tensor) -> Tensor:
    """Return the sum of the values of increments, in an array of zeros like ``output``."""
    base = group[0].base
    axes = range(output.ndim)
    least = [min(item.offsets[axis] for item in group) for axis in axes]
    most = [max(item.offsets[axis] for item in group) for axis in axes]
    lengths = [dim_of(output, axis) for axis in axes]
    wide = zeros(
        [n + high - low for n, low, high in zip(lengths, least, most, strict=True)], base.dtype
    )
    items = [
        _place(group, axis, low, high) for axis, low, high in zip(axes, least, most, strict=True)
    ]
    inside = IncSubtensor(tuple((True, stop is not None, False) for _, stop in items), True)
    bounds = [bound for item in items for bound in item if bound is not None]
    wide = inside(wide, base, *as_dims(bounds))
    terms = []
    for item in group:
        starts = [high - offset for high, offset in zip(most, item.offsets, strict=True)]
        term = getitem(wide, tuple(slice(a, a + n) for a, n in zip(starts, lengths, strict=True)))
        terms.append(_times(term, item.scalars))
    return chain(scalar.add, terms)


def _place(group: Sequence[_Increment], axis: int, low: int, high: int) -> tuple[int, Dim | None]:
    """Return start and stop of the array along an axis of the array with zeros around it.

    If it is known how many elements each slice leaves out, the stop is relative to the end, which
    shows that there are few zeros.
    """
    counts: list[int] = []
    for item in group:
        parts = _slices_of(item.node)
        stop = parts[axis].stop if axis < len(parts) else None
        if stop is None or (isinstance(stop, int) and stop < 0):
            counts.append(item.offsets[axis] - (stop or 0))
    if len(counts) < len(group) or len(set(counts)) > 1:
        return high, high + dim_of(group[0].base, axis)
    return high, low - counts[0] or None


def _times(term: Tensor, scalars: Sequence[tuple[ScalarOp, Tensor]]) -> Tensor:
    """Multiply by numbers, whose product is computed once."""
    if not scalars:
        return term
    number = scalars[0][1] if scalars[0][0] is scalar.mul else scalar.reciprocal(scalars[0][1])
    for row, other in scalars[1:]:
        number = row(number, other)
    return term * number
