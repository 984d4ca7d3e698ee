"""SharedVariable: a variable that keeps its value between calls."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from symtheano.graph.type import Type, generic
from symtheano.graph.variable import Variable


class Container:
    """The cell which holds a shared variable's value; several variables may share one.

    Attributes
    ----------
    type
        Of the value.
    storage
        A list whose only item is the value.
    marks
        Three integers: how many compiled calls read and write the value while other threads run,
        and the identity of the thread that writes.
    holders
        Identities of the threads in which Python code reads the value.
    """

    __slots__ = ("holders", "marks", "storage", "type")

    def __init__(self, type: Type, value: Any) -> None:
        self.type = type
        self.storage: list[Any] = [value]
        self.marks = bytearray(24)
        self.holders: list[int] = []

    @property
    def value(self) -> Any:
        """The value itself, not a copy."""
        return self.storage[0]

    @value.setter
    def value(self, value: Any) -> None:
        self.storage[0] = value

    def __enter__(self) -> Any:
        """Return the value; no call in another thread changes it until the block ends."""
        self.holders.append(get_ident())
        while self._is_written():
            time.sleep(0.0001)
        return self.value

    def __exit__(self, *error: object) -> None:
        self.holders.remove(get_ident())

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has the value, but none of the calls and threads that use it just now."""
        with self:
            return Container, (self.type, None), (None, {"storage": self.storage})

    @contextmanager
    def replaced(self) -> Iterator[None]:
        """Keep other threads from reading or setting the value while a new one is computed."""
        with self:
            counts = memoryview(self.marks).cast("q")
            counts[2] = get_ident()
            counts[1] += 1  # no compiled call writes: it would have to wait for this thread
            try:
                yield
            finally:
                counts[1] -= 1

    def _is_written(self) -> bool:
        """Return whether a call in another thread writes into the value just now."""
        _, writers, thread = memoryview(self.marks).cast("q")
        return bool(writers) and thread != get_ident()


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
        if borrow:
            return self.container.value
        with self.container as value:
            return copy.deepcopy(value)

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the value; a copy is kept, unless ``borrow`` lends the array itself.

        Raises
        ------
        TypeError
            If the value does not fit this variable's type; the old value stays.
        """
        value = self.type.filter(new_value, strict=self.strict, allow_downcast=self.allow_downcast)
        kept = value if borrow else copy.deepcopy(value)
        with self.container:
            self.container.value = kept

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
