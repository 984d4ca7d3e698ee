"""Iterative traversals of user graphs: ancestors, topological order, clone and replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from symtheano.graph.variable import Apply, Constant, Variable

V = TypeVar("V", bound=Variable)


def toposort(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> list[Apply]:
    """Return the nodes that compute ``outputs``, in topological order.

    Variables in ``stop`` are treated as inputs. The order is that of a depth-first traversal from
    the first output's first input, so it is the same in every process.
    """
    inputs = stop if isinstance(stop, Set) else set(stop)
    done: dict[Apply, None] = {}  # in order
    for root in outputs:
        node = root.owner
        if node is None or node in done or root in inputs:
            continue
        sources = iter(node.inputs)
        stack: list[tuple[Apply, Iterator[Variable]]] = []
        while True:
            for source in sources:
                owner = source.owner
                if owner is not None and owner not in done and source not in inputs:
                    stack.append((node, sources))
                    node, sources = owner, iter(owner.inputs)
                    break
            else:
                done[node] = None
                if not stack:
                    break
                node, sources = stack.pop()
    return list(done)


def ancestors(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> Iterator[Variable]:
    """Yield every variable on which ``outputs`` depend, including themselves, once.

    Nodes that compute a variable in ``stop`` are not visited.
    """
    inputs = set(stop)
    seen: set[Variable] = set()
    stack = list(outputs)[::-1]
    while stack:
        variable = stack.pop()
        if variable in seen:
            continue
        seen.add(variable)
        yield variable
        if variable.owner is not None and variable not in inputs:
            stack.extend(reversed(variable.owner.inputs))


def leaves(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> list[Variable]:
    """Return the variables without an owner on which ``outputs`` depend, including constants."""
    inputs = set(stop)
    return [item for item in ancestors(outputs, inputs) if item.owner is None or item in inputs]


def free_inputs(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> list[Variable]:
    """Return the leaves that are not constants."""
    return [item for item in leaves(outputs, stop) if not isinstance(item, Constant)]


def depends_on(outputs: Iterable[Variable], sources: Iterable[Variable]) -> bool:
    """Return whether any of ``outputs`` depends on any of ``sources``."""
    wanted = set(sources)
    return any(item in wanted for item in ancestors(outputs))


def replace(
    outputs: Sequence[Variable],
    replacements: Mapping[V, Variable],
    copy_leaves: bool = False,
) -> list[Variable]:
    """Return ``outputs`` recomputed with some variables replaced by others.

    Replacement is simultaneous: replacements are not searched for further replacements. Nodes that
    do not depend on a replaced variable are shared, not copied. With ``copy_leaves``, the whole
    graph is copied except constants and shared variables.

    Examples
    --------
    >>> x, y = T.dscalars("x", "y")
    >>> (z,) = replace([2 * x], {x: y + 1})
    >>> z.eval({y: 4.0})
    array(10.)
    """
    memo: dict[Variable, Variable] = dict(replacements.items())
    if copy_leaves:
        for leaf in leaves(outputs, replacements):
            plain = type(leaf).__mro__ and not hasattr(leaf, "container")
            if leaf not in memo and plain and not isinstance(leaf, Constant):
                memo[leaf] = leaf.clone()
    for node in toposort(outputs, replacements):
        inputs = [memo.get(item, item) for item in node.inputs]
        if any(new is not old for new, old in zip(inputs, node.inputs, strict=True)):
            new_outputs = node.clone_with_new_inputs(inputs).outputs
            for old, new in zip(node.outputs, new_outputs, strict=True):
                memo.setdefault(old, new)
    return [memo.get(item, item) for item in outputs]


def clients(
    outputs: Iterable[Variable], nodes: Sequence[Apply] | None = None
) -> dict[Variable, list[tuple[Apply | str, int]]]:
    """Return the (node, position) pairs that use each variable.

    A use as the k-th of ``outputs`` is ``("output", k)``. ``nodes`` are those of :func:`toposort`,
    if they are known.
    """
    roots = list(outputs)
    uses: dict[Variable, list[tuple[Apply | str, int]]] = {}
    for node in toposort(roots) if nodes is None else nodes:
        for position, item in enumerate(node.inputs):
            uses.setdefault(item, []).append((node, position))
    for position, item in enumerate(roots):
        uses.setdefault(item, []).append(("output", position))
    return uses
