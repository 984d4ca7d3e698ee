"""The last phase: composite ops are expanded, so that they can be fused."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import bare, computed_by, dim_of, inputs_of, same_dim
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import (
    BroadcastInCall,
    SumInCall,
    broadcast_in_call,
)
from symtheano.tensor.nnet.softmax import AlongAxes
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import dim_value
from symtheano.tensor.variable import Tensor


@rule("expand", tracks=[AlongAxes], numerics="reassociates")
def write_out_softmax(node: Apply) -> Replacement:
    """Softmax, logsoftmax and logsumexp are expanded to elementwise ops and reductions.

    Expansions for the same operand share the maximum, the exponentials and their sum. No maximum
    is subtracted from differences from a maximum.
    """
    op, (x,) = node.op, node.inputs
    assert isinstance(op, AlongAxes)
    return op.written_out(x, _is_centered(x, op.axis))


def _is_centered(x: Tensor, axes: Sequence[int]) -> bool:
    """Return whether x is ``v - max(v)`` over these axes, or ``v`` where that is infinite."""
    terms = inputs_of(x, scalar.sub)
    if terms is None:
        return False
    top = bare(terms[1])
    choice = inputs_of(top, scalar.switch)
    if choice is not None:
        condition = inputs_of(bare(choice[0]), scalar.isinf)
        if condition is None or bare(condition[0]) is not bare(choice[2]):
            return False
        top = bare(choice[2])
    return (
        computed_by(top, CAReduce)
        and top.owner.op.scalar_name == "maximum"
        and sorted(top.owner.op.axis) == sorted(axes)
        and top.owner.inputs[0] is terms[0]
    )


@rule("expand", tracks=[BroadcastInCall], operands=[Elemwise])
def broadcast_operands(node: Apply, context: Context) -> Replacement:
    """The operands of an elementwise operation are broadcast instead of its result.

    The result can then be computed in the loop that uses it. If another node uses it too, it is in
    memory anyway.
    """
    x, *dims = node.inputs
    if not computed_by(x, Elemwise) or context.uses(x) > 1:
        return None
    lengths = [dim_value(dim) for dim in dims]
    use = node.op.use  # type: ignore[attr-defined]
    return x.owner.op(*[broadcast_in_call(use, item, lengths) for item in x.owner.inputs])


@rule("expand", tracks=[BroadcastInCall], operands=[AdvancedSubtensor])
def broadcast_indices_of_selection(node: Apply, context: Context) -> Replacement:
    """Index arrays, and the array, are broadcast instead of what is selected.

    The elements can then be selected in the loop that uses them.
    """
    x, *dims = node.inputs
    if not computed_by(x, AdvancedSubtensor) or context.uses(x) > 1:
        return None
    whole, *indices = x.owner.inputs
    lengths = [dim_value(dim) for dim in dims]
    joint = indices[0].ndim
    if x.owner.op.axis:
        return None
    use = node.op.use  # type: ignore[attr-defined]
    own = [dim_of(whole, axis) for axis in range(whole.ndim)]
    rest = lengths[joint:]
    if not all(map(same_dim, own[len(indices) :], rest)):
        whole = broadcast_in_call(use, whole, [*own[: len(indices)], *rest])
    return x.owner.op(whole, *[broadcast_in_call(use, item, lengths[:joint]) for item in indices])


@rule("expand", tracks=[BroadcastInCall], operands=[DimShuffle])
def broadcast_before_dimshuffle(node: Apply) -> Replacement:
    """An array is broadcast before its axes are reordered, because it may be in memory."""
    x, *dims = node.inputs
    if not computed_by(x, DimShuffle):
        return None
    inner, order = x.owner.inputs[0], x.owner.op.new_order
    lengths = [dim_of(inner, axis) for axis in range(inner.ndim)]
    for axis, dim in zip(order, dims, strict=True):
        if isinstance(axis, int):
            lengths[axis] = dim_value(dim)
    use = node.op.use  # type: ignore[attr-defined]
    return broadcast_in_call(use, inner, lengths).dimshuffle(*order)


@rule("expand", tracks=[BroadcastInCall, SumInCall])
def choose_in_call(node: Apply) -> Replacement:
    """Compiled code chooses in each call between an array and its repeated copy."""
    op = node.op
    assert isinstance(op, BroadcastInCall | SumInCall)
    return op.expanded(node)
