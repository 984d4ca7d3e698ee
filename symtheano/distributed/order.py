"""The order of operations on all ranks in a function: numbers, and tokens between neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtheano.dataclass import replace as change
from symtheano.distributed.collective import Collective, WorldNumber
from symtheano.errors import format_error
from symtheano.function.request import Request
from symtheano.graph.arms import has_arms, needed
from symtheano.graph.digest import digest
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.basic import constant


def in_order(request: Request) -> Request:
    """Return a request in which each operation on all ranks takes the token of the one before.

    The order is that of a traversal from the outputs and updates, so it is the same on all ranks if
    their programs are.

    Raises
    ------
    NotImplementedError
        If a loop, a branch or a function within the graph has such an operation.
    """
    nodes = toposort(request.all_outputs, request.inputs)
    checked: set[Op] = set()
    for node in nodes:
        _check_inside(node, checked)
    ours = [node for node in nodes if isinstance(node.op, Collective)]
    if all(isinstance(node.op, Collective) and node.op.number >= 0 for node in ours):
        return request
    if has_arms(nodes):
        always = needed(request.all_outputs, request.inputs)
        for node in ours:
            if always.isdisjoint(node.outputs):
                raise _refused(node, "one of two arms of a condition", None)
    expressions = _chained(request.all_outputs, nodes, ours)
    count = len(request.outputs)
    news = zip(request.updates, expressions[count:], strict=True)
    updates = [(target, new) for (target, _), new in news]
    return change(request, outputs=expressions[:count], updates=updates)


def _chained(
    outputs: Iterable[Variable], nodes: Iterable[Apply], ours: Iterable[Apply]
) -> list[Any]:
    described = digest(repr([_description(node.op, node) for node in ours]).encode())
    number, token = 0, constant(0, dtype="int64")
    memo: dict[Variable, Variable] = {}
    for node in nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        if isinstance(node.op, Collective):
            numbered = node.op.numbered(
                number, int(described[:12], 16), node.op.has_fixed_length(node)
            )
            with origin_scope(node.origin):
                new = numbered.make_node(*node.op.chained(inputs, token))
            number, token = number + 1, new.outputs[-1]
        elif any(item is not old for item, old in zip(inputs, node.inputs, strict=True)):
            new = node.clone_with_new_inputs(inputs)
        else:
            continue
        memo.update(zip(node.outputs, new.outputs, strict=True))
    return [memo.get(item, item) for item in outputs]


def _description(op: Any, node: Apply) -> tuple[str, ...]:
    values = [f"{name}={getattr(op, name)}" for name in op.__props__ if name not in _OWN]
    kinds = [f"{item.dtype} {item.ndim}" for item in node.inputs]
    fixed = str(op.has_fixed_length(node))
    return (type(op).__name__, *values, *kinds, fixed)


_OWN = ("number", "digest", "fixed")


def _check_inside(node: Apply, checked: set[Op]) -> None:
    """Check that the graphs inside of a node have no operations on all ranks."""
    op = node.op
    if op in checked:  # it may be within itself, which is refused later
        return
    checked.add(op)
    inner = [graph.outputs for graph in (op.region, *op.branches) if graph is not None]
    if isinstance(op, OpFromGraph):
        inner.append(op.outputs)
    for outputs in inner:
        for item in toposort(outputs):
            if isinstance(item.op, Collective | WorldNumber):
                raise _refused(item, "a loop" if op.region is not None else str(op), node)
            _check_inside(item, checked)


def _refused(node: Apply, where: str, outer: Apply | None) -> NotImplementedError:
    name = getattr(node.op, "called", "rank or size")
    return NotImplementedError(
        format_error(
            f"{name}: operations on all ranks can't be inside of {where}, since ranks could run "
            "them in different numbers",
            places=[node.origin, None if outer is None else outer.origin],
            hint="apply them before or after it, or write the loop in Python",
        )
    )
