"""Lengths of results, inferred from those of the operands."""

from __future__ import annotations

from typing import cast

from symtheano.graph.op import inferred_shapes
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, free_inputs
from symtheano.tensor.shapes.shape import Shape_i, join_dims, shape_of
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Dim


def output_dims(node: Apply, index: int | None = 0) -> tuple[Dim, ...] | None:
    """Return an output's lengths in terms of the shapes of the node's inputs, or None.

    The lengths do not depend on the output, so a rule may use them in its replacement.
    """
    index = index or 0
    output = node.outputs[index]
    if None not in output.type.shape:
        return tuple(output.type.shape)
    shapes = [shape_of(item) if isinstance(item.type, TensorType) else None for item in node.inputs]
    try:
        dims = inferred_shapes(node, cast("list[tuple[Dim, ...]]", shapes))[index]
    except NotImplementedError:
        return None
    return join_dims(output, dims)


def has_known_lengths(node: Apply) -> bool:
    """Return whether the lengths of results follow from lengths, not from values."""
    for output in node.outputs:
        dims = output_dims(node, output.index) if getattr(output, "ndim", 0) else ()
        if dims is None:
            return False
        lengths = [dim for dim in dims if isinstance(dim, Variable)]
        before = {v: v.owner.op for v in ancestors(lengths) if v.owner}
        if any(op.unconditional for op in before.values()):  # such as the sum over ranks
            return False
        told = {v for v, op in before.items() if isinstance(op, Shape_i)}
        if any(item not in told for item in free_inputs(lengths, told)):
            return False
    return True
