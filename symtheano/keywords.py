"""Keywords of functions and classes, and messages about those that do not exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from symtheano.errors import format_error
from symtheano.names import close

P = ParamSpec("P")
R = TypeVar("R")

_KINDS = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@cache
def keywords(make: Any) -> tuple[tuple[str, ...], bool]:
    """Return the keywords of a class or function, and whether it takes any others.

    The constructors of classes that pass on ``**options`` take those of their base classes.

    Examples
    --------
    >>> keywords(sorted), keywords(dict)[1]
    ((('key', 'reverse'), False), True)
    """
    found: dict[str, None] = {}
    chain = [vars(kind).get("__init__") for kind in make.__mro__] if isinstance(make, type) else []
    for constructor in [one for one in chain if one not in (None, object.__init__)] or [make]:
        taken = signature(constructor).parameters.values()
        found.update(dict.fromkeys(p.name for p in taken if p.kind in _KINDS))
        if not any(p.kind is Parameter.VAR_KEYWORD for p in taken):
            return tuple(name for name in found if name != "self"), False
        if not str(getattr(constructor, "__module__", "")).startswith("symtheano."):
            break  # a class of the user may take what it does not name
    return tuple(found), True


def unknown_keyword(name: str, keyword: str, hint: str) -> TypeError:
    """Return the error for a keyword that a function or class does not take.

    Examples
    --------
    >>> print(unknown_keyword("f", "epoch", "it is epochs"))
    f has no argument 'epoch'
      hint: it is epochs
    """
    return TypeError(format_error(f"{name} has no argument {keyword!r}", hint=hint))


OF_REDUCTIONS = {"axes": "axis", "dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"}
"""Keywords of reductions by those of other libraries."""


def explained(
    theirs: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a function, whose error for unknown keywords names the right ones.

    Parameters
    ----------
    theirs
        Our keywords by those of other libraries.

    Examples
    --------
    >>> @explained({"dim": "axis"})
    ... def total(x, axis=0): ...
    >>> total([1], dim=0)
    Traceback (most recent call last):
    ...
    TypeError: total has no argument 'dim'
      hint: it is axis
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__  # its names are those of the signature, without the work for it
        count = code.co_argcount + code.co_kwonlyargcount
        known = frozenset(code.co_varnames[code.co_posonlyargcount : count])

        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            if not options.keys() <= known:
                raise unknown(function, function.__name__, options, theirs or {})
            return function(*args, **options)

        # Messages name the function that the user has called, by its frame.
        wrapper: Any = call
        wrapper.__code__ = wrapper.__code__.replace(co_name=function.__name__)
        return call

    return decorate


def unknown(
    function: Any, name: str, options: Mapping[str, Any], theirs: Mapping[str, str]
) -> TypeError:
    """Return the error for the first keyword that a function does not take."""
    known, _ = keywords(function)
    first = next(keyword for keyword in options if keyword not in known)
    ours = theirs.get(first) or next(iter(close(first, known, 3)), None)
    return unknown_keyword(
        name, first, f"it is {ours}" if ours else f"there are {', '.join(known)}"
    )
