"""The variables from which an expression was made, if the graph does not show it.

A known length, ``zeros_like`` of a scalar and the gradient of ``2 * s`` are constants, which do not
refer to the variable from which they were made. It is recorded here, so that ``function`` does not
report an input as unused that the user's program did use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar
from weakref import WeakKeyDictionary, ref

from symtheano.graph.variable import Constant, Variable

V = TypeVar("V", bound=Variable)

_sources: WeakKeyDictionary[Variable, tuple[Variable, ...]] = WeakKeyDictionary()
_differentiated: WeakKeyDictionary[Variable, ref[Variable]] = WeakKeyDictionary()
_gradients: WeakKeyDictionary[Variable, list[tuple[ref[Variable], ref[Variable]]]] = (
    WeakKeyDictionary()
)


def made_from(variable: V, sources: Iterable[Variable]) -> V:
    """Record that ``variable`` was made from ``sources``, and return it.

    Nothing is recorded for a source itself or for an input.
    """
    new = tuple(sources)
    is_made = variable.owner is not None or isinstance(variable, Constant)
    if new and is_made and not any(item is variable for item in new):
        _sources[variable] = (*_sources.get(variable, ()), *new)
    return variable


def is_made(variable: Variable) -> bool:
    """Return whether it is recorded from what a variable was made: it may be a derivative."""
    return variable in _sources


def gradient_by(gradient: Variable, variable: Variable, cost: Variable | None = None) -> None:
    """Record with respect to what a gradient was taken, and of what; not for an input.

    The same variable may be the gradient with respect to several others.
    """
    if gradient.owner is None:
        return
    if gradient not in _differentiated:
        _differentiated[gradient] = ref(variable)
    if cost is not None:
        _gradients.setdefault(gradient, []).append((ref(variable), ref(cost)))


def gradients_of(variable: Variable) -> list[tuple[Variable, Variable]]:
    """Return pairs (by what, of what) if a variable is the gradient of a cost; else no pairs."""
    pairs = ((by(), cost()) for by, cost in _gradients.get(variable, ()))
    return [(by, cost) for by, cost in pairs if by is not None and cost is not None]


def differentiated(variable: Variable) -> Variable | None:
    """Return with respect to what a variable is the gradient of something, if that is recorded."""
    reference = _differentiated.get(variable)
    return None if reference is None else reference()


def expressed_by(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> Iterator[Variable]:
    """Yield every variable from which ``outputs`` were made, including themselves, once.

    These are their ancestors and the variables recorded for any of them. Nodes that compute a
    variable in ``stop`` are not visited.
    """
    inputs = set(stop)
    seen: set[Variable] = set()
    stack = list(outputs)
    while stack:
        variable = stack.pop()
        if variable in seen:
            continue
        seen.add(variable)
        yield variable
        if variable in inputs:
            continue
        if variable.owner is not None:
            stack.extend(variable.owner.inputs)
        stack.extend(_sources.get(variable, ()))
