"""``theano.compile.function``."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

from symtheano.compat.writing import variables_in, writes, writing_function
from symtheano.function.api import function as _function
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable

_SIGNATURE = inspect.signature(_function)


def function(*args: Any, **options: Any) -> Any:
    """Return a compiled function; see :func:`symtheano.function`.

    With ``accept_inplace=True``, results of functions such as ``T.inplace.exp_inplace`` are written
    into the arrays that are passed, and into shared variables.

    Raises
    ------
    TypeError
        If an input is a shared variable, ``no_default_updates`` is neither a bool nor a list, or
        results are written into operands without ``accept_inplace=True``.
    RuntimeError
        If ``givens`` replaces an input.
    """
    given = dict(_SIGNATURE.bind(*args, **options).arguments)
    _check(given)
    held = writes(variables_in([given.get("outputs"), given.get("updates")]))
    if not held:
        return _function(*args, **options)
    if not given.get("accept_inplace"):
        raise TypeError(f"Graph must not contain inplace operations: {[*held.values()]}")
    return writing_function(given, held)


def _check(given: dict[str, Any]) -> None:
    listed = given.get("inputs", ())
    # Of a list with a name, a value and an update, the variable comes first.
    each = listed if isinstance(listed, list | tuple) else [listed]
    inputs = [item for thing in each for item in variables_in([thing])[:1]]
    for item in inputs:
        if isinstance(item, SharedVariable):
            raise TypeError(f"Cannot use a shared variable ({item}) as explicit input")
    if not isinstance(given.get("no_default_updates", False), bool | list):
        raise TypeError("no_default_update should be either a boolean or a list")
    pairs = given.get("givens") or ()
    replaced = [*pairs] if isinstance(pairs, dict) else [pair[0] for pair in pairs]
    both = [item for item in replaced if isinstance(item, Variable) and item in inputs]
    if both:
        raise RuntimeError(
            f"You are trying to replace variable {both[0]} through the `givens` parameter, but it "
            "is an input to your function"
        )


def function_dump(
    filename: Any, inputs: Any, outputs: Any = None, mode: Any = None, **options: Any
) -> None:
    """Write the arguments of :func:`function` to a file, with which it can be made again."""
    arguments = {"inputs": inputs, "outputs": outputs, "mode": mode, **options}
    with open(filename, "wb") as file:
        pickle.dump(arguments, file, pickle.HIGHEST_PROTOCOL)
