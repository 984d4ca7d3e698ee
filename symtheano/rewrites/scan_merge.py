"""Loops: equal results are computed once, and loops that read the same rows are one loop."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from symtheano.graph.interner import Interner
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, replace
from symtheano.loops.parts import History, Parts, State
from symtheano.rewrites.match import computed_by
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of, without_unused
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor


@graph_rule("loops", numerics="exact")
def loops_over_the_same_rows(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Two loops of as many iterations that read or begin with the same arrays are one loop.

    Such as one of which a gradient stores more than the user reads.
    """
    used = used_of(nodes, outputs)
    loops = [(node, set(node.inputs[1:])) for node in scans(nodes)]
    for position, (first, read) in enumerate(loops):
        for second, others in loops[position + 1 :]:
            if first.inputs[0] is not second.inputs[0] or read.isdisjoint(others):
                continue
            both = Parts.of(first, used), Parts.of(second, used)
            if any(parts.until is not None for parts in both):
                continue
            if not _reads_rows(both, read & others) or _depends(second, first):
                continue
            return _merged(*both).replacements()
    return {}


def _reads_rows(both: Sequence[Parts], shared: Collection[Variable]) -> bool:
    """Return whether both loops read rows of shared arrays, or begin with them."""
    return all(
        any(
            item in shared
            for item in (
                *(rows.array for rows in parts.sequences),
                *(history.initial for history in parts.histories),
                *(state.initial for state in parts.states),
            )
        )
        for parts in both
    )


def _depends(second: Apply, first: Apply) -> bool:
    """Return whether one of two loops reads what the other one computes."""
    before, after = set(ancestors(second.inputs)), set(ancestors(first.inputs))
    return not before.isdisjoint(first.outputs) or not after.isdisjoint(second.outputs)


def _merged(first: Parts, second: Parts) -> Parts:
    second.rename()  # both may have been made from the same variables
    second.substitute({second.step: first.step})
    first.sequences += second.sequences
    first.histories += second.histories
    first.states += second.states
    first.others += second.others
    first.required += second.required
    without_unused(first)
    return first


@graph_rule("loops", numerics="exact")
def equal_results_of_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """Results that begin with the same values and go on in the same way are computed once."""
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        carried: list[History | State] = [*parts.histories, *parts.states]
        first = _representatives(carried, parts.until is None)
        same = [(item, first[item]) for item in carried if first[item] is not item]
        if not same:
            continue
        new: dict[Tensor, Tensor] = {}
        copies: dict[Tensor, tuple[Tensor, tuple[Any, ...]]] = {}
        for item, kept in same:
            new.update(zip(_variables(item), _variables(kept), strict=True))
            if isinstance(kept, State):
                assert isinstance(item, State)
                kept.outputs.update(item.outputs)
                parts.states.remove(item)
                continue
            if kept.output is None:
                kind = kept.result.type
                kept.output = TensorType(kind.dtype, (None, *kind.shape))()
            if isinstance(item, State):
                for part, key in item.outputs.items():
                    copies[part] = (kept.output, (-1, *key))
                parts.states.remove(item)
            else:
                if item.output is not None:
                    copies[item.output] = (kept.output, ())
                parts.histories.remove(item)
        parts.substitute(new)
        new_outputs = parts.replacements()
        replacements.update((old, new_outputs[old]) for old in new_outputs if old.owner is node)
        replacements.update(
            (copy, getitem(new_outputs[output], key) if key else new_outputs[output])
            for copy, (output, key) in copies.items()
        )
    return replacements


def _variables(item: History | State) -> list[Tensor]:
    return [item.variable] if isinstance(item, State) else list(item.taps.values())


def _beginning(item: History | State) -> tuple[object, ...]:
    """Return what results that may be equal have in common."""
    initial = item.initial
    if isinstance(item, State):
        return (initial, (-1,))
    taps = tuple(item.taps)
    if taps == (-1,) and initial is not None and computed_by(initial, DimShuffle):
        (row,) = initial.owner.inputs
        if initial.owner.op.new_order == ("x", *range(row.ndim)):
            initial = row
    return (initial, taps)


def _representatives(
    carried: Sequence[History | State], complete: bool
) -> dict[History | State, History | State]:
    """Return for each result the first one that is equal to it.

    All that begin with the same values are assumed to be equal; those that are different after an
    iteration then are not, until all assumptions hold. If there are all iterations (``complete``),
    the last row of a history is a state.
    """
    keys: list[object] = [
        (
            *_beginning(item),
            complete or type(item),
            item.result.type,
            *(variable.type for variable in _variables(item)),
        )
        for item in carried
    ]
    while True:
        first: dict[object, History | State] = {}
        for key, item in zip(keys, carried, strict=True):
            first.setdefault(key, item)
        new: dict[Tensor, Tensor] = {}
        for key, item in zip(keys, carried, strict=True):
            new.update(zip(_variables(item), _variables(first[key]), strict=True))
        results = Interner().intern(replace([item.result for item in carried], new))
        finer: list[object] = [
            (key, cast("Tensor", r)) for key, r in zip(keys, results, strict=True)
        ]
        if len(set(finer)) == len(set(keys)):
            return {item: first[key] for key, item in zip(keys, carried, strict=True)}
        keys = finer
