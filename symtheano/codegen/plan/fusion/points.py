"""Points: elementwise nodes join a nest or open one."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.plan.fusion.candidates import candidates, may_join, merge_homes
from symtheano.codegen.plan.fusion.draft import NestDraft
from symtheano.codegen.plan.fusion.fit import fit_point
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import Axes, Source
from symtheano.graph.variable import Apply
from symtheano.tensor.variable import Tensor


def place_point(nests: Nests, node: Apply) -> None:
    """Add an elementwise node to a nest where it fits, or to a new one."""
    operands = nests.point_operands(node)
    merge_homes(nests, operands)
    for candidate in candidates(nests, node, operands):
        axes = _fit(nests, candidate, node, operands)
        if axes is not None:
            nests.add_point(candidate, node, axes)
            return
    nests.open_for_point(node)


def _fit(nests: Nests, nest: NestDraft, node: Apply, operands: Sequence[Source]) -> Axes | None:
    """Return the axes of a node's result in a nest; None if the nest does not compute it.

    An operand that the nest computes again, and that the node reads at another index, is loaded
    by both.
    """
    dims, before = nests.shapes.dims(node.outputs[0]), nest.results
    axes = fit_point(nest, node, operands, dims)
    again = {o.variable for o in operands if _may_be_loaded(nests, o.variable, nest)}
    if axes is None and again:
        nest.results = {item: place for item, place in before.items() if item not in again}
        axes = fit_point(nest, node, operands, dims)
    if axes is None or not may_join(nests, nest, node, operands):
        nest.results = before
        return None
    if nest.results is not before:
        nest.members = [m for m in nest.members if m.result not in again]
        for member in nest.members:
            nests.note_reads(nest, member)
    return axes


def _may_be_loaded(nests: Nests, variable: Tensor, nest: NestDraft) -> bool:
    """Return whether a nest computes again what is there before it runs."""
    is_again = variable in nest.results and nests.made.home.get(variable, nest) is not nest
    return is_again and nests.ready.at(variable) <= nests.position[nest]
