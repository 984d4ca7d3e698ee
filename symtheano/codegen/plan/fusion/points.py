"""Points: elementwise nodes join a group or open one."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.plan.fusion.candidates import candidates, merge_homes, why_not_join
from symtheano.codegen.plan.fusion.choices import Choice, Refusal
from symtheano.codegen.plan.fusion.fit import AXES, fit_point
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import Axes, Source
from symtheano.graph.variable import Apply


def place_point(nests: Nests, node: Apply) -> None:
    """Add an elementwise node to a group where it fits, or to a new one."""
    operands = nests.point_operands(node)
    merge_homes(nests, node, operands)
    refused: list[Refusal] = []
    for number, saved in candidates(nests, node, operands):
        fit = _fit(nests, number, node, operands)
        if not isinstance(fit, str):
            nests.add_point(number, fit[0], node, fit[1])
            nests.note(Choice(node, number, saved, tuple(refused)))
            return
        if nests.listens:
            refused.append(Refusal(number, saved, fit))
    nests.open_for_point(node, tuple(refused))


def _fit(
    nests: Nests, number: int, node: Apply, operands: Sequence[Source]
) -> tuple[Group, Axes] | str:
    """Return the group that a node may join, and the node's axes; or why it does not fit."""
    dims, group = nests.shapes.dims(node.outputs[0]), nests.homes.groups[number]
    axes = fit_point(group, group.results, node, operands, dims)
    if axes is None:
        return AXES
    return why_not_join(nests, number, group.results, node, operands) or (group, axes)
