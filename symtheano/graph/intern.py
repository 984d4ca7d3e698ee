"""FunctionGraph: the immutable, hash-consed form of a graph. Equal computations are one node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.interner import Interner
from symtheano.graph.op import Op, Requirement
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import clients, free_inputs, toposort


class FunctionGraph:
    """Inputs, outputs and the interned nodes between them. Immutable.

    Parameters
    ----------
    inputs
        The variables whose values a call provides, including shared variables.
    outputs
        The expressions to compute.
    interner
        The owner of the nodes; the graphs of one rewriting share one.
    required
        Nodes that rewriting has removed, with the requirements that calls must still meet.

    Examples
    --------
    >>> x = T.vector("x")
    >>> len(FunctionGraph([x], [T.exp(x) + T.exp(x)]).nodes)
    2
    """

    def __init__(
        self,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        interner: Interner | None = None,
        required: Sequence[tuple[Apply, Requirement]] = (),
    ) -> None:
        self.interner = interner if interner is not None else Interner()
        self.inputs: tuple[Any, ...] = tuple(inputs)
        self.outputs: tuple[Any, ...] = tuple(self.interner.intern(outputs))
        self.nodes: tuple[Apply, ...] = tuple(toposort(self.outputs, self.inputs))
        self.required = tuple(required)

    def to_json(self, values: bool = False, origins: bool = True) -> str:
        """Return the graph as JSON, with one node per line; ``docs/json.md`` describes the format.

        Parameters
        ----------
        values
            Also write the values of shared variables, which are otherwise read as inputs.
        origins
            Also write the origin of each node: file, line and function.

        Raises
        ------
        TypeError
            If an op does not declare its fields, or they are not plain data.

        Examples
        --------
        >>> x = T.vector("x")
        >>> text = FunctionGraph([x], [T.exp(x)]).to_json()
        >>> FunctionGraph.from_json(text).outputs[0].owner.op == T.exp(x).owner.op
        True
        """
        from symtheano.graph.json import write_json

        whole = self.with_required().inlined()
        return write_json(
            whole.inputs, whole.missing(), whole.nodes, whole.outputs, values, origins
        )

    @staticmethod
    def from_json(text: str, ops: Sequence[type[Op]] = ()) -> FunctionGraph:
        """Return the graph that :meth:`to_json` wrote.

        No code from the text is executed. The text may contain ops of this package and those in
        ``ops``. They are constructed from plain data.

        Raises
        ------
        ValueError
            If the text is not a valid graph, or contains any other op.
        """
        from symtheano.graph.json import read_json

        return read_json(text, ops, FunctionGraph)

    def __reduce__(self) -> tuple[object, ...]:
        return FunctionGraph._adopted, (self.inputs, self.outputs, self.required)

    @staticmethod
    def _adopted(
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        required: Sequence[tuple[Apply, Requirement]],
    ) -> FunctionGraph:
        """Return the graph of nodes that are known to be unique, without copying them."""
        interner = Interner()
        for node in toposort(outputs, inputs):
            for item in node.inputs:
                interner.variable(item)
            interner.adopt(node)
        return FunctionGraph(inputs, outputs, interner, required)

    def __copy__(self) -> FunctionGraph:
        return self

    def with_outputs(self, outputs: Sequence[Variable]) -> FunctionGraph:
        """Return the graph with other outputs over the same inputs and nodes."""
        return FunctionGraph(self.inputs, outputs, self.interner, self.required)

    def with_required(self) -> FunctionGraph:
        """Return the graph whose nodes require what removed nodes require.

        These become conditions of the first output that is an array. They are always true, and
        rewriting removes them again.
        """
        lost = list(dict.fromkeys(node.outputs[0] for node, _ in self.required))
        for position, output in enumerate(self.outputs if lost else ()):
            with origin_scope(lost[0].origin):
                kept = output.type.keep_required(output, lost)
            if kept is not None:
                outputs = [*self.outputs]
                outputs[position] = kept
                return FunctionGraph(self.inputs, outputs)
        return self

    def inlined(self) -> FunctionGraph:
        """Return the graph without ops that others replace, which the graph of a loop may have."""
        if not any(node.op.keeps_graph for node in self.nodes):
            return self
        return FunctionGraph(self.inputs, self.outputs, None, self.required)

    def requiring(self, required: Sequence[tuple[Apply, Requirement]]) -> FunctionGraph:
        """Return the graph with further requirements."""
        required = (*self.required, *required)
        return FunctionGraph(self.inputs, self.outputs, self.interner, required)

    def missing(self) -> list[Variable]:
        """Return the variables that are used but neither computed nor inputs."""
        inputs = set(self.inputs)
        return [item for item in free_inputs(self.outputs, self.inputs) if item not in inputs]

    def clients(self) -> dict[Variable, list[tuple[Apply | str, int]]]:
        """Return the uses of each variable."""
        return clients(self.outputs)

    def toposort(self) -> list[Apply]:
        """Return the nodes in topological order."""
        return list(self.nodes)

    @property
    def apply_nodes(self) -> set[Apply]:
        """The nodes as a set."""
        return set(self.nodes)

    def __repr__(self) -> str:
        return f"FunctionGraph({len(self.inputs)} inputs, {len(self.nodes)} nodes)"
