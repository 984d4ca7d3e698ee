"""One array added to several parts of another, as in gradients of finite differences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from symtheano import dtypes
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.match import computed_by, conform, dim_of
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.subtensor import items_of
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.indexing.slices import IncSubtensor
from symtheano.tensor.indexing.subtensor import getitem, pattern_of
from symtheano.tensor.variable import Tensor

_FEWEST = 3
"""Parts for which it pays to store the array with zeros around it."""

_WIDEST = 8
"""Elements that a part leaves out at one end of an axis, at most."""


class _Window(NamedTuple):
    """How many elements a part leaves out at the beginning and end of each axis."""

    before: tuple[int, ...]
    after: tuple[int, ...]


@graph_rule("blas", numerics="reassociates")
def increments_of_shifted_parts(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Parts that are incremented by the same array become a sum of parts of this array.

    The array is put between zeros once, and one loop adds all of it, instead of a loop for each
    part. This is so for three parts that leave out a few elements at the ends of axes.
    """
    if sum(isinstance(node.op, IncSubtensor) for node in nodes) < _FEWEST:
        return {}
    readers: dict[Variable, list[Apply | None]] = {output: [None] for output in outputs}
    for node in nodes:
        for item in node.inputs:
            readers.setdefault(item, []).append(node)
    found: dict[Variable, Variable] = {}
    for node in nodes:
        output = node.outputs[0]
        if not _increments(output) or output.dtype not in dtypes.FLOAT:
            continue
        first, *others = readers[output]
        if not others and first is not None and _is_increment_of(first, output):
            continue  # it is not the last of a chain
        chain, base = [node], node.inputs[0]
        while _increments(base) and len(readers[base]) == 1:
            chain.append(base.owner)
            base = base.owner.inputs[0]
        with origin_scope(node.origin):
            total = _as_sum(base, chain[::-1])
        result = None if total is None else conform(total, output)
        if result is not None:
            found[output] = result
    return found


def _as_sum(base: Tensor, chain: Sequence[Apply]) -> Tensor | None:
    """Return an array with increments, most of them as sums; None if there are too few alike."""
    windows: dict[Tensor, dict[Apply, _Window]] = {}
    for node in chain:
        window = _window(node)
        if window is not None:
            windows.setdefault(node.inputs[1], {})[node] = window
    several = {value: parts for value, parts in windows.items() if len(parts) >= _FEWEST}
    if not several:
        return None
    moved = {node for parts in several.values() for node in parts}
    total = base
    for node in chain:
        if node not in moved:
            total = node.op(total, *node.inputs[1:])
    for value, parts in several.items():
        total = _with_parts(total, value, list(parts.values()))
    return total


def _increments(variable: Tensor) -> bool:
    return computed_by(variable, IncSubtensor) and not variable.owner.op.set_instead_of_inc


def _is_increment_of(node: Apply, array: Tensor) -> bool:
    return node.inputs[0] is array and _increments(node.outputs[0])


def _window(node: Apply) -> _Window | None:
    """Return which part a node increments, None if it is not nearly the whole array."""
    array, value = node.inputs[:2]
    items = items_of(node, 2)
    items += [slice(None)] * (array.ndim - len(items))
    before, after = [], []
    for item, length, part in zip(items, array.type.shape, value.type.shape, strict=False):
        if not isinstance(item, slice) or item.step is not None or part == 1:
            return None
        start, stop = 0 if item.start is None else item.start, item.stop
        if stop is None:
            left = 0
        elif isinstance(stop, int) and stop < 0:
            left = -stop
        elif isinstance(stop, int) and length is not None:
            left = length - stop
        else:
            return None
        if not isinstance(start, int) or not 0 <= start <= _WIDEST or not 0 <= left <= _WIDEST:
            return None
        before.append(start)
        after.append(left)
    return _Window(tuple(before), tuple(after)) if len(before) == array.ndim else None


def _with_parts(array: Tensor, value: Tensor, windows: Sequence[_Window]) -> Tensor:
    """Add a value to several parts of an array."""
    first = [max(places) for places in zip(*(w.before for w in windows), strict=True)]
    least = [min(places) for places in zip(*(w.before for w in windows), strict=True)]
    last = [a + b - c for a, b, c in zip(*windows[0], least, strict=True)]
    dims = [
        dim_of(array, axis) + a - c for axis, (a, c) in enumerate(zip(first, least, strict=True))
    ]
    pattern, bounds = pattern_of([_between(*ends) for ends in zip(first, last, strict=True)])
    wide = IncSubtensor(pattern, True)(zeros(dims, value.dtype), value, *bounds)
    for window in windows:
        places = zip(first, least, window.before, strict=True)
        array = array + getitem(wide, tuple(_between(a - b, b - c) for a, c, b in places))
    return array


def _between(before: int, after: int) -> slice:
    """Return a slice that leaves out elements at both ends."""
    return slice(before or None, -after or None)
