"""Arguments that all printers have."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from symtheano.errors import printable
from symtheano.function import Function
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import free_inputs
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.indexing.advanced import AdvancedSubtensor


@dataclass
class Printed:
    """A graph to print.

    Attributes
    ----------
    outputs
        The variables to print.
    order
        Positions of nodes in the execution order, if it is known.
    updates
        For outputs that become the new value of a shared variable, this variable.
    """

    outputs: list[Any]
    order: dict[Apply, int] = field(default_factory=dict)
    updates: dict[int, Any] = field(default_factory=dict)


def as_printed(subject: Any) -> Printed:
    """Return the graph of a variable, node, list of these, FunctionGraph or Function.

    Raises
    ------
    TypeError
        If ``subject`` is not one of these.
    """
    if isinstance(subject, Function):
        printed = as_printed(subject.graph)
        targets = [target for target, _ in subject.updates]
        first = len(printed.outputs) - len(targets)
        printed.updates = {first + k: target for k, target in enumerate(targets)}
        return printed
    # Graphs of Theano's programs can be changed, and are of another class.
    if isinstance(subject, FunctionGraph) or hasattr(subject, "replace_validate"):
        order = {node: position for position, node in enumerate(subject.toposort())}
        return Printed(list(subject.outputs), order)
    if isinstance(subject, Variable):
        return Printed([subject])
    if isinstance(subject, Apply):
        return Printed(list(subject.outputs))
    if isinstance(subject, list | tuple):
        parts = [as_printed(item) for item in subject]
        return Printed([output for part in parts for output in part.outputs])
    raise TypeError(
        f"can't print {subject!r} of type {type(subject).__name__}: not a variable, node, "
        "function, graph, or list of these"
    )


def traced(variable: Any) -> Any:
    """Return the matrix if a variable is the trace of a matrix, else None."""
    from symtheano.tensor.creation.diagonals import TakeDiagonal
    from symtheano.tensor.linalg.products import trace

    op, below = variable.owner.op, variable.owner.inputs[0].owner
    if (
        op.scalar_name != "add"
        or below is None
        or not isinstance(below.op, AdvancedSubtensor | TakeDiagonal)
    ):
        return None
    x = below.inputs[0]
    if x.type.ndim != 2 or variable.type.ndim:
        return None
    return x if is_one_of(variable, trace(x), x.diagonal().sum()) else None


def is_one_of(variable: Any, *forms: Any) -> bool:
    """Return whether a variable is computed in the same way as one of the others."""
    expressions = [variable, *forms]
    first, *others = FunctionGraph(free_inputs(expressions), expressions).outputs
    return any(first is other for other in others)


def deliver(text: str, file: Any) -> str | None:
    """Return the text if ``file`` is ``"str"``, otherwise write it to a file, by default stdout.

    Control characters in names are escaped.
    """
    text = printable(text)
    if file == "str":
        return text
    print(text, file=sys.stdout if file is None else file)
    return None


class InnerGraph(NamedTuple):
    """A graph that an op runs.

    Attributes
    ----------
    title
        When it runs, or empty.
    outputs
        The variables that it computes.
    outer
        For each input of the graph, the input of the op from which it comes.
    """

    title: str
    outputs: Sequence[Variable]
    outer: Mapping[Variable, Variable]


def inner_graphs(node: Apply) -> list[InnerGraph]:
    """Return the graphs that an op runs: a loop, a choice, or an op made from a graph."""
    op: Any = node.op
    if op.region is not None:
        pairs = zip(op.region.inputs[1:], op.sources()[1:], strict=True)
        outer = {inner: node.inputs[source.number] for inner, source in pairs}
        return [InnerGraph("", op.region.outputs, outer)]
    if op.branches:
        titles = ("if", "else") if len(op.branches) > 1 else ("",)
        return [
            InnerGraph(
                title,
                graph.outputs,
                dict(zip(graph.inputs, node.inputs[len(node.inputs) - len(graph.inputs) :],
                         strict=True)),
            )
            for title, graph in zip(titles, op.branches, strict=True)
        ]  # fmt: skip
    if isinstance(op, OpFromGraph):
        outer = dict(zip([*op.inputs, *op.shared], node.inputs, strict=True))
        return [InnerGraph("", op.outputs, outer)]
    return []


def kind_of(variable: Variable) -> str:
    """Return what a variable without an owner is: ``shared``, ``constant`` or ``input``.

    Examples
    --------
    >>> kind_of(T.dscalar("x")), kind_of(T.constant(1.0))
    ('input', 'constant')
    """
    if isinstance(variable, SharedVariable):
        return "shared"
    return "constant" if isinstance(variable, Constant) else "input"
