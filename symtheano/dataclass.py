"""Dataclasses whose classes are created in a tenth of the time.

The standard library generates and compiles up to six methods for each frozen dataclass, which takes
a millisecond; the first function that is compiled would wait for fifty of them. Here, only
``__init__`` is generated, when some objects have been made; other methods call shared functions.
The options ``frozen`` and ``eq`` are supported, and ``default`` and ``default_factory`` of fields;
inheritance is not. The standard library's ``fields``, ``replace`` and ``asdict`` work as usual;
:func:`replace` is faster.
"""

from __future__ import annotations

import dataclasses
from dataclasses import field
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

__all__ = ["dataclass", "field", "replace"]

_Instance = TypeVar("_Instance")

# Calls of a constructor that treats all classes alike, until a quicker one is generated: a quarter
# of the time of generating it.
_FEW = 8


class _Fields:
    """The standard library's description of a class, made on first access."""

    def __init__(self, defaults: dict[str, Any]) -> None:
        self.defaults = defaults

    def __get__(self, _: object, cls: Any) -> Any:
        # Without a docstring, it would inspect the signature, which takes longer than everything
        # else.
        kinds = {name: cls.__annotations__[name] for name in cls.__match_args__}
        body = {**self.defaults, "__annotations__": kinds, "__doc__": cls.__name__}
        twin: Any = type(cls.__name__, (), body)
        decorated = dataclasses.dataclass(init=False, repr=False, eq=False)(twin)
        cls.__dataclass_fields__ = decorated.__dataclass_fields__
        return cls.__dataclass_fields__


def _dataclass(cls: Any = None, /, *, frozen: bool = False, eq: bool = True) -> Any:
    """Add construction, ``repr`` and comparison to a class according to its annotations.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), dataclasses.replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    """
    if cls is None:
        return lambda decorated: _dataclass(decorated, frozen=frozen, eq=eq)
    names = tuple(
        name for name, kind in cls.__annotations__.items() if "ClassVar[" not in str(kind)
    )
    defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}
    cls.__match_args__ = names  # type: ignore[misc]
    cls.__dataclass_fields__ = _Fields(defaults)
    cls.__init__ = _late_constructor(cls, names, defaults, frozen)
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = _repr
    if frozen:
        cls.__setattr__ = _refuse_to_set
        cls.__delattr__ = _refuse_to_set
    if eq and "__eq__" not in cls.__dict__:
        values = attrgetter(*names) if names else lambda instance: ()
        cls.__eq__ = lambda self, other: (
            values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented
        )
        cls.__hash__ = (lambda self: hash(values(self))) if frozen else None
    return cls


def replace(instance: _Instance, /, **changes: Any) -> _Instance:
    """Return a copy of an instance of these dataclasses with other values of some fields.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> replace(Point(1), y=2)
    Point(x=1, y=2)
    """
    cls: Any = type(instance)
    copy: Any = object.__new__(cls)
    copy.__dict__.update(instance.__dict__)
    for name in changes:
        if name not in copy.__dict__:
            raise TypeError(f"{cls.__name__} has no field {name!r}")
    copy.__dict__.update(changes)
    if hasattr(cls, "__post_init__"):
        copy.__post_init__()
    return copy  # type: ignore[no-any-return]


def _late_constructor(
    cls: Any, names: tuple[str, ...], defaults: dict[str, Any], frozen: bool
) -> Any:
    """Return ``__init__`` that generates its successor when it has been called often.

    Most classes have a few objects in a process. If the arguments are wrong, the generated one says
    so.
    """
    for name, default in defaults.items():
        if isinstance(default, dataclasses.Field):
            delattr(cls, name)
    calls = 0

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        arguments = {**dict(zip(names, values, strict=False)), **named}
        fits = len(arguments) == len(values) + len(named) and arguments.keys() <= {*names}
        if calls > _FEW or not fits or not arguments.keys() | defaults.keys() >= {*names}:
            cls.__init__ = _constructor(cls, names, defaults, frozen)
            cls.__init__(self, *values, **named)
            return
        for name in names:
            if name not in arguments:
                default = defaults[name]
                factory = isinstance(default, dataclasses.Field)
                arguments[name] = default.default_factory() if factory else default
        vars(self).update((name, arguments[name]) for name in names)
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return __init__


def _constructor(cls: Any, names: tuple[str, ...], defaults: dict[str, Any], frozen: bool) -> Any:
    """Return ``__init__``, the only method whose text depends on the fields."""
    factories = tuple(n for n in names if isinstance(defaults.get(n), dataclasses.Field))
    numbers = tuple(map(names.index, factories))
    code = _code(len(names), numbers, frozen, hasattr(cls, "__post_init__"))
    place = {f"field_{number}": name for number, name in enumerate(names)}
    code = code.replace(
        co_varnames=tuple(place.get(item, item) for item in code.co_varnames),
        co_consts=tuple(place.get(item, item) for item in code.co_consts),
        co_names=tuple(place.get(item, item) for item in code.co_names),
    )
    scope = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    scope |= {f"_new_{names.index(name)}": defaults[name].default_factory for name in factories}
    values = [dataclasses.MISSING if name in factories else defaults[name] for name in defaults]
    return FunctionType(code, scope, "__init__", tuple(values))


@cache
def _code(count: int, factories: tuple[int, ...], frozen: bool, checked: bool) -> CodeType:
    """Return the code of ``__init__`` for some number of fields, which have numbers as names.

    To compile it takes most of the time, and many classes have as many fields.
    """
    parameters, lines = [], []
    for number in range(count):
        name = value = f"field_{number}"
        if number in factories:
            value = f"_new_{number}() if {name} is _missing else {name}"
        parameters.append(name)
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if checked:
        lines.append("self.__post_init__()")
    scope: dict[str, Any] = {}
    exec(f"def __init__(self, {', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), scope)
    code: CodeType = scope["__init__"].__code__
    return code


def _repr(self: Any) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({values})"


def _refuse_to_set(self: Any, name: str, *_: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot assign to or delete field {name!r}")


if TYPE_CHECKING:
    # For type checkers, which have built-in support for the standard library's.
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass
