"""Parts of arrays: extracted before a computation instead of after it; scatters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    computed_by,
    conform,
    counts,
    dim_of,
    same_dim,
    scalar_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.rewrites.stabilize import softmax_of
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall
from symtheano.tensor.indexing.geometry import unpack
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.indexing.subtensor import getitem, pattern_of
from symtheano.tensor.shapes.inferred import output_dims
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import as_dims, dim_value
from symtheano.tensor.variable import Dim, Tensor, TensorConstant

Item: TypeAlias = slice | Dim
"""An item of a basic index, constants as ints."""


_END = float("inf")
"""Where a slice ends that has no end."""


def items_of(node: Apply, first: int = 1) -> list[Item]:
    """Return the integers and slices of a basic index, constants as ints."""
    items: list[Item] = []
    for _, item in unpack(node.op.pattern, node.inputs[first:]):  # type: ignore[attr-defined]
        if isinstance(item, tuple):
            items.append(slice(*(None if part is None else dim_value(part) for part in item)))
        else:
            items.append(dim_value(item))
    return items


def is_whole(item: Item) -> bool:
    """Return whether a slice selects its whole axis."""
    return isinstance(item, slice) and item == slice(None)


@rule("canonicalize", tracks=[Subtensor, IncSubtensor])
def plain_slices(node: Apply) -> Replacement:
    """Bounds of a slice that have no effect are removed: start 0, stop at the end, step 1.

    If this applies to all slices, the indexing is removed.
    """
    is_part = isinstance(node.op, Subtensor)
    x, items = node.inputs[0], items_of(node, 1 if is_part else 2)
    plain = [
        slice(*_plain(item, x, axis)) if isinstance(item, slice) else item
        for axis, item in enumerate(items)
    ]
    while is_part and plain and is_whole(plain[-1]):
        plain.pop()
    if len(plain) == len(items) and all(
        _parts(new) == _parts(old) for new, old in zip(plain, items, strict=True)
    ):
        return None
    if not is_part:
        pattern, bounds = pattern_of(plain)
        return IncSubtensor(pattern, node.op.set_instead_of_inc)(x, node.inputs[1], *bounds)  # type: ignore[attr-defined]
    return getitem(x, tuple(plain)) if plain else x


def _parts(item: Item) -> object:
    if not isinstance(item, slice):
        return id(item)
    return tuple(part is None for part in (item.start, item.stop, item.step))


def _plain(item: slice, x: Tensor, axis: int) -> tuple[Dim | None, Dim | None, Dim | None]:
    start, stop, step = item.start, item.stop, item.step
    if isinstance(step, int) and step == 1:
        step = None
    if step is None:
        if isinstance(start, int) and start == 0:
            start = None
        if stop is not None and same_dim(stop, dim_of(x, axis)):
            stop = None
    return start, stop, step


@rule("pushdown", tracks=[Subtensor], operands=[Elemwise])
def part_of_elementwise(node: Apply, context: Context) -> Replacement:
    """A part of an elementwise result only needs these parts of the operands.

    If nothing else uses the result, for which it would be computed completely, except other parts
    that have no element in common. A softmax that is written out is kept, for other rules.
    """
    x = node.inputs[0]
    if not computed_by(x, Elemwise) or softmax_of(x) is not None:
        return None
    if context.uses(x) > 1 and not _are_apart(context.readers(x), context.uses(x)):
        return None
    items = items_of(node)
    operands = [_part(item, items, x) for item in x.owner.inputs]
    result = elemwise(x.owner.op.scalar_op)(*operands)
    return result if node.outputs[0].type.accepts(result.type) else None


def _are_apart(readers: Sequence[Apply | None], uses: int) -> bool:
    """Return whether the only uses of an array are parts of one axis, without common elements."""
    spans: list[tuple[float, float]] = []
    axes: set[int] = set()
    for reader in readers:
        if reader is None or not isinstance(reader.op, Subtensor):
            return False
        place = _only_slice(items_of(reader))
        if place is None:
            return False
        axes.add(place[0])
        spans.append(place[1])
    spans.sort()
    apart = all(one[1] <= other[0] for one, other in pairwise(spans))
    return len(axes) == 1 and len(spans) == uses and apart


def _part(operand: Tensor, items: list[Item], whole: Tensor) -> Tensor:
    """Return a part of an operand, or its only element along broadcast axes."""
    key = tuple(
        item
        if operand.type.shape[axis] != 1 or whole.type.shape[axis] == 1
        else (slice(None) if isinstance(item, slice) else 0)
        for axis, item in enumerate(items)
    )
    repeated = [
        axis
        for axis, item in enumerate(items)
        if not isinstance(item, slice)
        and operand.type.shape[axis] == 1 and whole.type.shape[axis] != 1
    ]  # fmt: skip
    if repeated:
        operand = operand.dimshuffle(*[a for a in range(operand.ndim) if a not in repeated])
        key = tuple(item for axis, item in enumerate(key) if axis not in repeated)
    return operand if all(is_whole(item) for item in key) else getitem(operand, key)


@rule("canonicalize", tracks=[Subtensor], operands=[Alloc])
def part_of_alloc(node: Apply) -> Replacement:
    """A part of a broadcast value is the value broadcast to a smaller shape."""
    if not computed_by(node.inputs[0], Alloc):
        return None
    value, *dims = node.inputs[0].owner.inputs
    result = node.outputs[0]
    missing = len(dims) - value.ndim
    items = items_of(node)
    if any(
        not isinstance(item, slice)
        and not (isinstance(item, int) and _surely_inside(item, dims[a]))
        for a, item in enumerate(items)
    ):
        return None  # a bound to check in the call
    key = items[missing:]
    wide = [slice(None) if value.type.shape[k] == 1 and isinstance(item, slice) else item
            for k, item in enumerate(key)]  # fmt: skip
    wide = [0 if value.type.shape[k] == 1 and not isinstance(item, slice) else item
            for k, item in enumerate(wide)]  # fmt: skip
    part = value if all(is_whole(item) for item in wide) else getitem(value, tuple(wide))
    lengths = output_dims(node)
    if lengths is None:
        return None
    replacement = alloc_op(part, *as_dims(lengths)) if result.ndim else part
    return replacement if result.type.accepts(replacement.type) else None


def _surely_inside(position: int, dim: Dim) -> bool:
    length = dim_value(dim)
    return isinstance(length, int) and -length <= position < length


@rule("canonicalize", tracks=[Subtensor], operands=[DimShuffle])
def part_of_dimshuffle(node: Apply) -> Replacement:
    """Indexing after moving axes is replaced by moving axes after indexing."""
    x = node.inputs[0]
    if not computed_by(x, DimShuffle):
        return None
    order, source = x.owner.op.new_order, x.owner.inputs[0]
    items = [*items_of(node), *[slice(None)] * (x.ndim - len(node.op.pattern))]  # type: ignore[attr-defined]
    if any(order[a] == "x" and not (is_whole(item) or (isinstance(item, int) and item in (0, -1)))
           for a, item in enumerate(items)):  # fmt: skip
        return None
    key: list[Item] = [slice(None)] * source.ndim
    for axis, item in enumerate(items):
        place = order[axis]
        if isinstance(place, int):
            key[place] = item
    part = source if all(is_whole(item) for item in key) else getitem(source, tuple(key))
    places: dict[int | str, int] = {
        axis: k for k, axis in enumerate(a for a, i in enumerate(key) if isinstance(i, slice))
    }
    return part.dimshuffle(
        *[places.get(order[axis], "x")
          for axis, item in enumerate(items) if isinstance(item, slice)]
    )  # fmt: skip


@rule("canonicalize", tracks=[IncSubtensor], operands=[Alloc, TensorConstant],
      numerics="sign of zero")  # fmt: skip
def increment_by_zero(node: Apply) -> Replacement:
    """Incrementing a part by zeros does nothing, if it is known to be within the array."""
    if node.op.set_instead_of_inc:  # type: ignore[attr-defined]
        return None
    if any(not isinstance(item, slice) for item in items_of(node, 2)):
        return None
    value = scalar_value(node.inputs[1])
    return node.inputs[0] if value is not None and value == 0 else None


@rule("canonicalize", tracks=[IncSubtensor])
def change_of_everything(node: Apply) -> Replacement:
    """``x[:, 0] = y`` replaces the whole of an array whose second axis has length 1."""
    x, y = node.inputs[:2]
    items = items_of(node, 2)
    ones = [axis for axis, item in enumerate(items) if not isinstance(item, slice)]
    if not all(is_whole(item) for item in items if isinstance(item, slice)) or any(
        items[axis] not in (0, -1) or x.type.shape[axis] != 1 for axis in ones
    ):
        return None
    missing = x.ndim - len(ones) - y.ndim
    axes = iter(["x"] * missing + list(range(y.ndim)))
    y = cast(y, x.dtype).dimshuffle(["x" if a in ones else next(axes) for a in range(x.ndim)])
    if not node.op.set_instead_of_inc:  # type: ignore[attr-defined]
        y = x + y
    return conform(y, node.outputs[0])


@rule("canonicalize", tracks=[Subtensor], operands=[IncSubtensor])
def part_of_change(node: Apply) -> Replacement:
    """A changed part of an array is the new value; a part beside it is that of the old array.

    Gradients of parts of the results of loops are such arrays.
    """
    if not computed_by(node.inputs[0], IncSubtensor):
        return None
    owner, result = node.inputs[0].owner, node.outputs[0]
    x, y = owner.inputs[:2]
    if owner.op.pattern == node.op.pattern and owner.inputs[2:] == node.inputs[1:]:  # type: ignore[attr-defined]
        part = getitem(x, tuple(items_of(node)))
        replacement, dims = cast(y, x.dtype), output_dims(node)
        if not owner.op.set_instead_of_inc:
            replacement = part + replacement
        elif replacement.type != result.type:
            if dims is None:
                return None
            replacement = alloc_op(replacement, *as_dims(dims)) if dims else replacement
        return replacement if result.type.accepts(replacement.type) else None
    if _is_beside(items_of(node)[0], items_of(owner, 2)[0]):
        replacement = getitem(x, tuple(items_of(node)))
        return replacement if result.type.accepts(replacement.type) else None
    return None


@rule("specialize", tracks=[IncSubtensor], operands=[IncSubtensor], numerics="sign of zero")
def parts_of_zeros_joined(node: Apply, context: Context) -> Replacement:
    """Zeros with increments of adjacent parts that cover the whole are these parts joined.

    The gradients of the parts of a product are such arrays, for example of the gates of an RNN.
    """
    output = node.outputs[0]
    if any(isinstance(op, IncSubtensor) for op in context.users(output)):
        return None
    spans: list[tuple[float, float, Tensor]] = []
    axes: set[int] = set()
    while computed_by(output, IncSubtensor):
        x, y = output.owner.inputs[:2]
        place = _only_slice(items_of(output.owner, 2))
        if place is None or y.type.ndim != x.ndim or y.dtype != x.dtype:
            return None
        axis, span = place
        if any(y.type.shape[k] == 1 and x.type.shape[k] != 1 for k in range(x.ndim)):
            return None
        axes.add(axis)
        spans.append((*span, y))
        output = x
    spans.sort(key=lambda item: item[0])
    stops = [0.0, *(stop for _, stop, _ in spans)]
    adjacent = all(start == stop for (start, _, _), stop in zip(spans, stops, strict=False))
    if len(axes) != 1 or scalar_value(output) != 0 or not adjacent or stops[-1] < _END:
        return None
    return conform(join(axes.pop(), *(y for _, _, y in spans)), node.outputs[0])


def _only_slice(items: list[Item]) -> tuple[int, tuple[float, float]] | None:
    """Return the axis of the only item that is not everything, and its span."""
    parts = [axis for axis, item in enumerate(items) if not is_whole(item)]
    if len(parts) != 1 or not isinstance(items[parts[0]], slice):
        return None
    span = _span(items[parts[0]])
    return None if span is None else (parts[0], span)


def _is_beside(part: Item, changed: Item) -> bool:
    """Return whether two parts of an axis, given by numbers from 0 on, have nothing in common."""
    one, other = _span(part), _span(changed)
    if one is None or other is None:
        return False
    return one[1] <= other[0] or other[1] <= one[0]


def _span(item: Item) -> tuple[float, float] | None:
    """Return the first element, and the one after the last one, if both are known."""
    if not isinstance(item, slice):
        return (item, item + 1) if isinstance(item, int) and item >= 0 else None
    start = 0 if item.start is None else item.start
    stop = _END if item.stop is None else item.stop
    if item.step is not None or not isinstance(start, int) or not isinstance(stop, int | float):
        return None
    return (start, stop) if start >= 0 and stop >= 0 else None


# -- integer arrays -----------------------------------------------------------------------------


@rule("pushdown", tracks=[AdvancedSubtensor], operands=[Elemwise])
def gather_of_elementwise(node: Apply, context: Context) -> Replacement:
    """Elements gathered from an elementwise result only need these elements of the operands.

    If one element per row is gathered, or nothing else uses the result; not if a row may be
    gathered several times. A softmax that is written out is kept, for other rules.
    """
    x, *arrays = node.inputs
    if not computed_by(x, Elemwise) or (context.uses(x) > 1 and len(arrays) != x.ndim):
        return None
    if len(arrays) < 2 or counts(arrays[0]) is None or softmax_of(x) is not None:
        return None
    op = node.op
    assert isinstance(op, AdvancedSubtensor)
    operands = [_gathered(op, item, x, arrays) for item in x.owner.inputs]
    result = elemwise(x.owner.op.scalar_op)(*operands)
    return result if node.outputs[0].type.accepts(result.type) else None


def _gathered(
    op: AdvancedSubtensor, operand: Tensor, whole: Tensor, arrays: list[Tensor]
) -> Tensor:
    """Gather the same elements of an operand, which may be broadcast along the axes."""
    axes = range(op.axis, op.axis + len(arrays))
    repeated = [a for a in axes if operand.type.shape[a] == 1 and whole.type.shape[a] != 1]
    narrow = operand.dimshuffle(*[a for a in range(operand.ndim) if a not in repeated])
    left = [array for axis, array in zip(axes, arrays, strict=True) if axis not in repeated]
    joint = arrays[0].ndim
    if not left:
        before = range(op.axis)
        return narrow.dimshuffle(*before, *["x"] * joint, *range(op.axis, narrow.ndim))
    return AdvancedSubtensor(op.axis)(narrow, *left)


@rule("canonicalize", tracks=[BroadcastInCall, SumInCall])
def broadcast_of_equal_lengths(node: Apply) -> Replacement:
    """An array that has the required lengths is not repeated, and its gradient is not summed."""
    array, *dims = node.inputs
    fits = all(same_dim(dim_of(array, axis), dim_value(dim)) for axis, dim in enumerate(dims))
    return conform(array, node.outputs[0]) if fits else None


@rule("canonicalize", tracks=[AdvancedSubtensor])
def gather_everything(node: Apply) -> Replacement:
    """Gathering the items 0, 1, … up to the last one is the whole array."""
    x, *arrays = node.inputs
    if len(arrays) != 1:
        return None
    count = counts(arrays[0])
    axis = node.op.axis  # type: ignore[attr-defined]
    return x if count is not None and same_dim(count, dim_of(x, axis)) else None


@rule("canonicalize", tracks=[AdvancedSubtensor], operands=[Alloc])
def gather_of_alloc(node: Apply) -> Replacement:
    """Elements gathered from a broadcast number are this number, if they are within the array."""
    x, *arrays = node.inputs
    if not computed_by(x, Alloc):
        return None
    value, *dims = x.owner.inputs
    axis = node.op.axis  # type: ignore[attr-defined]
    for k, array in enumerate(arrays):
        count = counts(array)
        if count is None or not same_dim(count, dims[axis + k]):
            return None
    if value.ndim > len(dims) - axis - len(arrays):
        return None
    joint = [dim_of(arrays[0], k) for k in range(arrays[0].ndim)]
    return alloc_op(value, *as_dims((*dims[:axis], *joint, *dims[axis + len(arrays) :])))
