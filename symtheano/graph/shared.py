"""SharedVariable: a variable that keeps its value between calls."""

from __future__ import annotations

import copy
from typing import Any

from symtheano.graph.type import Type, generic
from symtheano.graph.variable import Variable


class Container:
    """The cell which holds a shared variable's value; several variables may share one."""

    __slots__ = ("storage", "type")

    def __init__(self, type: Type, value: Any) -> None:
        self.type = type
        self.storage: list[Any] = [value]

    @property
    def value(self) -> Any:
        """The value itself, not a copy."""
        return self.storage[0]

    @value.setter
    def value(self, value: Any) -> None:
        self.storage[0] = value


class SharedVariable(Variable):
    """A variable with a value of its own, which functions read and may update.

    Attributes
    ----------
    container
        Where the value is kept.
    default_update
        Expression that every function using this variable assigns to it; None for no update.
    """

    __slots__ = ("allow_downcast", "container", "default_update", "strict")

    def __init__(
        self,
        type: Any,
        value: Any,
        name: str | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
        container: Container | None = None,
    ) -> None:
        super().__init__(type, name=name)
        self.strict = strict
        self.allow_downcast = allow_downcast
        self.container = container if container is not None else Container(type, value)
        self.default_update: Variable | None = None

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return the value; a copy, unless ``borrow`` asks for the array itself."""
        value = self.container.value
        return value if borrow else copy.deepcopy(value)

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the value; a copy is kept, unless ``borrow`` lends the array itself.

        Raises
        ------
        TypeError
            If the value does not fit this variable's type; the old value stays.
        """
        value = self.type.filter(new_value, strict=self.strict, allow_downcast=self.allow_downcast)
        self.container.value = value if borrow else copy.deepcopy(value)

    def clone(self, name: str | None = None) -> SharedVariable:
        """Return another variable that shares this one's container."""
        twin = type(self)(
            self.type,
            None,
            name or self.name,
            self.strict,
            self.allow_downcast,
            container=self.container,
        )
        twin.default_update = self.default_update
        return twin


def generic_shared(value: Any, name: str | None = None) -> SharedVariable:
    """Return a shared variable that holds any Python object."""
    return SharedVariable(generic, value, name)
