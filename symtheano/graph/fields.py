"""Fields of ops and types: the named values that define an instance of a class.

They are determined here for pickles, JSON and digests.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, TypeVar

from symtheano.graph.lazy import lazy

T = TypeVar("T")

PACKAGE = __name__.partition(".")[0]


@cache
def is_own(cls: type | FunctionType) -> bool:
    """Return whether a class or function is defined in this package under its name."""
    module = cls.__module__
    return (module == PACKAGE or module.startswith(PACKAGE + ".")) and "<" not in cls.__qualname__


def fields(thing: object) -> dict[str, object] | None:
    """Return the named values that define an op or a type, or None if this is not certain.

    They are declared by ``__props__`` or a dataclass. A class of this package without a declaration
    is defined by its public attributes; private and lazy ones, and ``lowering``, are caches. It is
    not certain if an object has public attributes that are not declared, or if a class from
    elsewhere has attributes but no declaration.

    Examples
    --------
    >>> fields(T.vector("x").sum().owner.op)["axis"]
    (0,)
    """
    cls: type = type(thing)
    kept = _kept(thing)
    public = {k: value for k, value in kept.items() if not (k.startswith("_") or _is_cache(cls, k))}
    declared = declared_fields(cls)
    if declared is None:
        return public if is_own(cls) or not kept else None
    values = {name: getattr(thing, name) for name in declared}
    return values if public.keys() <= values.keys() else None


def _is_cache(cls: type, name: str) -> bool:
    """Return whether an attribute follows from the others."""
    return name == "lowering" or isinstance(getattr(cls, name, None), lazy)


@cache
def declared_fields(cls: type) -> tuple[str, ...] | None:
    """Return the fields of ``__props__`` or of a frozen dataclass; None if there are neither."""
    props = getattr(cls, "__props__", None)
    if props is not None:
        return tuple(props)
    parameters = getattr(cls, "__dataclass_params__", None)
    if parameters is not None and parameters.frozen and parameters.eq:
        import dataclasses

        return tuple(field.name for field in dataclasses.fields(cls))
    return None


def props_of(thing: object) -> tuple[object, ...] | None:
    """Return the values of ``__props__``, by which ops are compared; None without a declaration."""
    names: tuple[str, ...] | None = getattr(type(thing), "__props__", None)
    return None if names is None else tuple(getattr(thing, name) for name in names)


def equal_props(thing: object, other: object) -> bool:
    """Return whether two ops of one class declare ``__props__``, and have equal values of them."""
    props = props_of(thing)
    return props is not None and props == props_of(other)


def _kept(thing: object) -> dict[str, object]:
    cls: type = thing.__class__
    names = slots_of(cls)
    slots = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    return {**slots, **getattr(thing, "__dict__", {})}


@cache
def slots_of(cls: type) -> tuple[str, ...]:
    """Return the names of a class's slots, inherited ones included, in alphabetical order."""
    names: set[str] = set()
    for base in cls.__mro__:
        own = base.__dict__.get("__slots__", ())
        names.update([own] if isinstance(own, str) else own)
    return tuple(sorted(names - {"__dict__", "__weakref__"}))


def constructor(cls: type) -> Callable[..., Any]:
    """Return the constructor from fields: ``from_fields`` of the class, or the class."""
    return getattr(cls, "from_fields", cls)


def can_be_made_from(cls: type, names: frozenset[str]) -> bool:
    """Return whether the constructor takes these keyword arguments and needs no others."""
    import inspect

    try:
        inspect.signature(constructor(cls)).bind(**dict.fromkeys(names))
    except (TypeError, ValueError):
        return False
    return True


def check_fields(cls: type, values: dict[str, object]) -> None:
    """Check values of fields against the annotations of the constructor's parameters.

    This is for values from a file. Only annotations of plain data are checked; other ones are left
    to the constructor.

    Raises
    ------
    TypeError
        If a value does not have the annotated type.

    Examples
    --------
    >>> from symtheano.tensor.shapes.join import Join
    >>> check_fields(Join, {"axis": "0"})
    Traceback (most recent call last):
    TypeError: Join: axis is '0', not of type int
    """
    wanted = _annotations(cls)
    for name, value in values.items():
        check = _PLAIN.get(wanted.get(name, ""))
        if check is not None and not check(value):
            raise TypeError(f"{cls.__name__}: {name} is {value!r}, not of type {wanted[name]}")


@cache
def _annotations(cls: type) -> dict[str, str]:
    import inspect

    parameters = inspect.signature(constructor(cls)).parameters.values()
    return {item.name: item.annotation for item in parameters if item.annotation.__class__ is str}


def _is_tuple_of(*classes: type) -> Callable[[object], bool]:
    return lambda value: value.__class__ is tuple and all(i.__class__ in classes for i in value)


_NONE = type(None)
_PLAIN: dict[str, Callable[[object], bool]] = {
    "bool": lambda value: value.__class__ is bool,
    "int": lambda value: value.__class__ is int,
    "int | None": lambda value: value.__class__ in (int, _NONE),
    "float": lambda value: value.__class__ in (int, float),
    "float | None": lambda value: value.__class__ in (int, float, _NONE),
    "str": lambda value: value.__class__ is str,
    "str | None": lambda value: value.__class__ in (str, _NONE),
    "tuple[int, ...]": _is_tuple_of(int),
    "tuple[int | None, ...]": _is_tuple_of(int, _NONE),
    "tuple[int | str, ...]": _is_tuple_of(int, str),
    "Sequence[str]": _is_tuple_of(str),
    "ScalarOp": lambda value: value.__class__.__name__ == "ScalarOp",
}
"""Checks of the annotations of plain data, by their text."""


def named_maker(value: object) -> tuple[str, str, str] | None:
    """Return (module, function, name) for an object that ``function(name)`` always returns.

    This applies to rows of the scalar table, according to their pickles. None for other objects.
    """
    cls: type = value.__class__
    maker = _maker_of(value) if is_own(cls) else None
    if maker is None:
        return None
    function, name = maker
    try:
        same = function(name) is value
    except (KeyError, TypeError, ValueError):
        return None
    return (function.__module__, function.__qualname__, name) if same else None


def _maker_of(value: object) -> tuple[FunctionType, str] | None:
    if value.__class__.__reduce__ is object.__reduce__:
        return None
    match value.__reduce__():
        case (FunctionType() as function, (str(name),)) if is_own(function):
            return function, name
    return None


def make_type(cls: type[T], values: dict[str, object]) -> T:
    """Make a type from its constructor's arguments."""
    return cls(**values)
