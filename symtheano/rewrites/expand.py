"""The last phase: composite ops are expanded, so that they can be fused."""

from __future__ import annotations

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, dim_of
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.call_broadcast import (
    BroadcastInCall,
    SumInCall,
    broadcast_in_call,
)
from symtheano.tensor.nnet.softmax import AlongAxes
from symtheano.tensor.shapes.shape import dim_value


@rule("expand", tracks=[AlongAxes], numerics="reassociates")
def write_out_softmax(node: Apply) -> Replacement:
    """Softmax, logsoftmax and logsumexp are expanded to elementwise ops and reductions.

    Expansions for the same operand share the maximum, the exponentials and their sum.
    """
    op = node.op
    assert isinstance(op, AlongAxes)
    return op.written_out(node.inputs[0])


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
