"""Distributions, drawn from any source of standard random numbers.

The arithmetic on standard numbers is part of the graph: it has gradients, and it is fused with what
follows.
"""

from __future__ import annotations

from math import erf, exp, pi, sqrt
from typing import Any

import numpy as np

from symtheano.graph.variable import Constant
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.random.conditions import bounds, checked, scale_of
from symtheano.tensor.random.sizes import size_of
from symtheano.tensor.random.source import Source, float_dtypes, spread


def _is_number(item: Any, number: float) -> bool:
    """Return whether a parameter is known to be a number."""
    return isinstance(item, Constant) and item.type.ndim == 0 and float(item.data) == number


def moved(standard: Any, loc: Any, scale: Any, dims: Any) -> Any:
    """Return ``loc + scale * standard``."""
    if not _is_number(scale, 1):
        standard = spread(scale, dims, standard.dtype) * standard
    return standard if _is_number(loc, 0) else spread(loc, dims, standard.dtype) + standard


def uniform(
    source: Source, size: Any = None, low: Any = 0.0, high: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return numbers from [low, high)."""
    name, inner = float_dtypes(dtype, low, high)
    low, high = as_tensor_variable(low), as_tensor_variable(high)
    dims = size_of("uniform", size, ndim, [low, high])
    low, high = bounds("uniform", low, high)
    width = cast(high, inner) - cast(low, inner)
    if isinstance(low, Constant) and isinstance(high, Constant):
        width = as_tensor_variable(high.data.astype(inner) - low.data.astype(inner))
    standard = source.random(dims, inner)
    if name == "float16":
        # Rounding to half precision would make numbers near 1 equal to 1.
        standard = scalar.floor(standard * 2048) / 2048
    return cast(moved(standard, low, width, dims), name)


def normal(
    source: Source, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return normal numbers with a mean and a standard deviation."""
    name, inner = float_dtypes(dtype, avg, std)
    avg, std = as_tensor_variable(avg), as_tensor_variable(std)
    dims = size_of("normal", size, ndim, [avg, std])
    std = scale_of("normal: std", std)
    return cast(moved(source.standard_normal(dims, inner), avg, std, dims), name)


def truncated(
    source: Source, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return normal numbers without those more than ``2 * std`` from ``avg``.

    They are the values of the inverse distribution function at uniform numbers.
    """
    return _within_two(source, size, avg, std, ndim, dtype, 1)


def truncated_normal(
    source: Source, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return normal numbers without those far away, with standard deviation ``std``.

    They are at most 2 deviations away of the normal numbers from which they are chosen.
    """
    return _within_two(source, size, avg, std, ndim, dtype, _STD_WITHIN_TWO)


def _within_two(
    source: Source, size: Any, avg: Any, std: Any, ndim: int | None, dtype: Any, share: float
) -> Any:
    """Return normal numbers that are at most ``2 * std / share`` from ``avg``."""
    name, inner = float_dtypes(dtype, avg, std)
    avg, std = as_tensor_variable(avg), as_tensor_variable(std)
    dims = size_of("truncated_normal", size, ndim, [avg, std])
    std = scale_of("truncated_normal: std", std)
    u = source.random(dims, "float64")
    z = cast(sqrt(2) * scalar.erfinv((2 * u - 1) * erf(sqrt(2))), inner)
    return cast(moved(z, avg, std if share == 1 else std / share, dims), name)


def exponential(
    source: Source, size: Any = None, scale: Any = 1.0, ndim: int | None = None, dtype: Any = None
) -> Any:
    """Return exponential numbers with mean ``scale``."""
    name, inner = float_dtypes(dtype, scale)
    scale = as_tensor_variable(scale)
    dims = size_of("exponential", size, ndim, [scale])
    scale = scale_of("exponential: scale", scale)
    return cast(moved(source.standard_exponential(dims, inner), _ZERO, scale, dims), name)


def gamma(
    source: Source, size: Any = None, shape: Any = 1.0, scale: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return numbers of gamma distributions, with mean ``shape * scale``."""
    name, inner = float_dtypes(dtype, shape, scale)
    shape, scale = as_tensor_variable(shape), as_tensor_variable(scale)
    dims = size_of("gamma", size, ndim, [shape, scale])
    scale = scale_of("gamma: scale", scale)
    drawn = cast(_standard_gamma(source, dims, cast(shape, "float64")), inner)
    return cast(moved(drawn, _ZERO, scale, dims), name)


def _standard_gamma(source: Source, dims: Any, shape: Any) -> Any:
    (allowed,) = checked("standard_gamma", shape)
    return source.standard_gamma(dims, spread(allowed, dims, "float64"))


def beta(
    source: Source, size: Any = None, a: Any = 1.0, b: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return numbers of beta distributions, with mean ``a / (a + b)``."""
    name, _ = float_dtypes(dtype, a, b)
    a, b = as_tensor_variable(a), as_tensor_variable(b)
    dims = size_of("beta", size, ndim, [a, b])
    a, b = checked("beta", cast(a, "float64"), cast(b, "float64"))
    drawn = source.beta(dims, spread(a, dims, "float64"), spread(b, dims, "float64"))
    return cast(drawn, name)


def laplace(
    source: Source, size: Any = None, loc: Any = 0.0, scale: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return numbers of Laplace distributions: those of an inverse distribution function."""
    name, inner = float_dtypes(dtype, loc, scale)
    loc, scale = as_tensor_variable(loc), as_tensor_variable(scale)
    dims = size_of("laplace", size, ndim, [loc, scale])
    scale = scale_of("laplace: scale", scale)
    u = scalar.maximum(source.random(dims, inner), as_tensor_variable(_LEAST[inner]))
    z = scalar.switch(scalar.ge(u, 0.5), -scalar.log(2 - 2 * u), scalar.log(2 * u))
    return cast(moved(z, loc, scale, dims), name)


_ZERO = as_tensor_variable(0)
_LEAST = {"float64": np.float64(2.0**-54), "float32": np.float32(2.0**-25)}
_STD_WITHIN_TWO = sqrt(1 - 4 * exp(-2) / (sqrt(2 * pi) * erf(sqrt(2))))
"""The standard deviation of normal numbers that are between -2 and 2."""
