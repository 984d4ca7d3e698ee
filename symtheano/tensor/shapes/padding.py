"""Padding of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.slices import converted
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions import moments, reduce
from symtheano.tensor.shapes.axes import expand_dims
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.intervals import MOST_ELEMENTS
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import as_dim, dim_value, shape_of

GATHERED = ("edge", "reflect", "symmetric", "wrap")
STATISTICS = ("maximum", "minimum", "mean", "median")
MODES = ("constant", *GATHERED, *STATISTICS, "linear_ramp", "empty")

# The arguments that only some modes use, and these modes.
_USES = {
    "constant_values": ("constant",),
    "stat_length": STATISTICS,
    "end_values": ("linear_ramp",),
    "reflect_type": ("reflect", "symmetric"),
}


def pad(
    x: Any,
    pad_width: Any,
    mode: str = "constant",
    constant_values: Any = None,
    stat_length: Any = None,
    end_values: Any = None,
    reflect_type: str | None = None,
) -> Tensor:
    """Return ``x`` padded with a border.

    Parameters
    ----------
    x
        Array.
    pad_width
        Width before and after each axis: one integer for all, one pair for all, a pair for each
        axis, or a dict from axes to integers or pairs. The integers may be symbolic.
    mode
        Content of the border: ``constant``; ``edge``, the outermost items; ``reflect`` and
        ``symmetric``, the items mirrored at the outermost item or beyond it; ``wrap``, those from
        the other end; ``maximum``, ``minimum``, ``mean`` or ``median`` of items along the axis;
        ``linear_ramp``, a linear ramp from the outermost item to a number; ``empty``, undefined
        values (currently zeros). Borders may be wider than the array.
    constant_values
        The value of a constant border, in the form of ``pad_width``; 0 by default. It must be
        castable to the dtype of ``x``, like ``end_values``, and may be symbolic.
    stat_length
        Number of items at each end of an axis from which a statistic is computed, in the form of
        ``pad_width``. All items by default, or if there are fewer. Means and medians of integers
        are rounded.
    end_values
        Values at the ends of ramps, in the form of ``pad_width``; 0 by default.
    reflect_type
        ``even``, the default, mirrors the items; ``odd`` also mirrors their values at the outermost
        item: twice its value minus the item.

    Returns
    -------
    array
        Array of the dtype of ``x``. Axes are padded one after the other, so the corners are borders
        of borders.

    Raises
    ------
    ValueError
        If a width is negative, or an argument is not used by the mode; or in a call, if an axis is
        empty and is not padded with a constant.

    Examples
    --------
    >>> pad([1, 2, 3], (2, 1), mode="reflect").eval().tolist()
    [3, 2, 1, 2, 3, 2]
    >>> pad([1, 2, 3], 2, mode="reflect", reflect_type="odd").eval().tolist()
    [-1, 0, 1, 2, 3, 4, 5]
    >>> pad([1.0, 5.0], (1, 2), mode="linear_ramp", end_values=3).eval().tolist()
    [3.0, 1.0, 5.0, 4.0, 3.0]
    """
    x = as_tensor_variable(x)
    if callable(mode):
        raise NotImplementedError(build_message("pad: a function as mode is not supported", x))
    if mode not in MODES:
        raise ValueError(build_message(f"pad: mode {mode!r} is not one of {', '.join(MODES)}", x))
    options = dict(
        zip(_USES, (constant_values, stat_length, end_values, reflect_type), strict=True)
    )
    for name, value in options.items():
        if value is not None and mode not in _USES[name]:
            raise ValueError(build_message(f"pad: mode {mode!r} does not use {name}", x))
    if reflect_type not in (None, "even", "odd"):
        raise ValueError(
            build_message(f"pad: reflect_type {reflect_type!r} is neither 'even' nor 'odd'", x)
        )
    widths = [tuple(map(_width, pair)) for pair in _widths(pad_width, x.ndim)]
    if mode in ("constant", "empty"):
        values = 0 if constant_values is None else constant_values
        return _constant(x, widths, _pairs("constant_values", values, x.ndim))
    ends = _pairs("end_values", 0 if end_values is None else end_values, x.ndim)
    lengths = _pairs("stat_length", stat_length, x.ndim)
    for axis, (before, after) in enumerate(widths):
        if _is_zero(before) and _is_zero(after):
            continue
        x = _not_empty(x, axis, before + after, mode)
        if mode == "linear_ramp":
            x = _ramped(x, axis, before, after, ends[axis])
        elif mode in STATISTICS:
            low, high = _statistics(x, axis, lengths[axis], mode)
            x = _bordered(x, axis, before, after, low, high)
        elif reflect_type == "odd":
            x = _reflected_oddly(x, axis, before, after, mode)
        else:
            x = _gathered(x, axis, before, after, mode)
    result: Tensor = x
    return result


# -- arguments ----------------------------------------------------------------------------------


def _pairs(name: str, value: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Return a pair for each axis."""
    rows = value.tolist() if hasattr(value, "tolist") else value
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


def _widths(pad_width: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Return the widths as a pair for each axis; axes that are not in a dict have width 0."""
    if not isinstance(pad_width, dict):
        return _pairs("pad_width", pad_width, ndim)
    pairs: list[tuple[Any, Any]] = [(0, 0)] * ndim
    for axis, width in pad_width.items():
        (position,) = normalize_axis(axis, ndim)
        (pairs[position],) = _pairs("pad_width", width, 1)
    return pairs


# Sums of two widths and a length do not overflow.
_WIDEST = MOST_ELEMENTS // 4


def _width(value: Any) -> Any:
    width = dim_value(as_dim(value))
    if isinstance(width, int):
        if width < 0:
            raise ValueError(build_message(f"pad: a width of {width} is negative"))
        if width > _WIDEST:
            raise MemoryError(build_message(f"pad: a width of {width} is too large"))
        return width
    width = required(width, width >= 0, "pad: a width is negative")
    return required(width, width <= _WIDEST, "pad: a width is too large", MemoryError)


def _is_zero(width: Any) -> bool:
    return isinstance(width, int) and width == 0


def _not_empty(x: Any, axis: int, total: Any, mode: str) -> Any:
    """Return ``x``; a call fails if its axis has no items for a border."""
    some = scalar.gt(as_dim(shape_of(x)[axis]), 0)
    if not isinstance(total, int):
        some = scalar.or_(some, scalar.eq(total, 0))
    return required(x, some, f"pad: axis {axis} is empty, but mode {mode!r} needs an element")


# -- borders that hold numbers ------------------------------------------------------------------


def _constant(
    x: Tensor, widths: Sequence[tuple[Any, ...]], values: Sequence[tuple[Any, Any]]
) -> Tensor:
    first = values[0][0] if values else 0
    if all(end is first for ends in values for end in ends):
        return _framed(x, widths, converted(as_tensor_variable(first), x.dtype))
    for axis, ((before, after), ends) in enumerate(zip(widths, values, strict=True)):
        low, high = (converted(as_tensor_variable(value), x.dtype) for value in ends)
        x = _bordered(x, axis, before, after, low, low if ends[0] is ends[1] else high)
    return x


def _framed(x: Any, widths: Sequence[tuple[Any, ...]], value: Any) -> Tensor:
    """Set the interior of an array filled with one value."""
    pairs = list(zip(widths, shape_of(x), strict=True))
    whole = alloc(value, *(before + length + after for (before, after), length in pairs))
    inside = tuple(slice(before, before + length) for (before, _), length in pairs)
    return set_subtensor(whole[inside], x) if pairs else x


def _bordered(x: Any, axis: int, before: Any, after: Any, low: Any, high: Any) -> Any:
    """Add repeated items before and after ``x`` along an axis."""
    length = shape_of(x)[axis]
    dims = list(shape_of(x))
    dims[axis] = before + length + after
    left = [slice(None)] * axis
    border = alloc(low, *dims)
    if high is not low:
        border = set_subtensor(border[(*left, slice(before + length, None))], high)
    return set_subtensor(border[(*left, slice(before, before + length))], x)


def _statistics(x: Any, axis: int, lengths: tuple[Any, Any], mode: str) -> tuple[Any, Any]:
    """Return a statistic of the first and one of the last items of an axis."""
    if lengths == (None, None):
        statistic = _statistic(x, axis, mode)
        return statistic, statistic
    whole, left = shape_of(x)[axis], [slice(None)] * axis
    first, last = (_length(item, whole, mode) for item in lengths)
    low = _statistic(x[(*left, slice(None, first))], axis, mode)
    return low, _statistic(x[(*left, slice(whole - last, None))], axis, mode)


def _length(stat_length: Any, whole: Any, mode: str) -> Any:
    """Return the number of items of a statistic, limited by the length, and as given."""
    if stat_length is None:
        return whole
    count = dim_value(as_dim(stat_length))
    least = 1 if mode in ("maximum", "minimum") else 0
    message = f"pad: a stat_length is less than {least}, the least for mode {mode!r}"
    if not isinstance(count, int):
        count = required(count, count >= least, message)
    elif count < least:
        raise ValueError(build_message(message))
    both_known = isinstance(count, int) and isinstance(whole, int)
    return min(count, whole) if both_known else scalar.minimum(count, whole)


def _statistic(x: Any, axis: int, mode: str) -> Any:
    """Return a statistic over an axis, which is kept with length 1, in the dtype of ``x``."""
    from symtheano.tensor.reductions.statistics import median

    which: dict[str, Callable[..., Any]] = {
        "maximum": reduce.max, "minimum": reduce.min, "mean": moments.mean, "median": median
    }  # fmt: skip
    if mode in ("maximum", "minimum"):
        return which[mode](x, axis, keepdims=True)
    wide = cast(x, "float64") if dtypes.is_discrete(x.dtype) else x
    statistic = which[mode](wide, axis, keepdims=True)
    if x.dtype in dtypes.INTEGER:
        statistic = scalar.round_half_to_even(statistic)
    return cast(statistic, x.dtype)


def _ramped(x: Any, axis: int, before: Any, after: Any, ends: tuple[Any, Any]) -> Any:
    """Add linear ramps, which start at two numbers, before and after ``x``."""
    from symtheano.tensor.creation.grids import linspace

    left = [slice(None)] * axis
    low, high = (converted(as_tensor_variable(value), x.dtype) for value in ends)
    first, last = x[(*left, 0)], x[(*left, -1)]
    rise = linspace(low, first, before, endpoint=False, dtype=x.dtype, axis=axis)
    fall = linspace(high, last, after, endpoint=False, dtype=x.dtype, axis=axis)
    return join(axis, rise, x, fall[(*left, slice(None, None, -1))])


# -- borders that hold items of the array -------------------------------------------------------


def _gathered(x: Any, axis: int, before: Any, after: Any, mode: str) -> Any:
    """Gather the items of the border from the array by their positions along an axis."""
    count = as_dim(shape_of(x)[axis])
    place = arange(before + count + after) - before
    if mode == "edge":
        place = scalar.clip(place, 0, count - 1)
    elif mode == "wrap":
        place = place % count
    else:
        period = _period(count, mode)
        place = place % period
        mirrored = period - place - (1 if mode == "symmetric" else 0)
        place = scalar.minimum(place, mirrored)
    return x[(*[slice(None)] * axis, place)]


def _period(count: Any, mode: str) -> Any:
    """Return the period of mirrored items."""
    return 2 * count if mode == "symmetric" else scalar.maximum(2 * count - 2, 1)


def _reflected_oddly(x: Any, axis: int, before: Any, after: Any, mode: str) -> Any:
    """Mirror the items at the outermost ones, in position and value.

    Two reflections are a shift: each period adds twice the difference of last and first item.
    """
    if x.dtype == "bool":
        raise TypeError(build_message("pad: reflect_type='odd' does not support booleans", x))
    count = as_dim(shape_of(x)[axis])
    period = _period(count, mode)
    place = arange(before + count + after) - before
    turns, place = place // period, place % period
    across = place > count - 1
    place = scalar.switch(across, period - place - (1 if mode == "symmetric" else 0), place)
    left = [slice(None)] * axis
    first, last = (expand_dims(x[(*left, end)], axis) for end in (0, -1))
    two, items = constant(2, dtype=x.dtype), x[(*left, place)]
    along = ["x" if other != axis else 0 for other in range(x.ndim)]
    across, turns = across.dimshuffle(*along), turns.dimshuffle(*along)
    items = scalar.switch(across, two * last - items, items)
    shifted = items + two * cast(turns, x.dtype) * (last - first)
    return scalar.switch(scalar.eq(turns, 0), items, shifted)
