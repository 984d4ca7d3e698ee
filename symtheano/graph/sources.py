"""What an expression was made from, where the graph does not show it.

The length of an axis that is known, zeros like a number and the gradient of ``2 * s`` are
constants: nothing in them leads back to the variable they were made from. It is noted here, so
that ``function`` does not call an input unused that the user's program did use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar
from weakref import WeakKeyDictionary

from symtheano.graph.variable import Constant, Variable

V = TypeVar("V", bound=Variable)

_sources: WeakKeyDictionary[Variable, tuple[Variable, ...]] = WeakKeyDictionary()


def made_from(made: V, sources: Iterable[Variable]) -> V:
    """Note that ``made`` was made from ``sources``, and return it.

    Nothing is noted of a source itself, nor of an input: those are not made.
    """
    new = tuple(sources)
    is_made = made.owner is not None or isinstance(made, Constant)
    if new and is_made and not any(item is made for item in new):
        _sources[made] = (*_sources.get(made, ()), *new)
    return made


def expressed_by(outputs: Iterable[Variable], stop: Iterable[Variable] = ()) -> Iterator[Variable]:
    """Yield every variable that ``outputs`` were made from, themselves included, each once.

    These are their ancestors and what is noted of any of them. What computes a variable in
    ``stop`` is not visited.
    """
    given = set(stop)
    seen: set[Variable] = set()
    stack = list(outputs)
    while stack:
        variable = stack.pop()
        if variable in seen:
            continue
        seen.add(variable)
        yield variable
        if variable in given:
            continue
        if variable.owner is not None:
            stack.extend(variable.owner.inputs)
        stack.extend(_sources.get(variable, ()))
