"""``theano.compile.sharedvalue``: ``shared``, with constructors that programs can add."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano import Variable
from symtheano.errors import describe_value, format_error
from symtheano.graph.shared import SharedVariable as SharedVariable, generic_shared
from symtheano.graph.type import generic as generic

CONSTRUCTORS: list[Callable[..., Any]] = []
"""Functions of a value that return a shared variable, or raise ``TypeError``; the last has
priority."""


def shared_constructor(ctor: Callable[..., Any], remove: bool = False) -> Callable[..., Any]:
    """Add a constructor of shared variables, or remove it."""
    if remove:
        CONSTRUCTORS.remove(ctor)
    else:
        CONSTRUCTORS.append(ctor)
    return ctor


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Return a shared variable made by the last constructor that accepts the value.

    Raises
    ------
    TypeError
        If none accepts it.
    """
    if isinstance(value, Variable):
        raise TypeError(f"shared: {value.describe()} is symbolic; a value is needed")
    for constructor in reversed(CONSTRUCTORS):
        try:
            return constructor(
                value, name=name, strict=strict, allow_downcast=allow_downcast, **kwargs
            )
        except TypeError:  # noqa: PERF203 (each may refuse)
            continue
    raise TypeError(
        format_error(f"shared: {describe_value(value)} with {sorted(kwargs)}: no constructor fits")
    )


shared.constructors = CONSTRUCTORS


@shared_constructor
def generic_constructor(
    value: Any, name: str | None = None, strict: bool = False, allow_downcast: bool | None = None
) -> SharedVariable:
    """Return a shared variable of any object."""
    return generic_shared(value, name)
