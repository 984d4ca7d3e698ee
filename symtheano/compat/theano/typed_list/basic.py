"""``theano.typed_list.basic``: functions of lists in graphs. Python computes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano import Apply, Constant, Op, Variable
from symtheano.tensor import TensorType, as_tensor_variable, lscalar

from ..tensor.type_other import SliceType
from .type import TypedListType


class _typed_list_py_operators:
    """Python's operators and the methods of lists; each returns a new variable."""

    def __getitem__(self, index: Any) -> Any:
        return getitem(self, index)

    def __len__(self) -> int:
        raise TypeError("the length of a list is not known while the graph is built; use length(x)")

    def append(self, toAppend: Any) -> Any:
        return append(self, toAppend)

    def extend(self, toAppend: Any) -> Any:
        return extend(self, toAppend)

    def insert(self, index: Any, toInsert: Any) -> Any:
        return insert(self, index, toInsert)

    def remove(self, toRemove: Any) -> Any:
        return remove(self, toRemove)

    def reverse(self) -> Any:
        return reverse(self)

    def count(self, elem: Any) -> Any:
        return count(self, elem)

    def ind(self, elem: Any) -> Any:
        return index_(self, elem)

    ttype = property(lambda self: self.type.ttype)
    dtype = property(lambda self: self.type.ttype.dtype)
    ndim = property(lambda self: self.type.ttype.ndim + 1)


class TypedListVariable(_typed_list_py_operators, Variable):
    """A list in a graph."""


class TypedListConstant(_typed_list_py_operators, Constant):
    """A list that is known."""


TypedListType.variable_class = TypedListVariable


def _list(x: Any) -> Any:
    if not isinstance(getattr(x, "type", None), TypedListType):
        raise TypeError(f"expected a typed list, got {x!r}")
    return x


def _item(x: Any, value: Any) -> Any:
    """Return a value as an item of a list."""
    variable = value if isinstance(value, Variable) else as_tensor_variable(value)
    if not x.type.ttype.accepts(variable.type):
        raise TypeError(f"a list of {x.type.ttype} has no item of type {variable.type}")
    return variable


def _position(index: Any) -> Any:
    variable = as_tensor_variable(index)
    if variable.ndim or variable.dtype not in ("int8", "int16", "int32", "int64"):
        raise TypeError(f"a position in a list is an integer, got {variable.type}")
    return variable


class _ListOp(Op):
    """Base of the ops: a function of a list and of other operands."""

    __props__ = ("inplace",)
    differentiable_inputs = 0
    operands: tuple[Callable[[Any, Any], Any], ...] = ()

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace  # has no effect: arguments are not changed

    def make_node(self, x: Any, *rest: Any) -> Apply:
        x = _list(x)
        pairs = zip(self.operands, rest, strict=True)
        return Apply(self, [x, *(convert(x, each) for convert, each in pairs)], [self.result(x)])

    def result(self, x: Any) -> Any:
        """Return the result's variable."""
        return x.type()

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        items, *rest = inputs
        output_storage[0][0] = self.compute(node, list(items), *rest)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        """Return the result; the list is a copy."""
        raise NotImplementedError(f"{type(self).__name__} has no compute")

    def __str__(self) -> str:
        return type(self).__name__


def _same_matrices(a: Any, b: Any) -> bool:
    """Return whether two sparse matrices have the same elements."""
    return a.shape == b.shape and (a != b).nnz == 0


def _found(node: Any, items: list[Any], item: Any) -> list[int]:
    """Return the positions of items that are equal to one."""
    equal = getattr(node.inputs[0].type.ttype, "values_eq", _same_matrices)
    return [k for k, each in enumerate(items) if equal(each, item)]


def _same_list(x: Any, other: Any) -> Any:
    if _list(other).type != x.type:
        raise TypeError(f"{x.type} can't be extended by {other.type}")
    return other


class GetItem(Op):
    """An item, or the items of a slice."""

    __props__ = ()
    differentiable_inputs = 0

    def make_node(self, x: Any, index: Any) -> Apply:
        x = _list(x)
        if isinstance(index, slice):
            bounds = [index.start, index.stop, index.step]
            if any(isinstance(each, Variable) for each in bounds):
                raise NotImplementedError("a slice of a list has numbers, not variables")
            return Apply(GetSlice(*bounds), [x], [x.type()])
        if isinstance(getattr(index, "type", None), SliceType):
            return Apply(self, [x, index], [x.type()])
        return Apply(self, [x, _position(index)], [x.type.ttype()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        items, index = inputs
        output_storage[0][0] = items[index if isinstance(index, slice) else int(index)]

    def __str__(self) -> str:
        return "GetItem"


class GetSlice(Op):
    """Some items, whose positions are known."""

    __props__ = ("start", "stop", "step")
    differentiable_inputs = 0

    def __init__(self, start: int | None, stop: int | None, step: int | None) -> None:
        self.start, self.stop, self.step = start, stop, step

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [_list(x)], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = inputs[0][self.start : self.stop : self.step]


class Append(_ListOp):
    """The list with one more item."""

    operands = (_item,)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        return [*items, rest[0]]


class Extend(_ListOp):
    """The list followed by another one."""

    operands = (_same_list,)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        return [*items, *rest[0]]


class Insert(_ListOp):
    """The list with an item at a position."""

    operands = (lambda x, index: _position(index), _item)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        items.insert(int(rest[0]), rest[1])
        return items


class Remove(_ListOp):
    """The list without the first item that equals one."""

    operands = (_item,)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        for position in _found(node, items, rest[0])[:1]:
            del items[position]
        return items


class Reverse(_ListOp):
    """The list in reverse order."""

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        return items[::-1]


class _Number(_ListOp):
    """Base of functions whose result is an integer."""

    def result(self, x: Any) -> Any:
        return lscalar()


class Index(_Number):
    """The position of the first item that equals one."""

    operands = (_item,)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        found = _found(node, items, rest[0])
        if not found:
            raise ValueError("index_: no item of the list equals the value")
        return np.asarray(found[0], "int64")


class Count(_Number):
    """How many items equal one."""

    operands = (_item,)

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        return np.asarray(len(_found(node, items, rest[0])), "int64")


class Length(_Number):
    """The number of items."""

    def compute(self, node: Apply, items: list[Any], *rest: Any) -> Any:
        return np.asarray(len(items), "int64")


class MakeList(Op):
    """A list of variables of one type."""

    __props__ = ()
    differentiable_inputs = 0

    def make_node(self, a: Any) -> Apply:
        items = [each if isinstance(each, Variable) else as_tensor_variable(each) for each in a]
        if not items:
            raise TypeError("make_list: without items, their type is not known")
        kinds = {each.type for each in items}
        if len(kinds) > 1:
            raise TypeError(f"make_list: items of different types: {', '.join(map(str, kinds))}")
        return Apply(self, items, [TypedListType(items[0].type)()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = list(inputs)


getitem, append, extend, insert = GetItem(), Append(), Extend(), Insert()
remove, reverse, index_, count, length = Remove(), Reverse(), Index(), Count(), Length()
make_list = MakeList()
