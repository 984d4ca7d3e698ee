"""Optimizers that a program written for Theano registers, as rules beside our own.

An optimizer of nodes is a rule about nodes: it is tried in its phase wherever our own rules are. An
optimizer of graphs is a rule about graphs: it gets a copy of the graph that it can change, once, at
the beginning of a phase.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import leaves, replace, toposort
from symtheano.rewrites.rule import Context, OfStep, Phase, Replacement, Rule, name_of
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import Elemwise

_PHASE_ENDS: tuple[tuple[float, Phase], ...] = (
    (1.0, "canonicalize"),
    (1.5, "stabilize"),
    (2.0, "specialize"),
    (float("inf"), "blas"),
)
"""The last of Theano's positions that belongs to a phase."""


def phase_at(position: float) -> Phase:
    """Return the phase at whose beginning an optimizer of graphs runs, by Theano's position.

    Examples
    --------
    >>> phase_at(0.5), phase_at(1.2), phase_at(75)
    ('canonicalize', 'stabilize', 'blas')
    """
    return next(phase for end, phase in _PHASE_ENDS if position <= end)


def node_rule(
    name: str,
    phase: Phase,
    tracks: Iterable[Any] | None,
    transform: Callable[[Apply], Sequence[Variable | None] | None],
    text: str,
) -> Rule:
    """Return the rule that a function of a node is.

    Parameters
    ----------
    name, phase
        Its name, and when it runs.
    tracks
        Ops or classes of ops to which it applies; None for any.
    transform
        Function that returns the new outputs, or None.
    text
        Its reason.
    """
    names = () if tracks is None else tuple({name_of(_kind(item)): None for item in tracks})

    def apply(node: Apply, context: Context) -> Replacement:
        tell_clients(node, context)
        return transform(node)

    return Rule(name, phase, __name__, names).defined(text, apply)


def _kind(track: Any) -> ScalarOp | type:
    """Return the kind of nodes that apply an op, or an op of a class."""
    if isinstance(track, type):
        return track
    return track.scalar_op if isinstance(track, Elemwise) else type(track)


def tell_clients(node: Apply, context: Context) -> None:
    """Set the attribute ``clients`` of the variables near a node, which Theano's programs read."""
    near = [*node.outputs, *node.inputs]
    near += [
        item for other in node.inputs if other.owner is not None for item in other.owner.inputs
    ]
    for item in near:
        if not isinstance(item, Constant):
            readers = context.readers(item)
            item.clients = [(_reader(reader), place) for reader, place in _places(readers, item)]


def _reader(node: Apply | None) -> Apply | str:
    return "output" if node is None else node


def _places(readers: Sequence[Apply | None], variable: Variable) -> list[tuple[Apply | None, int]]:
    """Return the users of a variable with the position at which they use it."""
    return [
        (node, 0 if node is None or variable not in node.inputs else node.inputs.index(variable))
        for node in readers
    ]


def graph_rule(
    name: str,
    phase: Phase,
    optimize: Callable[[Any], Any],
    make_graph: Callable[[list[Variable], list[Variable]], Any],
    conform: Callable[[Variable, Variable], Variable | None],
    text: str,
) -> Rule:
    """Return the rule that a function is which changes graphs.

    Parameters
    ----------
    name, phase
        Its name, and at the beginning of which phase it runs.
    optimize
        Function that changes a graph.
    make_graph
        Function that makes a graph that can be changed from copies of inputs and outputs.
    conform
        Function that returns a new output with the type of an old one, or None.
    text
        Its reason.
    """

    def whole(
        nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
    ) -> Mapping[Variable, Variable]:
        computed = [item for node in nodes for item in node.outputs if item in outputs]
        sources = [item for item in leaves(computed) if not isinstance(item, Constant)]
        copies = [_copy(item) for item in sources]
        copied = _copied(computed, dict(zip(sources, copies, strict=True)))
        graph = make_graph(copies, copied)
        optimize(graph)
        back = dict(zip(graph.inputs, sources, strict=False))
        results = replace(list(graph.outputs), back)
        new = {}
        for old, result in zip(computed, results, strict=True):
            fitting = conform(old, result)
            if fitting is not None:
                new[old] = fitting
        return new

    def never(node: Apply, context: Context) -> Replacement:
        return None

    made = Rule(name, phase, __name__, takes_graph=True)
    return made.defined(text, never, whole=whole)


def _copy(variable: Variable) -> Variable:
    twin = variable.clone()
    twin.owner = twin.index = None
    return twin


def _copied(outputs: Sequence[Variable], copies: dict[Variable, Variable]) -> list[Variable]:
    """Return copies of expressions, no node of which is shared with them."""
    memo: dict[Variable, Variable] = dict(copies)
    for node in toposort(outputs):
        for item in node.inputs:
            if item not in memo:
                memo[item] = item.clone()  # a constant
        new = node.clone_with_new_inputs([memo[item] for item in node.inputs])
        memo.update(zip(node.outputs, new.outputs, strict=True))
    return [memo[item] for item in outputs]
