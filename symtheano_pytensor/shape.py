"""Shapes, joining and splitting, and checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import symtheano.tensor as T
from symtheano.tensor.assertion import Assert, AssertOrRaise
from symtheano_pytensor.registry import converts


@converts("Shape")
def _shape(op: Any, node: Any, x: Any) -> Any:
    return T.shape(x)


@converts("Shape_i")
def _length(op: Any, node: Any, x: Any) -> Any:
    return x.shape[op.i]


@converts("Reshape")
def _reshape(op: Any, node: Any, x: Any, shape: Any) -> Any:
    return x.reshape(shape, ndim=op.ndim)


@converts("SpecifyShape")
def _specify_shape(op: Any, node: Any, x: Any, *lengths: Any) -> Any:
    return T.specify_shape(x, lengths)


@converts("JoinDims")
def _join_dims(op: Any, node: Any, x: Any) -> Any:
    first, last = op.start_axis, op.start_axis + op.n_axes
    length: Any = T.constant(1, dtype="int64")
    for axis in range(first, last):
        length = length * x.shape[axis]
    lengths = [x.shape[axis] for axis in range(x.ndim)]
    return x.reshape([*lengths[:first], length, *lengths[last:]], ndim=node.outputs[0].type.ndim)


@converts("SplitDims")
def _split_dims(op: Any, node: Any, x: Any, shape: Any) -> Any:
    ndim = node.outputs[0].type.ndim
    inner = [shape[k] for k in range(ndim - x.ndim + 1)]
    lengths = [x.shape[axis] for axis in range(x.ndim)]
    axis = op.axis
    return x.reshape([*lengths[:axis], *inner, *lengths[axis + 1 :]], ndim=ndim)


@converts("Join")
def _join(op: Any, node: Any, *operands: Any) -> Any:
    axis, parts = axis_and_others(op, operands)
    dtype = node.outputs[0].type.dtype
    return T.join(axis, *(T.cast(item, dtype) for item in parts))


@converts("Split")
def _split(op: Any, node: Any, x: Any, *operands: Any) -> Any:
    axis, (sizes,) = axis_and_others(op, operands)
    if sizes.type.shape[0] not in (None, op.len_splits):
        raise NotImplementedError(f"{sizes.type.shape[0]} lengths of {op.len_splits} parts")
    return T.split(x, sizes, op.len_splits, axis=axis)


def axis_and_others(op: Any, operands: Any) -> tuple[int, Any]:
    """Return the axis, which versions have in the op or as an operand, and the other operands."""
    axis = getattr(op, "axis", None)
    if axis is not None:
        return int(axis), operands
    number, *others = operands
    if not hasattr(number, "data"):
        raise NotImplementedError("an axis that is known only in the call")
    return int(number.data), tuple(others)


@cache
def check_raising(error: type[Exception]) -> Callable[[str], Assert]:
    """Return a function of a message: the op of checks that raise a kind of exception."""
    if "<" in error.__qualname__:  # local classes have no name by which others can find them
        return type(f"Check{error.__name__}", (Assert,), {"error": error, "__module__": __name__})
    return partial(AssertOrRaise, module=error.__module__, name=error.__qualname__)


@converts("CheckAndRaise")
def _check(op: Any, node: Any, x: Any, *conditions: Any) -> Any:
    return check_raising(op.exc_type)(op.msg)(x, *conditions)


@converts("Repeat")
def _repeat(op: Any, node: Any, x: Any, repeats: Any) -> Any:
    return T.repeat(x, repeats, axis=op.axis)
