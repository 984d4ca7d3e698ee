"""Batch rules of less common ops: creation, counting, sorting, matrices.

These rules are used if none of the common ones applies; their modules are imported then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import cast
from symtheano.tensor.batches import Batch, Rule, no_batch
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.identity import Eye
from symtheano.tensor.creation.ranges import ARange, arange
from symtheano.tensor.indexing.advanced import CheckedIndex
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall
from symtheano.tensor.indexing.nonzeros import Nonzero
from symtheano.tensor.linalg.lstsq import Lstsq
from symtheano.tensor.linalg.matrices import LinalgOp
from symtheano.tensor.linalg.solve import Solve
from symtheano.tensor.reductions.reduce import all as all_
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.repetition import RepeatedPositions
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value, dims_product, shape_of
from symtheano.tensor.sorting.counting import Bincount
from symtheano.tensor.sorting.distinct import RowOrder


def _refused(why: str) -> Rule:
    """Return the rule of ops that have no regular results."""

    def refuse(op: Op, node: Apply, batch: Batch) -> list[Any]:
        raise NotImplementedError(no_batch(node, why))

    return refuse


def _eye(op: Eye, node: Apply, batch: Batch) -> list[Any]:
    if any(batch.batched[:2]):
        raise NotImplementedError(no_batch(node, "its lengths would differ from item to item"))
    n, m, k = batch.inputs
    shift = arange(m) - arange(n).dimshuffle(0, "x")
    return [cast(scalar.eq(shift, k.dimshuffle(*batch.front(), "x", "x")), op.dtype)]


def _bincount(op: Bincount, node: Apply, batch: Batch) -> list[Any]:
    numbers, least = batch.inputs[:2]
    count = dim_value(least)
    if batch.batched[1]:
        raise NotImplementedError(no_batch(node, "its length would differ from item to item"))
    if not batch.batched[0]:
        (count,) = shape_of(op(numbers, least))
    elif isinstance(count, int) and count == 0:
        raise NotImplementedError(
            no_batch(node, "the largest number of each item decides its length; give minlength")
        )
    else:
        inside = scalar.and_(scalar.ge(numbers, 0), scalar.lt(numbers, least))
        what = "vectorize: bincount: a number of the batch is negative or not below minlength"
        batch.inputs[0] = required(numbers, all_(inside), what)
    # The items are counted together, each in its own range.
    shifts = _items(batch) * as_dim(count)
    places = (batch.full(0) + shifts.dimshuffle(*batch.front(), "x")).flatten()
    weights = [batch.full(2).flatten()] if len(batch.inputs) > 2 else []
    total = as_dim(dims_product((*batch.shape, count)))
    return [reshape_op(op(places, total, *weights), *as_dims((*batch.shape, count)))]


def _row_order(op: RowOrder, node: Apply, batch: Batch) -> list[Any]:
    x = batch.full(0)
    rows, width = shape_of(x)[-2:]
    # All rows are sorted together, by the number of their item first, which needs a wide dtype.
    wide = {"f": "float64", "c": "complex128", "u": "uint64"}.get(x.dtype[0], "int64")
    number = alloc(_items(batch).dimshuffle(*batch.front(), "x"), *batch.shape, rows)
    count = dims_product((*batch.shape, rows))
    table = join(
        1,
        reshape_op(cast(number, wide), *as_dims((count, 1))),
        reshape_op(cast(x, wide), *as_dims((count, width))),
    )
    order = reshape_op(op(table), *as_dims((*batch.shape, rows)))
    return [order - number * as_dim(rows)]


def _in_call(op: Any, node: Apply, batch: Batch) -> list[Any]:
    for number in range(1, len(node.inputs)):
        batch.needs_plain(node, number)
    return [op(batch.full(0), *as_dims(tuple(batch.shape)), *batch.inputs[1:])]


def _checked_index(op: CheckedIndex, node: Apply, batch: Batch) -> list[Any]:
    batch.needs_plain(node, 1)
    _, length, count = batch.inputs
    found = op(batch.full(0).flatten(), length, as_dim(dims_product((*batch.shape, count))))
    return [reshape_op(found, *as_dims((*batch.shape, count)))]


def _linalg(op: LinalgOp, node: Apply, batch: Batch) -> list[Any]:
    operands = []
    for n, item in enumerate(node.inputs):
        if item.ndim < 2:  # the part of the largest singular value that counts as zero
            batch.needs_plain(node, n)
        operands.append(batch.inputs[n] if item.ndim < 2 else batch.full(n))
    return op.make_node(*operands).outputs


def _solve(op: Solve, node: Apply, batch: Batch) -> list[Any]:
    if batch.batched[0] or node.inputs[0].ndim > 2:
        return _linalg(op, node, batch)
    # A single matrix is factorized once; the right-hand sides of all items are columns of one
    # matrix.
    a, n = batch.inputs[0], batch.ndim
    right = batch.full(1).dimshuffle(n, *batch.front(), n + 1)
    shape = shape_of(right)
    joined = reshape_op(right, *as_dims((shape[0], dims_product(shape[1:]))))
    (solved,) = op.make_node(a, joined).outputs
    return [reshape_op(solved, *as_dims(shape)).dimshuffle(*range(1, n + 1), 0, n + 1)]


def _items(batch: Batch) -> Any:
    """Return the numbers of the batch items, in the shape of the batch."""
    return reshape_op(arange(as_dim(dims_product(batch.shape))), *as_dims(batch.shape))


_BY_VALUE = "the values of each item decide how long its result is"

RULES: dict[type[Op], Rule] = {
    ARange: _refused("its length would differ from item to item"),
    Bincount: _bincount,
    BroadcastInCall: _in_call,
    CheckedIndex: _checked_index,
    Eye: _eye,
    LinalgOp: _linalg,
    Lstsq: _refused("it takes one matrix"),
    Nonzero: _refused(_BY_VALUE),
    RepeatedPositions: _refused(_BY_VALUE),
    RowOrder: _row_order,
    Solve: _solve,
    SumInCall: _in_call,
}
"""The rules; the rule of a class also applies to subclasses without a rule."""


def rule_for(classes: Sequence[type[Any]]) -> Rule | None:
    """Return the rule of the first of these classes that has one."""
    return next((RULES[item] for item in classes if item in RULES), None)
