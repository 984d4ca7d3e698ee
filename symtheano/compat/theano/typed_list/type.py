"""``theano.typed_list.type``: the type of lists whose items have one type."""

from __future__ import annotations

from typing import Any, ClassVar

from symtheano import Type, Variable


class TypedListType(Type):
    """The type of lists.

    Parameters
    ----------
    ttype
        The type of the items.
    depth
        How many lists are inside of each other, less one.

    Raises
    ------
    TypeError
        If ``ttype`` is not a type.
    ValueError
        If ``depth`` is negative.
    """

    variable_class: ClassVar[type[Variable]] = Variable
    """The class of variables; set by ``basic.py``."""

    def __init__(self, ttype: Type, depth: int = 0) -> None:
        if not isinstance(ttype, Type):
            raise TypeError(f"TypedListType takes the type of the items, got {ttype!r}")
        if depth < 0:
            raise ValueError("TypedListType: depth must not be negative")
        self.ttype: Any = TypedListType(ttype, depth - 1) if depth else ttype

    def get_depth(self) -> int:
        """Return how many lists are inside of each other, less one."""
        return self.ttype.get_depth() + 1 if isinstance(self.ttype, TypedListType) else 0

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if not isinstance(value, list) or (strict and not self._has(value)):
            raise TypeError(f"expected a list of {self.ttype}")
        return [self.ttype.filter(item, strict, allow_downcast) for item in value]

    def _has(self, value: list[Any]) -> bool:
        return all(self.ttype.is_valid_value(item) for item in value)

    def make_variable(self, name: str | None = None) -> Variable:
        return self.variable_class(self, name=name)

    @staticmethod
    def may_share_memory(a: Any, b: Any) -> bool:
        """Return whether two lists are one."""
        return a is b

    def values_eq(self, a: Any, b: Any) -> bool:
        """Return whether two lists have equal items."""
        same = len(a) == len(b)
        return same and all(self.ttype.values_eq(x, y) for x, y in zip(a, b, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypedListType) and self.ttype == other.ttype

    def __hash__(self) -> int:
        return hash((TypedListType, self.ttype))

    def __repr__(self) -> str:
        return f"TypedList <{self.ttype}>"
