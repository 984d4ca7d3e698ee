"""Loops of few iterations become the graphs of these iterations, one after the other.

The graph around them is then fused with them, and nothing is kept between iterations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.loops.parts import History, Parts, Rows
from symtheano.rewrites.match import dim_of, same_dim, scalar_value
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scan_motion import is_batched
from symtheano.rewrites.scans import scans, used_of
from symtheano.tensor.basic import constant
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.shapes.join import join, stack
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor

_ITERATIONS = 4
_NODES = 60
"""At most so many iterations are written out, with so many operations and rows in all."""


@graph_rule("loops", numerics="exact")
def few_iterations_one_by_one(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """A loop of one iteration, or of few iterations on numbers, is not a loop.

    Unless an iteration may fail for another reason than lengths: the error tells which one. Several
    iterations on arrays stay a loop, which is as fast.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        count = scalar_value(node.inputs[0])
        if isinstance(count, int) and 0 < count <= _ITERATIONS:
            parts = Parts.of(node, used)
            if _is_simple(parts) and _is_short(parts, count):
                replacements.update(_written_out(parts, count))
    return replacements


def _is_simple(parts: Parts) -> bool:
    """Return whether iterations always succeed if the lengths at the beginning are right."""
    if parts.until is not None or parts.required:
        return False
    if not all(map(is_batched, toposort(parts.results))):
        return False
    carried = [(item.variable, item.result) for item in parts.states]
    carried += [(tap, item.result) for item in parts.histories for tap in item.taps.values()]
    return all(_keeps_lengths(before, after) for before, after in carried)


def _keeps_lengths(before: Tensor, after: Tensor) -> bool:
    return all(_has_length(after, axis, before) for axis in range(before.ndim))


def _has_length(result: Tensor, axis: int, other: Tensor) -> bool:
    """Return whether a result is known to be as long as another variable."""
    wanted = dim_of(other, axis)
    waiting, seen = [result], {result}
    while waiting:
        item = waiting.pop()
        if same_dim(dim_of(item, axis), wanted):
            return True
        if item.owner is not None and isinstance(item.owner.op, Elemwise):
            equal = {v for v in item.owner.inputs if v.type.shape[axis] != 1} - seen
            seen |= equal
            waiting += equal
    return False


def _is_short(parts: Parts, count: int) -> bool:
    """Return whether a number of iterations is worth writing out."""
    if count == 1:
        return True
    nodes = toposort(parts.results)
    computed = [item for node in nodes for item in node.outputs]
    rows = [item.row for item in parts.sequences]
    if any(item.ndim for item in [*computed, *rows, *parts.results]):
        return False
    return count * (len(nodes) + len(rows)) <= _NODES


def _written_out(parts: Parts, count: int) -> dict[Variable, Variable]:
    """Return what replaces the used outputs."""
    fixed = {other.variable: other.value for other in parts.others}
    states = [item.initial for item in parts.states]
    rows = [_initial_rows(item) for item in parts.histories]
    for step in range(count):
        new: dict[Tensor, Tensor] = {**fixed, parts.step: constant(step, dtype="int64")}
        new.update({item.row: _row(item, step) for item in parts.sequences})
        new.update({s.variable: value for s, value in zip(parts.states, states, strict=True)})
        for history, values in zip(parts.histories, rows, strict=True):
            new.update({variable: values[tap] for tap, variable in history.taps.items()})
        results = cast("list[Tensor]", replace(parts.results, new))
        for values, value in zip(rows, results, strict=False):
            values.append(value)
        states = results[len(rows) :]
    replacements: dict[Variable, Variable] = {}
    for history, values in zip(parts.histories, rows, strict=True):
        if history.output is not None:
            replacements[history.output] = _like(history.output, _whole(history, values))
    for state, last in zip(parts.states, states, strict=True):
        for part, key in state.outputs.items():
            replacements[part] = _like(part, getitem(last, key))
    return replacements


def _row(rows: Rows, step: int) -> Tensor:
    """Return a row of a sequence, which messages call as before."""
    row: Tensor = getitem(rows.array, step)
    row.name = row.name or rows.row.name
    return row


def _initial_rows(history: History) -> list[Tensor]:
    before = -min(history.taps, default=0)
    return [getitem(history.initial, row) for row in range(before)]


def _whole(history: History, rows: Sequence[Tensor]) -> Tensor:
    """Return a history: of numbers, or of one row after the initial ones."""
    if history.result.ndim == 0:
        return stack(rows)
    last = stack([rows[-1]])
    return last if history.initial is None else join(0, history.initial, last)


def _like(part: Tensor, value: Tensor) -> Variable:
    """Return a variable of a type of which as much is known."""
    kind = cast("TensorType", part.type)
    like: Variable = kind.filter_variable(value)
    return like
