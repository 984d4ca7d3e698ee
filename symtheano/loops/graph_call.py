"""GraphCall: a graph that is one function in C, called from each place that uses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.errors import printable_name
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.interpret import interpret
from symtheano.loopir import Builder, Kernel, NodeArrays
from symtheano.loopir.host import Tick
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import Allocate, PythonCall
from symtheano.loops.branch import Body
from symtheano.loops.lengths import Outside, lengths_of, requirements_of
from symtheano.lowering import Region
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.type import TensorType


class GraphCall(Op):
    """Run a graph.

    Parameters
    ----------
    branches
        The graph, with the inputs of the op, alone in a list.
    name
        Name of the function.

    Examples
    --------
    >>> x, a = T.dvector("x"), T.dvector("a")
    >>> GraphCall([FunctionGraph([x], [T.exp(x)])])(a).eval({a: [0.0]})
    array([1.])
    """

    takes = "**..."

    __props__ = ("branches", "name")

    def __init__(self, branches: Sequence[FunctionGraph], name: str | None = None) -> None:
        self.branches, self.name = tuple(branches), name
        (self._graph,) = self.branches

    def __str__(self) -> str:
        return f"GraphCall{{{printable_name(self.name)}}}" if self.name else "GraphCall"

    def infer(self, *inputs: Any) -> list[TensorType]:
        """Return the types of the graph's outputs."""
        for operand, wanted in zip(inputs, self._graph.inputs, strict=True):
            if not wanted.type.accepts(operand.type):
                raise TypeError(f"{self}: {operand.type} for an input of type {wanted.type}")
        return [output.type for output in self._graph.outputs]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Run the graph with NumPy."""
        for cell, value in zip(output_storage, interpret(self._graph, inputs), strict=True):
            cell[0] = value

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the lengths of the results, from those of the inputs."""
        outside = Outside(self._graph, self._dims, node.inputs, shapes)
        return [
            tuple(outside.length(k, axis) for axis in range(output.ndim))
            for k, output in enumerate(node.outputs)
        ]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Return what the graph requires of lengths, so that its function need not check it."""
        outside, requirements = Outside(self._graph, self._dims, node.inputs, shapes), []
        for requirement in self._required:
            told = {item: outside.told(item) for item in requirement.variables}
            if all(item is not None for item in told.values()):
                new = {old: as_tensor_variable(item) for old, item in told.items()}
                requirements.append(requirement.replaced(new))
        return requirements

    @lazy
    def _required(self) -> list[Requirement]:
        return [item for item in requirements_of(self._graph) if item.equal is not None]

    @lazy
    def _dims(self) -> list[tuple[Any, ...]]:
        return lengths_of(self._graph)

    @Region
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays, bodies: Sequence[Body]) -> None:
        """Write the graph as a function; its results go to the memory of the op's."""
        (body,) = bodies
        body.before()
        statements = body.write(arrays.inputs, arrays.outputs)
        if any(isinstance(s, Allocate | PythonCall | Tick) for s in walk(statements)):
            for statement in statements:
                b.emit(statement)
            return
        origins = () if node.origin is None else (node.origin,)
        name = b.names.fresh(self.name or "graph")
        b.emit(Kernel(name, str(self), statements, (), origins, region=True))
