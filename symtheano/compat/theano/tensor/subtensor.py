"""``theano.tensor.subtensor``: indexing."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor import (
    AdvancedIncSubtensor,
    AdvancedSubtensor,
    IncSubtensor,
    Subtensor,
    as_tensor_variable,
    inc_subtensor,
    set_subtensor,
    take,
)


class AdvancedIndexingError(TypeError):
    """A key with arrays that can't be used."""


class AdvancedBooleanIndexingError(TypeError):
    """A key with boolean arrays that can't be used."""


def _rows(op: Any) -> bool:
    return isinstance(op, AdvancedSubtensor)


def _written_rows(op: Any) -> bool:
    return isinstance(op, AdvancedIncSubtensor)


def _write(set_instead_of_inc: bool) -> Any:
    function = set_subtensor if set_instead_of_inc else inc_subtensor

    def write(x: Any, y: Any, *indices: Any) -> Any:
        x = as_tensor_variable(x)
        return function(x[indices if len(indices) > 1 else indices[0]], y)

    return write, {"set_instead_of_inc": set_instead_of_inc}


def _read(x: Any, *indices: Any) -> Any:
    return as_tensor_variable(x)[indices if len(indices) > 1 else indices[0]]


AdvancedSubtensor1 = op_class(
    "AdvancedSubtensor1", _rows, lambda sparse_grad=False: (_read, {"sparse_grad": sparse_grad})
)
AdvancedIncSubtensor1 = op_class(
    "AdvancedIncSubtensor1",
    _written_rows,
    lambda inplace=False, set_instead_of_inc=False: _write(set_instead_of_inc),
)
BaseAdvancedSubtensor = op_class("BaseAdvancedSubtensor", _rows)
BaseAdvancedIncSubtensor = op_class("BaseAdvancedIncSubtensor", _written_rows)
AdvancedBooleanSubtensor = op_class(
    "AdvancedBooleanSubtensor", lambda op: False, lambda: (_read, {})
)
AdvancedBooleanIncSubtensor = op_class(
    "AdvancedBooleanIncSubtensor",
    lambda op: False,
    lambda inplace=False, set_instead_of_inc=False: _write(set_instead_of_inc),
)

advanced_subtensor1 = AdvancedSubtensor1()
advanced_inc_subtensor1 = AdvancedIncSubtensor1()
advanced_set_subtensor1 = AdvancedIncSubtensor1(set_instead_of_inc=True)
advanced_subtensor = advanced_boolean_subtensor = AdvancedBooleanSubtensor()
advanced_inc_subtensor = advanced_boolean_inc_subtensor = AdvancedBooleanIncSubtensor()
advanced_set_subtensor = advanced_boolean_set_subtensor = AdvancedBooleanIncSubtensor(
    set_instead_of_inc=True
)


def get_idx_list(inputs: Any, idx_list: Any, get_count: bool = False) -> Any:
    """Return the key of an index: entries that are types are replaced by inputs, in order."""
    waiting = list(inputs[1:])

    def entry(item: Any) -> Any:
        from symtheano import Type

        if isinstance(item, Type):
            return waiting.pop(0)
        if isinstance(item, slice):
            return slice(*(entry(part) for part in (item.start, item.stop, item.step)))
        return item

    key = tuple(entry(item) for item in idx_list)
    return (key, len(inputs) - 1 - len(waiting)) if get_count else key
