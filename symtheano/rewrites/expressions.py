"""Expressions of lengths, integers and checks of a graph, in normal form.

Lengths come from the ops' ``infer_shape`` as expressions, and are rewritten like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from symtheano.dataclass import dataclass
from symtheano.graph.final import Check, Lengths as Numbers
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Requirement
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.lowering import Length, Region
from symtheano.rewrites.asked import Answer, Asked, always
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.fixed import fixed_lengths
from symtheano.rewrites.lengths import Lengths
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.variable import Dim, Tensor

# The condition, the values and what is equal.
_Asked = tuple[Apply, Requirement, list[Answer]]

Fixed = Mapping[tuple[Tensor, int], int]
"""Lengths of inputs that are numbers, by axis."""


@dataclass(frozen=True, eq=False)
class Expressions:
    """The lengths, integers and checks of a graph; see :class:`.FinalGraph`.

    Attributes
    ----------
    lengths, integers, checks
        Those of the graph.
    regions
        The nodes whose ops have graphs inside, also of nodes that only these expressions need.
    """

    lengths: Mapping[Tensor, Numbers]
    integers: Mapping[Apply, Numbers]
    checks: tuple[Check, ...]
    regions: tuple[Apply, ...]


def expressions_of(
    graph: FunctionGraph,
    rewriter: Rewriter,
    fixed: Fixed = MappingProxyType({}),
    late: frozenset[Tensor] = frozenset(),
    required: Sequence[tuple[Apply, Requirement]] = (),
    unused: frozenset[Tensor] = frozenset(),
) -> Expressions:
    """Return the lengths, integers and checks of a graph in normal form.

    All those of the graph are rewritten in one run. A condition may need work on arrays that the
    graph does not do, such as a part of an array: that has lengths and conditions of its own.

    Parameters
    ----------
    graph
        The graph, rewritten.
    rewriter
        Rewrites the expressions.
    fixed
        Lengths of inputs that are known to be numbers.
    late
        Inputs whose lengths are only known after some work of the region around: no requirement
        makes them numbers.
    required
        What is required beside what the nodes require.
    unused
        Inputs whose lengths nothing needs to know.

    Examples
    --------
    >>> from symtheano.rewrites.library import default_rules
    >>> x, v = T.matrix("x"), T.TensorType("float64", (5,))("v")
    >>> graph = FunctionGraph([x, v], [T.exp(x + v)[:, 1:3]])
    >>> expressions = expressions_of(graph, Rewriter(default_rules()))
    >>> rows, columns = expressions.lengths[graph.outputs[0]]
    >>> rows is expressions.lengths[x][0], columns
    (True, 2)
    >>> [check.equal[1] for check in expressions.checks]
    [5]
    """
    return _Collection(graph, rewriter, fixed, late).expressions(required, unused)


class _Collection:
    """What is collected of a graph, and rewritten."""

    def __init__(
        self, graph: FunctionGraph, rewriter: Rewriter, fixed: Fixed, late: frozenset[Tensor]
    ) -> None:
        self._graph, self._rewriter, self._late = graph, rewriter, late
        self._inferred = Lengths(graph.interner)
        self._raw: dict[Tensor, tuple[Dim, ...]] = {}
        self._raw_integers: dict[Apply, list[Dim]] = {}
        self._regions: dict[Apply, None] = {}
        self._runs: list[Asked] = []
        self._computed = [
            cast(Tensor, output)
            for node in graph.nodes
            if not node.op.infers_shape
            for output in node.outputs
            if getattr(output, "ndim", 0)
        ]
        self._number_of: dict[Tensor, int] = {
            length: number
            for (variable, axis), number in fixed.items()
            if not isinstance(length := self._inferred.of(variable)[axis], int)
        }

    def expressions(
        self, more: Sequence[tuple[Apply, Requirement]], unused: frozenset[Tensor]
    ) -> Expressions:
        """Return everything in normal form."""
        lengths: dict[Tensor, list[Answer]] = {}
        integers: dict[Apply, list[Answer]] = {}
        checks: list[_Asked] = []
        nodes: Sequence[Apply] = self._graph.nodes
        lost = self._graph.required
        while nodes or lost or more:
            required = [*lost, *self._collect(nodes), *more]
            lost = more = ()
            run = Asked(self._rewriter, self._graph.interner, self._computed)
            self._runs.append(run)
            ask = run.ask
            lengths |= {v: [ask(d) for d in raw] for v, raw in self._raw.items()
                        if v not in lengths and v.owner is not None}  # fmt: skip
            integers |= {
                node: [ask(item) for item in self._raw_integers[node]]
                for node in nodes
                if node in self._raw_integers
            }
            checks += [
                (node, r, [ask(item) for item in (r.condition, *r.values, *(r.equal or ()))])
                for node, r in required
            ]
            nodes = self._not_collected(run.rewrite(self._number_of))
        self._fix_lengths(checks)
        for variable in (*self._graph.inputs, *self._graph.outputs):
            if variable not in unused:
                self._raw_shape(variable)
        return Expressions(
            MappingProxyType(
                {
                    variable: tuple([answer() for answer in lengths[variable]])
                    if variable in lengths
                    else raw
                    for variable, raw in self._raw.items()
                }
            ),
            MappingProxyType(
                {
                    node: tuple([answer() for answer in answers])
                    for node, answers in integers.items()
                }
            ),
            tuple(check for item in checks if (check := _check(*item)) is not None),
            tuple(self._regions),
        )

    def _collect(self, nodes: Sequence[Apply]) -> list[tuple[Apply, Requirement]]:
        """Collect lengths and integers of nodes; return their requirements."""
        required = []
        for node in nodes:
            if node.op.region is not None or node.op.branches:
                self._regions[node] = None
            shapes = [self._raw_shape(item) for item in node.inputs]
            if not all(hasattr(item, "ndim") for item in (*node.inputs, *node.outputs)):
                continue
            self._infer(node)
            with origin_scope(node.origin):
                required += [(node, r) for r in node.op.requirements(node, shapes)]
                needed = node.op.lowering.scalars(node.op, node, shapes)
            if needed:
                self._raw_integers[node] = [self._inferred.interned(item) for item in needed]
        return required

    def _infer(self, node: Apply) -> None:
        self._inferred.infer(node)
        self._raw.update((output, self._inferred.of(output)) for output in node.outputs)

    def _raw_shape(self, variable: Tensor) -> tuple[Dim, ...]:
        shape = self._raw.get(variable)
        if shape is None:
            shape = self._inferred.of(variable)
            if hasattr(variable, "ndim"):
                self._raw[variable] = shape
        return shape

    def _not_collected(self, expressions: Sequence[Tensor]) -> list[Apply]:
        """Return the nodes of expressions that compute with arrays and are not in the graph."""
        return [
            node
            for node in toposort(expressions, self._raw.keys())
            if isinstance(node.op.lowering, Region)
            or (
                any(getattr(item, "ndim", 0) for item in (*node.inputs, *node.outputs))
                and node.op.lowering.reads_elements
            )
        ]

    def _fix_lengths(self, checks: list[_Asked]) -> None:
        """Simplify everything for lengths of inputs that checks require to be numbers.

        The checks that say so keep their conditions.
        """
        while True:
            pairs = [[answer() for answer in answers[1 + len(r.values) :]] or None
                     for _, r, answers in checks]  # fmt: skip
            fixed, saying = fixed_lengths(pairs, self._is_own_length)
            if fixed.keys() <= self._number_of.keys():
                return
            for k in saying:
                node, r, answers = checks[k]
                checks[k] = (node, r, [always(answer()) for answer in answers])
            self._number_of |= fixed
            for run in self._runs:
                for node in self._not_collected(run.rewrite(self._number_of)):
                    self._collect([node])

    def _is_own_length(self, value: Tensor) -> bool:
        """Return whether a number is the length of an input that is known at once."""
        node = value.owner
        if node is None or not isinstance(node.op.lowering, Length):
            return False
        return node.inputs[0].owner is None and node.inputs[0] not in self._late


def _check(node: Apply, requirement: Requirement, answers: Sequence[Answer]) -> Check | None:
    """Return a check, or None if it is known to hold."""
    first, *others = (answer() for answer in answers)  # a bool if it is known
    condition = as_tensor_variable(first) if isinstance(first, int) else first
    if isinstance(condition, Constant) and bool(condition.data):
        return None
    count = len(requirement.values)
    values, equal = tuple(others[:count]), tuple(others[count:])
    return Check(node, requirement, cast(Variable, condition), values, equal or None)
