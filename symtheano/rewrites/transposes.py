"""Elementwise operations and joins between a reordering of axes and its inverse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias, cast

from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import arrays_of, computed_by
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.variable import Tensor

Order: TypeAlias = tuple[int, ...]


@graph_rule("expand", numerics="exact", tracks=[DimShuffle])
def operations_between_transposes(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Elementwise operations and joins of reordered arrays use the order of memory.

    Only where their result is reordered back, as between convolutions of images whose channels are
    the last axis, or reduced: then both reorderings go. One operand may be a mask in the other
    order.
    """
    orders = _orders(nodes)
    wanted = _reordered_back(nodes, orders) if orders else set()
    before: dict[Variable, Tensor] = {}
    for node in nodes:
        y = node.outputs[0]
        if y in wanted:
            operands = [_before(x, orders[y], before, orders) for x in arrays_of(node)]
            before[y] = _computed_before(node, operands, orders[y])
    return {y: x.dimshuffle(*orders[y]) for y, x in before.items()}


def inverse(order: Order) -> Order:
    """Return the order that restores axes.

    Examples
    --------
    >>> inverse((0, 2, 3, 1))
    (0, 3, 1, 2)
    """
    return tuple(order.index(axis) for axis in range(len(order)))


def _orders(nodes: Sequence[Apply]) -> dict[Variable, Order]:
    """Return the order of axes of reordered arrays, and of what is computed of them."""
    orders: dict[Variable, Order] = {}
    for node in nodes:
        y, order = node.outputs[0], _permutation(node)
        if order is not None:
            # What is reordered back will be in its own order.
            if orders.get(node.inputs[0]) != inverse(order):
                orders[y] = order
        elif orders and isinstance(node.op, Elemwise | Join):
            arrays = [x for x in arrays_of(node) if _is_whole(x, cast(Tensor, y), node.op)]
            operand_orders = {orders[x] for x in arrays if x in orders}
            others = [x.dtype for x in arrays if x not in orders]
            # Another operand would be reordered instead, and then this one again.
            if len(operand_orders) == 1 and others in ([], ["bool"]):
                orders[y] = operand_orders.pop()
    return orders


def _permutation(node: Apply) -> Order | None:
    """Return the order of axes of a node that reorders those of an array with three or more."""
    if not isinstance(node.op, DimShuffle):
        return None
    order, ndim = node.op.new_order, arrays_of(node)[0].ndim
    plain = ndim > 2 and len(order) == ndim and "x" not in order
    return cast(Order, order) if plain and order != tuple(range(ndim)) else None


def _is_whole(x: Tensor, y: Tensor, op: Op) -> bool:
    """Return whether an operand is not repeated along an axis of a result."""
    if isinstance(op, Join):
        return True
    lengths = zip(x.type.shape, y.type.shape, strict=True)
    return all(own != 1 or result == 1 for own, result in lengths)


def _reordered_back(nodes: Sequence[Apply], orders: Mapping[Variable, Order]) -> set[Variable]:
    """Return what is computed of reordered arrays and is reordered back or reduced after others."""
    readers: dict[Variable, list[Apply]] = defaultdict(list)
    for node in nodes:
        for x in node.inputs:
            if x in orders:
                readers[x].append(node)
    wanted: set[Variable] = set()
    for node in reversed(nodes):
        y = node.outputs[0]
        if y in orders and not isinstance(node.op, DimShuffle):
            order = orders[y]
            if any(
                _permutation(reader) == inverse(order)
                or isinstance(reader.op, CAReduce)
                or (reader.outputs[0] in wanted and orders[reader.outputs[0]] == order)
                for reader in readers[y]
            ):
                wanted.add(y)
    return wanted


def _before(
    x: Tensor, order: Order, before: Mapping[Variable, Tensor], orders: Mapping[Variable, Order]
) -> Tensor:
    """Return an operand in the order in which results are stored; numbers as they are."""
    if orders.get(x) == order:
        return arrays_of(x.owner)[0] if computed_by(x, DimShuffle) else before[x]
    return x.dimshuffle(*inverse(order)) if x.ndim == len(order) else x


def _computed_before(node: Apply, operands: list[Tensor], order: Order) -> Tensor:
    """Return what a node computes, in the order in which its operands are stored."""
    op = Join(order[node.op.axis]) if isinstance(node.op, Join) else node.op
    result: Tensor = op(*operands)
    return result
