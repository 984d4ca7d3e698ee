"""From a rewritten graph to a final one: its expressions, and the graphs of loops and branches.

These are rewritten here, once for each op, because what is known around an op simplifies them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from symtheano.graph.final import NOTHING_LATE, FinalGraph, Late
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply
from symtheano.graph.walk import ancestors, toposort
from symtheano.lowering import Element, Elementwise
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.expressions import Expressions, Fixed, expressions_of
from symtheano.tensor.shapes.shape import as_dims, shape_of
from symtheano.tensor.variable import Dim, Tensor

if TYPE_CHECKING:
    from symtheano.loops.scan_op import Scan


def final_graph(graph: FunctionGraph, rewriter: Rewriter) -> FinalGraph:
    """Return a rewritten graph with its expressions, and with the graphs inside of its ops.

    Parameters
    ----------
    graph
        The graph, rewritten.
    rewriter
        Rewrites expressions and inner graphs.

    Examples
    --------
    >>> from symtheano import scan
    >>> from symtheano.rewrites.library import default_rules
    >>> x, rewriter = T.matrix("x"), Rewriter(default_rules())
    >>> sums, _ = scan(lambda row, total: row * 1 + total, x, T.zeros((3,)))
    >>> final = final_graph(rewriter.rewrite(FunctionGraph([x], [sums])), rewriter)
    >>> ((inner,),) = final.inner.values()
    >>> inner.lengths[inner.graph.outputs[0]]
    (3,)
    """
    return _final(graph, expressions_of(graph, rewriter), rewriter, NOTHING_LATE)


def _final(
    graph: FunctionGraph, expressions: Expressions, rewriter: Rewriter, late: Late
) -> FinalGraph:
    around = _Around(expressions, late)
    inner: dict[Apply, tuple[FinalGraph, ...]] = {}
    for node in expressions.regions:
        if node.op.region is not None:
            inner[node] = (_of_loop(node, around, rewriter),)
        else:
            inner[node] = _of_branches(node, around, rewriter)
    return FinalGraph(
        graph,
        expressions.lengths,
        expressions.integers,
        expressions.checks,
        MappingProxyType(inner),
        late,
    )


def _of_loop(node: Apply, around: _Around, rewriter: Rewriter) -> FinalGraph:
    """Return the graph of a loop."""
    from symtheano.loops.kept_lengths import kept_lengths
    from symtheano.loops.layout import fixed_inputs

    loop = cast("Scan", node.op)
    graph, sources = rewriter.rewrite(loop.region), loop.sources()
    fixed = fixed_inputs(sources, loop.carried())
    late = Late(
        frozenset(
            inner
            for inner, number in zip(graph.inputs, fixed, strict=True)
            if not inner.ndim and (number is None or not around.knows(node.inputs[number]))
        ),
        frozenset(inner for inner in graph.inputs if inner.ndim),
    )
    outer = [around.lengths(node.inputs[source.number])[int(source.is_row) :] for source in sources]
    numbers = _numbers(graph, outer)
    lengths = [shape_of(output) for output in graph.outputs]
    required = [(node, requirement) for requirement in kept_lengths(node, graph, lengths)]
    expressions = expressions_of(graph, rewriter, numbers, late.inputs, required)
    checked = _with_lengths_of_states(node, graph, _Around(expressions, late))
    if checked is not graph:
        graph, expressions = checked, expressions_of(checked, rewriter, numbers, late.inputs)
    return _final(graph, expressions, rewriter, late)


def _of_branches(node: Apply, around: _Around, rewriter: Rewriter) -> tuple[FinalGraph, ...]:
    """Return the graphs of an op that runs one of them."""
    first = len(node.inputs) - len(node.op.branches[0].inputs)
    outer = node.inputs[first:]
    lengths = [around.lengths(item) for item in outer]
    finals = []
    for branch in node.op.branches:
        graph = rewriter.rewrite(branch)
        late = Late(
            frozenset(
                inner
                for inner, item in zip(graph.inputs, outer, strict=True)
                if not (around.knows_lengths(item) if item.ndim else around.knows(item))
            ),
            frozenset(inner for inner in graph.inputs if inner.ndim),
        )
        expressions = expressions_of(
            graph, rewriter, _numbers(graph, lengths), late.inputs, unused=_unused(graph)
        )
        finals.append(_final(graph, expressions, rewriter, late))
    return tuple(finals)


def _unused(graph: FunctionGraph) -> frozenset[Tensor]:
    """Return the inputs that a graph does not use: only other branches may."""
    required = [item for _, requirement in graph.required for item in requirement.variables]
    return frozenset(graph.inputs).difference(ancestors([*graph.outputs, *required]))


def _numbers(graph: FunctionGraph, lengths: Sequence[Sequence[Dim]]) -> Fixed:
    """Return which lengths of a graph's inputs are numbers."""
    return {
        (variable, axis): length
        for variable, dims in zip(graph.inputs, lengths, strict=True)
        for axis, length in enumerate(dims)
        if isinstance(length, int)
    }


def _with_lengths_of_states(node: Apply, graph: FunctionGraph, inside: _Around) -> FunctionGraph:
    """Return a loop's graph with checks of states whose lengths depend on values.

    Such a state has the lengths that it had before the iteration.
    """
    from symtheano.loops.kept_lengths import changed_length
    from symtheano.tensor.shapes.same_shape import SameShape

    outputs = list(graph.outputs)
    for number, same in enumerate(cast("Scan", node.op).same_types()):
        output = outputs[number]
        if same is not None and not inside.knows_lengths(output):
            message = partial(changed_length, node)
            outputs[number] = SameShape(message)(output, *as_dims(shape_of(graph.inputs[same])))
    return graph if outputs == list(graph.outputs) else graph.with_outputs(outputs)


class _Around:
    """What is known of the values of a graph: lengths, and what follows from inputs at once.

    Parameters
    ----------
    expressions
        Those of the graph.
    late
        What is known late.
    """

    def __init__(self, expressions: Expressions, late: Late) -> None:
        self._expressions, self._late = expressions, late
        self._is_known: dict[Tensor, bool] = {}

    def lengths(self, variable: Tensor) -> tuple[Dim, ...]:
        """Return the lengths of an array."""
        return self._expressions.lengths.get(variable, ())

    def knows(self, value: Dim) -> bool:
        """Return whether a number follows from the inputs without work."""
        if isinstance(value, int):
            return True
        for node in toposort([value], self._is_known.keys()):
            computed = node.op.lowering.reads_elements
            is_known = self._is_computed(node) if computed else self._is_told(node)
            self._is_known.update(dict.fromkeys(node.outputs, is_known))
        return self._is_there(value)

    def _is_there(self, value: Tensor) -> bool:
        if value.owner is None:
            return value not in self._late.inputs and value not in self._late.elements
        return self._is_known[value]

    def _is_told(self, node: Apply) -> bool:
        """Return whether the length of an operand is known."""
        operand = node.inputs[0]
        if operand.owner is None:
            return operand not in self._late.inputs
        lengths = self.lengths(operand) if operand.owner.op.infers_shape else ()
        return all(isinstance(d, int) or self._is_known.get(d, False) for d in lengths) and bool(
            lengths
        )

    def _is_computed(self, node: Apply) -> bool:
        """Return whether a result is a number, or a view, that is known with the operands."""
        unit = all(length == 1 for output in node.outputs for length in output.type.shape)
        numbers = unit and isinstance(node.op.lowering, (Elementwise, Element))
        return (node.op.lowering.is_view or numbers) and all(map(self._is_there, node.inputs))

    def knows_lengths(self, variable: Tensor) -> bool:
        """Return whether the lengths of an array are known without work, or are checked to be."""
        return all(
            self.knows(length) or self._is_checked(variable, length)
            for length in self.lengths(variable)
        )

    def _is_checked(self, variable: Tensor, length: Dim) -> bool:
        """Return whether a check before an array is made says that a length is a known one."""
        equal = [check for check in self._expressions.checks if length in (check.equal or ())]
        before = {item.owner for item in ancestors([variable])} if equal else set()
        return any(
            check.node in before
            and all(other is length or self.knows(other) for other in check.equal or ())
            for check in equal
        )
