"""``theano.tensor.type_other``: None and slices in graphs."""

from __future__ import annotations

from typing import Any

from symtheano import Constant, Type
from symtheano.graph.type import DisconnectedType, Generic


class NoneTypeT(Generic):
    """The type of None."""

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if value is None:
            return None
        raise TypeError("the only value of NoneTypeT is None")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTypeT)

    def __hash__(self) -> int:
        return hash(NoneTypeT)

    def __repr__(self) -> str:
        return "NoneTypeT"


none_type_t = NoneTypeT()
NoneConst = Constant(none_type_t, None, name="NoneConst")


class SliceType(Type):
    """The type of slices."""

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if isinstance(value, slice):
            return value
        raise TypeError("expected a slice")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SliceType)

    def __hash__(self) -> int:
        return hash(SliceType)

    def __repr__(self) -> str:
        return "slice"


slicetype = SliceType()


class SliceConstant(Constant):
    """A slice that is known."""
