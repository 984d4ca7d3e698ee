"""Whether and how a node fits into a nest: its axes, and the result of a reduction."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.codegen.plan.fusion.draft import NestDraft
from symtheano.codegen.plan.shapes import Dims
from symtheano.codegen.plan.steps import (
    Axes,
    Role,
    Source,
    pairs,
    reduced_axes,
    result_axes,
)
from symtheano.graph.variable import Apply


def fit_point(nest: NestDraft, node: Apply, operands: Sequence[Source], dims: Dims) -> Axes | None:
    """Return the nest's axis for each axis of a node's result, or None if it does not fit."""
    (output,) = node.outputs
    axes: list[int | None] = [None] * output.ndim
    for operand in operands:
        place = nest.results.get(operand.variable)
        for position, axis in pairs(operand) if place is not None else ():
            mine = None if axis is None or place is None else place[axis]
            if mine is None:
                continue
            if axes[position] not in (None, mine):
                return None
            axes[position] = mine
    wide = [p for p, known in enumerate(output.type.shape) if known != 1]
    if any(axes[p] is None for p in wide):
        if len(wide) != len(nest.space):
            return None
        axes = _whole(nest, wide, operands, axes)
        if not agrees(nest, axes, operands):
            return None
    used = [axis for axis in axes if axis is not None]
    if len(set(used)) != len(used) or any(nest.space[axes[p]] != dims[p] for p in wide):  # type: ignore[index]
        return None
    whole = set(used) == set(range(len(nest.space)))
    rows = bool(nest.split) and set(used) == set(nest.outer)
    return tuple(axes) if whole or rows or set(used) in _columns(nest) else None


def _columns(nest: NestDraft) -> list[set[int | None]]:
    """Return the axes of columns that are complete at each outer index."""
    kept = [result_axes(m) for m in nest.members if m.role == "column"]
    return [set(axes) - {None} for axes in kept if is_own(nest, axes)]


def is_own(nest: NestDraft, kept: Axes) -> bool:
    """Return whether a reduction that keeps some axes is complete at each outer index."""
    return set(nest.outer) <= set(kept)


def _whole(
    nest: NestDraft, wide: Sequence[int], operands: Sequence[Source], known: Sequence[int | None]
) -> list[int | None]:
    """Return the nest's axis of each axis of a value that varies along all of them.

    The axes are those of an array that both read; without one, those that are known, and the
    others in order.
    """
    for operand in operands:
        leaf = nest.leaves.get(operand.variable, ())
        found = [None if a is None or not leaf else leaf[a] for a in operand.axes]
        if len({*found} - {None}) == len(wide):
            return found
    others = iter([axis for axis in range(len(nest.space)) if axis not in known])
    return [
        next(others, None) if axis is None and p in wide else axis for p, axis in enumerate(known)
    ]


def agrees(nest: NestDraft, axes: Sequence[int | None], operands: Sequence[Source]) -> bool:
    """Return whether operands computed in a nest have the same axes there."""
    for operand in operands:
        place = nest.results.get(operand.variable)
        if place is None:
            continue
        for position, axis in pairs(operand):
            if axis is not None and place[axis] not in (None, axes[position]):
                return False
    return True


def operand_axes(nest: NestDraft, node: Apply, operand: Source, dims: Dims) -> Axes | None:
    """Return the nest's axis for each axis of a reduction's operand, or None if it does not fit."""
    place = nest.results.get(operand.variable)
    known = node.inputs[0].type.shape
    if place is not None:
        axes = tuple(None if axis is None else place[axis] for axis in operand.axes)
        repeated = any(a is None and length != 1 for a, length in zip(axes, known, strict=True))
        return None if repeated else axes
    wide = [a for a, length in enumerate(known) if length != 1]
    if len(wide) != len(nest.space):
        return None
    axes = tuple(_whole(nest, wide, [operand], [None] * len(known)))
    return axes if all(dims[a] == nest.space[axes[a]] for a in wide) else None  # type: ignore[index]


def role_of(nest: NestDraft, node: Apply, axes: Axes) -> Role | None:
    """Return the role of a reduction in a nest, choosing outer and inner axes, or None."""
    used = {axis for axis in axes if axis is not None}
    reduced = reduced_axes(node, axes)
    everything = set(range(len(nest.space)))
    if node.op.form == "locate":
        return _arg_role(nest, used, reduced, everything)
    if nest.split and used == set(nest.outer) and used != everything:
        return "full" if reduced == used else None
    if used != everything or not everything:
        return None
    if reduced == everything:
        return "full" if nest.split != 0 else None
    count = len(everything)
    if reduced == set(range(count - len(reduced), count)):
        return "row" if _split(nest, count - len(reduced)) else None
    return "column" if reduced and _splits_column(nest, reduced) else None


def _splits_column(nest: NestDraft, reduced: set[int]) -> bool:
    """Return whether rows of accumulators can run along the last axis, which must be kept."""
    count = len(nest.space)
    if count - 1 in reduced:
        return False
    if nest.split is None:
        nest.split = next(axis for axis in range(count) if (axis in reduced) != (0 in reduced))
    return True


def _arg_role(
    nest: NestDraft, used: set[int], reduced: set[int], everything: set[int]
) -> Role | None:
    if used != everything or reduced != {len(everything) - 1}:
        return None
    if len(everything) == 1 and any(member.role == "full" for member in nest.members):
        return None
    return "row" if _split(nest, len(everything) - 1) else None


def _split(nest: NestDraft, at: int) -> bool:
    if nest.split is None:
        nest.split = at
    return nest.split == at


def contiguous_axis(operand: Source, axes: Sequence[int]) -> int:
    """Return along which of some axes a value is contiguous in memory, as far as is known."""
    places = [(-1 if operand.axes[axis] is None else operand.axes[axis], axis) for axis in axes]
    return max(places, default=(0, -1))[1]
