"""Reductions join a group over their operand or open one."""

from __future__ import annotations

from symtheano.codegen.plan.fusion.candidates import Fit, join, why_not_join
from symtheano.codegen.plan.fusion.choices import Choice
from symtheano.codegen.plan.fusion.fit import AXES, contiguous_axis, operand_axes, role_of
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import STAGES
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import (
    Axes,
    Member,
    Source,
    axes_removed_by,
    reduced_axes,
)
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply
from symtheano.lowering import ArgReduction


def place_reduction(nests: Nests, node: Apply) -> None:
    """Add a reduction to a group where it fits, or to a new one."""
    operand, dims = nests.views.source(node.inputs[0]), nests.shapes.dims(node.inputs[0])

    def fit(number: int) -> Fit | str:
        group = nests.groups[number]
        axes = operand_axes(group, node, operand, dims)
        if axes is None:
            return AXES
        reason = why_not_join(nests, number, node, [operand])
        return reason or _with_role(group, node, axes) or STAGES

    refused = join(nests, node, [operand], fit)
    if refused is not None:
        number, axes = _open(nests, node, operand)
        opened = _with_role(nests.groups[number], node, axes)
        assert opened is not None
        nests.add(number, *opened)
        nests.note(Choice(node, number, refused=refused, opened=True))


def _with_role(group: Group, node: Apply, axes: Axes) -> Fit | None:
    """Return the group with its outer axes, and a reduction as its member; None if it can't be."""
    fit = role_of(group, node, axes)
    if fit is None and _is_free(group) and None not in axes:
        group, new = group.with_last(reduced_axes(node, axes))
        axes = tuple(new[axis] for axis in axes)
        fit = role_of(group, node, axes)
    if fit is None:
        return None
    role, split = fit
    return group if split == group.split else replace(group, split=split), Member(node, axes, role)


def _is_free(group: Group) -> bool:
    """Return whether the order of a group's axes does not matter yet."""
    return group.split is None and all(member.role == "point" for member in group.members)


def _open(nests: Nests, node: Apply, operand: Source) -> tuple[int, Axes]:
    """Open a group over a reduction's operand.

    The innermost axis is the one along which the operand is contiguous. If it is kept, rows of
    accumulators run along it; otherwise the reduced axes are innermost.
    """
    x, removed = node.inputs[0], axes_removed_by(node)
    located = isinstance(node.op.lowering, ArgReduction)
    dims, lengths = nests.shapes.dims(x), x.type.shape
    wide = [a for a in range(x.ndim) if lengths[a] != 1]
    if located and removed[0] not in wide:
        wide.append(removed[0])
    kept = [a for a in wide if a not in removed]
    gone = [a for a in wide if a in removed]
    last = contiguous_axis(operand, wide)
    if located or last not in kept:
        order = [*kept, *gone]
    elif wide[: len(gone)] == gone and last == wide[-1]:
        order = wide
    else:
        order = [*(a for a in kept if a != last), *gone, last]
    order = order or [removed[0]]
    axes = tuple(order.index(a) if a in order else None for a in range(x.ndim))
    return nests.open([dims[a] for a in order]), axes
