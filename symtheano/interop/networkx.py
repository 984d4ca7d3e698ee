"""to_networkx: converts a graph to networkx, with attributes for algorithms and drawings."""

from __future__ import annotations

from typing import Any

from symtheano.extras import needed
from symtheano.graph.variable import Variable
from symtheano.graph.walk import toposort
from symtheano.printing.graph import as_printed, kind_of


def to_networkx(x: Any) -> Any:
    """Return a graph as a ``networkx.MultiDiGraph``: edges lead from operands to ops.

    The nodes are variables without an owner, and applications of ops, numbered in topological
    order. Their attributes are:

    - ``kind``: ``"input"``, ``"shared"``, ``"constant"`` or ``"op"``;
    - ``label``: text to show, and ``object``: the variable or Apply itself;
    - ``type``, of a variable, or ``op``, the class of the op, of an Apply;
    - ``origin``: ``file.py:12``, the line of the program that wrote it, or None;
    - ``outputs``: positions among the graph's outputs, for each of the node's results.

    Those of edges are ``output`` and ``input``, the positions at their ends, and ``type``.
    Attributes of the graph are ``outputs``, a pair (node, output) for each, and ``updates``, which
    names the shared variable that each of the last outputs is stored in.

    Parameters
    ----------
    x
        A variable, a node, a list of them, a FunctionGraph, or a function, for which the rewritten
        graph is used.

    Raises
    ------
    ImportError
        If networkx is not installed (extra ``symbolic``).

    Examples
    --------
    >>> import networkx
    >>> x = T.dvector("x")
    >>> graph = to_networkx(T.exp(x) * x)
    >>> [graph.nodes[n]["label"] for n in networkx.topological_sort(graph)]
    ['x', 'Elemwise{exp,no_inplace}', 'Elemwise{mul,no_inplace}']
    """
    networkx = needed("networkx", "to_networkx", "symbolic")
    printed = as_printed(x)
    graph = networkx.MultiDiGraph()
    numbers: dict[Any, int] = {}

    def add(item: Any, **attributes: Any) -> None:
        numbers[item] = len(numbers)
        origin = item.origin.place if item.origin is not None else None
        graph.add_node(numbers[item], object=item, origin=origin, outputs=[], **attributes)

    def source(variable: Variable) -> tuple[int, int]:
        if variable.owner is not None:
            return numbers[variable.owner], int(variable.index or 0)
        if variable not in numbers:
            add(variable, kind=kind_of(variable), label=str(variable), type=str(variable.type))
        return numbers[variable], 0

    for node in toposort(printed.outputs):
        sources = [source(item) for item in node.inputs]
        add(node, kind="op", label=str(node.op), op=type(node.op).__name__)
        for position, ((start, output), item) in enumerate(zip(sources, node.inputs, strict=True)):
            graph.add_edge(start, numbers[node], output=output, input=position, type=str(item.type))
    outputs = [source(item) for item in printed.outputs]
    for position, (start, _) in enumerate(outputs):
        graph.nodes[start]["outputs"].append(position)
    graph.graph["outputs"] = outputs
    graph.graph["updates"] = {k: target.describe() for k, target in printed.updates.items()}
    return graph
