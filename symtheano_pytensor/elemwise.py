"""Elementwise ops, reductions and changes of axes."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano_pytensor.registry import converts
from symtheano_pytensor.scalars import apply_scalar


@converts("Elemwise")
def _elemwise(op: Any, node: Any, *operands: Any) -> Any:
    results = apply_scalar(op.scalar_op, node, operands)
    shape = broadcast(operands)
    return [_filled(item, operands, shape) for item in results]


def broadcast(operands: Any) -> int:
    """Return the number of axes of the result of an elementwise op."""
    return max((item.ndim for item in operands), default=0)


def _filled(result: Any, operands: Any, ndim: int) -> Any:
    """Return a result that does not depend on all operands with the shape of all of them."""
    if result.ndim == ndim and all(
        have == want or want == 1
        for item in operands
        for have, want in zip(result.type.shape, item.type.shape, strict=True)
    ):
        return result
    for item in operands:
        result = T.second(item, result) if result.ndim < ndim or _wider(item, result) else result
    return result


def _wider(item: Any, result: Any) -> bool:
    return any(
        have == 1 and want != 1
        for have, want in zip(result.type.shape, item.type.shape, strict=True)
    )


@converts("DimShuffle")
def _dimshuffle(op: Any, node: Any, x: Any) -> Any:
    order = tuple(op.new_order)
    dropped = [axis for axis in range(x.ndim) if axis not in order]
    if any(x.type.shape[axis] != 1 for axis in dropped):
        x = T.specify_shape(x, [1 if axis in dropped else length
                                for axis, length in enumerate(x.type.shape)])  # fmt: skip
    return x.dimshuffle(*order)


_REDUCED = {
    "Add": "add",
    "Mul": "mul",
    "Maximum": "maximum",
    "Minimum": "minimum",
    "AND": "and_",
    "OR": "or_",
    "XOR": "xor",
}


@converts("CAReduce")
def _reduce(op: Any, node: Any, x: Any) -> Any:
    axes = tuple(range(x.ndim)) if op.axis is None else tuple(sorted(a % x.ndim for a in op.axis))
    name = type(op.scalar_op).__name__
    dtype = node.outputs[0].type.dtype
    if not axes:
        return x
    if name == "MulWithoutZeros":
        x, name = T.switch(T.eq(x, 0), T.cast(1, x.dtype), x), "Mul"
    if name in ("AND", "OR") and x.dtype == "bool":
        return T.all(x, axis=axes) if name == "AND" else T.any(x, axis=axes)
    if name in ("Maximum", "Minimum"):
        return (T.max if name == "Maximum" else T.min)(x, axis=axes)
    if name not in _REDUCED:
        raise NotImplementedError(f"reductions by {op.scalar_op}")
    accumulator = getattr(op, "acc_dtype", None) or dtype
    if name in ("Add", "Mul"):
        function = T.sum if name == "Add" else T.prod
        if accumulator.startswith("complex"):
            dtype = accumulator
        return function(x, axis=axes, dtype=dtype, acc_dtype=accumulator)
    return CAReduce(_REDUCED[name], axes, dtype, dtype)(x)


@converts("Argmax")
def _argmax(op: Any, node: Any, x: Any) -> Any:
    if op.axis is None or len(op.axis) == x.ndim:
        return T.argmax(x.flatten(), axis=0) if x.ndim else T.constant(0, dtype="int64")
    if len(op.axis) == 1:
        return T.argmax(x, axis=op.axis[0])
    kept = [axis for axis in range(x.ndim) if axis not in op.axis]
    moved = x.dimshuffle(*kept, *op.axis)
    return T.argmax(moved.reshape((*(x.shape[k] for k in kept), -1)), axis=-1)


@converts("CumOp")
def _cumulative(op: Any, node: Any, x: Any) -> Any:
    function = T.cumsum if op.mode == "add" else T.cumprod
    return function(x if op.axis is not None else x.flatten(), axis=op.axis or 0)


@converts("Softmax", "LogSoftmax", "LogSumExp")
def _softmax(op: Any, node: Any, x: Any) -> Any:
    name = type(op).__name__
    axis = op.axis
    if name == "LogSumExp":
        return T.special.logsumexp(x, axis=axis, keepdims=getattr(op, "keepdims", False))
    if isinstance(axis, tuple) and len(axis) == 1:
        axis = axis[0]
    return (T.special.softmax if name == "Softmax" else T.special.log_softmax)(x, axis=axis)
