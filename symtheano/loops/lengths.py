"""Lengths of the results of a graph inside of an op, in terms of the op's inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Requirement, inferred_shapes
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.lowering import Elementwise, Length
from symtheano.tensor.basic import cast
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.shapes.shape import Shape_i, as_dim, shape_i


class Outside:
    """The lengths of the results of one graph, in terms of the op's inputs.

    Parameters
    ----------
    graph, dims
        The graph, and the lengths of its results in terms of its inputs.
    inputs, shapes
        The op's inputs for those of the graph, and their shapes.
    """

    def __init__(
        self,
        graph: FunctionGraph,
        dims: Sequence[tuple[Any, ...]],
        inputs: Sequence[Any],
        shapes: Sequence[Any],
    ) -> None:
        self.graph, self.dims = graph, dims
        self.replacements: dict[Any, Any] = dict(zip(graph.inputs, inputs, strict=True))
        self.shapes = dict(zip(graph.inputs, shapes, strict=True))

    def length(self, output: int, axis: int) -> Any:
        """Return the length of an axis, or None if it takes work that only the graph does."""
        return self.told(self.dims[output][axis])

    def told(self, dim: Any) -> Any:
        """Return a number of the graph, or None if it takes work that only the graph does."""
        if isinstance(dim, int):
            return dim
        replacements = dict(self.replacements)
        for node in toposort([dim], self.graph.inputs):
            result = node.outputs[0]
            if isinstance(node.op, Shape_i) and node.inputs[0] in self.shapes:
                length = self.shapes[node.inputs[0]][node.op.axis]
                replacements[result] = as_dim(length)
                if result is dim:
                    return length
            elif not (isinstance(node.op, Elemwise) and result.ndim == 0):
                return None
        return replace([dim], replacements)[0]


def first_row(rows: Any) -> Any:
    """Return the first row of integers, which stands for all where lengths are computed.

    They may be lengths themselves, such as those that a gradient reads; all have to agree, since
    results have rows of one shape. If there is no row, the integers are zero.
    """
    return cast(rows[:1].sum(axis=0, dtype="int64"), rows.dtype)


def lengths_of(graph: FunctionGraph) -> list[tuple[Any, ...]]:
    """Return the shapes of the outputs of a graph."""
    shapes = _Shapes(graph)
    return [shapes.of(output) for output in graph.outputs]


def requirements_of(graph: FunctionGraph) -> list[Requirement]:
    """Return what the nodes of a graph require."""
    shapes = _Shapes(graph)
    requirements = [requirement for _, requirement in graph.required]
    for node in graph.nodes:
        with origin_scope(node.origin):
            requirements += node.op.requirements(node, [shapes.of(item) for item in node.inputs])
    return requirements


def compares_lengths(items: Sequence[Variable | int]) -> bool:
    """Return whether conditions and numbers are computed from lengths alone."""
    read = [item for item in items if isinstance(item, Variable)]
    nodes = toposort(read)
    return all(isinstance(node.op.lowering, (Elementwise, Length)) for node in nodes) and all(
        item.owner or isinstance(item, Constant)
        for items in (
            read,
            *(node.inputs for node in nodes if isinstance(node.op.lowering, Elementwise)),
        )
        for item in items
    )


class _Shapes:
    """The shapes of all arrays of a graph, in terms of its inputs."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._shapes: dict[Any, tuple[Any, ...]] = {}
        for node in graph.nodes:
            if node.op.infers_shape:
                inferred = inferred_shapes(node, [self.of(item) for item in node.inputs])
                self._shapes.update(zip(node.outputs, map(tuple, inferred), strict=True))

    def of(self, variable: Any) -> tuple[Any, ...]:
        """Return the shape of an array."""
        if variable not in self._shapes:
            self._shapes[variable] = tuple(
                shape_i(variable, axis) if length is None else length
                for axis, length in enumerate(variable.type.shape)
            )
        return self._shapes[variable]
