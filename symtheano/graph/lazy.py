"""Attributes that are computed on first access, without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """A method as an attribute that is computed on first access and then kept.

    All threads see the same value. If two of them compute it at the same time, the first result is
    kept. There is no lock: one per attribute, as in Python before 3.12, is held for all instances,
    so threads that compute different functions could wait for each other for ever; and a forked
    child would wait for threads that it does not have.

    Examples
    --------
    >>> class Circle:
    ...     @lazy
    ...     def area(self):
    ...         print("computing")
    ...         return 3
    >>> circle = Circle()
    >>> circle.area, circle.area
    computing
    (3, 3)
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        # This is only called until the instance has an attribute of this name.
        kept: T = vars(instance).setdefault(self._name, self._make(instance))
        return kept
