"""Branch: two graphs, one of which is run in a call.

Branch replaces ``ifelse`` in the graphs of functions. Nodes that only one branch needs are in its
graph, with their requirements. In C, they are inside of an ``if``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from symtheano.errors import printable_name
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.lazy import lazy
from symtheano.graph.lowering import Lowering, Python
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.graph.walk import toposort
from symtheano.interpret import interpret
from symtheano.loopir import Builder, If, NodeArrays, Statement, View
from symtheano.loops.lengths import Outside, lengths_of
from symtheano.lowering import Region
from symtheano.scalar import table as scalar
from symtheano.tensor.shapes.shape import Shape_i, as_dim
from symtheano.tensor.type import TensorType


class Body(Protocol):
    """What writes one of the graphs: :class:`symtheano.codegen.region.BranchBody`."""

    def before(self) -> None:
        """Define the lengths and numbers that are only known here."""

    def write(self, inputs: Sequence[View], outputs: Sequence[View]) -> tuple[Statement, ...]:
        """Return the statements of the graph, with these inputs and outputs."""


class Branch(Op):
    """Run one of two graphs.

    The op is applied to a 0-d bool, and to values for the inputs of the graphs.

    Parameters
    ----------
    branches
        The graph for a true condition, and that for a false one. Both have inputs of the same types
        in the same order, and outputs of the same dtypes and numbers of dims.
    name
        Name for printing.

    Examples
    --------
    >>> x, y = T.dvector("x"), T.dvector("y")
    >>> op = Branch([FunctionGraph([x], [T.exp(x)]), FunctionGraph([y], [y])])
    >>> a, c = T.dvector("a"), T.scalar("c", "bool")
    >>> op(c, a).eval({a: [0.0], c: True}), op(c, a).eval({a: [0.0], c: False})
    (array([1.]), array([0.]))
    """

    __props__ = ("branches", "name")
    takes = "**..."

    def __init__(self, branches: Sequence[FunctionGraph], name: str | None = None) -> None:
        self.branches, self.name = tuple(branches), name
        inputs, outputs = zip(*((g.inputs, g.outputs) for g in self.branches), strict=True)
        for one, other in zip(*map(list, outputs), strict=True):
            if (one.dtype, one.ndim) != (other.dtype, other.ndim):
                raise TypeError(f"{self}: {one.type} in one graph is {other.type} in the other one")
        for one, other in zip(*map(list, inputs), strict=True):
            if one.type != other.type:
                raise TypeError(f"{self}: {one.type} is {other.type} in the other graph")
        dims = (dim for dims in self._dims for shape in dims for dim in shape)
        self._infers_shape = not any(map(_is_unknown, dims))

    @property
    def infers_shape(self) -> bool:
        """Whether lengths are known before the results."""
        return self._infers_shape

    def __str__(self) -> str:
        return f"IfElse{{{printable_name(self.name)}}}" if self.name else "IfElse"

    # -- meaning --------------------------------------------------------------------------------

    def infer(self, *inputs: Any) -> list[TensorType]:
        """Return the types of the results: with the lengths that both graphs know."""
        first, second = self.branches
        wanted = [TensorType("bool", ()), *(item.type for item in first.inputs)]
        for kind, operand in zip(wanted, inputs, strict=True):
            if not kind.accepts(operand.type):
                raise TypeError(f"{self}: {operand.type} for an input of type {kind}")
        types = []
        for one, other in zip(first.outputs, second.outputs, strict=True):
            pairs = zip(one.type.shape, other.type.shape, strict=True)
            types.append(TensorType(one.dtype, tuple(a if a == b else None for a, b in pairs)))
        return types

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Run one of the graphs with NumPy."""
        graph = self.branches[0 if inputs[0] else 1]
        for cell, value in zip(output_storage, interpret(graph, inputs[1:]), strict=True):
            cell[0] = value

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the lengths of the chosen results."""
        if not self.infers_shape:
            raise NotImplementedError
        first, second = (
            Outside(graph, dims, node.inputs[1:], shapes[1:])
            for graph, dims in zip(self.branches, self._dims, strict=True)
        )
        return [
            tuple(self._length(node, first, second, k, axis) for axis in range(output.ndim))
            for k, output in enumerate(node.outputs)
        ]

    def _length(self, node: Apply, first: Outside, second: Outside, k: int, axis: int) -> Any:
        one, other = first.length(k, axis), second.length(k, axis)
        if one is not None and other is not None:
            if one is other or (isinstance(one, int) and one == other):
                return one
            return scalar.switch(node.inputs[0], as_dim(one), as_dim(other))
        graphs = [
            FunctionGraph(graph.inputs, [as_dim(dims[k][axis])])
            for graph, dims in zip(self.branches, self._dims, strict=True)
        ]
        return Branch(graphs, self.name)(*node.inputs)

    @lazy
    def _dims(self) -> list[list[tuple[Any, ...]]]:
        """The lengths of the outputs of both graphs, as expressions of their inputs."""
        return [lengths_of(graph) for graph in self.branches]

    # -- code -----------------------------------------------------------------------------------

    def accepts(self, number: int, view: View) -> bool:
        """Return whether an array is contiguous."""
        return number == 0 or view.is_contiguous()

    @lazy
    def lowering(self) -> Lowering:
        """Both graphs; in Python, which makes arrays of any length, if lengths are not known."""
        return Region(Branch.write, Branch.accepts) if self.infers_shape else Python()

    def write(self, b: Builder, node: Apply, arrays: NodeArrays, bodies: Sequence[Body]) -> None:
        """Write both graphs; their results go to the memory of the op's."""
        condition = b.load(arrays.inputs[0], [])
        for body in bodies:
            body.before()
        first, second = (body.write(arrays.inputs[1:], arrays.outputs) for body in bodies)
        b.emit(If(condition, first, second))


def _is_unknown(dim: Any) -> bool:
    """Return whether a length is that of an array that has to be computed to know it."""
    nodes = () if isinstance(dim, int) else toposort([dim])
    return any(isinstance(node.op, Shape_i) and node.inputs[0].owner for node in nodes)
