"""Reductions join a nest over their operand or open one."""

from __future__ import annotations

from symtheano.codegen.plan.fusion.candidates import candidates, may_join
from symtheano.codegen.plan.fusion.draft import NestDraft
from symtheano.codegen.plan.fusion.fit import contiguous_axis, is_own, operand_axes, role_of
from symtheano.codegen.plan.fusion.nests import Nests
from symtheano.codegen.plan.steps import (
    Axes,
    Member,
    Source,
    axes_removed_by,
    reduced_axes,
    result_axes,
)
from symtheano.graph.variable import Apply


def place_reduction(nests: Nests, node: Apply) -> None:
    """Add a reduction to a nest where it fits, or to a new one."""
    operand = nests.views.source(node.inputs[0])
    for nest in candidates(nests, node, [operand]):
        axes = operand_axes(nest, node, operand, nests.shapes.dims(node.inputs[0]))
        if axes is None or not may_join(nests, nest, node, [operand]):
            continue
        role = role_of(nest, node, axes)
        if role is None and _is_free(nest) and None not in axes:
            new = nest.permute(reduced_axes(node, axes))
            axes = tuple(new[axis] for axis in axes)
            role = role_of(nest, node, axes)
        if role is not None:
            _add(nests, nest, Member(node, axes, role))
            return
    nest, axes = _open(nests, node, operand)
    role = role_of(nest, node, axes)
    assert role is not None
    _add(nests, nest, Member(node, axes, role))


def _is_free(nest: NestDraft) -> bool:
    """Return whether the order of a nest's axes does not matter yet."""
    return nest.split is None and all(member.role == "point" for member in nest.members)


def _open(nests: Nests, node: Apply, operand: Source) -> tuple[NestDraft, Axes]:
    """Open a nest over a reduction's operand.

    The innermost axis is the one along which the operand is contiguous. If it is kept, rows of
    accumulators run along it; otherwise the reduced axes are innermost.
    """
    x, removed, located = node.inputs[0], axes_removed_by(node), node.op.form == "locate"
    dims, known = nests.shapes.dims(x), x.type.shape
    wide = [a for a in range(x.ndim) if known[a] != 1]
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
    again = nests.remade.compute_again(axes, [operand])
    return nests.open([dims[a] for a in order], again), axes


def _add(nests: Nests, nest: NestDraft, member: Member) -> None:
    output = member.result
    nests.add(nest, member)
    nests.ready.first[output] = nests.position[nest] + 1
    if member.role == "full":
        nests.entry[output] = None
        return
    kept = result_axes(member)
    if member.role == "column" and not (nest.split and is_own(nest, kept)):
        nest.stores.append(output)
        return
    nest.results[output] = kept
    nests.made.home[output] = nest
    if output.ndim == 0:
        nests.entry[output] = None
