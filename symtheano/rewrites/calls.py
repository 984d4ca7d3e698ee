"""Graphs that a function uses several times become functions in C.

An op that is made of a graph is replaced by the graph, which is then fused with what is around.
Where a graph with products, loops or other costly ops is used several times, it is a
:class:`~symtheano.loops.graph_call.GraphCall` instead, unless another node uses what is computed
inside: a gradient needs the values inside, and would compute them again.
"""

from __future__ import annotations

from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.loops.graph_call import GraphCall
from symtheano.lowering import CALLS
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.type import TensorType


def with_calls(graph: FunctionGraph) -> FunctionGraph:
    """Return a graph in which ops that are made of graphs are calls of these, or replaced by them.

    Examples
    --------
    >>> from symtheano.graph.interner import Interner
    >>> x, w = T.dvector("x"), T.dmatrix("w")
    >>> layer = OpFromGraph([x, w], [T.tanh(T.dot(w, x))])
    >>> graph = FunctionGraph([x, w], [layer(layer(x, w), w)], Interner(keeps_graphs=True))
    >>> [str(node.op) for node in with_calls(graph).nodes]
    ['GraphCall', 'GraphCall']
    """
    flat = graph.inlined()
    if flat is graph:
        return graph
    calls = _calls(graph, flat)
    if not calls:
        return flat
    ops: dict[OpFromGraph, GraphCall] = {}
    memo: dict[Variable, Variable] = {}
    for node in graph.nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        if node in calls:
            op = calls[node]
            if op not in ops:
                ops[op] = GraphCall([FunctionGraph([*op.inputs, *op.shared], op.outputs)], op.name)
            with origin_scope(node.origin):
                results = ops[op](*inputs, return_list=True)
            memo.update(zip(node.outputs, results, strict=True))
        elif inputs != node.inputs:
            memo.update(zip(node.outputs, node.clone_with_new_inputs(inputs).outputs, strict=True))
    outputs = [memo.get(item, item) for item in graph.outputs]
    return FunctionGraph(graph.inputs, outputs, None, graph.required)


def _calls(graph: FunctionGraph, flat: FunctionGraph) -> dict[Apply, OpFromGraph]:
    """Return the nodes that become calls, with their ops."""
    uses: dict[OpFromGraph, list[Apply]] = {}
    for node in graph.nodes:
        if isinstance(node.op, OpFromGraph) and not node.op.is_inline and _is_costly(node.op):
            uses.setdefault(node.op, []).append(node)
    closed = {
        op: [node for node in nodes if _is_closed(node, flat)]
        for op, nodes in uses.items()
        if len(nodes) > 1
    }
    return {node: op for op, nodes in closed.items() if len(nodes) > 1 for node in nodes}


def _is_costly(op: OpFromGraph) -> bool:
    """Return whether a graph of arrays does work that is not fused with what is around."""
    nodes = toposort(op.outputs)
    items = [*op.inputs, *op.shared, *(item for node in nodes for item in node.outputs)]
    if not all(isinstance(item.type, TensorType) for item in items):
        return False
    return any(isinstance(node.op.lowering, CALLS) for node in nodes)


def _is_closed(node: Apply, flat: FunctionGraph) -> bool:
    """Return whether nothing uses what is computed inside of an op, when it is replaced."""
    outputs = flat.interner.intern(node.outputs)
    inner = toposort(outputs, flat.interner.intern(node.inputs))
    if not inner:
        return False
    own, results, clients = set(inner), set(outputs), flat.clients()
    return all(
        user in own
        for item in (output for each in inner for output in each.outputs)
        if item not in results
        for user, _ in clients.get(item, ())
    )
