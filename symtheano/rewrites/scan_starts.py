"""Loops: what only the first iteration does is done before the loop."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.loops.parts import Parts
from symtheano.rewrites.match import (
    SELECTING,
    as_scalar,
    computed_by,
    inputs_of,
    same_part,
    scalar_value,
)
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of
from symtheano.scalar import table as scalar
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.variable import Tensor


@graph_rule("loops", numerics="sign of zero")
def first_term_before_loop(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """What is added to a state in the first iteration alone is added to its initial value.

    The gradient of the last row of a result is such a term in the loop of the gradient.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        parts = Parts.of(node, used)
        values = {other.variable: other.value for other in parts.others}
        changed = False
        for state in parts.states:
            terms = _first_terms(state.variable, parts, values)
            (first, *others) = dict.fromkeys(term for _, _, term in terms) or [None]
            if first is None or others or first.type != state.variable.type:
                continue
            runs = scalar.gt(parts.steps, 0)
            term = values[first]
            state.initial = state.initial + scalar.switch(runs, term, term.constant_like(0))
            parts.substitute({total: part for total, part, _ in terms})
            changed = True
        if changed:
            replacements.update(parts.replacements())
    return replacements


_Terms = list[tuple[Tensor, Tensor, Tensor]]
"""Sums, the part of a state in each, and the array of which the first iteration adds this part."""


def _first_terms(state: Tensor, parts: Parts, values: Mapping[Tensor, Tensor]) -> _Terms:
    """Return all sums that read a state; nothing if anything else reads its elements."""
    if state in parts.results:
        return []
    readers: dict[Variable, list[Apply]] = {}
    checked = [item for _, requirement in parts.required for item in requirement.variables]
    for node in toposort([*parts.results, *checked]):
        for item in dict.fromkeys(node.inputs):
            readers.setdefault(item, []).append(node)
    terms: _Terms = []
    waiting = [state]
    while waiting:
        part = waiting.pop()
        if part in parts.results:
            return []
        for node in readers.get(part, ()):
            output = node.outputs[0]
            if computed_by(output, *SELECTING) and node.inputs[0] is part:
                waiting.append(output)
                continue
            if isinstance(node.op, Shape_i):
                continue
            term = _first_term(node, part, parts.step)
            whole = None if term is None else same_part(term, part, state)
            if whole is None or whole not in values:
                return []
            terms.append((output, part, whole))
    return terms


def _first_term(node: Apply, part: Tensor, step: Tensor) -> Tensor | None:
    """Return what a node adds to a part in the first iteration alone."""
    operands = inputs_of(node.outputs[0], scalar.add)
    if operands is None or operands.count(part) != 1 or node.outputs[0].type != part.type:
        return None
    (other,) = (item for item in operands if item is not part)
    choice = inputs_of(other, scalar.switch)
    condition = None if choice is None else as_scalar(choice[0])
    numbers = None if condition is None else inputs_of(condition, scalar.eq)
    if choice is None or numbers is None or scalar_value(choice[2]) != 0:
        return None
    is_first = numbers[0] is step and scalar_value(numbers[1]) == 0
    return choice[1] if is_first and choice[1].type == part.type else None
