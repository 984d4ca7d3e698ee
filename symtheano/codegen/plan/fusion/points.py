"""Points: elementwise nodes join a group or open one."""

from __future__ import annotations

from symtheano.codegen.plan.fusion.candidates import Fit, join, merge_homes, why_not_join
from symtheano.codegen.plan.fusion.fit import AXES, fit_point
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import Member
from symtheano.graph.variable import Apply


def place_point(nests: Nests, node: Apply) -> None:
    """Add an elementwise node to a group where it fits, or to a new one."""
    operands, dims = nests.point_operands(node), nests.shapes.dims(node.outputs[0])
    merge_homes(nests, node, operands)

    def fit(number: int) -> Fit | str:
        group = nests.groups[number]
        axes = fit_point(group, node, operands, dims)
        if axes is None:
            return AXES
        reason = why_not_join(nests, number, node, operands)
        return reason or (group, Member(node, axes, "point"))

    refused = join(nests, node, operands, fit)
    if refused is not None:
        nests.open_for_point(node, refused)
