"""Loops: random numbers that iterations draw one by one are drawn before the loop.

A draw does not depend on what the iterations compute. So the numbers of all iterations are an
array, of which an iteration reads a row: the same numbers, and the same state after the loop.
Functions of these numbers are then computed for all iterations, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, replace, toposort
from symtheano.loops.parts import Other, Parts, Rows, State
from symtheano.rewrites.match import computed_by, inputs_of, scalar_value
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scan_motion import free_of_earlier, is_costly
from symtheano.rewrites.scans import scans, used_of
from symtheano.rewrites.subtensor import items_of
from symtheano.scalar import philox, table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.random.philox_op import FirstPhiloxNumbers
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.shape import MakeVector
from symtheano.tensor.variable import Tensor

if TYPE_CHECKING:
    from symtheano.rewrites.match import Computed

_FEW = 16
"""So many numbers of an iteration are drawn before the loop; more are worth a call."""

_KINDS = {row: kind for kind, row in philox.BY_KIND.items()}

_QUICK = ("random", "standard_normal", "standard_exponential")

_STEPS = 65536
"""For so many iterations there is memory for all numbers, whatever else the loop keeps."""


@graph_rule("loops", numerics="exact")
def draws_before_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """The few numbers that each iteration draws with a generator are drawn before the loop.

    If the loop reads or keeps a row in each iteration anyway, or has few iterations. A uniform,
    normal or exponential number takes no longer in the loop, while results of the iteration before
    are not ready; so it stays, unless costly functions of it, or all values of a result, can be
    computed before the loop.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        new: dict[Tensor, Tensor] = {}
        draws = _draws_of(parts) if _has_memory(parts) else {}
        wanted = _wanted_before(parts, [drawn.owner.outputs[1] for drawn in draws.values()])
        for state, drawn in draws.items():
            op, one = drawn.owner.op, drawn.owner.outputs[1]
            if op.name in _QUICK and one.ndim == 0 and one not in wanted:
                continue
            values = {other.variable: other.value for other in parts.others}
            parameters, dims = op.split(replace(drawn.owner.inputs, values))
            after, numbers = op(state.initial, *parameters, parts.iterations(), *dims)
            new[one] = one.type()
            parts.sequences.append(Rows(new[one], numbers))
            replacements.update(_without(parts, state, after))
        if new:
            parts.substitute(new)
            if parts.histories or parts.states:
                replacements.update(parts.replacements())
    return replacements


def _has_memory(parts: Parts) -> bool:
    """Return whether numbers of all iterations may be kept."""
    if parts.until is not None or not parts.node.op.stores:  # type: ignore[attr-defined]
        return False
    count = scalar_value(parts.steps)
    is_short = isinstance(count, int) and count <= _STEPS
    return is_short or bool(parts.sequences or parts.histories)


def _draws_of(parts: Parts) -> dict[State, Computed[RandomFunction]]:
    """Return the states from which a single node draws that may draw for all iterations."""
    draws = ((state, _draw_of(state, parts)) for state in parts.states)
    return {state: drawn for state, drawn in draws if drawn is not None}


def _wanted_before(parts: Parts, numbers: Collection[Tensor]) -> set[Variable]:
    """Return the numbers of which costly functions, or results, can be computed before the loop."""
    free = free_of_earlier(parts, numbers)
    costly = (node for node in toposort(parts.results, numbers) if is_costly(node))
    movable = {item for node in costly for item in node.outputs}.intersection(free)
    movable.update(item.result for item in parts.histories if not item.taps and item.result in free)
    return set(ancestors(movable)).intersection(numbers)


def _draw_of(state: State, parts: Parts) -> Computed[RandomFunction] | None:
    """Return the next value of a state if it is such a state."""
    after = state.result
    if not computed_by(after, RandomFunction):
        return None
    node = after.owner
    first, numbers = node.inputs[0], node.outputs[1]
    parameters, dims = node.op.split(node.inputs)
    sizes = [size for dim in dims if isinstance(size := scalar_value(dim), int)]
    if first is not state.variable or after is not node.outputs[0] or node.op.distribution.vector:
        return None
    if len(sizes) < len(dims) or prod(sizes) > _FEW:
        return None
    if any(item.ndim or item.owner is not None or item in parts.changing() for item in parameters):
        return None
    reads = parts.results_beside(state)
    others = toposort(reads, {numbers})
    read = {*reads, *(item for other in others for item in other.inputs)}
    return after if read.isdisjoint({first, after}) else None


def _without(parts: Parts, state: State, last: Tensor) -> dict[Variable, Variable]:
    """Leave out a state with a known last value; return what replaces it."""
    parts.states.remove(state)
    parts.forget([state.variable])
    return {part: getitem(last, key) if key else last for part, key in state.outputs.items()}


# -- Philox ----------------------------------------------------------------------------------------


@graph_rule("loops", numerics="exact")
def counters_from_steps(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """What iterations count to draw numbers of Philox is computed from the iteration's number.

    Then the numbers depend on no earlier iteration, and are computed before the loop.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        if not _has_memory(parts) or not any(map(_is_philox, toposort(parts.results))):
            continue
        new: dict[Tensor, Tensor] = {}
        for state in [*parts.states]:
            steps, reads = _steps_of(state), _items_read(state, parts)
            if steps is None or reads is None:
                continue
            first = state.variable.type()
            parts.others.append(Other(first, state.initial))
            now = [_counted(first, k, by, parts.step) for k, by in enumerate(steps)]
            new.update((item, now[k]) for item, k in reads.items())
            count = parts.iterations()
            for row, kind, ahead in _first_numbers(state, steps, parts):
                stream = _counted(state.initial, 1, ahead, constant(1))
                draw = FirstPhiloxNumbers(*kind, steps[1])
                new[row] = row.type()
                rows = draw(state.initial[0], stream, count)
                parts.sequences.append(Rows(new[row], rows))
            last = [_counted(state.initial, k, by, count) for k, by in enumerate(steps)]
            replacements.update(_without(parts, state, stack(last)))
        if new:
            parts.substitute(new)
            if parts.histories or parts.states:
                replacements.update(parts.replacements())
    return replacements


def _is_philox(node: Apply) -> bool:
    return isinstance(node.op, Elemwise) and node.op.scalar_op in _KINDS


def _first_numbers(
    state: State, steps: Sequence[int], parts: Parts
) -> Iterator[tuple[Tensor, tuple[str, str], int]]:
    """Yield the first numbers of streams that iterations draw.

    With their kinds, and by how much their streams exceed that of the state.
    """
    for node in toposort(parts.results):
        if not _is_philox(node) or steps[0] != 0 or scalar_value(node.inputs[2]) != 0:
            continue
        key, (stream, *more) = (
            node.inputs[0],
            inputs_of(node.inputs[1], scalar.add) or [node.inputs[1]],
        )
        ahead = scalar_value(more[0]) if more else 0
        items = _item_of(state, key), _item_of(state, stream)
        if items == (0, 1) and len(more) < 2 and isinstance(ahead, int):
            yield node.outputs[0], _KINDS[node.op.scalar_op], ahead


def _steps_of(state: State) -> list[int] | None:
    """Return what iterations add to each element of a short vector of uint64, or None."""
    if state.result.dtype != "uint64" or not computed_by(state.result, MakeVector):
        return None
    steps = []
    for number, item in enumerate(state.result.owner.inputs):
        before, *more = inputs_of(item, scalar.add) or [item]
        by = scalar_value(more[0]) if more else 0
        if len(more) > 1 or not isinstance(by, int) or _item_of(state, before) != number:
            return None
        steps.append(by)
    return steps


def _item_of(state: State, item: Tensor) -> int | None:
    """Return the number of the element of a state that is read, if it is one of known number."""
    if not computed_by(item, Subtensor) or item.owner.inputs[0] is not state.variable:
        return None
    (number,) = items_of(item.owner)
    return number if isinstance(number, int) and number >= 0 else None


def _items_read(state: State, parts: Parts) -> dict[Tensor, int] | None:
    """Return the elements of a state that are read, with their numbers; None if more is read."""
    numbers: dict[Tensor, int] = {}
    if state.variable in parts.results:
        return None
    for node in toposort(parts.results):
        if state.variable in node.inputs:
            number = _item_of(state, node.outputs[0])
            if number is None:
                return None
            numbers[node.outputs[0]] = number
    return numbers


def _counted(first: Tensor, number: int, by: int, count: Tensor) -> Tensor:
    """Return an element of a counter after some iterations."""
    start = getitem(first, number)
    if by == 0:
        return start
    return start + cast(count, "uint64") * as_tensor_variable(np.uint64(by))
