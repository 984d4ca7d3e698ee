"""Records: what a pickle says of an object whose class symtheano does not have."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from symtheano.compat.finder import loaded
from symtheano.graph.type import Generic, Type
from symtheano.tensor.type import TensorType


class Record:
    """An object as its pickle describes it: the attributes that it had.

    Attributes
    ----------
    _theano
        The name of its class in Theano, with its module.
    """

    _theano = ""

    def __new__(cls, *arguments: Any, **named: Any) -> Any:
        made = object.__new__(cls)
        made.__dict__["_arguments"] = arguments
        return made

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Arguments are kept by ``__new__``."""

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], dict):
            state = {**(state[0] or {}), **state[1]}  # attributes and slots
        if isinstance(state, dict):
            self.__dict__.update(state)
        else:
            self.__dict__["_state"] = state

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__dict__.setdefault("_items", {})[key] = value

    def append(self, item: Any) -> None:
        """Add an item of a list."""
        self.__dict__.setdefault("_items", []).append(item)

    def extend(self, items: Any) -> None:
        """Add items of a list."""
        self.__dict__.setdefault("_items", []).extend(items)

    @property
    def name_of_class(self) -> str:
        """The name of its class, without the module."""
        return self._theano.rpartition(".")[2]

    def get(self, name: str, default: Any = None) -> Any:
        """Return an attribute, or a default."""
        return self.__dict__.get(name, default)

    def __repr__(self) -> str:
        return f"<{self._theano} of a pickle>"


@cache
def record_class(module: str, name: str) -> type[Record]:
    """Return the class of records of a class of Theano's."""
    return type(name, (Record,), {"_theano": f"{module}.{name}", "__module__": __name__})


class OldTag:
    """The attribute ``tag`` of a variable."""

    def __setstate__(self, state: Any) -> None:
        kept = {key: value for key, value in (state or {}).items() if key not in _NOT_KEPT}
        self.__dict__.update(kept)


_NOT_KEPT = ("trace", "imported_by", "removed_by", "context_name", "unique_value")


def type_of(kind: Any) -> Type:
    """Return symtheano's type for one of a pickle.

    Raises
    ------
    TypeError
        If there is none.
    """
    if isinstance(kind, Type):
        return kind
    if isinstance(kind, Record):
        if kind.get("format") is not None and kind.name_of_class == "SparseType":
            from symtheano.sparse.type import SparseType

            made: Type = SparseType(kind.get("format"), kind.get("dtype"))
            return made
        if kind.name_of_class == "RandomStateType":
            module = raw_random()
            return Generic() if module is None else module.random_state_type
        if kind.get("dtype") is not None:
            lengths = tuple(1 if one else None for one in kind.get("broadcastable", ()))
            return TensorType(str(kind.get("dtype")), shape=lengths)
    return Generic()


def raw_random() -> ModuleType | None:
    """Return the module of random states, which only programs of Theano have."""
    return loaded().get("theano.tensor.raw_random")


def value_of(kind: Type, value: Any) -> Any:
    """Return a value of a pickle as one of a type."""
    if value is None:
        return None  # an input of a function that loops contain
    if isinstance(value, np.random.RandomState):
        return kind.filter(value)
    if isinstance(kind, TensorType) and not isinstance(value, np.ndarray):
        return np.asarray(value, dtype=kind.dtype)
    return value


def as_array(value: Any, *context: Any) -> Any:
    """Return what was in the memory of a device, of which the pickle has an array."""
    return np.asarray(value)
