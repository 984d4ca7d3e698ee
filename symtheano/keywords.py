"""Keywords of functions and classes, and messages about those that do not exist."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import CO_VARARGS, CO_VARKEYWORDS, Parameter, signature
from typing import Any, ParamSpec, TypeVar

from symtheano.errors import format_error
from symtheano.names import close

P = ParamSpec("P")
R = TypeVar("R")

Hint = Callable[[str, tuple[str, ...]], str]

_OTHERS = Parameter.VAR_KEYWORD
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
    names: dict[str, None] = {}
    chain = [vars(kind).get("__init__") for kind in make.__mro__] if isinstance(make, type) else []
    for constructor in [one for one in chain if one not in (None, object.__init__)] or [make]:
        taken = signature(constructor).parameters.values()
        names.update(dict.fromkeys(p.name for p in taken if p.kind in _KINDS))
        if not any(p.kind is Parameter.VAR_KEYWORD for p in taken):
            return tuple(name for name in names if name != "self"), False
        if not str(getattr(constructor, "__module__", "")).startswith("symtheano."):
            break  # a class of the user may take what it does not name
    return tuple(names), True


def unknown_keyword(name: str, keyword: str, hint: str) -> TypeError:
    """Return the error for a keyword that a function or class does not take.

    Examples
    --------
    >>> print(unknown_keyword("f", "epoch", "it is epochs"))
    f has no argument 'epoch'
      hint: it is epochs
    """
    return TypeError(format_error(f"{name} has no argument {keyword!r}", hint=hint))


def check_keywords(make: Any, name: str, options: Iterable[str], hint: Hint) -> None:
    """Raise an error for keywords that a class or a function does not take.

    Parameters
    ----------
    make
        The class or function.
    name
        Its name, for the message.
    options
        The keywords of a call.
    hint
        What says which keyword is meant.

    Raises
    ------
    TypeError
        If a keyword is unknown.

    Examples
    --------
    >>> check_keywords(sorted, "sorted", ["revers"], hint_of({}))
    Traceback (most recent call last):
    ...
    TypeError: sorted has no argument 'revers'
      hint: it is reverse
    """
    accepted, takes_others = keywords(make)
    for keyword in options:
        if not takes_others and keyword not in accepted:
            raise unknown_keyword(name, keyword, hint(keyword, accepted))


def hint_of(theirs: Mapping[str, str]) -> Hint:
    """Return the function that says which keyword is meant, from those of other libraries.

    Examples
    --------
    >>> hint = hint_of({"dim": "axis"})
    >>> hint("dim", ("x", "axis")), hint("axsi", ("x", "axis")), hint("out", ("x", "axis"))
    ('it is axis', 'it is axis', 'there are x, axis')
    """

    def hint(keyword: str, accepted: tuple[str, ...]) -> str:
        ours = theirs.get(keyword) or next(iter(close(keyword, accepted, 3)), None)
        return f"it is {ours}" if ours else f"there are {', '.join(accepted)}"

    return hint


OF_REDUCTIONS = {"axes": "axis", "dim": "axis", "keep_dims": "keepdims", "keepdim": "keepdims"}
"""Keywords of reductions by those of other libraries."""


def explained(
    hint: Hint | Mapping[str, str] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a function, whose errors for wrong arguments name the right ones.

    They are errors for unknown keywords, and for too many arguments by position.

    Parameters
    ----------
    hint
        A function of an unknown keyword and of all that are known, which returns a hint; or our
        keywords by those of other libraries.

    Examples
    --------
    >>> @explained({"dim": "axis"})
    ... def total(x, *, axis=0): ...
    >>> total([1], dim=0)
    Traceback (most recent call last):
    ...
    TypeError: total has no argument 'dim'
      hint: it is axis
    >>> total([1], 0)
    Traceback (most recent call last):
    ...
    TypeError: total takes 1 argument by position (x), not 2
      hint: pass the others by name: axis
    """
    said = hint if callable(hint) else hint_of(hint or {})

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__  # its names are those of the signature, without the work for it
        count = code.co_argcount + code.co_kwonlyargcount
        accepted = frozenset(code.co_varnames[code.co_posonlyargcount : count])
        takes_others = bool(code.co_flags & CO_VARKEYWORDS)
        most = sys.maxsize if code.co_flags & CO_VARARGS else code.co_argcount

        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            if not takes_others and not options.keys() <= accepted:
                check_keywords(function, function.__name__, options, said)
            if len(args) > most:
                raise too_many(function, len(args))
            return function(*args, **options)

        # Messages name the function that the user has called, by its frame.
        wrapper: Any = call
        wrapper.__code__ = wrapper.__code__.replace(co_name=function.__name__)
        return call

    return decorate


def too_many(function: Any, count: int) -> TypeError:
    """Return the error for more arguments by position than a function takes."""
    parameters = signature(function).parameters.values()
    taken = [p.name for p in parameters if p.kind not in (Parameter.KEYWORD_ONLY, _OTHERS)]
    named = [p.name for p in parameters if p.kind is Parameter.KEYWORD_ONLY]
    if taken[:1] in (["self"], ["cls"]):
        taken, count = taken[1:], count - 1
    arguments = "1 argument" if len(taken) == 1 else f"{len(taken)} arguments"
    others = f": {', '.join(named)}" if named else ""
    return TypeError(
        format_error(
            f"{function.__name__} takes {arguments} by position ({', '.join(taken)}), not {count}",
            hint=f"pass the others by name{others}",
        )
    )
