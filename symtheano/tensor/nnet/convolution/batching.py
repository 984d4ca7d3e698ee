"""Convolutions of batches: the batch axis is merged with an axis of the operands and the result.

Items are axes of image and result, channels of image and filter, filters of filter and result. If
one operand has a batch, this is merged with the axis that it shares with what is computed; if both
have, each item of the batch is a group of channels of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.variable import Apply
from symtheano.tensor.elemwise import dimshuffle
from symtheano.tensor.nnet.convolution.fit import FACTORS, Role
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of


def in_batch(op: Any, node: Apply, batch: Any) -> Any:
    """Return what a convolution gives for operands with batch axes.

    Raises
    ------
    NotImplementedError
        If lengths are batched, or both arrays, and the length of the batch is not known.
    """
    batch.needs_plain(node, 2)
    roles = FACTORS[op.wanted]
    lengths = batch.inputs[2:]
    if all(batch.batched[:2]):
        if not all(isinstance(dim, int) for dim in batch.shape):
            why = "both arrays have batch axes, whose lengths must be known when the graph is built"
            batch.refuse(node, why)
        arrays = [
            _merged(batch.full(k), batch.ndim, 0 if role == "filter" else 1)
            for k, role in enumerate(roles)
        ]
        merged = op.for_the(op.wanted, op.groups * dims_product(batch.shape))(*arrays, *lengths)
        return _split(merged, batch.shape, 0 if op.wanted == "filter" else 1)
    (number,) = (k for k, flag in enumerate(batch.batched[:2]) if flag)
    arrays = list(batch.inputs[:2])
    axis, groups = _shared_axis(op, roles[number], op.wanted)
    arrays[number] = _merged(batch.full(number), batch.ndim, axis, groups)
    axis, groups = _shared_axis(op, op.wanted, roles[number])
    return _split(op(*arrays, *lengths), batch.shape, axis, groups)


def _shared_axis(op: Any, role: Role, other: Role) -> tuple[int, int]:
    """Return the axis of an array that another one also has, and the number of groups in it."""
    match role, other:
        case ("image", "result") | ("result", "image"):
            return 0, 1
        case ("image", "filter") | ("result", "filter"):
            return 1, op.groups
        case ("filter", "result"):
            return 0, op.groups
    return 1 + op.at.dims * op.unshared, 1


def _merged(x: Any, batch: int, axis: int, groups: int = 1) -> Any:
    """Return an array whose batch axes, the first ones, are merged with another one.

    The axis of the array without batch is split into groups; the batch comes after the group.
    """
    shape = shape_of(x)
    front, core = shape[:batch], shape[batch:]
    before, length, behind = core[:axis], core[axis], core[axis + 1 :]
    split = _reshaped(x, (*front, *before, groups, length // groups, *behind))
    first = range(batch, batch + axis + 1)
    turned = dimshuffle(split, *first, *range(batch), *range(batch + axis + 1, split.ndim))
    return _reshaped(turned, (*before, dims_product((*front, length)), *behind))


def _split(x: Any, front: Sequence[Any], axis: int, groups: int = 1) -> Any:
    """Undo :func:`_merged`."""
    shape, batch = shape_of(x), len(front)
    before, length, behind = shape[:axis], shape[axis], shape[axis + 1 :]
    single = length // dims_product((*front, groups))
    split = _reshaped(x, (*before, groups, *front, single, *behind))
    places = range(axis + 1, axis + 1 + batch)
    turned = dimshuffle(split, *places, *range(axis + 1), *range(axis + 1 + batch, split.ndim))
    return _reshaped(turned, (*front, *before, groups * single, *behind))


def _reshaped(x: Any, shape: Sequence[Any]) -> Any:
    return reshape_op(x, *as_dims(shape))
