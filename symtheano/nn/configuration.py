"""Initializers, optimizers and others as plain data, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, TypeVar

from symtheano.nn.lookup import look_up

Found = TypeVar("Found")


def describe(item: Any) -> dict[str, Any]:
    """Return the class of an object and the arguments of its constructor, as JSON has them.

    The arguments are the attributes that have their names. Objects among them have a method
    ``config`` themselves.

    Examples
    --------
    >>> class Scale:
    ...     def __init__(self, factor=1.0):
    ...         self.factor = factor
    >>> describe(Scale(2.0))
    {'class': 'Scale', 'factor': 2.0}
    """
    names = signature(type(item)).parameters
    return {
        "class": type(item).__name__,
        **{name: plain_data(getattr(item, name)) for name in names},
    }


def plain_data(value: Any) -> Any:
    """Return an argument as JSON has it.

    Examples
    --------
    >>> import numpy as np
    >>> plain_data((1, 2)), plain_data(np.float32(0.5))
    ([1, 2], 0.5)
    """
    if hasattr(value, "config"):
        return value.config()
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def find(
    kind: str,
    what: Any,
    known: Mapping[str, Callable[[], Any]],
    base: Any,
    read: Callable[[Mapping[str, Any]], Any],
    expected: str,
    functions: bool = True,
) -> Any:
    """Return the object that a name, a class, a description or the object itself stands for.

    Parameters
    ----------
    kind
        What it is, in messages.
    what
        What is given.
    known
        What makes objects, by name.
    base
        The class of the objects.
    read
        Makes an object of what :func:`describe` returned.
    expected
        What may be given, in the message for anything else.
    functions
        Whether a function may take an object's place.

    Raises
    ------
    ValueError
        For a name that does not exist.
    TypeError
        For anything else.

    Examples
    --------
    >>> find("number", "one", {"one": lambda: 1}, int, int, "a name")
    1
    >>> find("number", None, {}, int, int, "a name or an integer")
    Traceback (most recent call last):
    ...
    TypeError: a number is a name or an integer, not None
    """
    if isinstance(what, str):
        return look_up(kind, what, known)()
    if isinstance(what, Mapping):
        return read(what)
    if isinstance(what, type):
        if issubclass(what, base):
            return what()
    elif isinstance(what, base) or (functions and callable(what)):
        return what
    article = "an" if kind[0] in "aeiou" else "a"
    raise TypeError(f"{article} {kind} is {expected}, not {what!r}")


def build(
    kind: str,
    config: Mapping[str, Any],
    known: Mapping[str, Callable[..., Found]],
    inner: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Found:
    """Return the object that :func:`describe` described.

    Parameters
    ----------
    kind
        What it is, in messages.
    config
        The description.
    known
        Classes by name.
    inner
        For arguments that are described objects: what builds them.

    Raises
    ------
    ValueError
        If the class is unknown, or has no such arguments.

    Examples
    --------
    >>> build("number", {"class": "complex", "real": 1.0}, {"complex": complex})
    (1+0j)
    """
    name = config.get("class")
    if not isinstance(name, str):
        raise ValueError(f"the description of {kind} is no mapping with a 'class': {config!r}")
    make = look_up(kind, name, known)
    values = {key: value for key, value in config.items() if key != "class"}
    for key, made in (inner or {}).items():
        if isinstance(values.get(key), Mapping):
            values[key] = made(values[key])
    try:
        return make(**values)
    except TypeError as error:
        raise ValueError(f"the description of {kind} does not fit: {error}") from None


def tuples(value: Any) -> Any:
    """Return lists of JSON as tuples.

    Examples
    --------
    >>> tuples([1, [2, 3]])
    (1, (2, 3))
    """
    return tuple(map(tuples, value)) if isinstance(value, list) else value
