"""The random numbers of a network, such as initial values and dropout, from one seed."""

from __future__ import annotations

import operator
from math import prod
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.floats import as_float, setting
from symtheano.tensor.random import PhiloxStreams

_default: list[np.random.SeedSequence] = []


def seed(value: int | None) -> None:
    """Set the seed of all networks that are created after this call without their own seed.

    Parameters
    ----------
    value
        A non-negative integer, or None for random numbers that differ from run to run.

    Examples
    --------
    >>> nn.seed(1)
    >>> first = nn.dense(nn.Input((3,)), 2).parameters[0].get_value()
    >>> nn.seed(1)
    >>> bool((nn.dense(nn.Input((3,)), 2).parameters[0].get_value() == first).all())
    True
    >>> nn.seed(None)
    """
    _default[:] = [] if value is None else [np.random.SeedSequence(checked_seed(value))]


def drop(x: Any, streams: Any, rate: float, **options: Any) -> Any:
    """Return an array with random elements set to zero. The same compiled code serves all rates.

    Parameters
    ----------
    x, streams, rate, options
        See :func:`symtheano.tensor.nnet.dropout`.

    Examples
    --------
    >>> drop(T.fmatrix(), PhiloxStreams(0), 0.5).dtype
    'float32'
    """
    x = as_float(x)
    return T.nnet.dropout(x, streams, setting("rate", rate, x.dtype), **options)


def checked_seed(value: Any) -> int:
    """Return a seed that is a non-negative integer.

    Raises
    ------
    TypeError
        If it is no integer.
    ValueError
        If it is negative.

    Examples
    --------
    >>> checked_seed(np.int64(3))
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"seed must be a non-negative integer or None, not {value!r}") from None
    if number < 0:
        raise ValueError(f"seed must be a non-negative integer or None, not {value!r}")
    return number


class Randomness:
    """The random numbers of one network.

    Parameters
    ----------
    value
        The seed, a non-negative integer. None: a seed derived from that of :func:`seed`, or a
        random seed if :func:`seed` was not called.

    Attributes
    ----------
    seed
        The seed. It determines all random numbers.
    streams
        The random streams for expressions such as dropout.
    room
        While a model is read from a file: the number of elements that further parameters may have.
        They begin with zeros, because the file has their values. None: any number of elements,
        which begin with initial values.
    """

    def __init__(self, value: int | None = None) -> None:
        if value is None:
            source = _default[0].spawn(1)[0] if _default else np.random.SeedSequence()
            value = int(source.generate_state(1, "uint64")[0] >> 1)
        self.seed = checked_seed(value)
        self.streams = PhiloxStreams(value)
        self._count = 0
        self.room: int | None = None

    def restart(self) -> None:
        """Replace the streams by new streams of the same seed, to apply layers again."""
        self.streams = PhiloxStreams(self.seed)

    def reserve(self, shape: tuple[int, ...]) -> None:
        """Subtract the number of elements of a parameter from :attr:`room`.

        Raises
        ------
        ValueError
            If the parameter has more elements.
        """
        if self.room is not None:
            if prod(shape) > self.room:
                raise ValueError(
                    f"a parameter of shape {shape} has {prod(shape)} elements, but the file has "
                    f"only {self.room} for this parameter and the following ones"
                )
            self.room -= prod(shape)

    def initial(self, initializer: Any, shape: tuple[int, ...], dtype: str) -> Any:
        """Return the initial values of the next parameter, or zeros if a file has its values."""
        self._count += 1
        if self.room is not None:
            return np.zeros(shape, dtype)
        return initializer(shape, dtype, np.random.default_rng([self.seed, 0, self._count]))

    def order(self, epoch: int, length: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the order of the samples in an epoch, which depends on the seed and the epoch."""
        return np.random.default_rng([self.seed, 1, epoch]).permutation(length)
