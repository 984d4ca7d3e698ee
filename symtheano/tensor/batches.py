"""Batched ops: operands with batch axes in front, and the rules of common ops.

An op can define its method ``vectorize``; the rules of the most common ops are in the table below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Apply
from symtheano.tensor.creation.filled import Alloc, alloc, alloc_op
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import DimShuffle, Elemwise, dimshuffle
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.linalg.dot import BatchedDot, Dot, batched_dot_op, tensordot
from symtheano.tensor.nnet.softmax import AlongAxes
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.join import Join, stack
from symtheano.tensor.shapes.reshape import Reshape, reshape_op
from symtheano.tensor.shapes.shape import (
    MakeVector,
    Shape_i,
    as_dims,
    dims_product,
    shape_i,
    shape_of,
)
from symtheano.tensor.shapes.static_shape import SpecifyShape


class Batch:
    """Operands, some of which have batch axes in front.

    Parameters
    ----------
    cores
        The operands without batch axes.
    inputs
        The operands; their batch axes are aligned at the right.

    Attributes
    ----------
    ndim
        Number of batch axes; operands that have any have all of them.
    inputs
        The operands.
    batched
        For each operand, whether it has batch axes.
    """

    def __init__(self, cores: Sequence[Any], inputs: Sequence[Any]) -> None:
        extra = [new.ndim - old.ndim for new, old in zip(inputs, cores, strict=True)]
        self.ndim = max(extra, default=0)
        self.batched = [count > 0 for count in extra]
        self.inputs = [
            item if not count or count == self.ndim else pad(item, self.ndim - count)
            for item, count in zip(inputs, extra, strict=True)
        ]

    @lazy
    def shape(self) -> tuple[Any, ...]:
        """The lengths of the batch axes, as ints if they are known."""
        shapes = [
            shape_of(item) for item, flag in zip(self.inputs, self.batched, strict=True) if flag
        ]
        found = []
        for axis in range(self.ndim):
            dims = [s[axis] for s in shapes if not (isinstance(s[axis], int) and s[axis] == 1)]
            known = [dim for dim in dims if isinstance(dim, int)]
            found.append(known[0] if known else dims[0] if dims else 1)
        return tuple(found)

    def full(self, number: int) -> Any:
        """Return an operand with all batch axes in their full length."""
        item = self.inputs[number]
        return self.spread(item if self.batched[number] else pad(item, self.ndim))

    def spread(self, item: Any) -> Any:
        """Return an array that has all batch axes, broadcast to their full lengths."""
        front = zip(item.type.shape[: self.ndim], self.shape, strict=True)
        if not any(known == 1 and _is_longer(dim) for known, dim in front):
            return item
        return alloc(item, *as_dims((*self.shape, *shape_of(item)[self.ndim :])))

    def shifted(self, axes: Sequence[int]) -> tuple[int, ...]:
        """Return the axes of an unbatched operand as axes of the batched one."""
        return tuple(axis + self.ndim for axis in axes)

    def front(self) -> tuple[int, ...]:
        """Return the batch axes."""
        return tuple(range(self.ndim))

    def needs_plain(self, node: Apply, first: int) -> None:
        """Raise an error if one of the operands from ``first`` on has batch axes.

        Raises
        ------
        NotImplementedError
            If one of them has batch axes.
        """
        if any(self.batched[first:]):
            raise NotImplementedError(
                no_batch(node, "its lengths or bounds would differ from item to item of the batch")
            )


def _is_longer(dim: Any) -> bool:
    return not isinstance(dim, int) or dim != 1


def pad(x: Any, count: int) -> Any:
    """Return ``x`` with axes of length one in front."""
    return x.dimshuffle(*["x"] * count, *range(x.ndim))


def no_batch(node: Apply, why: str) -> str:
    """Return the message for an op that does not support batches."""
    return format_error(
        f"vectorize: {node.op} can't work on this batch: {why}",
        operands=[(item.describe(), str(item.type)) for item in node.inputs],
        places=[node.origin, current_origin()],
    )


# -- rules ---------------------------------------------------------------------------------------

Rule = Callable[[Any, Apply, Batch], list[Any]]


def _elemwise(op: Elemwise, node: Apply, batch: Batch) -> list[Any]:
    return op.make_node(*batch.inputs).outputs


def _reduce(op: CAReduce, node: Apply, batch: Batch) -> list[Any]:
    return [op.over(batch.shifted(op.axis))(batch.inputs[0])]


def _argmax(op: ArgReduce, node: Apply, batch: Batch) -> list[Any]:
    return [ArgReduce(op.which, op.axis + batch.ndim)(batch.inputs[0])]


def _along_axes(op: AlongAxes, node: Apply, batch: Batch) -> list[Any]:
    return [type(op)(batch.shifted(op.axis))(batch.inputs[0])]


def _dimshuffle(op: DimShuffle, node: Apply, batch: Batch) -> list[Any]:
    order = [axis if axis == "x" else int(axis) + batch.ndim for axis in op.new_order]
    return [dimshuffle(batch.inputs[0], *batch.front(), *order)]


def _shape_i(op: Shape_i, node: Apply, batch: Batch) -> list[Any]:
    return [shape_i(batch.inputs[0], op.axis + batch.ndim)]


def _specify_shape(op: SpecifyShape, node: Apply, batch: Batch) -> list[Any]:
    return [SpecifyShape((*[None] * batch.ndim, *op.lengths), op.by)(batch.inputs[0])]


def _reshape(op: Reshape, node: Apply, batch: Batch) -> list[Any]:
    batch.needs_plain(node, 1)
    x, *dims = batch.inputs
    return [reshape_op(x, *as_dims(batch.shape), *dims)]


def _make_vector(op: MakeVector, node: Apply, batch: Batch) -> list[Any]:
    return [stack([batch.full(number) for number in range(len(batch.inputs))], axis=batch.ndim)]


def _alloc(op: Alloc, node: Apply, batch: Batch) -> list[Any]:
    batch.needs_plain(node, 1)
    value, *dims = batch.inputs
    missing = len(dims) - node.inputs[0].ndim
    core = range(batch.ndim, value.ndim)
    spread = dimshuffle(value, *batch.front(), *["x"] * missing, *core)
    return [alloc_op(spread, *as_dims(batch.shape), *dims)]


def _join(op: Join, node: Apply, batch: Batch) -> list[Any]:
    return [Join(op.axis + batch.ndim)(*(batch.full(n) for n in range(len(batch.inputs))))]


_WHOLE = (False, False, False)


def _subtensor(op: Subtensor, node: Apply, batch: Batch) -> list[Any]:
    if any(batch.batched[1:]):
        return [_at_batch_of_integers(op, node, batch)]
    x, *bounds = batch.inputs
    return [Subtensor((*[_WHOLE] * batch.ndim, *op.pattern))(x, *bounds)]


def _at_batch_of_integers(op: Subtensor, node: Apply, batch: Batch) -> Any:
    """Select a part with integers that differ between items: slices first, then a gather."""
    pattern: list[Any] = []
    bounds: list[Any] = []
    chosen: list[tuple[int, Any]] = []
    batched = dict(zip(map(id, node.inputs), batch.batched, strict=True))
    new = iter(batch.inputs[1:])
    kept = 0
    for _, item in op.items(node):
        given = item if isinstance(item, tuple) else (item,)
        parts = [part for part in given if part is not None]
        values = [next(new) for _ in parts]
        if not any(batched[id(part)] for part in parts):
            pattern.append(op.pattern[len(pattern)])
            bounds += values
        elif isinstance(item, tuple):
            raise NotImplementedError(no_batch(node, "slices would differ in length"))
        else:
            pattern.append(_WHOLE)
            chosen.append((kept, values[0]))
        kept += pattern[-1] is not None
    front = batch.ndim if batch.batched[0] else 0
    part = Subtensor((*[_WHOLE] * front, *pattern))(batch.inputs[0], *bounds)
    taken = [front + axis for axis, _ in chosen]
    rest = [axis for axis in range(front, part.ndim) if axis not in taken]
    part = dimshuffle(part, *range(front), *taken, *rest)
    return _gather(part, bool(front), [item for _, item in chosen], 0, batch)


def _gather(x: Any, x_batched: bool, arrays: Sequence[Any], axis: int, batch: Batch) -> Any:
    """Select by index arrays with batch axes; the batch comes first in the result."""
    n = batch.ndim
    joint = arrays[0].ndim - n
    if not x_batched:
        part = AdvancedSubtensor(axis)(x, *arrays)
        return _moved(part, [*range(axis, axis + n), *range(axis)])
    x = _moved(batch.spread(x), [*range(n), *range(n + axis, n + axis + len(arrays))])
    part = AdvancedSubtensor(0)(x, *_items_of_batch(batch, joint), *arrays)
    before = range(n + joint, n + joint + axis)
    return _moved(part, [*range(n), *before])


def _items_of_batch(batch: Batch, joint: int) -> list[Any]:
    """Return index arrays that select each item of the batch."""
    return [
        arange(dim).dimshuffle(*["x"] * axis, 0, *["x"] * (batch.ndim - axis - 1 + joint))
        for axis, dim in enumerate(batch.shape)
    ]


def _moved(x: Any, first: Sequence[int]) -> Any:
    """Return ``x`` with some axes in front, in the order given."""
    return dimshuffle(x, *first, *[axis for axis in range(x.ndim) if axis not in set(first)])


def _moved_back(x: Any, first: Sequence[int]) -> Any:
    """Undo :func:`_moved`."""
    order = [*first, *[axis for axis in range(x.ndim) if axis not in set(first)]]
    return dimshuffle(x, *[order.index(axis) for axis in range(x.ndim)])


def _aligned_indices(batch: Batch, first: int) -> list[Any]:
    """Return the index arrays with batch axes, of length 1 if they had none."""
    return [
        item if flag else pad(item, batch.ndim)
        for item, flag in zip(batch.inputs[first:], batch.batched[first:], strict=True)
    ]


def _advanced(op: AdvancedSubtensor, node: Apply, batch: Batch) -> list[Any]:
    x, *arrays = batch.inputs
    if not any(batch.batched[1:]):
        return [AdvancedSubtensor(op.axis + batch.ndim)(x, *arrays)]
    return [_gather(x, batch.batched[0], _aligned_indices(batch, 1), op.axis, batch)]


def _inc_subtensor(op: IncSubtensor, node: Apply, batch: Batch) -> list[Any]:
    _, y, *bounds = batch.inputs
    x = batch.full(0)
    if not any(batch.batched[2:]):
        pattern = (*[_WHOLE] * batch.ndim, *op.pattern)
        return [IncSubtensor(pattern, op.set_instead_of_inc)(x, y, *bounds)]
    if any(item is not None for item in op.pattern):
        raise NotImplementedError(no_batch(node, "only integers may differ from item to item"))
    arrays = [*_items_of_batch(batch, 0), *_aligned_indices(batch, 2)]
    return [AdvancedIncSubtensor(0, op.set_instead_of_inc)(x, y, *arrays)]


def _advanced_inc(op: AdvancedIncSubtensor, node: Apply, batch: Batch) -> list[Any]:
    x, y = batch.full(0), batch.inputs[1]
    n, setting = batch.ndim, op.set_instead_of_inc
    if not any(batch.batched[2:]):
        return [AdvancedIncSubtensor(op.axis + n, setting)(x, y, *batch.inputs[2:])]
    arrays = _aligned_indices(batch, 2)
    joint = arrays[0].ndim - n
    first = [*range(n), *range(n + op.axis, n + op.axis + len(arrays))]
    if not batch.batched[1]:
        y = pad(y, n)
    y = _moved(y, [*range(n), *range(n + op.axis, n + op.axis + joint)])
    places = [*_items_of_batch(batch, joint), *arrays]
    changed = AdvancedIncSubtensor(0, setting)(_moved(x, first), y, *places)
    return [_moved_back(changed, first)]


def _dot(op: Dot, node: Apply, batch: Batch) -> list[Any]:
    x, y = batch.inputs
    n, rows = batch.ndim, node.inputs[0].ndim - 1
    if not batch.batched[1]:
        return [tensordot(x, y, [[x.ndim - 1], [0]])]
    if not batch.batched[0]:
        product = tensordot(y, x, [[n], [x.ndim - 1]])
        return [_moved(product, [*range(n), *range(product.ndim - rows, product.ndim)])]
    left, right = batch.full(0), batch.full(1)
    if rows == 0:
        left = left.dimshuffle(*range(n), "x", n)
    columns = node.inputs[1].ndim - 1
    if columns == 0:
        right = right.dimshuffle(*range(n + 1), "x")
    product = _batched_product(left, right, n)
    kept = [*range(n), *([n] if rows else []), *([n + 1] if columns else [])]
    return [dimshuffle(product, *kept)]


def _batched_dot(op: BatchedDot, node: Apply, batch: Batch) -> list[Any]:
    return [_batched_product(batch.full(0), batch.full(1), batch.ndim + 1)]


def _batched_product(x: Any, y: Any, axes: int) -> Any:
    """Multiply matrices for each index of the first ``axes`` axes of both."""
    if axes == 1:
        return batched_dot_op(x, y)
    dims = shape_of(x)[:axes]
    flat = [reshape_op(f, *as_dims((dims_product(dims), *shape_of(f)[axes:]))) for f in (x, y)]
    product = batched_dot_op(*flat)
    return reshape_op(product, *as_dims((*dims, *shape_of(product)[1:])))


RULES: dict[type[Op], Rule] = {
    AdvancedIncSubtensor: _advanced_inc,
    AdvancedSubtensor: _advanced,
    Alloc: _alloc,
    AlongAxes: _along_axes,
    ArgReduce: _argmax,
    BatchedDot: _batched_dot,
    CAReduce: _reduce,
    DimShuffle: _dimshuffle,
    Dot: _dot,
    Elemwise: _elemwise,
    IncSubtensor: _inc_subtensor,
    Join: _join,
    MakeVector: _make_vector,
    Reshape: _reshape,
    Shape_i: _shape_i,
    SpecifyShape: _specify_shape,
    Subtensor: _subtensor,
}
"""Batch rules of common ops; the rule of a class also applies to its subclasses."""
