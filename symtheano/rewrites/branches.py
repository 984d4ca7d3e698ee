"""What only a branch of ``ifelse`` needs moves into the branch, before all rules.

Nodes that every call needs stay where they are. The others go into the graphs of
:class:`~symtheano.loops.branch.Branch`. Choices by the same condition, of which none needs another
one, become one op, so that they share what they compute. What several branches need that do not
become one is in each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from symtheano.graph.arms import CONDITION, arms_of, boundary, has_arms, needed
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.loops.branch import Branch
from symtheano.rewrites.lengths import Lengths
from symtheano.tensor.basic import constant
from symtheano.tensor.shapes.shape import Shape_i

_Truth = Callable[[Variable], bool | None]
_Pair = tuple[Variable, Variable, Variable]


def with_branches(graph: FunctionGraph) -> FunctionGraph:
    """Return a graph in which choices have graphs of their own.

    Examples
    --------
    >>> from symtheano.ifelse import ifelse
    >>> x, c = T.dvector("x"), T.dscalar("c")
    >>> graph = with_branches(FunctionGraph([x, c], [ifelse(c, T.exp(x), x)]))
    >>> (node,) = [node for node in graph.nodes if isinstance(node.op, Branch)]
    >>> [len(branch.nodes) for branch in node.op.branches]
    [1, 0]
    """
    if not has_arms(graph.nodes):
        return graph
    outputs = _decided(_with_lengths(graph), (), _constant_truth)
    interned = FunctionGraph(graph.inputs, outputs, graph.interner, graph.required)
    outside = needed(interned.outputs) - _cheap(interned.nodes)
    memo: dict[Variable, Variable] = {}
    for nodes in _grouped(interned.nodes, outside):
        if nodes[0].op.has_arms:
            _choose(nodes, outside, memo)
            continue
        (node,) = nodes
        inputs = [memo.get(item, item) for item in node.inputs]
        if inputs != node.inputs:
            memo.update(zip(node.outputs, node.clone_with_new_inputs(inputs).outputs, strict=True))
    moved = [memo.get(item, item) for item in interned.outputs]
    return FunctionGraph(graph.inputs, moved, graph.interner, graph.required)


def _constant_truth(condition: Variable) -> bool | None:
    return bool(condition.data) if isinstance(condition, Constant) else None


def _with_lengths(graph: FunctionGraph) -> list[Variable]:
    """Return the outputs of a graph that asks no array for its length that can be told.

    Otherwise an array would be needed for its length.
    """
    lengths, memo = Lengths(graph.interner), dict[Variable, Variable]()
    for node in graph.nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        rebuilt = node if inputs == node.inputs else graph.interner.apply(node, inputs)
        memo.update(zip(node.outputs, rebuilt.outputs, strict=True))
        lengths.infer(rebuilt)
        if isinstance(node.op, Shape_i):
            length = lengths.of(inputs[0])[node.op.axis]
            told = constant(length, dtype="int64") if isinstance(length, int) else length
            memo[node.outputs[0]] = graph.interner.variable(told)
    return [memo.get(item, item) for item in graph.outputs]


def _cheap(nodes: Sequence[Apply]) -> set[Variable]:
    """Return constants, lengths of arrays, and what they are combined to: an arm has its own."""
    cheap: set[Variable] = set()
    for node in nodes:
        plain = all(isinstance(item, Constant) or item in cheap for item in node.inputs)
        if isinstance(node.op, Shape_i) or (plain and not node.op.has_arms):
            cheap.update(node.outputs)
    return cheap


def _decided(
    outputs: Sequence[Variable], stop: Collection[Variable], truth: _Truth
) -> list[Variable]:
    """Return outputs with the branches that are surely taken in the place of choices."""
    memo: dict[Variable, Variable] = {}
    for node in toposort(outputs, stop):
        decided = truth(node.inputs[CONDITION]) if node.op.has_arms else None
        if decided is not None:
            taken = arms_of(node)[0 if decided else 1]
            results = [memo.get(item, item) for item in taken]
        else:
            inputs = [memo.get(item, item) for item in node.inputs]
            if inputs == node.inputs:
                continue
            results = node.clone_with_new_inputs(inputs).outputs
        memo.update(zip(node.outputs, results, strict=True))
    return [memo.get(item, item) for item in outputs]


def _grouped(nodes: Sequence[Apply], outside: Collection[Variable]) -> Iterable[list[Apply]]:
    """Return the nodes that every call needs in order; choices that become one op are together.

    They have the same condition, and the same number of choices on the longest way to them, so
    none of them needs another one.
    """
    depth: dict[Apply, int] = {}
    groups: dict[tuple[int, int, Variable | Apply], list[Apply]] = {}
    for node in nodes:
        below = [depth[item.owner] for item in node.inputs if item.owner is not None]
        has_arms = node.op.has_arms
        depth[node] = max(below, default=0) + has_arms
        if not outside.isdisjoint(node.outputs):  # type: ignore[attr-defined]
            own = node.inputs[CONDITION] if has_arms else node
            groups.setdefault((depth[node], not has_arms, own), []).append(node)
    return [groups[key] for key in sorted(groups, key=lambda key: key[:2])]


def _choose(
    nodes: Sequence[Apply], outside: Collection[Variable], memo: dict[Variable, Variable]
) -> None:
    """Make a branch of choices by one condition, and note its results."""
    pairs: list[_Pair] = []
    for node in nodes:
        for output, one, other in zip(node.outputs, *arms_of(node), strict=True):
            if one is other:
                memo[output] = memo.get(one, one)
            elif output in outside:
                pairs.append((output, one, other))
    if not pairs:
        return
    condition, first = nodes[0].inputs[CONDITION], nodes[0]
    arms = [
        _decided([pair[side] for pair in pairs], outside, _same(condition, side == 1))
        for side in (1, 2)
    ]
    captured = [
        item
        for item in dict.fromkeys(v for arm in arms for v in boundary(arm, outside))
        if not isinstance(item, Constant)
    ]
    twins = {item: item.type.make_variable(item.name) for item in captured}
    op = Branch([_graph_of(arm, twins) for arm in arms], getattr(first.op, "name", None))
    with origin_scope(first.origin):
        inputs = [memo.get(item, item) for item in (condition, *captured)]
        results = op(*inputs, return_list=True)
    for (output, _, _), result in zip(pairs, results, strict=True):
        result.name = output.name
        memo[output] = result


def _same(condition: Variable, value: bool) -> _Truth:
    """Return what is known of conditions in a branch."""
    return lambda other: value if other is condition else _constant_truth(other)


def _graph_of(arm: Sequence[Variable], twins: Mapping[Variable, Variable]) -> FunctionGraph:
    return with_branches(FunctionGraph([*twins.values()], replace(arm, twins)))
