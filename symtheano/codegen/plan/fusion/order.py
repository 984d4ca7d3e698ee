"""The round that orders nodes: each comes after what it needs, factors before routines.

Later rounds take nodes in this order, and where two choices are as good, the earlier node decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symtheano.codegen.plan.needs import Needs
from symtheano.codegen.plan.views import Views
from symtheano.dataclass import dataclass
from symtheano.errors import CompileError, format_error
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, toposort
from symtheano.lowering import Elementwise, Length, Reduction
from symtheano.tensor.variable import Tensor


@dataclass(frozen=True)
class Order:
    """Nodes in order.

    Attributes
    ----------
    nodes
        The nodes.
    checks
        The number of nodes at the beginning that checks of inputs alone need.
    factors
        Those that come before the first routine, which does not need them, but what follows it.
    """

    nodes: tuple[Apply, ...]
    checks: int = 0
    factors: tuple[Apply, ...] = ()


def ordered(views: Views, needs: Needs) -> Order:
    """Return the nodes of a graph, and those that its lengths and checks need, in order.

    Raises
    ------
    CompileError
        If a value is needed to check itself, which is a defect of symtheano.
    """
    guards = views.shapes.guards
    nodes: dict[Apply, None] = {}
    for guard in guards:
        if _only_reads_inputs(views, guard.condition):
            take(nodes, needs, [guard.condition])
    checks = len(nodes)
    rest, factors = with_factors_first(views.graph.nodes, views)
    for node in rest:
        if node not in nodes and views.is_shown(node):
            take(nodes, needs, node.outputs[:1])
    for guard in guards:
        take(nodes, needs, guard.needed)
    return Order(tuple(nodes), checks, factors)


def take(nodes: dict[Apply, None], needs: Needs, variables: Iterable[Tensor]) -> None:
    """Add the nodes of variables to others, each after what it needs; iteratively."""
    stack = _owners_besides(nodes, variables)[::-1]
    begun = set[Apply]()
    while stack:
        node = stack[-1]
        if node in nodes:
            stack.pop()
            continue
        waiting = _owners_besides(nodes, needs.all_of(node))
        if waiting and node in begun:
            raise CompileError(
                format_error(
                    f"a check of {node.op} needs its result",
                    places=[node.origin],
                    hint="this is a defect of symtheano: please report it; "
                    "mode='INTERPRET' runs the function",
                )
            )
        if waiting:
            begun.add(node)
            stack.extend(waiting)
            continue
        stack.pop()
        nodes[node] = None


def _owners_besides(nodes: dict[Apply, None], variables: Iterable[Tensor]) -> list[Apply]:
    return [v.owner for v in variables if v.owner is not None and v.owner not in nodes]


def _only_reads_inputs(views: Views, condition: Tensor) -> bool:
    """Return whether a guard can be checked before any work is done."""
    return all(
        isinstance(node.op.lowering, (Elementwise, Reduction, Length)) or views.is_view(node)
        for node in toposort([condition])
    )


def with_factors_first(
    nodes: Sequence[Apply], views: Views
) -> tuple[Sequence[Apply], tuple[Apply, ...]]:
    """Return nodes in an order in which an epilogue's other operands come before its routine.

    These are values that elementwise work makes of inputs and that are repeated along an axis, such
    as the factors of a batch normalization. They are smaller than results, so they do not take much
    memory meanwhile.

    Returns
    -------
    tuple
        The nodes, and those that have been moved.
    """
    first = next((k for k, node in enumerate(nodes) if node.op.lowering.epilogue), len(nodes))
    early = {output for node in nodes[:first] for output in node.outputs}
    read: list[Variable] = []
    for node in nodes[first:]:
        simple = (
            isinstance(node.op.lowering, (Elementwise, Length)) or views.axis_map(node) is not None
        )
        if simple and all(item.owner is None or item in early for item in node.inputs):
            early.update(node.outputs)
        elif isinstance(node.op.lowering, Elementwise):
            whole = views.dims(node.outputs[0])
            read += [item for item in node.inputs if item in early and views.dims(item) != whole]
    moved = {item.owner for item in ancestors(read)}
    later = nodes[first:]
    factors = tuple(node for node in later if node in moved)
    return [*nodes[:first], *factors, *(node for node in later if node not in moved)], factors
