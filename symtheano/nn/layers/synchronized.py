"""Statistics of batches over all processes that train a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import symtheano.tensor as T

_SYNCHRONIZES: ContextVar[bool] = ContextVar("synchronizes", default=False)


@contextmanager
def synchronized(wanted: bool) -> Iterator[None]:
    """Apply layers inside of a ``with`` block with statistics over all processes, if wanted."""
    token = _SYNCHRONIZES.set(wanted)
    try:
        yield
    finally:
        _SYNCHRONIZES.reset(token)


def synchronizes() -> bool:
    """Return whether layers are applied with statistics over all processes."""
    return _SYNCHRONIZES.get()


def moments(x: Any, axes: Sequence[int]) -> tuple[Any, Any, Any]:
    """Return the mean, the variance and the number of elements of the batches of all processes.

    Parameters
    ----------
    x
        The batch of this process, an array of floats; it may be empty.
    axes
        The axes over which statistics are taken. They have length 1 in the results.

    Returns
    -------
    tuple
        The mean and the variance, in float32 at least, and the number, an int64.

    Examples
    --------
    >>> mean, variance, count = moments(T.constant([[1.0, 5.0], [3.0, 5.0]]), [0])
    >>> mean.eval().tolist(), variance.eval().tolist(), int(count.eval())
    ([[2.0, 5.0]], [[1.0, 0.0]], 2)
    """
    from symtheano.distributed import allreduce

    wide = T.cast(x, "float32") if x.dtype == "float16" else x
    here: Any = T.constant(1, dtype="int64")
    for axis in axes:
        here = here * x.shape[axis]
    count = allreduce(here)
    divisor = T.cast(T.maximum(count, 1), wide.dtype)
    mean = allreduce(wide.sum(axis=tuple(axes), keepdims=True)) / divisor
    variance = allreduce(T.sqr(wide - mean).sum(axis=tuple(axes), keepdims=True)) / divisor
    return mean, variance, count
