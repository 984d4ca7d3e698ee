"""Loops: lengths that are equal because the arrays are outside of the loop."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.loops.parts import Parts
from symtheano.rewrites.match import dim_of, same_dim
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall
from symtheano.tensor.shapes.shape import Shape_i, as_dim, dim_value
from symtheano.tensor.variable import Dim, Tensor


@graph_rule("loops", numerics="exact")
def broadcast_of_equal_lengths_in_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """As ``broadcast_of_equal_lengths``, where lengths of rows and states are known to be equal.

    All rows of an array have one shape, and states keep the shapes that they begin with.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        if not any(
            isinstance(inner.op, BroadcastInCall | SumInCall) for inner in node.op.region.nodes
        ):
            continue
        parts = Parts.of(node, used)
        arrays = _arrays(parts)
        fitting: dict[Tensor, Tensor] = {
            inner.outputs[0]: inner.inputs[0]
            for inner in toposort(parts.results)
            if isinstance(inner.op, BroadcastInCall | SumInCall) and _fits(inner, arrays)
        }
        if fitting:
            parts.substitute(fitting)
            replacements.update(parts.replacements())
    return replacements


_Arrays = dict[Variable, tuple[Tensor, int]]
"""For variables of a step the arrays outside, and how many axes these have in front."""


def _arrays(parts: Parts) -> _Arrays:
    arrays: _Arrays = {rows.row: (rows.array, 1) for rows in parts.sequences}
    for history in parts.histories:
        if history.initial is not None:
            arrays.update((tap, (history.initial, 1)) for tap in history.taps.values())
    arrays.update((state.variable, (state.initial, 0)) for state in parts.states)
    arrays.update((other.variable, (other.value, 0)) for other in parts.others)
    return arrays


def _fits(node: Apply, arrays: _Arrays) -> bool:
    """Return whether an array has the lengths to which it is repeated, or summed."""
    array, *dims = node.inputs
    return all(
        same_dim(_outside(dim_of(array, axis), arrays), _outside(dim_value(dim), arrays))
        for axis, dim in enumerate(dims)
    )


def _outside(dim: Dim, arrays: _Arrays) -> Dim:
    """Return a length in terms of arrays outside of the loop."""
    if isinstance(dim, int):
        return dim
    lengths: dict[Variable, Variable] = {}
    for node in toposort([dim]):
        if isinstance(node.op, Shape_i) and node.inputs[0] in arrays:
            array, axes = arrays[node.inputs[0]]
            lengths[node.outputs[0]] = as_dim(dim_of(array, node.op.axis + axes))
    length: Dim = dim_value(replace([dim], lengths)[0])
    return length
