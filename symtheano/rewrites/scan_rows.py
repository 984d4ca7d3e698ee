"""Loops: rows that the number of an iteration selects are rows of sequences and of results.

``x[i]``, where ``i`` counts the iterations, reads a row of a sequence; adding to ``y[i]`` writes a
row of a history. Then other rules may compute with all rows at once, and no index is checked.
Gradients count backwards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from symtheano.dataclass import dataclass
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, toposort
from symtheano.loops.parts import History, Parts, Rows, State
from symtheano.rewrites.match import computed_by, dim_of, same_dim, scalar_value
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of
from symtheano.rewrites.subtensor import is_whole, items_of
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Dim, Tensor


@graph_rule("loops", numerics="exact")
def rows_that_numbers_select(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """``x[i]``, where ``i`` is the number of the iteration, is a row of a sequence.

    If ``x`` is known to have enough rows; so are ``x[i + 1]``, and ``x[n - 1 - i]`` of ``n`` rows.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        arrays = {other.variable: other.value for other in parts.others}
        rows: dict[Tensor, Tensor] = {}
        new: dict[Tensor, Tensor] = {}
        for part in toposort(parts.results):
            if not isinstance(part.op, Subtensor) or part.inputs[0] not in arrays:
                continue
            (first, *rest), (read,) = items_of(part), part.outputs
            if isinstance(first, int | slice):
                continue
            array = _rows_of(arrays[part.inputs[0]], _Line.of(first, parts.step), parts)
            if array is None:
                continue
            if array not in rows:
                rows[array] = TensorType(array.dtype, array.type.shape[1:])()
                parts.sequences.append(Rows(rows[array], array))
            new[read] = getitem(rows[array], tuple(rest)) if rest else rows[array]
        kept = [item for item in parts.required if not _is_inside(item[1], parts)]
        if new or len(kept) < len(parts.required):
            parts.required = kept
            parts.substitute(new)
            replacements.update(parts.replacements())
    return replacements


def _is_inside(requirement: Requirement, parts: Parts) -> bool:
    """Return whether a requirement is that of an index that is known to be within an array."""
    if requirement.code != "index" or len(requirement.values) != 2:
        return False
    position, length = requirement.values
    outside = _outside(cast("Dim", length), parts)
    if not isinstance(position, Tensor) or outside is None:
        return False
    return _Line.of(position, parts.step).is_within(outside, parts)


@graph_rule("loops", numerics="sign of zero")
def rows_that_are_added_once(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """An array of zeros to whose rows iterations add, one after another, is a history.

    Such as the gradient of an array of which an iteration reads a row.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        if parts.until is not None:
            continue
        changed: list[tuple[State, History, _Line]] = []
        for state in [*parts.states]:
            value = _added_row(state, parts)
            if value is not None:
                row, line = value
                kept = TensorType(row.dtype, (None, *row.type.shape))()
                changed.append((state, History({}, None, row, kept), line))
        if not changed:
            continue
        for state, history, _ in changed:
            parts.states.remove(state)
            parts.forget([state.variable])
            parts.histories.append(history)
        new_outputs = parts.replacements()
        replacements.update((old, new_outputs[old]) for old in new_outputs if old.owner is node)
        for state, history, line in changed:
            assert history.output is not None
            rows = new_outputs[history.output]
            whole = rows if line.steps == 1 else getitem(rows, slice(None, None, -1))
            for part, key in state.outputs.items():
                replacements[part] = getitem(whole, key) if key else whole
    return replacements


# -- positions -------------------------------------------------------------------------------------


@dataclass
class _Line:
    """An index that is a sum of the number of the iteration, of others, and a constant.

    Attributes
    ----------
    steps
        How often the number of the iteration is in the sum.
    constant
        The constant.
    others
        Other variables, and how often they are in the sum.
    """

    steps: int
    constant: int
    others: dict[Tensor, int]

    @staticmethod
    def of(index: Tensor, step: Tensor) -> _Line:
        """Return an int64 index as a sum."""
        line = _Line(0, 0, {})
        waiting = [(index, 1)]
        while waiting:
            item, sign = waiting.pop()
            value = scalar_value(item)
            if item is step:
                line.steps += sign
            elif isinstance(value, int):
                line.constant += sign * value
            elif summands := _operands(item, "add"):
                waiting += [(operand, sign) for operand in summands]
            elif difference := _operands(item, "sub"):
                one, other = difference
                waiting += [(one, sign), (other, -sign)]
            elif product := _with_constant(item, "mul"):
                waiting.append((product[0], sign * product[1]))
            else:
                line.others[item] = line.others.get(item, 0) + sign
        line.others = {item: times for item, times in line.others.items() if times}
        return line

    def is_within(self, length: Dim, parts: Parts) -> bool:
        """Return whether the index is known to be at least zero, and less than a length."""
        if self.steps == 1 and not self.others and self.constant >= 0:
            fewer = _fewer(parts.steps, length)
            return fewer is not None and fewer >= self.constant
        return same_dim(parts.steps, length) and self.is_last_minus_step(parts)

    def is_last_minus_step(self, parts: Parts) -> bool:
        """Return whether the index is ``n - 1 - step``, of ``n`` iterations."""
        if self.steps != -1:
            return False
        if not self.others:
            return same_dim(parts.steps, self.constant + 1)
        (item, times), *more = self.others.items()
        if more or times != 1 or self.constant != -1:
            return False
        value = _outside(item, parts)
        return value is not None and same_dim(value, parts.steps)


def _operands(item: Tensor, name: str) -> list[Tensor]:
    """Return the operands if an operation on int64 numbers computes an item; else nothing."""
    if not computed_by(item, Elemwise) or item.ndim or item.dtype != "int64":
        return []
    operands = list(item.owner.inputs)
    whole = all(v.dtype == "int64" or isinstance(scalar_value(v), int) for v in operands)
    return operands if whole and item.owner.op.scalar_op.name == name else []


def _with_constant(item: Tensor, name: str) -> tuple[Tensor, int] | None:
    """Return the operands of an operation on a number and a constant."""
    operands = _operands(item, name)
    for position, operand in enumerate(operands):
        value = scalar_value(operand)
        if isinstance(value, int) and len(operands) == 2:
            return operands[1 - position], value
    return None


def _rows_of(array: Tensor, line: _Line, parts: Parts) -> Tensor | None:
    """Return the rows of an array that a line selects, in order, if it is known to have them."""
    if not line.is_within(dim_of(array, 0), parts):
        return None
    if line.steps == -1:
        return getitem(array, slice(None, None, -1))
    return getitem(array, slice(line.constant, None)) if line.constant else array


def _fewer(steps: Dim, length: Dim) -> int | None:
    """Return by how many iterations are known to be fewer than a length, if there are any.

    None if they may be more.
    """
    if same_dim(steps, length):
        return 0
    count = steps if isinstance(steps, int) else scalar_value(steps)
    if isinstance(count, int):
        return length - count if isinstance(length, int) and count <= length else None
    if isinstance(steps, int):
        return None
    if both := _operands(steps, "minimum"):
        differences = [
            difference for item in both if (difference := _fewer(item, length)) is not None
        ]
        return max(differences, default=None)
    if (limited := _with_constant(steps, "maximum")) and limited[1] <= 0:
        return _fewer(limited[0], length)
    change = _with_constant(steps, "add")
    if change is None or change[1] > 0:
        return None
    item, constant = change
    if (limited := _with_constant(item, "maximum")) and limited[1] <= -constant:
        item = limited[0]
    before = _fewer(item, length)
    return None if before is None else before - constant


# -- what is written -------------------------------------------------------------------------------


def _added_row(state: State, parts: Parts) -> tuple[Tensor, _Line] | None:
    """Return what is added to a row of a state, and to which, if each row is changed once."""
    change = state.result.owner
    if change is None or not isinstance(change.op, IncSubtensor):
        return None
    whole, value = change.inputs[:2]
    first, *rest = items_of(change, 2)
    if computed_by(value, BroadcastInCall):
        value = value.owner.inputs[0]
    if whole is not state.variable or isinstance(first, int | slice):
        return None
    if not all(map(is_whole, rest)) or scalar_value(state.initial) != 0:
        return None
    read = [*parts.results_beside(state), value, *change.inputs[2:]]
    if state.variable in ancestors(read):
        return None
    line = _Line.of(first, parts.step)
    forward = line.steps == 1 and not line.others and line.constant == 0
    if not same_dim(parts.steps, dim_of(state.initial, 0)):
        return None
    if not forward and not line.is_last_minus_step(parts):
        return None
    return (value, line) if _is_row(value, state, parts) else None


def _is_row(value: Tensor, state: State, parts: Parts) -> bool:
    """Return whether a value is known to have the type and lengths of a row of a state."""
    wanted = state.variable
    if value.dtype != wanted.dtype or value.ndim != wanted.ndim - 1:
        return False
    return all(
        (length := _outside(dim_of(value, axis), parts)) is not None
        and same_dim(length, dim_of(state.initial, axis + 1))
        for axis in range(value.ndim)
    )


def _outside(length: Dim, parts: Parts) -> Dim | None:
    """Return a number in an iteration as one outside of the loop, if it is the same in all."""
    if isinstance(length, int):
        return length
    values = {other.variable: other.value for other in parts.others}
    if length in values:
        return values[length]
    if not computed_by(length, Shape_i):
        return None
    (array,), axis = length.owner.inputs, length.owner.op.axis
    if array in values:
        return dim_of(values[array], axis)
    for rows in parts.sequences:
        if rows.row is array:
            return dim_of(rows.array, axis + 1)
    for state in parts.states:
        if state.variable is array:
            return dim_of(state.initial, axis)
    return None
