"""Theano's base class of ops and types, and small functions of its programs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from symtheano.graph.origin import Origin

V = TypeVar("V")


class MethodNotDefined(Exception):
    """A class does not have an optional method of an interface."""


class MetaObject(type):
    """The metaclass of ops and types: ``__props__`` tells what they are compared by."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        props = body.get("__props__")
        if props is not None:
            _add_methods(body, _checked(name, props))
        return super().__new__(cls, name, bases, body)


def _checked(name: str, props: object) -> tuple[str, ...]:
    if not isinstance(props, tuple):
        raise TypeError(f"{name}: __props__ has to be a tuple, got {props!r}")
    if not all(isinstance(item, str) for item in props):
        raise TypeError(f"{name}: elements of __props__ have to be strings, got {props!r}")
    return props


def _add_methods(body: dict[str, Any], props: tuple[str, ...]) -> None:
    """Add the methods that follow from ``__props__``, unless the class has its own."""

    def values(self: Any) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in props)

    def by_name(self: Any) -> dict[str, Any]:
        return {name: getattr(self, name) for name in props}

    def hash_of(self: Any) -> int:
        return hash((type(self), values(self)))

    def equals(self: Any, other: object) -> bool:
        return type(self) is type(other) and values(self) == values(other)

    def text(self: Any) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in by_name(self).items())
        return f"{type(self).__name__}{{{inner}}}" if inner else type(self).__name__

    body["_props"], body["_props_dict"] = values, by_name
    for method, function in (("__hash__", hash_of), ("__eq__", equals), ("__str__", text)):
        body.setdefault(method, function)


class object2(metaclass=MetaObject):
    """The base class of objects that are compared by ``__props__``."""

    __slots__ = ()

    def __ne__(self, other: object) -> bool:
        return not self == other


class scratchpad:
    """The attributes ``tag`` of variables and nodes."""

    def clear(self) -> None:
        """Remove all attributes."""
        self.__dict__.clear()

    def __update__(self, other: Any) -> scratchpad:
        self.__dict__.update(other.__dict__)
        return self

    def __repr__(self) -> str:
        return f"scratchpad{self.__dict__}"

    def info(self) -> None:
        """Print all attributes."""
        print(f"<theano.gof.utils.scratchpad instance at {id(self)}>")
        for name, value in self.__dict__.items():
            print(f"  {name}: {value}")


class D:
    """An object with the given attributes."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


class Keyword:
    """A named value that is true or false."""

    def __init__(self, name: str, nonzero: bool = True) -> None:
        self.name, self.nonzero = name, nonzero

    def __bool__(self) -> bool:
        return self.nonzero

    def __repr__(self) -> str:
        return f"<{self.name}>"


ABORT, RETRY, FAILURE = (Keyword(name, False) for name in ("ABORT", "RETRY", "FAILURE"))
ANY_TYPE, FALL_THROUGH = Keyword("ANY_TYPE"), Keyword("FALL_THROUGH")
undef = object()
"""A parameter that was not given."""


def add_tag_trace(thing: V, user_line: int | None = None) -> V:
    """Return ``thing``; nodes and variables know their lines already."""
    return thing


def get_variable_trace_string(v: Any) -> str:
    """Return the line of the user's program that made a variable, as text."""
    origin: Origin | None = getattr(v, "origin", None)
    return "" if origin is None else f"Backtrace when that variable is created:\n\n{origin}\n"


def hashtype(self: object) -> int:
    """Return a hash that all objects of a class share."""
    return hash((type(self).__name__, type(self).__module__))


def hash_from_code(msg: str | bytes) -> str:
    """Return the digest of a text."""
    data = msg.encode() if isinstance(msg, str) else msg
    return "m" + hashlib.sha256(data).hexdigest()


def hash_from_file(file_path: str) -> str:
    """Return the digest of a file."""
    with open(file_path, "rb") as file:
        return hash_from_code(file.read())


memoize = cache


def deprecated(filename: str, msg: str = "") -> Callable[[Callable[..., V]], Callable[..., V]]:
    """Return a decorator for functions that print a warning in their first call."""

    def decorate(function: Callable[..., V]) -> Callable[..., V]:
        told: list[bool] = []

        def wrapped(*args: Any, **kwargs: Any) -> V:
            if not told:
                print(f"WARNING: {filename}.{function.__name__} deprecated. {msg}")
                told.append(True)
            return function(*args, **kwargs)

        return wrapped

    return decorate


def uniq(seq: Sequence[V]) -> list[V]:
    """Return the different items of a sequence, in order."""
    return [item for place, item in enumerate(seq) if seq.index(item) == place]


def unique(x: Iterable[Hashable]) -> bool:
    """Return whether no item occurs twice."""
    items = list(x)
    return len(set(items)) == len(items)


def difference(seq1: Iterable[V], seq2: Iterable[V]) -> list[V]:
    """Return the items of the first sequence that the second one lacks."""
    others = list(seq2)
    return [item for item in seq1 if item not in others]


def to_return_values(values: Sequence[V]) -> V | Sequence[V]:
    """Return the only item of a sequence, or the sequence."""
    return values[0] if len(values) == 1 else values


def from_return_values(values: Any) -> Sequence[Any]:
    """Return a list, given its only item or itself."""
    return values if isinstance(values, list | tuple) else [values]


def toposort(prereqs_d: Mapping[V, Iterable[V]]) -> list[V]:
    """Return the keys of a dict in an order in which each comes after the items of its value.

    Raises
    ------
    ValueError
        If there is no such order.
    """
    waiting = {key: set(value) for key, value in prereqs_d.items()}
    done: list[V] = []
    ready = [key for key, before in waiting.items() if not before]
    while ready:
        key = ready.pop()
        done.append(key)
        for other, before in waiting.items():
            if key in before:
                before.discard(key)
                if not before:
                    ready.append(other)
    if len(done) < len(waiting):
        raise ValueError("toposort: the items wait for each other in a cycle")
    return done


def flatten(a: Any) -> list[Any]:
    """Return the items of nested lists, tuples and sets in one list."""
    if not isinstance(a, list | tuple | set):
        return [a]
    return [inner for item in a for inner in flatten(item)]


def hist(coll: Iterable[V]) -> dict[V, int]:
    """Return how often each item occurs."""
    counts: dict[V, int] = {}
    for item in coll:
        counts[item] = counts.get(item, 0) + 1
    return counts


def remove(predicate: Callable[[V], bool], coll: Iterable[V]) -> list[V]:
    """Return the items for which ``predicate`` is false."""
    return [item for item in coll if not predicate(item)]


def give_variables_names(variables: Sequence[Any]) -> Sequence[Any]:
    """Give names to variables without one, or with one that others have."""
    names = [item.name for item in variables]
    for place, item in enumerate(variables):
        if not item.name or names.count(item.name) > 1:
            item.name = f"{item.name or ''}_{place}"
    return variables
