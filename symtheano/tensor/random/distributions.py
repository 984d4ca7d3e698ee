"""Distributions, drawn from any source of standard random numbers.

The arithmetic on standard numbers is part of the graph: it has gradients, and it is fused with what
follows.
"""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.graph.variable import Constant
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Assert
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.random.source import Source, float_dtypes, size_of, spread


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
    width = cast(high, inner) - cast(low, inner)
    if isinstance(low, Constant) and isinstance(high, Constant):
        width = as_tensor_variable(high.data.astype(inner) - low.data.astype(inner))
    return cast(moved(source.random(dims, inner), low, width, dims), name)


def normal(
    source: Source, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
    dtype: Any = None,
) -> Any:  # fmt: skip
    """Return normal numbers with a mean and a standard deviation."""
    name, inner = float_dtypes(dtype, avg, std)
    avg, std = as_tensor_variable(avg), as_tensor_variable(std)
    dims = size_of("normal", size, ndim, [avg, std])
    return cast(moved(source.standard_normal(dims, inner), avg, std, dims), name)


def exponential(
    source: Source, size: Any = None, scale: Any = 1.0, ndim: int | None = None, dtype: Any = None
) -> Any:
    """Return exponential numbers with mean ``scale``."""
    name, inner = float_dtypes(dtype, scale)
    scale = as_tensor_variable(scale)
    dims = size_of("exponential", size, ndim, [scale])
    return cast(moved(source.standard_exponential(dims, inner), _ZERO, scale, dims), name)


_ZERO = as_tensor_variable(0)


def integers(
    source: Source, size: Any = None, low: Any = 0, high: Any = 1, ndim: int | None = None,
    dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return integers from low to high, which are both possible."""
    low, high = as_tensor_variable(low), as_tensor_variable(high)
    for item in (low, high):
        if not dtypes.is_discrete(item.dtype):
            raise TypeError(build_message("random_integers: a bound is not an integer", item))
    dims = size_of("random_integers", size, ndim, [low, high])
    ordered = Assert("random_integers: low is larger than high")
    low = ordered(cast(low, "int64"), scalar.le(low, high))
    drawn = source.integers(dims, spread(low, dims, "int64"), spread(high, dims, "int64"))
    return cast(drawn, dtypes.canonical(dtype))
