"""Pooling with windows whose numbers only a call knows, by gathers of the elements of windows.

The axes are pooled one after the other: the elements of each window are gathered along one axis,
and the border and what is outside of the image is replaced by a neutral element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.subtensor import take
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions.reduce import CAReduce, restore_axes, sum as total
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.signal.pooling.ops import Mode, Pooling


def pooled_in_call(
    x: Any, dims: int, ws: Any, ignore_border: bool, stride: Any, pad: Any, mode: Mode
) -> Any:
    """Return the pooled array; see :func:`symtheano.tensor.signal.pool.pool_2d`.

    Parameters
    ----------
    x
        Array of a dtype that :class:`Pooling` takes.
    dims
        The number of windowed axes, which are the last ones.
    ws, stride, pad
        For each of them, a length: vectors, or sequences of integers and 0-d variables. None is
        ``ws`` for the stride, and zeros for the border.
    ignore_border, mode
        As for :class:`Pooling`.

    Returns
    -------
    Array of the dtype of ``x``. Its gradient by ``"max"`` is that of :class:`Pooling`: each element
    that is equal to the maximum of a window gets the gradient of the window.

    Raises
    ------
    ValueError
        In a call, if a length of a window or a stride is not positive, or if a border is negative,
        not smaller than the window, or given without ``ignore_border``.

    Examples
    --------
    >>> n = T.lscalar("n")
    >>> pooled_in_call(T.arange(6.0), 1, [n], True, None, None, "max").eval({n: 3}).tolist()
    [2.0, 5.0]
    """
    Pooling("result", (1,) * dims, ignore_border, mode=mode).infer(x)  # checks dtype and mode
    lengths = _numbers("ws", ws, dims)
    strides = lengths if stride is None else _numbers("stride", stride, dims)
    borders = _numbers("pad", (0,) * dims if pad is None else pad, dims)
    sizes = as_tensor_variable(np.ones((), x.dtype))
    for axis, numbers in enumerate(zip(lengths, strides, borders, strict=True), x.ndim - dims):
        x = _checked(x, *numbers, ignore_border)
        x, counts = _along(x, axis, *numbers, ignore_border, mode)
        sizes = sizes * counts.dimshuffle(0, *["x"] * (x.ndim - 1 - axis))
    return x / sizes if mode.startswith("average") else x


def _numbers(name: str, argument: Any, dims: int) -> list[Any]:
    numbers = as_dims(argument, dims)
    if len(numbers) != dims:
        what = f"pooling: {name} has {len(numbers)} numbers"
        raise ValueError(build_message(what, *numbers, hint=f"give {dims} numbers"))
    return numbers


class LargestElements(CAReduce):
    """The maximum, whose whole gradient goes to each element that is equal to it."""

    def over(self, axes: Sequence[int]) -> LargestElements:
        """Return the same reduction over other axes."""
        return LargestElements(self.scalar_name, tuple(sorted(axes)), self.dtype, self.acc_dtype)

    def _shares(self, x: Any, y: Any, g: Any) -> Any:
        whole = [restore_axes(item, self.axis, x.ndim) for item in (y, g)]
        return scalar.switch(scalar.eq(x, whole[0]), cast(whole[1], x.dtype), x.constant_like(0))


def _checked(x: Any, ws: Any, stride: Any, pad: Any, ignore_border: bool) -> Any:
    """Return the array, and check the numbers of one axis in a call."""
    positive = scalar.and_(scalar.ge(ws, 1), scalar.ge(stride, 1))
    x = required(x, positive, "pooling: ws and stride must be positive")
    fits = scalar.and_(scalar.ge(pad, 0), scalar.lt(pad, ws))
    x = required(x, fits, "pooling: pad must be at least 0 and less than ws")
    if not ignore_border:
        x = required(x, scalar.eq(pad, 0), "pooling: pad needs ignore_border=True")
    return x


def _along(
    x: Any, axis: int, ws: Any, stride: Any, pad: Any, ignore_border: bool, mode: str
) -> tuple[Any, Any]:
    """Return an array pooled along one axis, and the number of elements of each window."""
    length = cast(x.shape[axis], "int64")
    if ignore_border:
        windows = scalar.maximum((length + 2 * pad - ws) // stride + 1, 0)
    else:
        cut = scalar.maximum((length - 1 - ws) // stride + 1, 0) + 1
        windows = scalar.switch(scalar.ge(stride, ws), (length - 1) // stride + 1, cut)
    some = scalar.or_(scalar.gt(length, 0), scalar.eq(windows, 0))
    x = required(x, some, f"pooling: axis {axis} of the image has no elements")
    places = arange(windows).dimshuffle(0, "x") * stride - pad + arange(ws).dimshuffle("x", 0)
    inside = scalar.and_(scalar.ge(places, 0), scalar.lt(places, length))
    elements = take(x, scalar.minimum(scalar.maximum(places, 0), length - 1), axis=axis)
    mask = inside.dimshuffle(0, 1, *["x"] * (x.ndim - 1 - axis))
    neutral = _least(x.dtype) if mode == "max" else 0
    kept = scalar.switch(mask, elements, x.constant_like(neutral))
    if mode == "max":
        pooled: Any = LargestElements("maximum", (axis + 1,), x.dtype, x.dtype)(kept)
    else:
        pooled = cast(total(kept, axis=axis + 1), x.dtype)
    counted = inside
    if mode == "average_inc_pad":
        counted = scalar.and_(scalar.ge(places, -pad), scalar.lt(places, length + pad))
    return pooled, cast(cast(counted, "int64").sum(1), x.dtype)


def _least(dtype: str) -> float | int:
    """Return what is not larger than any number of a dtype."""
    return -np.inf if dtype in dtypes.FLOAT else int(np.iinfo(dtype).min)
