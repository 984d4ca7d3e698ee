"""``theano.tensor.subtensor``: indexing."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.compat.writing import Writing as _Writing
from symtheano.tensor import (
    AdvancedIncSubtensor as _Write,
    AdvancedSubtensor as _Read,
    IncSubtensor,
    Subtensor,
    as_tensor_variable,
    ge,
    inc_subtensor,
    lt,
    maximum,
    minimum,
    set_subtensor,
    switch,
    take,
)


class AdvancedIndexingError(TypeError):
    """A key with arrays that can't be used."""


class AdvancedBooleanIndexingError(TypeError):
    """A key with boolean arrays that can't be used."""


def _rows(op: Any) -> bool:
    return isinstance(op, _Read)


def _written_rows(op: Any) -> bool:
    return isinstance(op, _Write)


def _write(inplace: bool = False, set_instead_of_inc: bool = False) -> Any:
    function = set_subtensor if set_instead_of_inc else inc_subtensor

    def write(x: Any, y: Any, *indices: Any) -> Any:
        x = as_tensor_variable(x)
        return function(x[indices if len(indices) > 1 else indices[0]], y)

    fields = {"inplace": inplace, "set_instead_of_inc": set_instead_of_inc}
    return _Writing(write) if inplace else write, fields


def _read(x: Any, *indices: Any) -> Any:
    return as_tensor_variable(x)[indices if len(indices) > 1 else indices[0]]


AdvancedSubtensor1 = op_class(
    "AdvancedSubtensor1", _rows, lambda sparse_grad=False: (_read, {"sparse_grad": sparse_grad})
)
AdvancedIncSubtensor1 = op_class(
    "AdvancedIncSubtensor1",
    _written_rows,
    _write,
)
AdvancedSubtensor = op_class("AdvancedSubtensor", _rows, lambda: (_read, {}))
AdvancedIncSubtensor = op_class(
    "AdvancedIncSubtensor",
    _written_rows,
    _write,
)
BaseAdvancedSubtensor = op_class("BaseAdvancedSubtensor", _rows)
BaseAdvancedIncSubtensor = op_class("BaseAdvancedIncSubtensor", _written_rows)
AdvancedBooleanSubtensor = op_class(
    "AdvancedBooleanSubtensor", lambda op: False, lambda: (_read, {})
)
AdvancedBooleanIncSubtensor = op_class(
    "AdvancedBooleanIncSubtensor",
    lambda op: False,
    _write,
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


def get_canonical_form_slice(theslice: Any, length: Any) -> tuple[Any, Any]:
    """Return a slice or index as one with positions from 0 on and a positive step.

    Parameters
    ----------
    theslice
        A slice, or an index, of integers or variables.
    length
        The length of the axis.

    Returns
    -------
    tuple
        The slice or index, and 1 or -1: the direction in which its elements are taken.
    """

    def inside(position: Any, lowest: Any, highest: Any) -> Any:
        from_start = switch(lt(position, 0), position + length, position)
        return minimum(maximum(from_start, lowest), highest)

    if not isinstance(theslice, slice):
        return switch(lt(theslice, 0), theslice + length, theslice), 1
    step = as_tensor_variable(1 if theslice.step is None else theslice.step)
    backwards = lt(step, 0)
    lowest, highest = switch(backwards, -1, 0), switch(backwards, length - 1, length)
    start, stop = switch(backwards, highest, lowest), switch(backwards, lowest, highest)
    if theslice.start is not None:
        start = inside(theslice.start, lowest, highest)
    if theslice.stop is not None:
        stop = inside(theslice.stop, lowest, highest)
    direction, width = switch(backwards, -1, 1), abs(step)
    count = maximum(((stop - start) * direction + width - 1) // width, 0)
    last = start + (count - 1) * step
    first = switch(ge(count, 1), switch(backwards, last, start), 0)
    end = switch(ge(count, 1), switch(backwards, start, last) + 1, 0)
    return slice(first, end, width), direction
