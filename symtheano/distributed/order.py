"""The order of operations on all ranks in a function: numbers, and tokens between neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtheano.dataclass import replace as change
from symtheano.distributed.collective import Collective, WorldNumber
from symtheano.errors import format_error
from symtheano.function.request import Request
from symtheano.graph.digest import digest
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
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
    for node in nodes:
        _check_inside(node)
    ours = [node for node in nodes if isinstance(node.op, Collective)]
    if not ours or all(node.op.number >= 0 for node in ours):
        return request
    expressions = _chained(request.all_outputs, nodes, ours)
    count = len(request.outputs)
    news = zip(request.updates, expressions[count:], strict=True)
    updates = [(target, new) for (target, _), new in news]
    return change(request, outputs=expressions[:count], updates=updates)


def _chained(
    outputs: Iterable[Variable], nodes: Iterable[Apply], ours: Iterable[Apply]
) -> list[Any]:
    described = digest(repr([_description(node) for node in ours]).encode())
    number, token = 0, constant(0, dtype="int64")
    memo: dict[Variable, Variable] = {}
    for node in nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        if isinstance(node.op, Collective):
            operands = inputs[: node.op.operands]
            new = node.op.numbered(number, int(described[:12], 16)).make_node(*operands, token)
            new.origin = node.origin
            for output in new.outputs:
                output.origin = node.origin
            number, token = number + 1, new.outputs[1]
        elif any(item is not old for item, old in zip(inputs, node.inputs, strict=True)):
            new = node.clone_with_new_inputs(inputs)
        else:
            continue
        memo.update(zip(node.outputs, new.outputs, strict=True))
    return [memo.get(item, item) for item in outputs]


def _description(node: Apply) -> tuple[str, ...]:
    op = node.op
    values = [f"{name}={getattr(op, name)}" for name in op.__props__ if name not in _OWN]
    kinds = [f"{item.dtype} {item.ndim}" for item in node.inputs[: op.operands]]
    return (op.called, *values, *kinds)


_OWN = ("number", "digest")


def _check_inside(node: Apply) -> None:
    """Check that the graphs inside of a node have no operations on all ranks."""
    graphs = [node.op.region, *node.op.branches]
    for graph in graphs:
        if graph is None:
            continue
        for inner in toposort(graph.outputs):
            if isinstance(inner.op, Collective | WorldNumber):
                name = getattr(inner.op, "called", "rank or size")
                raise NotImplementedError(
                    format_error(
                        f"{name}: operations on all ranks can't be inside of {_kind(node.op)}, "
                        "which may run them in another number on each rank",
                        places=[inner.origin, node.origin],
                        hint="apply it before or after, or write the loop in Python",
                    )
                )
            _check_inside(inner)


def _kind(op: Op) -> str:
    return "a loop" if op.region is not None else "a branch or a function of a graph"
