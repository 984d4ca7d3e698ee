"""Whether and how a node fits into a nest: its axes, and the result of a reduction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symtheano.codegen.plan.fusion.groups import Group
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
from symtheano.lowering import ArgReduction
from symtheano.tensor.variable import Tensor

AXES = "its axes are others"
"""Why a node does not fit into a nest."""


def fit_point(
    nest: Group,
    node: Apply,
    operands: Sequence[Source],
    dims: Dims,
    joining: Group | None = None,
) -> Axes | None:
    """Return the nest's axis for each axis of a node's result, or None if it does not fit.

    Parameters
    ----------
    nest
        The nest.
    node, operands, dims
        The node, what it reads at its own index, and the shape of its result.
    joining
        The group that has the node so far; arrays that both read tell which axes correspond.
    """
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
    wide = [p for p, length in enumerate(output.type.shape) if length != 1]
    if any(axes[p] is None for p in wide):
        if len(wide) != len(nest.space):
            return None
        axes = _whole(nest, wide, operands, axes, joining)
        if not agrees(nest.results, axes, operands):
            return None
    used = [axis for axis in axes if axis is not None]
    if len(set(used)) != len(used) or any(nest.space[axes[p]] != dims[p] for p in wide):  # type: ignore[index]
        return None
    whole = set(used) == set(range(len(nest.space)))
    rows = bool(nest.split) and set(used) == set(nest.outer)
    return tuple(axes) if whole or rows or set(used) in _columns(nest) else None


def _columns(nest: Group) -> list[set[int | None]]:
    """Return the axes of columns that are complete at each outer index."""
    kept = [result_axes(m) for m in nest.members if m.role == "column"]
    return [set(axes) - {None} for axes in kept if is_own(nest, axes)]


def is_own(nest: Group, kept: Axes) -> bool:
    """Return whether a reduction that keeps some axes is complete at each outer index."""
    return set(nest.outer) <= set(kept)


def _whole(
    nest: Group,
    wide: Sequence[int],
    operands: Sequence[Source],
    partial: Sequence[int | None],
    joining: Group | None,
) -> list[int | None]:
    """Return the nest's axis of each axis of a value that varies along all of them.

    The axes are those of an array that both read; without one, those that correspond to the axes
    of the group that has the value so far; else those that are known, and the others in order.
    """
    shown = _shown(nest.leaves, wide, operands)
    if shown is None and joining is not None:
        shown = _shown(_corresponding(nest, joining), wide, operands)
    if shown is not None:
        return shown
    others = iter([axis for axis in range(len(nest.space)) if axis not in partial])
    return [
        next(others, None) if axis is None and p in wide else axis for p, axis in enumerate(partial)
    ]


def _shown(
    leaves: Mapping[Tensor, Axes], wide: Sequence[int], operands: Sequence[Source]
) -> list[int | None] | None:
    """Return the axes that an array tells, of each axis of what varies along all of them."""
    for operand in operands:
        leaf = leaves.get(operand.variable, ())
        axes = [None if a is None or not leaf else leaf[a] for a in operand.axes]
        if len({*axes} - {None}) == len(wide):
            return axes
    return None


def _corresponding(nest: Group, joining: Group) -> Mapping[Tensor, Axes]:
    """Return the nest's axis of each axis of the arrays that another group reads.

    An array that both read, or that one computes and the other reads, tells which axes are the
    same. Arrays with an axis of which this is not known are left out.
    """
    same: dict[int | None, int | None] = {}
    for variable, theirs in joining.leaves.items():
        mine = nest.leaves.get(variable) or nest.results.get(variable)
        if mine and len(mine) == len(theirs):
            same.update(zip(theirs, mine, strict=True))
    same[None] = None
    return {
        variable: tuple([same[axis] for axis in axes])
        for variable, axes in joining.leaves.items()
        if same.keys() >= {*axes}
    }


def agrees(
    results: Mapping[Tensor, Axes], axes: Sequence[int | None], operands: Sequence[Source]
) -> bool:
    """Return whether operands among the results of a nest have the same axes there."""
    for operand in operands:
        place = results.get(operand.variable)
        if place is None:
            continue
        for position, axis in pairs(operand):
            if axis is not None and place[axis] not in (None, axes[position]):
                return False
    return True


def operand_axes(
    nest: Group, node: Apply, operand: Source, dims: Dims, joining: Group | None = None
) -> Axes | None:
    """Return the nest's axis for each axis of a reduction's operand, or None if it does not fit.

    Parameters
    ----------
    nest
        The nest.
    node, operand, dims
        The reduction, its operand and the shape of that.
    joining
        See :func:`fit_point`.
    """
    place = nest.results.get(operand.variable)
    lengths = node.inputs[0].type.shape
    if place is not None:
        axes = tuple(None if axis is None else place[axis] for axis in operand.axes)
        repeated = any(a is None and length != 1 for a, length in zip(axes, lengths, strict=True))
        return None if repeated else axes
    wide = [a for a, length in enumerate(lengths) if length != 1]
    if len(wide) != len(nest.space):
        return None
    axes = tuple(_whole(nest, wide, [operand], [None] * len(lengths), joining))
    return axes if all(dims[a] == nest.space[axes[a]] for a in wide) else None  # type: ignore[index]


def role_of(nest: Group, node: Apply, axes: Axes) -> tuple[Role, int | None] | None:
    """Return the role of a reduction in a nest, and the number of the nest's outer axes then.

    None if the nest can't have it.
    """
    used = {axis for axis in axes if axis is not None}
    reduced = reduced_axes(node, axes)
    count = len(nest.space)
    everything = set(range(count))
    if isinstance(node.op.lowering, ArgReduction):
        alone = count > 1 or all(member.role != "full" for member in nest.members)
        at_end = used == everything and reduced == {count - 1}
        return _rows(nest, count - 1) if at_end and alone else None
    if nest.split and used == set(nest.outer) and used != everything:
        return ("full", nest.split) if reduced == used else None
    if used != everything or not everything:
        return None
    if reduced == everything:
        return ("full", nest.split) if nest.split != 0 else None
    if reduced == set(range(count - len(reduced), count)):
        return _rows(nest, count - len(reduced))
    return _columns_of(nest, reduced)


def _rows(nest: Group, split: int) -> tuple[Role, int] | None:
    """Return the role of a reduction of the axes from one on, which must be the inner ones."""
    return ("row", split) if nest.split in (None, split) else None


def _columns_of(nest: Group, reduced: set[int]) -> tuple[Role, int] | None:
    """Return the role of a reduction whose accumulators run along the last axis, which is kept."""
    count = len(nest.space)
    if not reduced or count - 1 in reduced:
        return None
    first_change = (axis for axis in range(count) if (axis in reduced) != (0 in reduced))
    return "column", next(first_change) if nest.split is None else nest.split


def contiguous_axis(operand: Source, axes: Sequence[int]) -> int:
    """Return along which of some axes a value is contiguous in memory, as far as is known."""
    places = [(-1 if operand.axes[axis] is None else operand.axes[axis], axis) for axis in axes]
    return max(places, default=(0, -1))[1]
