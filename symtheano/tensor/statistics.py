"""Statistics along axes: quantiles, averages, covariances, and all of them without NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor import reduce
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.blas import dot
from symtheano.tensor.join import join
from symtheano.tensor.messages import build_message
from symtheano.tensor.reduce import normalize_axis, restore_axes
from symtheano.tensor.shape import dims_product, shape_of

# -- order --------------------------------------------------------------------------------------

METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _rows(x: Any, axes: tuple[int, ...]) -> Any:
    """Return ``x`` with axes joined to one, which stands last."""
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    moved = x.dimshuffle(*rest, *axes)
    if len(axes) == 1:
        return moved
    dims = shape_of(moved)
    return moved.reshape((*dims[: len(rest)], dims_product(dims[len(rest) :])))


def quantile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Return quantiles over ``axis``.

    Parameters
    ----------
    a
        Array of a real dtype.
    q
        Between 0 and 1: a number, or a vector, whose axis is the first of the result.
    axis
        Axis or axes; None for all.
    method
        Between two items: ``linear`` goes from one to the other, ``lower``, ``higher`` and
        ``nearest`` take one, ``midpoint`` the middle.
    keepdims
        Keep the axes with length one.

    Returns
    -------
    float array
        NaN where there is one. Gradients pass to ``a``, and to ``q`` where the method is linear.

    Raises
    ------
    ValueError
        In a call with a ``q`` outside its range.
    IndexError
        In a call with an empty axis.

    Examples
    --------
    >>> float(quantile([1.0, 2.0, 4.0], 0.75).eval())
    3.0
    """
    from symtheano.tensor.assertion import required
    from symtheano.tensor.sort import sort

    a, q = as_tensor_variable(a), as_tensor_variable(q)
    if method not in METHODS:
        raise ValueError(build_message(f"quantile: method {method!r}: know {', '.join(METHODS)}"))
    if dtypes.is_complex(a.dtype) or a.dtype == "bool":
        raise TypeError(build_message(f"quantile: {a.dtype} has no quantiles", a))
    if q.ndim > 1:
        raise ValueError(build_message("quantile: q is a number or a vector", q))
    a = cast(a, "float64") if dtypes.is_discrete(a.dtype) else a
    axes = normalize_axis(axis, a.ndim)
    rows = sort(_rows(a, axes) if axes else a.dimshuffle(*range(a.ndim), "x"), -1)
    q = cast(q, dtypes.upcast(a.dtype, q.dtype) if dtypes.is_float(q.dtype) else a.dtype)
    inside = reduce.all(scalar.and_(q >= 0, q <= 1))
    q = required(q, inside, "quantile: q is not between 0 and 1")
    place = q * cast(rows.shape[-1] - 1, q.dtype)
    found = cast(_between(rows, place, method), a.dtype)
    last = rows[..., -1]
    nan = scalar.isnan(last.dimshuffle(*range(last.ndim), "x") if q.ndim else last)
    found = scalar.switch(nan, constant(float("nan"), dtype=a.dtype), found)
    if q.ndim:
        found = found.dimshuffle(found.ndim - 1, *range(found.ndim - 1))
    if not keepdims:
        return found
    shifted = tuple(axis + q.ndim for axis in axes)
    return restore_axes(found, shifted, a.ndim + q.ndim)


def _between(rows: Any, place: Any, method: str) -> Any:
    """Return the items of sorted rows at places between positions."""
    below, above = cast(scalar.floor(place), "int64"), cast(scalar.ceil(place), "int64")
    if method in ("lower", "higher"):
        return rows[..., below if method == "lower" else above]
    if method == "nearest":
        return rows[..., cast(scalar.round_half_to_even(place), "int64")]
    low, high = rows[..., below], rows[..., above]
    if method == "midpoint":
        return scalar.switch(scalar.eq(low, high), low, (low + high) / low.constant_like(2))
    share = place - scalar.floor(place)
    return scalar.switch(scalar.eq(low, high), low, low + share * (high - low))


def percentile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Any:
    """Return percentiles over ``axis``: :func:`quantile` with ``q`` from 0 to 100.

    Examples
    --------
    >>> float(percentile([1.0, 2.0, 4.0], 50).eval())
    2.0
    """
    q = as_tensor_variable(q)
    q = q if dtypes.is_float(q.dtype) else cast(q, "float64")
    return quantile(a, q / q.constant_like(100), axis, method, keepdims)


def median(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the median over ``axis``, of an even number of items the mean of the middle two.

    Examples
    --------
    >>> float(median([1.0, 2.0, 4.0, 9.0]).eval())
    3.0
    """
    a = as_tensor_variable(a)
    half = constant(0.5, dtype=a.dtype if dtypes.is_float(a.dtype) else "float64")
    return quantile(a, half, axis, "midpoint", keepdims)


# -- means --------------------------------------------------------------------------------------


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: bool = False
) -> Any:
    """Return the weighted mean over ``axis``.

    Parameters
    ----------
    a
        Array.
    axis
        Axis or axes; None for all.
    weights
        Of the shape of ``a``, or a vector along the one axis; all are 1 by default.
    returned
        Return the sum of weights too.
    keepdims
        Keep the axes with length one.

    Examples
    --------
    >>> float(average([1.0, 3.0], weights=[3, 1]).eval())
    1.5
    """
    a = as_tensor_variable(a)
    axes = normalize_axis(axis, a.ndim)
    if weights is None:
        weights = constant(1, dtype=a.dtype if dtypes.is_continuous(a.dtype) else "float64")
    weights = as_tensor_variable(weights)
    if weights.ndim == 1 and a.ndim != 1:
        if axis is None or len(axes) != 1:
            raise TypeError(build_message("average: a vector of weights lies along one axis", a))
        weights = weights.dimshuffle(*[0 if other == axes[0] else "x" for other in range(a.ndim)])
    elif weights.ndim not in (0, a.ndim):
        raise TypeError(build_message("average: the weights have another shape", a, weights))
    common = dtypes.upcast(a.dtype, weights.dtype)
    wide = "float64" if dtypes.is_discrete(common) else common
    a, weights = cast(a, wide), cast(weights, wide)
    total = reduce.sum(scalar.second(a, weights), axes, keepdims=keepdims)
    found = reduce.sum(a * weights, axes, keepdims=keepdims) / total
    return (found, total) if returned else found


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
) -> Any:
    """Return the covariances of variables.

    Parameters
    ----------
    m
        Matrix with a variable in each row and an observation in each column; or a vector, one
        variable, whose variance is returned as a number.
    y
        More variables, of as many observations.
    rowvar
        False if the variables are the columns.
    bias
        Divide by the number of observations, instead of one less.
    ddof
        By how much less to divide, instead of what ``bias`` says.
    fweights, aweights
        Vectors: how often each observation counts, and how much.

    Examples
    --------
    >>> cov([[1.0, 2.0], [1.0, 4.0]]).eval().tolist()
    [[0.5, 1.5], [1.5, 4.5]]
    """
    x = _variables(m, rowvar)
    if y is not None:
        x = join(0, x, _variables(y, rowvar))
    less = (0 if bias else 1) if ddof is None else ddof
    if int(less) != less:
        raise ValueError(build_message(f"cov: ddof={less} is not an integer"))
    count = cast(x.shape[1], dtypes.real_of(x.dtype))
    weights = _weights(fweights, aweights, dtypes.real_of(x.dtype))
    if weights is None:
        x = x - reduce.mean(x, 1, keepdims=True)
        weighted, divisor = x, count - less
    else:
        total = reduce.sum(weights)
        x = x - reduce.sum(x * weights, 1, keepdims=True) / total
        weighted, divisor = x * weights, total - less
        if aweights is not None and less:
            given = cast(as_tensor_variable(aweights), weights.dtype)
            divisor = total - less * reduce.sum(weights * given) / total
    found = dot(weighted, scalar.conj(x).T) / cast(scalar.maximum(divisor, 0), divisor.dtype)
    return found.squeeze()


def _variables(m: Any, rowvar: bool) -> Any:
    m = as_tensor_variable(m)
    if m.ndim > 2:
        raise ValueError(build_message(f"cov: {m.ndim} dims where a matrix is needed", m))
    m = m if dtypes.is_continuous(m.dtype) else cast(m, "float64")
    if m.ndim < 2:
        return as_tensor_variable(m, ndim=2)
    return m if rowvar else m.T


def _weights(fweights: Any, aweights: Any, dtype: str) -> Any:
    given = [as_tensor_variable(item) for item in (fweights, aweights) if item is not None]
    for item in given:
        if item.ndim != 1:
            raise ValueError(build_message("cov: weights are vectors", item))
    product = None
    for item in given:
        product = cast(item, dtype) if product is None else product * cast(item, dtype)
    return product


def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """Return the correlation coefficients of variables; arguments as for :func:`cov`.

    Examples
    --------
    >>> corrcoef([[1.0, 2.0], [1.0, 4.0]]).eval().round(4).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    deviation = scalar.sqrt(scalar.real(c[_everywhere(c)]))
    found = c / deviation.dimshuffle(0, "x") / deviation.dimshuffle("x", 0)
    if dtypes.is_complex(found.dtype):
        return found
    return scalar.clip(found, found.constant_like(-1), found.constant_like(1))


def _everywhere(c: Any) -> tuple[Any, Any]:
    from symtheano.tensor.creation import arange

    place = arange(c.shape[0])
    return place, place


# -- without NaN --------------------------------------------------------------------------------


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """Return ``x`` with numbers where it is NaN or infinite.

    Parameters
    ----------
    x
        Array; of complex numbers both parts are changed.
    copy
        Accepted for programs written for NumPy.
    nan, posinf, neginf
        What stands for NaN, inf and -inf; for the infinities by default the largest and the
        smallest number of the dtype.

    Examples
    --------
    >>> nan_to_num([float("nan"), 1.0]).eval().tolist()
    [0.0, 1.0]
    """
    import numpy as np

    x = as_tensor_variable(x)
    if dtypes.is_complex(x.dtype):
        parts = (nan_to_num(p, copy, nan, posinf, neginf) for p in (x.real, x.imag))
        return cast(scalar.complex(*parts), x.dtype)
    if dtypes.is_discrete(x.dtype):
        return x
    limits = np.finfo(x.dtype)
    high = cast(as_tensor_variable(limits.max if posinf is None else posinf), x.dtype)
    low = cast(as_tensor_variable(limits.min if neginf is None else neginf), x.dtype)
    found = scalar.switch(scalar.isnan(x), cast(as_tensor_variable(nan), x.dtype), x)
    infinite = scalar.isinf(x)
    return scalar.switch(infinite, scalar.switch(x > 0, high, low), found)


def _without(x: Any, value: Any) -> tuple[Any, Any]:
    """Return ``x`` with a number for NaN, and whether each element is one."""
    x = as_tensor_variable(x)
    if dtypes.is_discrete(x.dtype):
        return x, None
    nan = scalar.isnan(x)
    return scalar.switch(nan, x.constant_like(value), x), nan


def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Return the sum over ``axis`` of what is not NaN.

    Examples
    --------
    >>> float(nansum([1.0, float("nan")]).eval())
    1.0
    """
    return reduce.sum(_without(a, 0)[0], axis, dtype, keepdims)


def nanprod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Return the product over ``axis`` of what is not NaN.

    Examples
    --------
    >>> float(nanprod([3.0, float("nan")]).eval())
    3.0
    """
    return reduce.prod(_without(a, 1)[0], axis, dtype, keepdims)


def _nan_extremum(
    which: Callable[..., Any], other: float, a: Any, axis: Any, keepdims: bool
) -> Any:
    kept, nan = _without(a, other)
    found = which(kept, axis, keepdims)
    if nan is None:
        return found
    nothing = reduce.all(nan, axis, keepdims)
    return scalar.switch(nothing, found.constant_like(float("nan")), found)


def nanmax(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the maximum over ``axis`` of what is not NaN; NaN of nothing else.

    Examples
    --------
    >>> float(nanmax([1.0, float("nan")]).eval())
    1.0
    """
    return _nan_extremum(reduce.max, float("-inf"), a, axis, keepdims)


def nanmin(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the minimum over ``axis`` of what is not NaN; NaN of nothing else.

    Examples
    --------
    >>> float(nanmin([1.0, float("nan")]).eval())
    1.0
    """
    return _nan_extremum(reduce.min, float("inf"), a, axis, keepdims)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Return the mean over ``axis`` of what is not NaN; NaN of nothing.

    Examples
    --------
    >>> float(nanmean([1.0, 3.0, float("nan")]).eval())
    2.0
    """
    kept, nan = _without(a, 0)
    if nan is None:
        return reduce.mean(kept, axis, dtype, keepdims=keepdims)
    total = reduce.sum(kept, axis, dtype, keepdims)
    count = reduce.sum(scalar.invert(nan), axis, keepdims=keepdims)
    return total / cast(count, dtypes.real_of(total.dtype))


def nanvar(a: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Return the variance over ``axis`` of what is not NaN, divided by the count less ``ddof``.

    Examples
    --------
    >>> float(nanvar([1.0, 3.0, float("nan")]).eval())
    1.0
    """
    kept, nan = _without(a, 0)
    if nan is None:
        return reduce.var(kept, axis, ddof, keepdims)
    difference = kept - nanmean(a, axis, keepdims=True)
    square = scalar.real(difference * scalar.conj(difference))
    total = reduce.sum(scalar.switch(nan, square.constant_like(0), square), axis, keepdims=keepdims)
    count = cast(reduce.sum(scalar.invert(nan), axis, keepdims=keepdims), total.dtype) - ddof
    positive = scalar.switch(count > 0, count, count.constant_like(float("nan")))
    return total / positive


def nanstd(a: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Return the standard deviation over ``axis`` of what is not NaN.

    Examples
    --------
    >>> float(nanstd([1.0, 3.0, float("nan")]).eval())
    1.0
    """
    return scalar.sqrt(nanvar(a, axis, ddof, keepdims))
