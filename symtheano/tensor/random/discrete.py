"""Discrete distributions, drawn from any source of standard random numbers.

A source may have a method of its own for some of them; otherwise they are computed from uniform or
exponential numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Require
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.indexing.positions import take_along_axis
from symtheano.tensor.indexing.subtensor import take
from symtheano.tensor.messages import build_message
from symtheano.tensor.random.conditions import checked, weights
from symtheano.tensor.random.sizes import size_of
from symtheano.tensor.random.source import Source, spread
from symtheano.tensor.reductions.cumulative import cumsum
from symtheano.tensor.shapes.shape import as_dim, shape_of
from symtheano.tensor.sorting.counting import searchsorted
from symtheano.tensor.sorting.sort import argsort


def _counted(name: str, n: Any) -> Any:
    """Return a number of trials or items as an int64 variable."""
    count = as_tensor_variable(n)
    if not dtypes.is_discrete(count.dtype):
        raise TypeError(build_message(f"{name}: a number of items is not an integer", count))
    return cast(count, "int64")


def _real(name: str, item: Any) -> Any:
    """Return probabilities as float variables."""
    variable = as_tensor_variable(item)
    if dtypes.is_complex(variable.dtype):
        raise TypeError(build_message(f"{name}: a parameter is not real", variable))
    return variable if dtypes.is_float(variable.dtype) else cast(variable, "float64")


def integers(
    source: Source, size: Any = None, low: Any = 0, high: Any = 1, ndim: int | None = None,
    dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return integers from ``low`` to ``high``, which are both possible."""
    low, high = as_tensor_variable(low), as_tensor_variable(high)
    for item in (low, high):
        if not dtypes.is_discrete(item.dtype):
            raise TypeError(build_message("random_integers: the bounds must be integers", item))
    dims = size_of("random_integers", size, ndim, [low, high])
    low, high = checked("integers", low, high)
    drawn = source.integers(dims, spread(low, dims, "int64"), spread(high, dims, "int64"))
    return cast(drawn, dtypes.canonical(dtype))


def binomial(
    source: Source, size: Any = None, n: Any = 1, p: Any = 0.5, ndim: int | None = None,
    dtype: Any = "int64", prob: Any = None,
) -> Any:  # fmt: skip
    """Return numbers of successes in ``n`` trials with probability ``p``, or ``prob``."""
    n, p = _counted("binomial", n), _real("binomial", p if prob is None else prob)
    dims = size_of("binomial", size, ndim, [n, p])
    n, p = checked("binomial", n, p)
    inner = "float32" if p.dtype in ("float16", "float32") else "float64"
    return cast(source.binomial(dims, spread(n, dims, "int64"), spread(p, dims, inner)), dtype)


def poisson(
    source: Source, size: Any = None, lam: Any = 1.0, ndim: int | None = None, dtype: Any = "int64"
) -> Any:
    """Return numbers of events whose mean number is ``lam``."""
    lam = _real("poisson", lam)
    dims = size_of("poisson", size, ndim, [lam])
    (lam,) = checked("poisson", lam)
    return cast(source.poisson(dims, spread(lam, dims, "float64")), dtype)


def multinomial(
    source: Source, size: Any = None, n: Any = 1, pvals: Any = (0.5, 0.5),
    ndim: int | None = None, dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return how often each outcome occurs in ``n`` trials; the outcomes are the last axis.

    ``pvals`` are the probabilities, along the last axis. ``size`` and ``ndim`` are those of the
    other axes. Without a size, they are those of ``pvals`` and ``n``.
    """
    n, pvals = _counted("multinomial", n), _real("multinomial", pvals)
    if pvals.ndim == 0:
        raise ValueError(build_message("multinomial: pvals must have an axis of outcomes", pvals))
    n, pvals = checked("multinomial", n, pvals)
    model = [n, pvals[..., 0]] if pvals.ndim > 1 else [n]
    dims = size_of("multinomial", size, ndim, model)
    inner = "float32" if pvals.dtype in ("float16", "float32") else "float64"
    full = [*dims, as_dim(shape_of(pvals)[-1])]
    return cast(source.multinomial(full, n, cast(pvals, inner)), dtype)


def permutation(
    source: Source, size: Any = None, n: Any = 1, ndim: int | None = None, dtype: Any = "int64"
) -> Any:
    """Return permutations of the numbers below ``n``, along the last axis.

    ``size`` and ``ndim`` are those of the other axes.
    """
    dims = [*size_of("permutation", size, ndim, []), as_dim(n)]
    return cast(_permuted(source, dims), dtype)


def _permuted(source: Source, dims: Sequence[Any]) -> Any:
    own = getattr(source, "permutation", None)
    return argsort(source.random(dims, "float64"), -1) if own is None else own(dims)


def shuffle_row_elements(source: Source, input: Any) -> Any:
    """Return an array with the elements of each row, along the last axis, in a random order."""
    x = as_tensor_variable(input)
    if x.ndim == 0:
        raise ValueError(
            build_message("shuffle_row_elements needs at least one dim, got a 0-d array", x)
        )
    order = _permuted(source, [as_dim(dim) for dim in shape_of(x)])
    return take_along_axis(x, order, -1)


def choice(
    source: Source, size: Any = None, a: Any = 2, replace: bool = True, p: Any = None,
    ndim: int | None = None, dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return items of the vector ``a``, or of the numbers below ``a``.

    Parameters
    ----------
    source
        What they are drawn from.
    size, ndim, dtype
        Of the result; ``dtype`` is ignored if ``a`` is a vector.
    a
        The items, or their number.
    replace
        Whether an item may be drawn more than once.
    p
        Probabilities of the items, equal by default. Without replacement, items are drawn one after
        the other with the probabilities that the remaining ones have then.
    """
    a = as_tensor_variable(a)
    if a.ndim > 1:
        raise ValueError(build_message("choice: the items must be a vector", a))
    number = as_dim(shape_of(a)[0]) if a.ndim else _counted("choice", a)
    dims = size_of("choice", size, ndim, [])
    if p is not None:
        p = cast(_real("choice", p), "float64")
        if p.ndim != 1:
            raise ValueError(build_message("choice: the probabilities must be a vector", p))
        fits = Require("choice: the number of items is not the number of probabilities")
        p = fits(weights(p), scalar.eq(as_dim(shape_of(p)[0]), number))
    if replace:
        places = _with_replacement(source, dims, number, p)
    else:
        places = without_replacement(source, dims, number, p)
    return take(a, places) if a.ndim else cast(places, dtype)


def choice_in_rows(source: Source, number: Any, p: Any, dtype: Any) -> Any:
    """Return different items of each row of probabilities, which are drawn one after the other."""
    p, count = weights(cast(_real("choice", p), "float64")), as_dim(number)
    rows, items = (as_dim(dim) for dim in shape_of(p))
    enough = Require("choice: there are fewer items than are drawn without replacement")
    order = race(source, [rows, enough(items, scalar.le(count, items))], p)
    return cast(order[:, :count], dtype)


def _with_replacement(source: Source, dims: Sequence[Any], number: Any, p: Any) -> Any:
    if p is None:
        return source.integers(dims, as_dim(0), number - 1)
    total = cumsum(p, 0)
    return searchsorted(total / total[-1], source.random(dims, "float64"), side="right")


def without_replacement(source: Source, dims: Sequence[Any], number: Any, p: Any) -> Any:
    """Return different numbers below a number."""
    own = getattr(source, "different", None)
    if own is not None:
        return own(dims, number, p)
    count = as_dim(1)
    for dim in dims:
        count = count * dim
    enough = Require("choice: there are fewer items than are drawn without replacement")
    order = race(source, [enough(number, scalar.le(count, number))], p)
    return order[:count].reshape(dims, ndim=len(dims))


def race(source: Source, dims: Sequence[Any], p: Any) -> Any:
    """Return positions along the last axis in the order in which their exponential clocks ring.

    With rates ``p``, each position is the next one with its probability among those that remain.
    Without them, all orders have equal probability.
    """
    if p is None:
        return argsort(source.random(dims, "float64"), -1)
    return argsort(source.standard_exponential(dims, "float64") / p, -1)
