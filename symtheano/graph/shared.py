"""SharedVariable: a variable that keeps its value between calls."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from itertools import repeat
from operator import itemgetter, setitem

from symtheano.graph.claims import Storage, Value, exclusively, settled
from symtheano.graph.type import Type, generic
from symtheano.graph.variable import Variable

_first = itemgetter(0)


class Container:
    """The container of a shared variable's value; several variables may share one.

    Attributes
    ----------
    type
        Type of the value.
    storage
        A list whose only item is the value.
    """

    __slots__ = ("storage", "type")

    def __init__(self, type: Type, value: object) -> None:
        self.type = type
        self.storage: Storage = [value]

    @property
    def value(self) -> Value:
        """The value itself, not a copy."""
        return self.storage[0]

    @value.setter
    def value(self, value: object) -> None:
        self.storage[0] = value

    data = value
    """Theano's name of :attr:`value`."""

    def read(self) -> Value:
        """Return the value itself. No call changes it while the caller refers to it."""
        return settled(partial(list, self.storage), [self.storage])[0]

    def put(self, value: object) -> None:
        """Wait until no call in another thread replaces the value, then set it."""
        exclusively([self.storage], partial(setitem, self.storage, 0, value))

    def __reduce__(self) -> tuple[object, ...]:
        # In a separate list, because an array that two lists refer to is not overwritten.
        return Container, (self.type, None), (None, {"storage": [self.read()]})


def values_of(containers: Sequence[Container]) -> list[Value]:
    """Return the values atomically: no other thread runs in between."""
    return [*map(_first, [container.storage for container in containers])]


def store_values(containers: Sequence[Container], values: Sequence[object]) -> None:
    """Store values in their containers atomically, without a thread switch or an interrupt."""
    storages = [container.storage for container in containers]
    replaced = [*map(_first, storages)]  # Old values are released after all new ones are stored.
    [*map(setitem, storages, repeat(0), values)]
    del replaced


class SharedVariable(Variable):
    """A variable with a value that functions read and may update.

    Attributes
    ----------
    container
        Container of the value.
    default_update
        Expression for the new value in every function that uses this variable; None for no update.
    """

    __slots__ = ("allow_downcast", "container", "strict")

    default_update: Variable | None = None  # not a slot: None again if deleted

    def __init__(
        self,
        type: Type,
        value: object,
        name: str | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
        container: Container | None = None,
    ) -> None:
        super().__init__(type, name=name)
        self.strict = strict
        self.allow_downcast = allow_downcast
        self.container = container if container is not None else Container(type, value)

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Value:
        """Return the value. It is a copy, unless ``borrow`` is true."""
        if borrow:
            return self.container.value
        return copy.deepcopy(self.container.read())

    def set_value(self, new_value: object, borrow: bool = False) -> None:
        """Set the value; it is copied, unless ``borrow`` is true.

        Raises
        ------
        TypeError
            If the value does not have this variable's type; the old value is kept.
        """
        value = self.type.filter(new_value, strict=self.strict, allow_downcast=self.allow_downcast)
        kept = value if borrow else copy.deepcopy(value)
        self.container.put(kept)

    def clone(self, name: str | None = None) -> SharedVariable:
        """Return another variable with the same container."""
        twin = type(self)(
            self.type,
            None,
            name or self.name,
            self.strict,
            self.allow_downcast,
            container=self.container,
        )
        if self.default_update is not None:
            twin.default_update = self.default_update
        return twin


def generic_shared(value: object, name: str | None = None) -> SharedVariable:
    """Return a shared variable whose value is any Python object."""
    return SharedVariable(generic, value, name)
