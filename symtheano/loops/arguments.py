"""The arguments of a step: their order, and the error for a step with another signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.origin import Origin, current_origin, origin_at


def check_arguments(
    loop: str,
    fn: Callable[..., Any],
    sequences: Sequence[tuple[Any, Sequence[int]]],
    outputs: Sequence[Sequence[int]],
    fixed: Sequence[Any],
) -> None:
    """Check that a step can be called with the arguments that it gets.

    Parameters
    ----------
    loop
        The function that was called, such as ``"scan"``.
    fn
        The step.
    sequences
        Arrays and their taps.
    outputs
        The taps of each output; none for those without an initial value.
    fixed
        The non-sequences.

    Raises
    ------
    TypeError
        If the step takes another number of arguments. The message lists the arguments in order.
    """
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):  # functions in C need not have one
        return
    rows = [
        f"{_named(array, f'sequence{k}')}_{_moment(tap)}"
        for k, (array, taps) in enumerate(sequences)
        for tap in taps
    ]
    past = [f"output{k}_{_moment(tap)}" for k, taps in enumerate(outputs) for tap in taps]
    same = [_named(item, f"fixed{k}") for k, item in enumerate(fixed)]
    names = [*rows, *past, *same]
    count = "1 argument" if len(names) == 1 else f"{len(names)} arguments"
    try:
        signature.bind(*names)
    except TypeError as error:
        parts = [("sequences", rows), ("outputs so far", past), ("non-sequences", same)]
        raise TypeError(
            format_error(
                f"{loop}: the step takes {signature}, but gets {count}: {error}",
                places=[current_origin(), _definition(fn)],
                operands=[(part, ", ".join(items) or "none") for part, items in parts],
                hint="the arguments are, in this order, the sequences with their taps, the outputs "
                f"so far with their taps, and the non-sequences: ({', '.join(names)})",
            )
        ) from None


def _moment(tap: int) -> str:
    """Return the usual ending of a variable's name for a tap: ``t``, ``tm1`` or ``tp1``."""
    return f"t{'m' if tap < 0 else 'p'}{abs(tap)}" if tap else "t"


def _named(variable: Any, otherwise: str) -> str:
    name = getattr(variable, "name", None)
    return name if isinstance(name, str) and name.isidentifier() else otherwise


def _definition(fn: Callable[..., Any]) -> Origin | None:
    """Return the line where a step is defined."""
    code = getattr(fn, "__code__", None)
    return code and origin_at(code.co_filename, code.co_firstlineno, code.co_name)
