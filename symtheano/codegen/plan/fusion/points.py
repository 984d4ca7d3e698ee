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
from symtheano.tensor.variable import Tensor


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
    """Return the group that a node may join, and the node's axes; or why it does not fit.

    An operand that the group computes again, and that the node reads at another index, is loaded
    by both.
    """
    dims, group = nests.shapes.dims(node.outputs[0]), nests.homes.groups[number]
    results = group.results
    axes = fit_point(group, results, node, operands, dims)
    loaded = set[Tensor]()
    if axes is None:
        loaded = {o.variable for o in operands if _may_be_loaded(nests, o.variable, number)}
        if not loaded:
            return AXES
        results = {item: place for item, place in results.items() if item not in loaded}
        axes = fit_point(group, results, node, operands, dims)
        if axes is None:
            return AXES
    reason = why_not_join(nests, number, results, node, operands)
    if reason is not None:
        return reason
    return nests.without(group, loaded) if loaded else group, axes


def _may_be_loaded(nests: Nests, variable: Tensor, number: int) -> bool:
    """Return whether a group computes again what is there before it runs."""
    is_again = (
        variable in nests.homes.groups[number].results
        and nests.homes.number.get(variable, number) != number
    )
    return is_again and nests.ready.at(variable) <= number
