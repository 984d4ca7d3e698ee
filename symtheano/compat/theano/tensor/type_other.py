"""``theano.tensor.type_other``: None and slices in graphs."""

from __future__ import annotations

from typing import Any

from symtheano import Apply, Constant, Op, Type
from symtheano.graph.type import DisconnectedType, Generic
from symtheano.tensor import as_tensor_variable


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


class MakeSlice(Op):
    """A slice of numbers; None is a bound that is not there."""

    __props__ = ()
    differentiable_inputs = 0

    def make_node(self, start: Any, stop: Any = None, step: Any = None) -> Apply:
        bounds = [NoneConst if each is None else each for each in (start, stop, step)]
        return Apply(
            self,
            [each if isinstance(each, Constant) else as_tensor_variable(each) for each in bounds],
            [slicetype()],
        )

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        bounds = [None if each is None else int(each) for each in inputs]
        output_storage[0][0] = slice(*bounds)


make_slice = MakeSlice()
