"""Arrays of zeros of which parts are incremented: scaled and subtracted without being made.

They are gradients of parts and of gathered rows. An update such as ``W - r * g`` of an embedding
then changes only the rows that were gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import as_scalar, computed_by, conform, dim_of, same_dim, scalar_value
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import cast
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import dims_product
from symtheano.tensor.variable import Tensor

_SCATTERS = [IncSubtensor, AdvancedIncSubtensor]


def scatters(variable: Tensor, context: Context) -> list[Apply] | None:
    """Return the increments that make an array of zeros, the last one first; None if it is not one.

    Nothing else may use it, nor any of the arrays between.
    """
    increments: list[Apply] = []
    while computed_by(variable, *_SCATTERS):
        node: Apply = variable.owner
        op = node.op
        assert isinstance(op, IncSubtensor | AdvancedIncSubtensor)
        if op.set_instead_of_inc or context.uses(variable) != 1:
            return None
        increments.append(node)
        variable = node.inputs[0]
    return increments if increments and scalar_value(variable) == 0 else None


def _repeated(nodes: list[Apply], start: Tensor, change: Callable[[Tensor], Tensor]) -> Tensor:
    """Return the increments again, of another array and by other values."""
    for node in reversed(nodes):
        value = change(node.inputs[1])
        start = node.op(start, value, *node.inputs[2:])
    return start


def _scaled(row: ScalarOp, factor: Tensor, value: Tensor) -> Tensor:
    return row(value, factor)


@rule("specialize", tracks=[scalar.mul, scalar.true_div], operands=_SCATTERS,
      numerics="needs finite")  # fmt: skip
def factor_of_scatter(node: Apply, context: Context) -> Replacement:
    """Zeros with increments, times a number, are zeros with increments times this number."""
    row = node.op.scalar_op
    pairs = [node.inputs] if row is scalar.true_div else [node.inputs, node.inputs[::-1]]
    for part, other in pairs:
        factor, nodes = as_scalar(other), scatters(part, context)
        if nodes is None or factor is None or part.dtype != node.outputs[0].dtype:
            continue
        if factor.dtype != part.dtype:
            continue
        replacement = _repeated(nodes, nodes[-1].inputs[0], partial(_scaled, row, factor))
        return conform(replacement, node.outputs[0])
    return None


@rule("specialize", tracks=[scalar.neg], operands=_SCATTERS, numerics="sign of zero")
def negative_of_scatter(node: Apply, context: Context) -> Replacement:
    """The negative of zeros with increments has the negative increments."""
    nodes = scatters(node.inputs[0], context)
    if nodes is None:
        return None
    return conform(_repeated(nodes, nodes[-1].inputs[0], scalar.neg), node.outputs[0])


@rule("specialize", tracks=[scalar.add, scalar.sub], operands=_SCATTERS, numerics="reassociates")
def sum_with_scatter(node: Apply, context: Context) -> Replacement:
    """Adding or subtracting zeros with increments changes the incremented parts only.

    The gradients of several parts, or gathers, of one array are then a single array, and an update
    by them changes the array in place.
    """
    subtracts = node.op.scalar_op is scalar.sub
    pairs = [node.inputs[::-1]] if subtracts else [node.inputs, node.inputs[::-1]]
    for part, rest in pairs:
        nodes = scatters(part, context)
        if nodes is None or rest.dtype != part.dtype:
            continue
        # The sum requires equal lengths where neither operand is broadcast.
        alike = [
            (rest.type.shape[axis] == 1) == (part.type.shape[axis] == 1)
            or same_dim(dim_of(rest, axis), dim_of(part, axis))
            for axis in range(part.ndim)
        ]
        if all(alike):
            replacement = _repeated(nodes, rest, scalar.neg if subtracts else lambda y: y)
            return conform(replacement, node.outputs[0])
    return None


@rule("specialize", tracks=[AdvancedIncSubtensor], operands=[AdvancedIncSubtensor],
      numerics="reassociates")  # fmt: skip
def gathered_rows_joined(node: Apply, context: Context) -> Replacement:
    """Two increments of gathered rows become one, if their values depend on the array itself.

    All values are then computed before the array changes, so it can change in place: it is not
    copied in an update of an embedding from which rows are gathered twice.
    """
    if not computed_by(node.inputs[0], AdvancedIncSubtensor) or context.uses(node.inputs[0]) != 1:
        return None
    before = node.inputs[0].owner
    start = before.inputs[0]
    parts = [before, node]
    if node.op != before.op or node.op.axis != 0 or node.op.set_instead_of_inc:  # type: ignore[attr-defined]
        return None
    if any(len(item.inputs) != 3 or _is_broadcast(item) for item in parts):
        return None
    if not _are_made_of([item.inputs[1] for item in parts], start):
        return None
    rows, places = [], []
    for item in parts:
        _, value, array = item.inputs
        dims = [dim_of(value, axis) for axis in range(value.ndim)]
        count = dims_product(dims[: array.ndim])
        rows.append(value.reshape((count, *dims[array.ndim :])) if array.ndim > 1 else value)
        places.append(cast(array.flatten() if array.ndim > 1 else array, "int64"))
    replacement = node.op(start, join(0, *rows), join(0, *places))
    return conform(replacement, node.outputs[0])


def _are_made_of(values: list[Tensor], array: Tensor) -> bool:
    """Return whether values depend on the elements of an array, not only on its lengths."""
    waiting: list[Variable] = [*values]
    seen: set[Variable] = set()
    while waiting:
        variable = waiting.pop()
        if variable is array:
            return True
        if variable.owner is not None and variable not in seen:
            seen.add(variable)
            waiting += variable.owner.inputs if variable.owner.op.lowering.reads_elements else []
    return False


def _is_broadcast(node: Apply) -> bool:
    """Return whether a value is broadcast along an axis of the part that it increments."""
    whole, value, array = node.inputs
    part = (*array.type.shape, *whole.type.shape[1:])
    lengths = zip(value.type.shape, part, strict=True)
    return any(length == 1 and wanted != 1 for length, wanted in lengths)
