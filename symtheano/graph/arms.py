"""Arms: groups of inputs, only one of which is needed in a call, as in ``ifelse``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort

CONDITION = 0
"""The input that says which arm a call needs: the first one if it is true."""


def arms_of(node: Apply) -> tuple[list[Variable], list[Variable]]:
    """Return the inputs that a node needs if its condition is true, and those if it is false."""
    half = 1 + (len(node.inputs) - 1) // 2
    return node.inputs[1:half], node.inputs[half:]


def has_arms(nodes: Iterable[Apply]) -> bool:
    """Return whether a call may do without some of the nodes."""
    return any(node.op.has_arms for node in nodes)


def needed(outputs: Iterable[Variable], stop: Collection[Variable] = ()) -> set[Variable]:
    """Return the variables that every call needs to compute ``outputs``.

    If a call needs a node, it needs the variables that both arms of the node need. Variables in
    ``stop`` are treated as inputs.
    """
    required: set[Variable] = set()
    inputs = set(stop)
    waiting = _add(_reached(outputs, required, inputs), required)
    while waiting:
        node = waiting.pop()
        wanted = [k for k, output in enumerate(node.outputs) if output in required]
        first, second = (
            _reached([arm[k] for k in wanted], required, inputs) for arm in arms_of(node)
        )
        waiting += _add(first.keys() & second.keys(), required)
    return required


def _add(variables: Iterable[Variable], required: set[Variable]) -> list[Apply]:
    """Add variables to those that are known; return the nodes of theirs that have arms."""
    new = dict.fromkeys(variables)
    required.update(new)
    nodes = dict.fromkeys(item.owner for item in new if item.owner is not None)
    return [node for node in nodes if node.op.has_arms]


def _reached(
    roots: Iterable[Variable], required: set[Variable], stop: set[Variable]
) -> dict[Variable, None]:
    """Return the variables that are surely needed for ``roots`` and are not known."""
    reached: dict[Variable, None] = {}
    stack = list(roots)
    while stack:
        item = stack.pop()
        if item in reached or item in required:
            continue
        reached[item] = None
        node = item.owner
        if node is not None and item not in stop:
            stack.extend(node.inputs[: CONDITION + 1] if node.op.has_arms else node.inputs)
    return reached


def boundary(arm: Sequence[Variable], outside: Collection[Variable]) -> list[Variable]:
    """Return the variables of ``outside``, and the leaves, from which an arm is computed."""
    variables: dict[Variable, None] = {}
    inner = toposort(arm, outside)
    for item in (*(item for node in inner for item in node.inputs), *arm):
        if item.owner is None or item in outside:
            variables[item] = None
    return list(variables)
