"""Arrays with borders around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation import alloc, arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.shape import as_dim, dim_value, shape_of
from symtheano.tensor.subtensor import converted, set_subtensor

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Any:
    """Return ``x`` with a border.

    Parameters
    ----------
    x
        Array.
    pad_width
        Width before and after each axis: an integer for all, a pair for all, or a pair for each
        axis. The integers may be symbolic.
    mode
        What the border holds: ``constant``; ``edge``, the outermost items; ``reflect`` and
        ``symmetric``, the items mirrored at the outermost item or beyond it; ``wrap``, those
        from the other end. Borders may be wider than the array.
    constant_values
        The value of a constant border, given like ``pad_width``; of the dtype of ``x``.

    Raises
    ------
    ValueError
        If a width is negative; or in a call in which an axis is empty that is not padded with a
        constant.

    Examples
    --------
    >>> pad([1, 2, 3], (2, 1), mode="reflect").eval().tolist()
    [3, 2, 1, 2, 3, 2]
    """
    x = as_tensor_variable(x)
    if mode not in MODES:
        raise ValueError(build_message(f"pad: mode {mode!r} is none of {', '.join(MODES)}", x))
    widths = [
        tuple(_width(item) for item in pair) for pair in _pairs("pad_width", pad_width, x.ndim)
    ]
    if mode == "constant":
        return _constant(x, widths, _pairs("constant_values", constant_values, x.ndim))
    for axis, (before, after) in enumerate(widths):
        if not (isinstance(before, int) and isinstance(after, int) and before == after == 0):
            x = _gathered(x, axis, before, after, mode)
    return x


def _pairs(name: str, given: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Return a pair for each axis."""
    rows = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(rows, list | tuple):
        return [(rows, rows)] * ndim
    if not any(isinstance(row, list | tuple) for row in rows):
        rows = [rows]
    pairs = [tuple(row) * 2 if len(row) == 1 else tuple(row) for row in rows]
    if len(pairs) == 1:
        pairs = pairs * ndim
    if len(pairs) != ndim or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            build_message(f"pad: {name} is neither a number, a pair, nor a pair for each axis")
        )
    return pairs


def _width(given: Any) -> Any:
    width = dim_value(as_dim(given))
    if isinstance(width, int):
        if width < 0:
            raise ValueError(build_message(f"pad: a width of {width} is negative"))
        return width
    return required(width, width >= 0, "pad: a width is negative")


def _constant(x: Any, widths: Sequence[tuple[Any, ...]], values: Sequence[tuple[Any, Any]]) -> Any:
    first = values[0][0] if values else 0
    if all(end is first for ends in values for end in ends):
        return _framed(x, widths, converted(as_tensor_variable(first), x.dtype))
    for axis, ((before, after), ends) in enumerate(zip(widths, values, strict=True)):
        length = shape_of(x)[axis]
        low, high = (converted(as_tensor_variable(value), x.dtype) for value in ends)
        dims = list(shape_of(x))
        dims[axis] = before + length + after
        left = [slice(None)] * axis
        border = alloc(low, *dims)
        if ends[0] is not ends[1]:
            end = (*left, slice(before + length, None))
            border = set_subtensor(border[end], high)
        x = set_subtensor(border[(*left, slice(before, before + length))], x)
    return x


def _framed(x: Any, widths: Sequence[tuple[Any, ...]], value: Any) -> Any:
    """Set the inside of an array that holds one value."""
    pairs = list(zip(widths, shape_of(x), strict=True))
    whole = alloc(value, *(before + length + after for (before, after), length in pairs))
    inside = tuple(slice(before, before + length) for (before, _), length in pairs)
    return set_subtensor(whole[inside], x) if pairs else x


def _gathered(x: Any, axis: int, before: Any, after: Any, mode: str) -> Any:
    """Take the items of the border from the array, by their positions along an axis."""
    length = shape_of(x)[axis]
    some = scalar.gt(as_dim(length), 0)
    count = required(
        as_dim(length), some, f"pad: axis {axis} is empty, so there is nothing for mode {mode}"
    )
    place = arange(before + count + after) - before
    if mode == "edge":
        place = scalar.clip(place, 0, count - 1)
    elif mode == "wrap":
        place = place % count
    else:
        period = 2 * count if mode == "symmetric" else scalar.maximum(2 * count - 2, 1)
        place = place % period
        mirrored = period - place - (1 if mode == "symmetric" else 0)
        place = scalar.minimum(place, mirrored)
    return x[(*[slice(None)] * axis, place)]
