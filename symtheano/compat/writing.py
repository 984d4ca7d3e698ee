"""Functions that write into their arguments, with ``accept_inplace=True`` in programs of Theano.

Graphs have no ops that write into an operand. The result of such an op of Theano's, as
``T.inplace.exp_inplace(x)``, is that of the plain op, and remembers what it would be written into.
A function then returns the values to its caller's arrays after each call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import symtheano
from symtheano import dtypes
from symtheano.errors import InconsistencyError
from symtheano.function.changes import read_updates
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable
from symtheano.graph.walk import ancestors
from symtheano.tensor import as_tensor_variable

_MARK = "written_into"


def written_into(result: Any, operand: Any) -> Any:
    """Return a result that is written into an operand when it is computed, with its dtype.

    Raises
    ------
    TypeError
        If complex numbers would be written into others.
    ValueError
        If the result has other axes.
    """
    if dtypes.is_complex(result.dtype) and not dtypes.is_complex(operand.dtype):
        message = f"a result of dtype {result.dtype} can't be written into {operand.dtype}"
        raise TypeError(f"{message} in place")
    if result.broadcastable != operand.broadcastable:
        raise ValueError(f"a result of {result.type} can't be written into {operand.type} in place")
    result = result.astype(operand.dtype)
    if result is not operand:
        setattr(result.tag, _MARK, operand)
    return result


class Writing:
    """A function or op whose result is written into its first operand.

    Parameters
    ----------
    plain
        What computes the result.
    name
        The name that it shows.
    """

    def __init__(self, plain: Callable[..., Any], name: str = "") -> None:
        self.plain, self.__name__ = plain, name or str(plain)

    def __call__(self, x: Any, *others: Any, **options: Any) -> Any:
        x = as_tensor_variable(x)
        return written_into(self.plain(x, *others, **options), x)

    def make_node(self, *inputs: Any) -> Any:
        """Return the node of the result."""
        return self(*inputs).owner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Writing) and self.plain == other.plain

    def __hash__(self) -> int:
        return hash((Writing, self.plain))

    def __repr__(self) -> str:
        return self.__name__


def writes(outputs: Sequence[Variable]) -> dict[Variable, Variable]:
    """Return what variables hold after the outputs are computed, if that is something else.

    Raises
    ------
    InconsistencyError
        If two results would be written into one variable.
    """
    marked = {item: getattr(item.tag, _MARK, None) for item in ancestors(outputs)}
    into = {item: operand for item, operand in marked.items() if operand is not None}
    if len(set(into.values())) < len(into):
        twice = [item for item in into.values() if list(into.values()).count(item) > 1]
        raise InconsistencyError(f"two results would be written into {twice[0]}")
    after = {operand: item for item, operand in into.items()}
    held = {}
    for first in after:
        if first in into:
            continue  # the result of another one, whose memory is that of the first
        last = first
        while last in after:
            last = after[last]
        held[first] = last
    return held


def variables_in(things: Sequence[Any]) -> list[Variable]:
    """Return the variables in nested lists and dicts, those of ``Out`` and ``In`` among them."""
    found = []
    for thing in things:
        if isinstance(thing, Variable):
            found.append(thing)
        elif isinstance(thing, Mapping):
            found += variables_in([*thing.values()])
        elif isinstance(thing, list | tuple):
            found += variables_in(thing)
        elif isinstance(thing, symtheano.Out | symtheano.In):
            found.append(thing.variable)
    return found


def writing_function(given: dict[str, Any], held: dict[Variable, Variable]) -> Any:
    """Return a function that also computes what its arguments hold afterwards.

    Parameters
    ----------
    given
        The arguments of ``function``.
    held
        What :func:`writes` returns for its outputs and updates.
    """
    asked = given.pop("outputs", None)
    keys = list(asked) if isinstance(asked, Mapping) else None
    many = asked is None or isinstance(asked, list | tuple)
    listed = list(asked.values()) if keys is not None else list(asked or ()) if many else [asked]
    inputs = [getattr(item, "variable", item) for item in given.get("inputs", ())]
    places = [(inputs.index(item), value) for item, value in held.items() if item in inputs]
    updates = read_updates(given.pop("updates", None))
    updates += [pair for pair in held.items() if isinstance(pair[0], SharedVariable)]
    wanted = [*listed, *(value for _, value in places)]
    made = symtheano.function(**given, outputs=wanted, updates=updates)

    form = keys if keys is not None else None if many else ()
    return WritingFunction(made, form, [place for place, _ in places])


class WritingFunction:
    """A function that writes results into its arguments; attributes are those of the compiled one.

    Parameters
    ----------
    function
        The compiled function, whose last results are written.
    keys
        The form of what the caller gets: None for a list, ``()`` for a single result, the keys for
        a dict.
    places
        The numbers of the inputs that they are written into.
    """

    def __init__(self, function: Any, keys: Sequence[Any] | None, places: Sequence[int]) -> None:
        self._function, self._keys, self._places = function, keys, places

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the function, and write into arrays that have the dtypes of the inputs."""
        results = self._function(*args, **options)
        binding = self._function._binding
        bound = dict(zip(binding.arguments, binding.bind(args, options), strict=True))
        count = len(results) - len(self._places)
        for place, value in zip(self._places, results[count:], strict=True):
            argument = bound.get(place)
            if isinstance(argument, np.ndarray) and argument.dtype == value.dtype:
                argument[...] = value
        returned = results[:count]
        if self._keys is None:
            return returned
        return dict(zip(self._keys, returned, strict=True)) if self._keys else returned[0]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._function, name)
