"""Loops: what they do not need, and what of their results is not needed, is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors
from symtheano.loops.parts import History, Other, Parts, Rows, State
from symtheano.loops.scan_op import Scan
from symtheano.rewrites.match import computed_by, dim_of, scalar_value
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.subtensor import is_whole, items_of
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import Alloc, alloc_op, zeros
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.inferred import output_dims
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.variable import Tensor, TensorConstant

_SMALL = 64
"""Constants of at most so many elements are constants of the step."""

_STATES = 4
"""At most so many of the last rows of a history are kept as states."""


def scans(nodes: Sequence[Apply]) -> Iterator[Apply]:
    """Yield the loops among nodes; what is made meanwhile has the loop's origin."""
    for node in nodes:
        if isinstance(node.op, Scan):
            with origin_scope(node.origin):
                yield node


def used_of(nodes: Sequence[Apply], outputs: Collection[Variable]) -> set[Variable]:
    """Return the variables that nodes read, and the outputs."""
    return {item for node in nodes for item in node.inputs}.union(outputs)


@graph_rule("loops", numerics="needs finite")
def steps_in_normal_form(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """The graph that a loop runs is rewritten before rules about loops read it.

    With the effects of these rules on infinities and NaN.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        graph = None if of_step is None else of_step(node.op.region)
        if graph is None or graph.outputs == node.op.region.outputs:
            continue
        parts = Parts.of(node, used)
        parts.set_results(graph.outputs)
        parts.required = list(graph.required)
        replacements.update(parts.replacements())
    return replacements


@graph_rule("loops", numerics="exact")
def unused_parts_of_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Results of a loop that nothing uses are not computed, and what they read is not read.

    Arrays that are read twice are read once, and small constants become a part of the step.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        if without_unused(parts):
            replacements.update(parts.replacements())
    return replacements


def without_unused(parts: Parts) -> bool:
    """Leave out what is not needed; return whether there was something."""
    carried: list[History | State] = [*parts.histories, *parts.states]
    before = len(carried), len(parts.sequences), len(parts.others)
    needed = [item for item in carried if _output_of(item)]
    ends = [] if parts.until is None else [parts.until]
    while True:
        reads = set(ancestors([*(item.result for item in needed), *ends]))
        more = [item for item in carried if item in needed or not reads.isdisjoint(_read_as(item))]
        if len(more) == len(needed):
            break
        needed = more
    if not needed and not ends:
        needed = carried[:1]  # nothing uses the loop
    parts.forget({v for item in carried if item not in needed for v in _read_as(item)})
    parts.histories = [item for item in parts.histories if item in needed]
    parts.states = [item for item in parts.states if item in needed]
    reads = parts.reads(parts.results)
    new: dict[Tensor, Tensor] = {}
    arrays: dict[Tensor, Tensor] = {}
    for rows in parts.sequences:
        if rows.row in reads and arrays.setdefault(rows.array, rows.row) is not rows.row:
            new[rows.row] = arrays[rows.array]
    for other in parts.others:
        value = other.value
        if other.variable not in reads:
            continue
        if isinstance(value, TensorConstant) and value.data.size <= _SMALL:
            new[other.variable] = value
            continue
        first = arrays.setdefault(value, other.variable)
        if first is not other.variable and first.type == other.variable.type:
            new[other.variable] = first
    parts.substitute(new)
    parts.sequences = [rows for rows in parts.sequences if rows.row in reads - new.keys()]
    parts.others = [other for other in parts.others if other.variable in reads - new.keys()]
    kept = len(parts.histories) + len(parts.states), len(parts.sequences), len(parts.others)
    return kept != before


def _output_of(item: History | State) -> bool:
    return bool(item.outputs) if isinstance(item, State) else item.output is not None


def _read_as(item: History | State) -> list[Tensor]:
    return [item.variable] if isinstance(item, State) else list(item.taps.values())


# -- the last rows ---------------------------------------------------------------------------------


@graph_rule("loops", numerics="exact")
def last_rows_as_states(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """A history of which only the last rows are used is not kept.

    Its last value is a state, as many earlier ones as the taps or the user reads are others.
    """
    replacements: dict[Variable, Variable] = {}
    readers: dict[Variable, list[Apply]] = {}
    for node in nodes:
        for item in node.inputs:
            readers.setdefault(item, []).append(node)
    for node in scans(nodes):
        parts = Parts.of(node, {*readers, *outputs})
        changed = False
        for number, history in enumerate([*parts.histories]):
            rows = _last_rows(parts, history, readers, outputs)
            if rows is not None:
                _as_states(parts, history, rows, number)
                changed = True
        if changed:
            replacements.update(parts.replacements())
    return replacements


_Rows = dict[Tensor, tuple[int, tuple[Any, ...]]]
"""Variables that are a part of a row of a history: how many rows before the end, and its index."""


def _last_rows(
    parts: Parts,
    history: History,
    readers: Mapping[Variable, list[Apply]],
    outputs: Collection[Variable],
) -> _Rows | None:
    """Return what is read of a history, if it is only its last rows; else None."""
    before = -min(history.taps, default=0)
    if before > _STATES:
        return None
    whole = history.output
    if whole is None:
        return {}
    if whole in outputs:
        return None
    rows_read: _Rows = {}
    waiting = [*readers[whole]]
    while waiting:
        node = waiting.pop()
        if not isinstance(node.op, Subtensor):
            return None
        (first, *rest), part = items_of(node), node.outputs[0]
        if isinstance(first, int) and -_STATES <= first < 0:
            rows_read[part] = (-first, tuple(rest))
        elif isinstance(first, slice) and not rest and node.inputs[0] is whole:
            if part in outputs or not _is_of_iterations(first, before):
                return None
            waiting += readers.get(part, [])
        else:
            return None
    kinds = {history.result.type, *(tap.type for tap in history.taps.values())}
    if len(kinds) > 1 and any(back > 1 for back, _ in rows_read.values()):
        return None  # an earlier value is a tap, of which less is known than of the result
    return rows_read


def _is_of_iterations(item: slice, before: int) -> bool:
    """Return whether a slice has the rows that the iterations have made."""
    start = 0 if item.start is None else item.start
    own = item.step is None and item.stop is None
    return own and start.__class__ is int and start == before


def _as_states(parts: Parts, history: History, rows: _Rows, number: int) -> None:
    """Make states of the last rows of a history."""
    before = -min(history.taps, default=0)
    last = max([before, 1, *(back for back, _ in rows.values())])
    kind = next(iter(history.taps.values()), history.result).type
    variables = [history.taps.get(-back - 1, kind()) for back in range(last)]
    for back, variable in enumerate(variables):
        if back < before and history.initial is not None:
            initial = getitem(history.initial, before - 1 - back)
        else:
            index = number if history.output is None else parts.node.outputs.index(history.output)
            dims = output_dims(parts.node, index)
            assert dims is not None
            initial = zeros(list(dims[1:]), history.result.dtype)
        result = variables[back - 1] if back else history.result
        places = {part: key for part, (place, key) in rows.items() if place == back + 1}
        parts.states.append(State(variable, initial, result, places))
    parts.histories.remove(history)


# -- what is read ----------------------------------------------------------------------------------


@graph_rule("loops", numerics="exact")
def rows_that_are_not_read(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Equal rows, numbers in order, and zeros but for one row, are not read from an array."""
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        new: dict[Tensor, Tensor] = {}
        for rows in [*parts.sequences]:
            row = _computed_row(rows, parts)
            if row is not None:
                new[rows.row] = row
                parts.sequences.remove(rows)
        if new:
            parts.substitute(new)
            replacements.update(parts.replacements())
    return replacements


def _computed_row(rows: Rows, parts: Parts) -> Tensor | None:
    array, row = rows.array, rows.row
    if computed_by(array, Alloc):
        value, *dims = array.owner.inputs
        if value.ndim == array.ndim and value.type.shape[0] != 1:
            return None
        if value.ndim == array.ndim:
            value = value.dimshuffle(*range(1, value.ndim))
        return _other(parts, alloc_op(value, *dims[1:]) if dims[1:] else value, row)
    position: Tensor = parts.step
    if computed_by(array, Subtensor) and is_reversal(array.owner):
        (array, _), length = array.owner.inputs, dim_of(array, 0)
        if computed_by(array, ARange):
            position = _other(parts, as_dims([length])[0], None) - 1 - position
    if computed_by(array, ARange) and row.dtype == array.dtype == "int64":
        start, _, step = array.owner.inputs
        first, by = _other(parts, start, None), _other(parts, step, None)
        return cast(first + by * position, "int64")
    return _row_of_one_hot(rows.array, row, parts)


def is_reversal(node: Apply) -> bool:
    """Return whether a part is ``x[::-1]``."""
    return items_of(node) == [slice(None, None, -1)]


def _row_of_one_hot(array: Tensor, row: Tensor, parts: Parts) -> Tensor | None:
    """Return the row, if only the first one of a reversed array of zeros was incremented."""
    if not computed_by(array, Subtensor) or not is_reversal(array.owner):
        return None
    changed = array.owner.inputs[0]
    if not computed_by(changed, IncSubtensor):
        return None
    whole, value, *_ = changed.owner.inputs
    first, *rest = items_of(changed.owner, 2)
    if scalar_value(whole) != 0 or first != -1 or not all(map(is_whole, rest)):
        return None
    if value.ndim + 1 != array.ndim:
        return None
    other = _other(parts, value, None)
    zero = zeros((), row.dtype)
    computed = scalar.switch(scalar.eq(parts.step, 0), other, zero)
    return computed if row.type.accepts(computed.type) else None


def _other(parts: Parts, value: Tensor, like: Tensor | None) -> Tensor:
    """Return the variable for a value that is the same in all iterations."""
    variable = value.type() if like is None else like.type()
    parts.others.append(Other(variable, value))
    return variable
