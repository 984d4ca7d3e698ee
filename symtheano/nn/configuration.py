"""Conversion of initializers, optimizers and others to data for JSON, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, TypeVar

from symtheano.nn.documentation import Documented
from symtheano.nn.lookup import look_up

Object = TypeVar("Object")


def describe(item: Any) -> dict[str, Any]:
    """Return the class of an object and the arguments of its constructor as data for JSON.

    The object must have an attribute for each argument, of the same name. Arguments that are
    objects must have a method ``config``.

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


class Described(Documented):
    """Base class of objects that their class and the arguments of the constructor describe."""

    def config(self) -> dict[str, Any]:
        """Return the class and its arguments as data for JSON, which ``from_config`` reads."""
        return describe(self)


def plain_data(value: Any) -> Any:
    """Return an argument as data for JSON.

    Examples
    --------
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
    constructors: Mapping[str, Callable[[], Any]],
    base: Any,
    read: Callable[[Mapping[str, Any]], Any],
    expected: str,
    functions: bool = True,
) -> Any:
    """Return an object from its name, its class, its description, or the object itself.

    Parameters
    ----------
    kind
        The kind of the object, such as ``"metric"``, for error messages.
    what
        The argument of the user.
    constructors
        Functions that create objects, by name.
    base
        The class of the objects.
    read
        A function that creates an object from the result of :func:`describe`.
    expected
        The allowed arguments, for error messages.
    functions
        Whether a function is allowed in place of an object.

    Raises
    ------
    ValueError
        If there is no object of this name.
    TypeError
        If the argument is not allowed.

    Examples
    --------
    >>> find("number", "one", {"one": lambda: 1}, int, int, "a name")
    1
    >>> find("number", None, {}, int, int, "a name or an integer")
    Traceback (most recent call last):
    ...
    TypeError: a number must be a name or an integer, not None
    """
    if isinstance(what, str):
        return look_up(kind, what, constructors)()
    if isinstance(what, Mapping):
        return read(what)
    if isinstance(what, type):
        if issubclass(what, base):
            return what()
    elif isinstance(what, base) or (functions and callable(what)):
        return what
    article = "an" if kind[0] in "aeiou" else "a"
    raise TypeError(f"{article} {kind} must be {expected}, not {what!r}")


def build(
    kind: str,
    config: Mapping[str, Any],
    classes: Mapping[str, Callable[..., Object]],
    inner: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Object:
    """Return the object from the result of :func:`describe`.

    Parameters
    ----------
    kind
        The kind of the object, such as ``"metric"``, for error messages.
    config
        The description of the object.
    classes
        The classes, by name.
    inner
        Functions that create the arguments that are objects, by the names of the arguments.

    Raises
    ------
    ValueError
        If the class is unknown, or does not have the arguments.

    Examples
    --------
    >>> build("number", {"class": "complex", "real": 1.0}, {"complex": complex})
    (1+0j)
    """
    name = config.get("class")
    if not isinstance(name, str):
        raise ValueError(
            f"the description of {kind} must be a mapping with a 'class', not {config!r}"
        )
    make = look_up(kind, name, classes)
    values = {key: value for key, value in config.items() if key != "class"}
    for key, constructor in (inner or {}).items():
        if isinstance(values.get(key), Mapping):
            values[key] = constructor(values[key])
    try:
        return make(**values)
    except TypeError as error:
        raise ValueError(f"the description of {kind} has wrong arguments: {error}") from None


def tuples(value: Any) -> Any:
    """Convert lists, which JSON has, to tuples.

    Examples
    --------
    >>> tuples([1, [2, 3]])
    (1, (2, 3))
    """
    return tuple(map(tuples, value)) if isinstance(value, list) else value
