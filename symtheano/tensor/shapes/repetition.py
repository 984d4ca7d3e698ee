"""Repetition: repeat, tile, and broadcasting to a shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ArgumentError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.elemwise import broadcast_static, pad_left
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import as_dims, dim_value, shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays


class RepeatedPositions(Op):
    """Each position of a vector of counts, repeated by its count; int64."""

    __props__ = ()
    takes = "i1"
    differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of unknown length."""
        return [TensorType("int64", (None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the sum of the counts."""
        return [(node.inputs[0].sum(dtype="int64"),)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """No count is negative, and the sum of the counts does not overflow."""
        from symtheano.tensor.reductions.reduce import all as all_

        counts = node.inputs[0]
        total = counts.sum(dtype="float64")
        requirements = []
        if counts.dtype in dtypes.SIGNED:
            condition = all_(scalar.ge(counts, 0))
            requirements.append(Requirement(condition, (), partial(_negative, node), code="value"))
        if counts.dtype in ("int64", "uint64"):
            requirements.append(_countable(node, total, cast(total / 2.0**62, "int64")))
        return requirements

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (counts,) = inputs
        if (counts < 0).any():
            raise ValueError(_negative(node, []))
        total = sum(counts.tolist())
        _countable(node, total, total >> 62).enforce()
        output_storage[0][0] = np.repeat(np.arange(len(counts)), counts.astype("int64"))

    def vectorize(self, node: Apply, batch: Any) -> Any:
        return batch.refuse(node, "the values of each item decide how long its result is")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Store each position as often as its count."""
        counts, target = arrays.inputs[0], arrays.outputs[0]
        place = b.declare("place", b.literal(0, "int64"))
        with b.loop("i", counts.shape[0]) as i:
            times = b.as_index(b.cast(b.load(counts, [i]), "int64"))
            with b.loop("j", times):
                b.store(target, [b.as_index(place)], b.operand(i))
                b.assign(place, b.let("add", "int64", [place, b.literal(1, "int64")]))


def _countable(node: Apply, total: Any, multiple: Any) -> Requirement:
    message = partial(_too_many, node)
    return Requirement(total < MOST_ELEMENTS, (multiple,), message, error=MemoryError)


def _too_many(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"repeat: the sum of the counts is at least {max(values[0], 1) * MOST_ELEMENTS}",
        node,
        node.inputs[0],
    )


def _negative(node: Apply, values: Sequence[int]) -> str:
    return call_message("repeat: a count is negative", node, node.inputs[0])


def repeat(x: TensorLike, repeats: TensorLike, axis: int | None = None) -> Tensor:
    """Return ``x`` with each item along ``axis`` repeated.

    Parameters
    ----------
    x
        Array.
    repeats
        Number of repetitions: an integer, or a vector with one integer per item. Both may be
        symbolic.
    axis
        The axis; None repeats the elements of the flattened array.

    Raises
    ------
    ValueError
        If a count is negative, or the number of counts is not the number of items.

    Examples
    --------
    >>> repeat([1, 2], 2).eval().tolist(), repeat([1, 2], [1, 3]).eval().tolist()
    ([1, 1, 2, 2], [1, 2, 2, 2])
    """
    from symtheano.tensor.assertion import required

    x, repeats = as_tensor_variable(x), as_tensor_variable(repeats)
    if repeats.dtype not in dtypes.INTEGER or repeats.ndim > 1:
        message = "repeat: counts must be an integer or a vector of integers"
        raise ArgumentError(build_message(message, repeats))
    if axis is None:
        x, axis = x.flatten(), 0
    (position,) = normalize_axis(axis, x.ndim)
    if repeats.ndim == 1 and repeats.type.shape[0] == 1:
        repeats = repeats[0]
    if repeats.ndim == 0:
        dims, count = list(shape_of(x)), dim_value(repeats)
        order: list[int | str] = list(range(x.ndim))
        order.insert(position + 1, "x")
        copies = alloc(x.dimshuffle(*order), *dims[: position + 1], count, *dims[position + 1 :])
        dims[position] = dims[position] * count
        return copies.reshape(dims)
    same = scalar.eq(repeats.shape[0], x.shape[position])
    counts = required(
        repeats, same, f"repeat: the number of counts is not the length of axis {position}"
    )
    where = RepeatedPositions()(counts)
    return x[(*[slice(None)] * position, where)]


def tile(x: Any, reps: Any, ndim: int | None = None) -> Tensor:
    """Return an array with copies of ``x`` along each axis.

    Parameters
    ----------
    x
        Array.
    reps
        Number of copies: an integer, or a sequence or vector with one integer per axis, which are
        aligned to the last axes. Integers may be symbolic. With a vector of unknown length,
        ``ndim`` is needed.
    ndim
        Number of dimensions of the result; by default the larger one of ``x.ndim`` and the length
        of ``reps``.

    Raises
    ------
    ValueError
        If ``ndim`` is too small, or a number of copies is negative or not an integer; if only a
        call knows them, in the call.

    Examples
    --------
    >>> tile([[1, 2]], (2, 2)).eval().tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    x = as_tensor_variable(x)
    counts = [dim_value(count) for count in _counts(reps, ndim)]
    least = max(x.ndim, len(counts))
    if ndim is not None and ndim < least:
        raise ValueError(
            build_message(f"tile: ndim={ndim}, but the result has at least {least} dims", x)
        )
    total = least if ndim is None else ndim
    x = pad_left(x, total)
    counts = [1] * (total - len(counts)) + counts
    dims = shape_of(x)
    inserted: list[int | str] = []
    repeated: list[Any] = []
    for axis, (dim, count) in enumerate(zip(dims, counts, strict=True)):
        once = isinstance(count, int) and count == 1
        inserted += [axis] if once else ["x", axis]
        repeated += [dim] if once else [count, dim]
    if len(inserted) == total:
        result: Tensor = x
        return result
    joined = [dim * count for dim, count in zip(dims, counts, strict=True)]
    return alloc(x.dimshuffle(*inserted), *repeated).reshape(joined)


def _counts(reps: Any, ndim: int | None) -> list[Any]:
    if isinstance(reps, Tensor) and reps.type.shape == (None,) and ndim is not None:
        reps = _of_length(reps, ndim)
    for count in reps if isinstance(reps, list | tuple) else [reps]:
        item = as_tensor_variable(count)
        if item.dtype not in dtypes.INTEGER or (item.ndim and count is not reps):
            raise ArgumentError(build_message("tile: counts must be integers", item))
    return as_dims(reps)


def _of_length(reps: Any, ndim: int) -> Any:
    """Return a vector of counts with ones in front, so that it has a known length."""
    few = required(reps, scalar.le(reps.shape[0], ndim), f"tile: more than ndim={ndim} counts")
    ones = alloc(reps.constant_like(1), ndim - few.shape[0])
    return join(0, ones, few).with_lengths((ndim,))


# -- to a shape ---------------------------------------------------------------------------------


def broadcast_to(x: Any, shape: Any) -> Tensor:
    """Return ``x`` broadcast to a shape, along new axes in front and axes of static length 1.

    Examples
    --------
    >>> broadcast_to([1, 2], (2, 2)).eval().tolist()
    [[1, 2], [1, 2]]
    """
    return alloc(x, *as_dims(shape))


def broadcast_shape(*arrays: Any) -> tuple[Any, ...]:
    """Return the broadcast shape of arrays: ints, and int64 scalars for unknown lengths.

    Axes of static length 1 are broadcast. It is not checked that other lengths are equal;
    operations that use the shape check it.

    Examples
    --------
    >>> broadcast_shape(T.zeros((3, 1)), T.zeros((1, 4)))
    (3, 4)
    """
    from symtheano.tensor.elemwise import broadcast_dim

    items = [as_tensor_variable(item) for item in arrays]
    ndim = max((item.ndim for item in items), default=0)
    padded = [pad_left(item, ndim) for item in items]
    if not padded:
        return ()
    static = broadcast_static("broadcast", padded)
    shapes = [shape_of(item) for item in padded]
    return tuple(
        broadcast_dim(
            length,
            [
                (item.type.shape[axis], dims[axis])
                for item, dims in zip(padded, shapes, strict=True)
            ],
        )
        for axis, length in enumerate(static)
    )


def broadcast_arrays(*args: Any) -> list[Tensor]:
    """Return the arrays broadcast to their common shape.

    Examples
    --------
    >>> [a.eval().tolist() for a in broadcast_arrays([[1], [2]], [3, 4])]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    dims = broadcast_shape(*args)
    return [alloc(item, *dims) for item in args]


class Tile:
    """Theano's form of :func:`tile`: constructed with the number of dimensions, then called."""

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim

    def __call__(self, x: Any, reps: Any) -> Any:
        """Return copies of ``x``."""
        return tile(x, reps, self.ndim)


class RepeatOp:
    """Theano's form of :func:`repeat`: constructed with the axis, then called."""

    def __init__(self, axis: int | None = None) -> None:
        self.axis = axis

    def __call__(self, x: Any, repeats: Any) -> Any:
        """Return the items of ``x`` repeated."""
        return repeat(x, repeats, self.axis)
