"""Statistics along axes: quantiles, averages, covariances, and variants that ignore NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano import dtypes
from symtheano.keywords import OF_REDUCTIONS, explained
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.linalg.dot import dot
from symtheano.tensor.messages import build_message
from symtheano.tensor.reductions import argmax as argmax_of, moments, reduce
from symtheano.tensor.reductions.cumulative import cumprod, cumsum
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.join import join
from symtheano.tensor.sorting.quantiles import half_of, hundredths, quantiles_over

# -- order --------------------------------------------------------------------------------------


@explained(OF_REDUCTIONS)
def quantile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Return quantiles over ``axis``.

    Parameters
    ----------
    a
        Array of a real dtype.
    q
        A number between 0 and 1, or an array of such numbers. The axes of ``q`` are the first axes
        of the result.
    axis
        Axis or axes; None for all.
    method
        Rule for a quantile between two items: ``linear`` interpolates; ``lower``, ``higher`` and
        ``nearest`` select one of the items; ``midpoint`` is their mean. NumPy's other methods are
        supported: those that interpolate (``interpolated_inverted_cdf``, ``hazen``, ``weibull``,
        ``median_unbiased``, ``normal_unbiased``) and those that do not (``inverted_cdf``,
        ``averaged_inverted_cdf``, ``closest_observation``).
    keepdims
        Keep the axes with length one.

    Returns
    -------
    float array
        The quantiles; NaN if an item is NaN. There are gradients for ``a``, and for ``q`` if the
        method interpolates.

    Raises
    ------
    ValueError
        In a call, if ``q`` is out of range.
    IndexError
        In a call, if an axis is empty.

    Examples
    --------
    >>> float(quantile([1.0, 2.0, 4.0], 0.75).eval())
    3.0
    """
    return quantiles_over("quantile", a, q, axis, method, keepdims)


@explained(OF_REDUCTIONS)
def percentile(
    a: Any, q: Any, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Tensor:
    """Return percentiles over ``axis``: :func:`quantile` with ``q`` from 0 to 100.

    Examples
    --------
    >>> float(percentile([1.0, 2.0, 4.0], 50).eval())
    2.0
    """
    return quantile(a, hundredths(q), axis, method, keepdims)


@explained(OF_REDUCTIONS)
def median(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the median over ``axis``; for an even number of items, the mean of the middle two.

    Examples
    --------
    >>> float(median([1.0, 2.0, 4.0, 9.0]).eval())
    3.0
    """
    return quantiles_over("median", a, half_of(a), axis, "midpoint", keepdims)


# -- means --------------------------------------------------------------------------------------


@explained(OF_REDUCTIONS)
def average(
    a: TensorLike,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    keepdims: bool = False,
) -> Any:
    """Return the weighted mean over ``axis``.

    Parameters
    ----------
    a
        Array.
    axis
        Axis or axes; None for all.
    weights
        An array in the shape of ``a``, or of the axes over which the mean is taken. By default all
        weights are 1.
    returned
        Whether to also return the sum of the weights.
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
    if weights.ndim not in (0, a.ndim):
        weights = _along(a, axis, weights)
    common = dtypes.upcast(a.dtype, weights.dtype)
    wide = "float64" if dtypes.is_discrete(common) else common
    a, weights = cast(a, wide), cast(weights, wide)
    total = reduce.sum(scalar.second(a, weights), axes, keepdims=keepdims)
    mean = reduce.sum(a * weights, axes, keepdims=keepdims) / total
    return (mean, total) if returned else mean


def _along(a: Any, axis: Any, weights: Any) -> Any:
    """Return weights along some axes with new axes for the others."""
    named = list(axis) if isinstance(axis, list | tuple) else [axis]
    if axis is None or len(named) != weights.ndim:
        raise TypeError(
            build_message(
                f"average: weights of {weights.ndim} dims must have the shape of the array, or one "
                "axis for each axis of the average",
                a,
                weights,
            )
        )
    places = [int(one) % a.ndim for one in named]
    return weights.dimshuffle(
        *[places.index(other) if other in places else "x" for other in range(a.ndim)]
    )


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    dtype: Any = None,
) -> Tensor:
    """Return the covariances of variables.

    Parameters
    ----------
    m
        Matrix with a variable in each row and an observation in each column. Or a vector with one
        variable: then its variance is returned as a number.
    y
        More variables, with the same number of observations.
    rowvar
        Whether the rows are the variables. If false, the columns are.
    bias
        Whether to divide by the number of observations n instead of n - 1.
    ddof
        If given, divide by n - ``ddof``; this overrides ``bias``.
    fweights, aweights
        Vectors with the frequency and the weight of each observation.
    dtype
        Dtype of the computation and of the result; by default that of the variables, or float64 for
        integers.

    Examples
    --------
    >>> cov([[1.0, 2.0], [1.0, 4.0]]).eval().tolist()
    [[0.5, 1.5], [1.5, 4.5]]
    """
    x = _variables(m, rowvar)
    if y is not None:
        x = join(0, x, _variables(y, rowvar))
    if dtype is not None:
        x = cast(x, _float("cov", dtype, x))
    less = (0 if bias else 1) if ddof is None else ddof
    if int(less) != less:
        raise ValueError(build_message(f"cov: ddof={less} is not an integer"))
    count = cast(x.shape[1], dtypes.real_of(x.dtype))
    weights = _weights(fweights, aweights, dtypes.real_of(x.dtype))
    if weights is None:
        x = x - moments.mean(x, 1, keepdims=True)
        weighted, divisor = x, count - less
    else:
        total = reduce.sum(weights)
        x = x - reduce.sum(x * weights, 1, keepdims=True) / total
        weighted, divisor = x * weights, total - less
        if aweights is not None and less:
            analytic = cast(as_tensor_variable(aweights), weights.dtype)
            divisor = total - less * reduce.sum(weights * analytic) / total
    covariances = dot(weighted, scalar.conj(x).T) / cast(scalar.maximum(divisor, 0), divisor.dtype)
    return covariances.squeeze()


def _float(name: str, dtype: Any, x: Any) -> str:
    """Return the given dtype, if it can represent the real or complex numbers of ``x``."""
    wanted = dtypes.canonical(dtype)
    fits = dtypes.is_complex(wanted) or not dtypes.is_complex(x.dtype)
    if not (dtypes.is_continuous(wanted) and fits):
        raise TypeError(build_message(f"{name}: {wanted} can't hold the result", x))
    return wanted


def _variables(m: Any, rowvar: bool) -> Any:
    m = as_tensor_variable(m)
    if m.ndim > 2:
        raise ValueError(build_message(f"cov takes a vector or a matrix, not {m.ndim} dims", m))
    m = m if dtypes.is_continuous(m.dtype) else cast(m, "float64")
    if m.ndim < 2:
        return as_tensor_variable(m, ndim=2)
    return m if rowvar else m.T


def _weights(fweights: Any, aweights: Any, dtype: str) -> Any:
    vectors = [as_tensor_variable(item) for item in (fweights, aweights) if item is not None]
    for item in vectors:
        if item.ndim != 1:
            raise ValueError(build_message("cov: weights must be vectors", item))
    product = None
    for item in vectors:
        product = cast(item, dtype) if product is None else product * cast(item, dtype)
    return product


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """Return the correlation coefficients of variables; arguments as for :func:`cov`.

    Examples
    --------
    >>> corrcoef([[1.0, 2.0], [1.0, 4.0]]).eval().round(4).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviation = scalar.sqrt(scalar.real(c[_everywhere(c)]))
    correlations = c / deviation.dimshuffle(0, "x") / deviation.dimshuffle("x", 0)
    if dtypes.is_complex(correlations.dtype):
        return correlations
    return scalar.clip(correlations, correlations.constant_like(-1), correlations.constant_like(1))


def _everywhere(c: Any) -> tuple[Any, Any]:
    from symtheano.tensor.creation.ranges import arange

    place = arange(c.shape[0])
    return place, place


# -- without NaN --------------------------------------------------------------------------------


def nan_to_num(
    x: TensorLike, copy: bool = True, nan: TensorLike = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """Return ``x`` with NaN and infinities replaced by numbers.

    Parameters
    ----------
    x
        Array; both parts of complex numbers are changed.
    copy
        Accepted for compatibility with NumPy.
    nan, posinf, neginf
        Replacements of NaN, inf and -inf; the defaults are 0 and the largest and smallest number of
        the dtype.

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
    without_nan = scalar.switch(scalar.isnan(x), cast(as_tensor_variable(nan), x.dtype), x)
    infinite = scalar.isinf(x)
    return scalar.switch(infinite, scalar.switch(x > 0, high, low), without_nan)


def _without(x: Any, value: Any) -> tuple[Any, Any]:
    """Return ``x`` with NaN replaced by a number, and whether each element is NaN."""
    x = as_tensor_variable(x)
    if dtypes.is_discrete(x.dtype):
        return x, None
    nan = scalar.isnan(x)
    return scalar.switch(nan, x.constant_like(value), x), nan


def nansum(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Return the sum over ``axis``, ignoring NaN.

    Examples
    --------
    >>> float(nansum([1.0, float("nan")]).eval())
    1.0
    """
    return reduce.sum(_without(a, 0)[0], axis, dtype, keepdims)


def nanprod(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Return the product over ``axis``, ignoring NaN.

    Examples
    --------
    >>> float(nanprod([3.0, float("nan")]).eval())
    3.0
    """
    return reduce.prod(_without(a, 1)[0], axis, dtype, keepdims)


def _nan_extremum(
    which: Callable[..., Any], other: float, a: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    kept, nan = _without(a, other)
    extremum = which(kept, axis, keepdims)
    if nan is None:
        result: Tensor = extremum
        return result
    nothing = reduce.all(nan, axis, keepdims)
    return scalar.switch(nothing, extremum.constant_like(float("nan")), extremum)


def nanmax(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the maximum over ``axis``, ignoring NaN; NaN if there are only NaN.

    Examples
    --------
    >>> float(nanmax([1.0, float("nan")]).eval())
    1.0
    """
    return _nan_extremum(reduce.max, float("-inf"), a, axis, keepdims)


def nanmin(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the minimum over ``axis``, ignoring NaN; NaN if there are only NaN.

    Examples
    --------
    >>> float(nanmin([1.0, float("nan")]).eval())
    1.0
    """
    return _nan_extremum(reduce.min, float("inf"), a, axis, keepdims)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Return the mean over ``axis``, ignoring NaN; NaN if nothing is left.

    Examples
    --------
    >>> float(nanmean([1.0, 3.0, float("nan")]).eval())
    2.0
    """
    kept, nan = _without(a, 0)
    if nan is None:
        return moments.mean(kept, axis, dtype, keepdims=keepdims)
    total = reduce.sum(kept, axis, dtype, keepdims)
    count = reduce.sum(scalar.invert(nan), axis, keepdims=keepdims)
    return total / cast(count, dtypes.real_of(total.dtype))


def nanvar(
    a: TensorLike, axis: Any = None, ddof: int = 0, keepdims: bool = False, dtype: Any = None
) -> Tensor:
    """Return the variance over ``axis``, ignoring NaN, with the divisor ``n - ddof``.

    The computation uses ``dtype`` if given, otherwise the dtype of ``a``, or float64 for integers.

    Examples
    --------
    >>> float(nanvar([1.0, 3.0, float("nan")]).eval())
    1.0
    """
    a = as_tensor_variable(a)
    a = a if dtype is None else cast(a, _float("nanvar", dtype, a))
    kept, nan = _without(a, 0)
    if nan is None:
        return moments.var(kept, axis, ddof, keepdims)
    difference = kept - nanmean(a, axis, keepdims=True)
    square = scalar.real(difference * scalar.conj(difference))
    total = reduce.sum(scalar.switch(nan, square.constant_like(0), square), axis, keepdims=keepdims)
    count = cast(reduce.sum(scalar.invert(nan), axis, keepdims=keepdims), total.dtype) - ddof
    positive = scalar.switch(count > 0, count, count.constant_like(float("nan")))
    return total / positive


def nanstd(
    a: Any, axis: Any = None, ddof: int = 0, keepdims: bool = False, dtype: Any = None
) -> Tensor:
    """Return the standard deviation over ``axis``, ignoring NaN; see :func:`nanvar`.

    Examples
    --------
    >>> float(nanstd([1.0, 3.0, float("nan")]).eval())
    1.0
    """
    return scalar.sqrt(nanvar(a, axis, ddof, keepdims, dtype))


def _nan_position(
    which: Callable[..., Any], other: float, a: Tensor, axis: Any, keepdims: bool
) -> Tensor:
    from symtheano.tensor.assertion import required

    kept, nan = _without(a, other)
    if nan is not None:
        numbers = reduce.all(scalar.invert(reduce.all(nan, axis)))
        kept = required(kept, numbers, f"nan{which.__name__}: there are only NaN")
    position: Tensor = which(kept, axis, keepdims)
    return position


def nanargmax(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the position of the maximum over ``axis``, ignoring NaN.

    Raises
    ------
    ValueError
        In a call, if there are only NaN.

    Examples
    --------
    >>> int(nanargmax([1.0, float("nan"), 3.0]).eval())
    2
    """
    return _nan_position(argmax_of.argmax, float("-inf"), a, axis, keepdims)


def nanargmin(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return the position of the minimum over ``axis``, ignoring NaN.

    Raises
    ------
    ValueError
        In a call, if there are only NaN.

    Examples
    --------
    >>> int(nanargmin([3.0, float("nan"), 1.0]).eval())
    2
    """
    return _nan_position(argmax_of.argmin, float("inf"), a, axis, keepdims)


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the cumulative sum along ``axis``, with NaN treated as 0.

    Examples
    --------
    >>> nancumsum([1.0, float("nan"), 2.0]).eval().tolist()
    [1.0, 1.0, 3.0]
    """
    return cumsum(_without(a, 0)[0], axis, dtype)


def nancumprod(a: Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """Return the cumulative product along ``axis``, with NaN treated as 1.

    Examples
    --------
    >>> nancumprod([2.0, float("nan"), 3.0]).eval().tolist()
    [2.0, 2.0, 6.0]
    """
    return cumprod(_without(a, 1)[0], axis, dtype)
