"""Functions with shared variables."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from symtheano.function.request import In as In, Out as Out
from symtheano.graph.shared import SharedVariable as SharedVariable
from symtheano.graph.variable import Constant as Constant, Variable as Variable
from symtheano.graph.walk import leaves, replace as replaced

from .function import function
from .sharedvalue import shared as shared


def pfunc(
    params: Any, outputs: Any = None, *args: Any, output_keys: Any = None, **options: Any
) -> Any:
    """Return a function; see :func:`symtheano.function`."""
    asked = outputs if output_keys is None else dict(zip(output_keys, outputs, strict=True))
    return function(params, asked, *args, **options)


class Param(In):
    """The old name of :class:`In`; ``default`` is its ``value``."""

    def __init__(self, variable: Any, default: Any = None, name: str | None = None, **options: Any):
        warnings.warn(
            "The Param class is deprecated. Replace Param(default=N) by theano.In(value=N)",
            stacklevel=2,
        )
        super().__init__(variable, name=name, value=default, **options)


def iter_over_pairs(pairs: Any) -> Iterable[tuple[Any, Any]]:
    """Return the pairs of a dict or of a list."""
    return pairs.items() if isinstance(pairs, dict) else pairs


def rebuild_collect_shared(
    outputs: Any,
    inputs: Any = None,
    replace: Any = None,
    updates: Any = None,
    rebuild_strict: bool = True,
    copy_inputs_over: bool = True,
    no_default_updates: Any = False,
) -> tuple[list[Any], Any, list[Any]]:
    """Return the inputs and outputs of a function with replacements, and its shared variables.

    Returns
    -------
    Inputs, outputs in the form of ``outputs``, and a list of: a dict from old to new variables,
    new values by shared variables, pairs of these, and all shared variables.

    Raises
    ------
    TypeError
        If an input is a shared variable, or a new value has another type.
    ValueError
        If a shared variable has two new values.
    """
    pairs = dict(iter_over_pairs(replace or {}))
    given = list(inputs or ())
    if any(isinstance(item, SharedVariable) for item in given):
        raise TypeError("Cannot use a shared variable as explicit input; use the givens parameter")
    many = isinstance(outputs, list | tuple)
    wanted = list(outputs) if many else [] if outputs is None else [outputs]
    variables = [item.variable if isinstance(item, Out) else item for item in wanted]
    copies = {} if copy_inputs_over else {item: item.clone() for item in given}
    if not copy_inputs_over:
        copies.update({item: item.clone() for item in leaves(variables) if item not in copies})
    changes = {**copies, **pairs}
    new_values: dict[Any, Any] = {}
    for target, value in iter_over_pairs(updates or {}):
        if not isinstance(target, SharedVariable):
            raise TypeError("update target must be a SharedVariable", target)
        if target in new_values:
            raise ValueError("this shared variable already has an update expression", target)
        new_values[target] = _fitting(target, value)
    news = replaced([*variables, *new_values.values()], changes)
    found = [item for item in leaves(news) if isinstance(item, SharedVariable)]
    for item in found:
        default = getattr(item, "default_update", None)
        unwanted = no_default_updates is True or (
            isinstance(no_default_updates, list) and item in no_default_updates
        )
        if default is not None and item not in new_values and not unwanted:
            new_values[item] = default
    made = iter(news)
    results = [
        Out(next(made), item.borrow) if isinstance(item, Out) else next(made) for item in wanted
    ]
    equivalent = {**changes, **dict(zip(variables, news, strict=False))}
    every = list(dict.fromkeys([*found, *new_values]))
    collected = [equivalent, new_values, list(new_values.items()), every]
    single: Any = results[0] if results else []
    return [changes.get(item, item) for item in given], results if many else single, collected


def _fitting(target: Any, value: Any) -> Any:
    from symtheano.tensor.basic import as_tensor_variable

    variable = value if isinstance(value, Variable) else as_tensor_variable(value)
    if not target.type.accepts(variable.type):
        raise TypeError(
            "An update must have the same type as the original shared variable "
            f"({target}, {target.type}; {variable}, {variable.type})"
        )
    return variable
