"""Quantiles of sorted items, and quantiles that ignore NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions import reduce
from symtheano.tensor.reductions.reduce import restore_axes
from symtheano.tensor.shapes.axes import expand_dims
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import as_dim, dims_product, shape_of

# Interpolating methods with alpha and beta of Hyndman and Fan (1996), "Sample Quantiles in
# Statistical Packages": the position is ``n q + alpha + q (1 - alpha - beta)``.
CONTINUOUS: dict[str, tuple[float, float]] = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
METHODS = (
    *CONTINUOUS, "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
    "closest_observation",
)  # fmt: skip


def quantiles_over(
    name: str, a: Any, q: Any, axis: Any, method: str, keepdims: bool, without_nan: bool = False
) -> Tensor:
    """Return quantiles over axes: the common part of :func:`symtheano.tensor.quantile` and others.

    Parameters
    ----------
    name
        The function, for messages.
    a, q, axis, method, keepdims
        Its arguments.
    without_nan
        Whether NaN are ignored, instead of making the result NaN.
    """
    from symtheano.tensor.assertion import required
    from symtheano.tensor.sorting.sort import sort

    a, q = as_tensor_variable(a), as_tensor_variable(q)
    if method not in METHODS:
        raise ValueError(
            build_message(f"{name}: method {method!r} is not one of {', '.join(METHODS)}")
        )
    if dtypes.is_complex(a.dtype) or a.dtype == "bool":
        raise TypeError(build_message(f"{name}: quantiles of {a.dtype} are not supported", a))
    a = cast(a, "float64") if dtypes.is_discrete(a.dtype) else a
    axes = normalize_axis(axis, a.ndim)
    rows = sort(_rows(a, axes) if axes else a.dimshuffle(*range(a.ndim), "x"), -1)
    q = cast(q, dtypes.upcast(a.dtype, q.dtype) if dtypes.is_float(q.dtype) else a.dtype)
    inside = reduce.all(scalar.and_(q >= 0, q <= 1))
    q = required(q, inside, f"{name}: q is not between 0 and 1")
    flat = q.flatten() if q.ndim > 1 else q
    quantiles = cast((_among_numbers if without_nan else _among_all)(rows, flat, method), a.dtype)
    if flat.ndim:
        quantiles = quantiles.dimshuffle(quantiles.ndim - 1, *range(quantiles.ndim - 1))
    if q.ndim > 1:
        quantiles = quantiles.reshape((*shape_of(q), *shape_of(quantiles)[1:]))
    if not keepdims:
        return quantiles
    shifted = tuple(axis + q.ndim for axis in axes)
    return restore_axes(quantiles, shifted, a.ndim + q.ndim)


def _rows(x: Any, axes: tuple[int, ...]) -> Any:
    """Return ``x`` with axes combined into one, which is moved to the end."""
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.dimshuffle(*rest, *axes)
    if len(axes) == 1:
        return moved
    dims = shape_of(moved)
    return moved.reshape((*dims[: len(rest)], dims_product(dims[len(rest) :])))


def _among_all(rows: Any, q: Any, method: str) -> Any:
    """Return the quantiles of sorted rows; NaN if there is one."""
    count = as_dim(shape_of(rows)[-1])
    below, above, share = _places(method, q, count)
    low, high = (None if place is None else rows[..., place] for place in (below, above))
    between = _between(low, high, share, method)
    last = rows[..., -1]
    nan = scalar.isnan(last.dimshuffle(*range(last.ndim), "x") if q.ndim else last)
    return scalar.switch(nan, constant(float("nan"), dtype=rows.dtype), between)


def _among_numbers(rows: Any, q: Any, method: str) -> Any:
    """Return the quantiles of the numbers in sorted rows, which are before the NaN."""
    from symtheano.tensor.indexing.positions import take_along_axis

    numbers = reduce.sum(scalar.invert(scalar.isnan(rows)), -1, dtype="int64")
    spread = [*["x"] * numbers.ndim, *range(q.ndim)]
    counts = numbers.dimshuffle(*range(numbers.ndim), *["x"] * q.ndim)
    below, above, share = _places(method, q.dimshuffle(*spread), counts)

    def taken(place: Any) -> Any:
        wanted = place if q.ndim else expand_dims(place, place.ndim)
        items = take_along_axis(rows, wanted, -1)
        return items if q.ndim else items[..., 0]

    low, high = (None if place is None else taken(place) for place in (below, above))
    return _between(low, high, share, method)


def _places(method: str, q: Any, count: Any) -> tuple[Any, Any, Any]:
    """Return the positions of two of ``count`` sorted items, and the weight of the second.

    The second position and the weight are None if the quantile is an item itself.
    """
    n = cast(count, q.dtype)
    one = q.constant_like(1)
    if method == "linear" or method not in CONTINUOUS:
        place = q * (n - one)
    else:
        alpha, beta = (constant(value, dtype=q.dtype) for value in CONTINUOUS[method])
        place = n * q + (alpha + q * (one - alpha - beta)) - one
    share: Any = None
    if method in CONTINUOUS:
        below, above = scalar.floor(place), scalar.floor(place) + one
        share = place - below
    elif method == "midpoint":
        below, above = scalar.floor(place), scalar.ceil(place)
    elif method == "averaged_inverted_cdf":
        place = n * q - one
        below, above = scalar.floor(place), scalar.floor(place) + one
        share = scalar.switch(scalar.eq(place, below), constant(0.5, dtype=q.dtype), one)
    else:
        below, above = _nearby(method, q * n, place), None
    positions = (None if item is None else _inside(item, count) for item in (below, above))
    return (*positions, share)


def _nearby(method: str, rank: Any, place: Any) -> Any:
    """Return the position of the item that is the quantile."""
    one = rank.constant_like(1)
    if method == "inverted_cdf":
        return scalar.ceil(rank - one)
    if method == "closest_observation":
        exact = rank - constant(1.5, dtype=rank.dtype)
        below = scalar.floor(exact)
        odd = scalar.eq(below % constant(2, dtype=rank.dtype), one)
        return scalar.switch(scalar.and_(scalar.eq(exact, below), odd), below, below + one)
    how = {"lower": scalar.floor, "higher": scalar.ceil, "nearest": scalar.round_half_to_even}
    return how[method](place)


def _inside(place: Any, count: Any) -> Any:
    """Return positions as integers inside rows of ``count`` items."""
    return scalar.clip(cast(place, "int64"), 0, scalar.maximum(count - 1, 0))


def _between(low: Any, high: Any, share: Any, method: str) -> Any:
    if high is None:
        return low
    if method == "midpoint":
        between = (low + high) / low.constant_like(2)
    else:
        between = low + share * (high - low)
    # Between equal infinities, and where the sum overflows. Other equal items share the gradient.
    unknown = scalar.invert(scalar.isfinite(between))
    return scalar.switch(scalar.and_(scalar.eq(low, high), unknown), low, between)


# -- without NaN --------------------------------------------------------------------------------


def nanquantile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Return quantiles over ``axis`` ignoring NaN; NaN if nothing is left.

    Arguments are as for :func:`symtheano.tensor.quantile`.

    Examples
    --------
    >>> float(nanquantile([1.0, 2.0, float("nan"), 4.0], 0.75).eval())
    3.0
    """
    return quantiles_over("nanquantile", a, q, axis, method, keepdims, without_nan=True)


def nanpercentile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Return percentiles over ``axis`` ignoring NaN; NaN if nothing is left.

    Examples
    --------
    >>> float(nanpercentile([1.0, 2.0, float("nan"), 4.0], 75).eval())
    3.0
    """
    return nanquantile(a, hundredths(q), axis, method, keepdims)


def nanmedian(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the median over ``axis`` ignoring NaN; NaN if nothing is left.

    Examples
    --------
    >>> float(nanmedian([1.0, 2.0, float("nan"), 4.0]).eval())
    2.0
    """
    return nanquantile(a, half_of(a), axis, "midpoint", keepdims)


def hundredths(q: Any) -> Any:
    """Convert percentiles to quantiles.

    Examples
    --------
    >>> float(hundredths(50).eval())
    0.5
    """
    if not isinstance(q, Variable):
        return constant(np.asarray(q, "float64") / 100)
    q = as_tensor_variable(q)
    q = q if dtypes.is_float(q.dtype) else cast(q, "float64")
    return q / q.constant_like(100)


def half_of(a: Any) -> Any:
    """Return one half in the dtype in which quantiles of an array are computed.

    Examples
    --------
    >>> half_of(np.zeros(2, "float32")).dtype
    'float32'
    """
    dtype = as_tensor_variable(a).dtype
    return constant(0.5, dtype=dtype if dtypes.is_float(dtype) else "float64")
