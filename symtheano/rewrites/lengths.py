"""Lengths of the arrays of a graph, as expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast

from symtheano.graph.interner import Interner
from symtheano.graph.op import inferred_shapes
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Dim as Length, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.shapes.shape import MakeVector, Shape_i, dim_value
from symtheano.tensor.variable import Dim, Tensor

D = TypeVar("D", bound=Length)


class Lengths:
    """The shapes that the ops' ``infer_shape`` return, with interned lengths.

    Every length is an int or a 0-d int64 variable. That of an input, or of what must be computed to
    know it, is a ``Shape_i``. The interner keeps what was inferred.

    Parameters
    ----------
    interner
        The owner of the nodes.
    """

    def __init__(self, interner: Interner) -> None:
        self._interner = interner
        self._shapes = cast(dict[Tensor, tuple[Dim, ...]], interner.shapes)

    def of(self, variable: Tensor) -> tuple[Dim, ...]:
        """Return the shape of a leaf or of an array inferred before; () for other values."""
        shape = self._shapes.get(variable)
        if shape is None:
            shape = self._shapes[variable] = self._own(variable)
        return shape

    def infer(self, node: Apply, resolved: Apply | None = None) -> None:
        """Infer the shapes of a node's outputs; those of its inputs have been inferred before.

        ``resolved`` is the same node on simpler 0-d inputs.
        """
        shapes = self._shapes
        if node.outputs[0] in shapes:
            return
        if not any(getattr(output, "ndim", 0) for output in node.outputs):
            shapes.update(dict.fromkeys(node.outputs, ()))
            return
        if isinstance(node.op, Elemwise):
            shapes[node.outputs[0]] = _of_elementwise(node, list(map(self.of, node.inputs)))
            return
        with origin_scope(node.origin):
            inferred = self._inferred(resolved or node)
            if resolved is not None and node.op.region is not None:
                inferred = _by_results_of(node, resolved, inferred)
            for output, shape in zip(node.outputs, inferred, strict=True):
                shapes[output] = tuple(map(self.interned, shape))

    def interned(self, dim: D) -> D | Dim:
        """Return a length, given as a number or 0-d variable, as an int or interned variable."""
        if dim.__class__ is int or (isinstance(dim, Variable) and dim in self._interner):
            return dim
        value = dim_value(dim)
        if isinstance(value, int):
            return value
        return cast(Tensor, self._interner.intern([value])[0])

    def _inferred(self, node: Apply) -> Sequence[tuple[Dim, ...]]:
        if node.op.infers_shape:
            return inferred_shapes(node, [self.of(item) for item in node.inputs])
        return [self._own(output) for output in node.outputs]

    def _own(self, variable: Tensor) -> tuple[Dim, ...]:
        """Lengths that are only known with the array: static ones, or its own lengths."""
        if not hasattr(variable.type, "shape"):
            return ()
        return tuple(
            length if length is not None else self.interned(Shape_i(axis)(variable))
            for axis, length in enumerate(variable.type.shape)
        )


def _by_results_of(
    node: Apply, resolved: Apply, shapes: Sequence[tuple[Dim, ...]]
) -> list[tuple[Dim, ...]]:
    """Return shapes that depend on results of a node, such as how often its loop ran."""
    own = dict(zip(resolved.outputs, node.outputs, strict=True))
    return [
        tuple(
            dim if isinstance(dim, int) else cast(Tensor, replace([dim], own)[0]) for dim in shape
        )
        for shape in shapes
    ]


def _of_elementwise(node: Apply, shapes: Sequence[tuple[Dim, ...]]) -> tuple[Dim, ...]:
    """Return what ``infer_shape`` returns; most operands have one shape."""
    (output,), first = node.outputs, shapes[0]
    if None in output.type.shape and all(shape is first or shape == first for shape in shapes):
        return tuple(
            dim if static is None else static
            for dim, static in zip(first, output.type.shape, strict=True)
        )
    return node.op.infer_shape(node, list(shapes))[0]


def not_told(expressions: Iterable[Variable]) -> set[Variable]:
    """Return what of expressions does not follow from shapes and elements of the inputs."""
    untold: set[Variable] = set()
    for node in toposort(expressions):
        if isinstance(node.op, Shape_i):
            told = node.inputs[0].owner is None
        elif isinstance(node.op, Elemwise):
            told = node.outputs[0].ndim == 0 and untold.isdisjoint(node.inputs)
        else:
            told = isinstance(node.op, MakeVector | Subtensor) and untold.isdisjoint(node.inputs)
        if not told:
            untold.update(node.outputs)
    return untold
