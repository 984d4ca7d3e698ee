"""The group of one node: the lengths and the order of its axes, and the role of a reduction."""

from __future__ import annotations

from collections.abc import Mapping

from symtheano.codegen.plan.fusion.fit import contiguous_axis, role_of
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.reads import Reads, with_members
from symtheano.codegen.plan.shapes import Shapes
from symtheano.codegen.plan.steps import Axes, Member, Source, axes_removed_by, reduced_axes
from symtheano.dataclass import replace
from symtheano.graph.variable import Apply
from symtheano.lowering import ArgReduction


def group_of_point(node: Apply, shapes: Shapes, reads: Mapping[Apply, Reads]) -> Group:
    """Return the group of an elementwise node."""
    (output,) = node.outputs
    dims = shapes.dims(output)
    wide = [a for a, length in enumerate(output.type.shape) if length != 1]
    axes = tuple(wide.index(a) if a in wide else None for a in range(output.ndim))
    group = Group(tuple([dims[a] for a in wide]), results={}, leaves={}, depths={})
    return with_members(group, [Member(node, axes, "point")], reads, consume=True)


def group_of_reduction(node: Apply, shapes: Shapes, reads: Mapping[Apply, Reads]) -> Group:
    """Return the group of a reduction.

    The innermost axis is the one along which the operand is contiguous. If it is kept, rows of
    accumulators run along it; otherwise the reduced axes are innermost.
    """
    dims = shapes.dims(node.inputs[0])
    order = _order_of_axes(node, reads[node].sources[0])
    axes = tuple(order.index(a) if a in order else None for a in range(node.inputs[0].ndim))
    opened = with_role(Group(tuple(dims[a] for a in order)), node, axes)
    assert opened is not None, "a reduction is a member of a group of its own"
    group, member = opened
    return with_members(group, [member], reads)


def _order_of_axes(node: Apply, operand: Source) -> list[int]:
    """Return the axes of a reduction's operand, from the outermost loop on."""
    x, removed = node.inputs[0], axes_removed_by(node)
    located = isinstance(node.op.lowering, ArgReduction)
    lengths = x.type.shape
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
    return order or [removed[0]]


def with_role(group: Group, node: Apply, axes: Axes) -> tuple[Group, Member] | None:
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
