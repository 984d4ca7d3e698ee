"""FunctionGraph: the immutable, hash-consed form of a graph. Equal computations are one node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant, Dim, Variable, rebuild
from symtheano.graph.walk import clients, free_inputs, toposort


class Interner:
    """Makes nodes unique: (op, inputs) is one :class:`Apply`, (type, value) one Constant.

    Interned nodes are never changed. Leaves other than constants are not replaced.

    Attributes
    ----------
    shapes
        The lengths of interned arrays as expressions, as far as they have been inferred.
    """

    def __init__(self) -> None:
        self._nodes: dict[tuple[Op, tuple[Variable, ...]], Apply] = {}
        self._constants: dict[tuple[object, ...], Constant] = {}
        self._memo: dict[Variable, Variable] = {}
        self.shapes: dict[Variable, tuple[Dim, ...]] = {}

    def __contains__(self, variable: Variable) -> bool:
        return self._memo.get(variable) is variable

    def __len__(self) -> int:
        return len(self._nodes)

    def since(self, count: int) -> list[Apply]:
        """Return the nodes made after the first ``count`` nodes."""
        missing = len(self._nodes) - count
        return list(islice(reversed(self._nodes.values()), missing))[::-1]

    def constant(self, constant: Constant) -> Constant:
        """Return the unique constant of this type and value."""
        return self._constants.setdefault(constant.signature(), constant)

    def apply(self, node: Apply, inputs: Sequence[Variable]) -> Apply:
        """Return the unique node that applies ``node.op`` to the interned ``inputs``."""
        key = (node.op, tuple(inputs))
        known = self._nodes.get(key)
        if known is None:
            known = self._nodes[key] = rebuild(node, inputs)
            for variable in known.outputs:
                self._memo[variable] = variable
        else:
            for kept, other in zip(known.outputs, node.outputs, strict=True):
                if kept.name is None:
                    kept.name = other.name
        return known

    def adopt(self, node: Apply) -> Apply:
        """Return the unique node equal to ``node``, whose inputs are interned."""
        known = self._nodes.setdefault((node.op, tuple(node.inputs)), node)
        for variable in known.outputs:
            self._memo[variable] = variable
        return known

    def variable(self, variable: Variable) -> Variable:
        """Return the interned form of a leaf, or of a variable interned before."""
        known = self._memo.get(variable)
        if known is None:
            known = self.constant(variable) if isinstance(variable, Constant) else variable
            self._memo[variable] = known
        return known

    def intern(self, outputs: Iterable[Variable]) -> list[Variable]:
        """Return the interned form of ``outputs``; their graphs are copied, not changed."""
        roots = list(outputs)
        memo = self._memo
        for node in toposort(roots, stop=memo.keys()):
            inputs = [self.variable(item) for item in node.inputs]
            inlined = node.op.inlined(inputs)
            made = self.apply(node, inputs).outputs if inlined is None else self.intern(inlined)
            for old, new in zip(node.outputs, made, strict=True):
                memo[old] = new
        return [self.variable(item) for item in roots]


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
        Nodes and what they require of a call, beside the nodes of the graph: rewriting has removed
        them, but not their requirements.

    Examples
    --------
    >>> import symtheano.tensor as T
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
            Write where the user wrote each node: file, line and function.

        Raises
        ------
        TypeError
            If an op does not declare its fields, or they are not plain data.

        Examples
        --------
        >>> import symtheano.tensor as T
        >>> x = T.vector("x")
        >>> text = FunctionGraph([x], [T.exp(x)]).to_json()
        >>> FunctionGraph.from_json(text).outputs[0].owner.op == T.exp(x).owner.op
        True
        """
        from symtheano.graph.json import write_json

        return write_json(self, values, origins)

    @staticmethod
    def from_json(text: str, ops: Sequence[type[Op]] = ()) -> FunctionGraph:
        """Return the graph that :meth:`to_json` wrote.

        No code from the text is executed. It may contain ops of this package and those in ``ops``,
        which are constructed from plain data.

        Raises
        ------
        ValueError
            If the text is not a valid graph, or contains any other op.
        """
        from symtheano.graph.json import read_json

        return read_json(text, ops)

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

    def requiring(self, required: Sequence[tuple[Apply, Requirement]]) -> FunctionGraph:
        """Return the graph with further requirements."""
        required = (*self.required, *required)
        return FunctionGraph(self.inputs, self.outputs, self.interner, required)

    def missing(self) -> list[Variable]:
        """Return the variables that are used but neither computed nor inputs."""
        given = set(self.inputs)
        return [item for item in free_inputs(self.outputs, self.inputs) if item not in given]

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
