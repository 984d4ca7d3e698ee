"""Which loops are known to be so short that nothing has to be able to end them."""

from __future__ import annotations

from math import prod
from typing import Any

from symtheano.codegen.targets import Costs
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import REDUCTIONS, AxisMap, Elementwise, IndexMap, Length, Python, Region

# Additions that an operation costs for each element, or combination of elements of its operands.
_OPERATION = 32
_EACH_ELEMENT = (Elementwise, *REDUCTIONS, Length, AxisMap, IndexMap)


def is_brief(node: Apply, graph: FunctionGraph, costs: Costs) -> bool:
    """Return whether all iterations of a loop take less time than the host is asked after.

    The numbers of iterations and elements are known then.

    Parameters
    ----------
    node
        The node of an op that runs a graph in a loop; its first input is the number of iterations.
    graph
        The graph, rewritten.
    costs
        What is a short time.
    """
    steps = node.inputs[0]
    if not isinstance(steps, Constant):
        return False
    work = 0
    for inner in graph.nodes:
        if isinstance(inner.op.lowering, (Python, Region)):
            return False
        sizes = [_size(variable) for variable in (*inner.inputs, *inner.outputs)]
        if None in sizes:
            return False
        counts = [max(size, 1) for size in sizes if size is not None]
        each = isinstance(inner.op.lowering, _EACH_ELEMENT)
        work += _OPERATION * (max(counts) if each else prod(counts))
    return int(steps.data) * work < costs.alone


def _size(variable: Any) -> int | None:
    """Return how many elements a variable has, or None."""
    shape = getattr(variable.type, "shape", ())
    return None if None in shape else prod(shape)
