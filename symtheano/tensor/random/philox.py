"""PhiloxStreams: random numbers that are a function of a key, a stream and their index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

import numpy as np

from symtheano.scalar import philox as rows, table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.random.base import RandomStreamsBase
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.sharedvar import shared

CALLS = 2**40
"""The number of streams of a random variable, of which each call uses one."""


class PhiloxSource:
    """Streams of Philox 4x32-10 with a key.

    A stream is a sequence of words of 64 bits: word ``i`` is a half of block ``i // 2``, the first
    one for even ``i``. Uniform number ``i`` in row-major order is made of word ``i``. Normal
    numbers ``2 i`` and ``2 i + 1`` are the pair that the method of Box and Muller makes of the
    words with these numbers. So numbers do not depend on the length of what is drawn.

    Attributes
    ----------
    key, stream
        uint64 variables: the key, and the number of the next stream.
    count
        The number of streams that have been used.
    """

    def __init__(self, key: Any, stream: Any) -> None:
        self.key, self.stream, self.count = key, stream, 0

    def _next(self) -> Any:
        """Return the number of a stream that has not been used."""
        stream = self.stream if self.count == 0 else self.stream + _word(self.count)
        self.count += 1
        return stream

    def _words(self, dims: Sequence[Any]) -> Any:
        """Return a word for each element."""
        stream, index = self._next(), number_of_element(dims)
        block, odd = _halved(index)
        given = self.key, stream, block
        return scalar.switch(odd, rows.philox_second(*given), rows.philox_first(*given))

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers from [0, 1)."""
        return _uniform(self._words(dims), dtype)

    def standard_exponential(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return exponential numbers with mean 1."""
        return -scalar.log(_positive(self._words(dims), dtype))

    def standard_normal(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return normal numbers with mean 0 and variance 1."""
        stream, index = self._next(), number_of_element(dims)
        block, odd = _halved(index)
        given = self.key, stream, block
        radius = scalar.sqrt(-2 * scalar.log(_positive(rows.philox_first(*given), dtype)))
        turn = _uniform(rows.philox_second(*given), dtype)
        # The sine is the cosine of an angle that is a quarter of a turn smaller.
        turn = turn - scalar.switch(odd, _real(0.25, dtype), _real(0, dtype))
        return radius * scalar.cos(_real(2 * pi, dtype) * turn)

    def integers(self, dims: Sequence[Any], low: Any, high: Any) -> Any:
        """Return int64 numbers between two bounds, which are both possible.

        They are remainders of 64 bits, so the probabilities of ``n`` numbers differ by at most
        ``n / 2**64`` of their value.
        """
        words = self._words(dims)
        count = cast(high, "uint64") - cast(low, "uint64") + _word(1)
        rest = scalar.mod(words, scalar.maximum(count, _word(1)))
        drawn = scalar.switch(scalar.eq(count, _word(0)), words, rest)
        return cast(cast(low, "uint64") + drawn, "int64")


def number_of_element(dims: Sequence[Any]) -> Any:
    """Return for each element of an array its number in row-major order, int64."""
    if not dims:
        return as_tensor_variable(np.int64(0))
    number: Any = None
    for axis, dim in enumerate(dims):
        along = arange(dim).dimshuffle(*["x"] * axis, 0, *["x"] * (len(dims) - axis - 1))
        number = along if number is None else number * dim + along
    return number


def _halved(index: Any) -> tuple[Any, Any]:
    """Return the number of an element's block, and whether it is the second one of the block."""
    block = cast(scalar.right_shift(index, as_tensor_variable(np.int64(1))), "uint64")
    return block, scalar.neq(scalar.and_(index, as_tensor_variable(np.int64(1))), 0)


def _word(value: int) -> Any:
    return as_tensor_variable(np.uint64(value))


def _real(value: float, dtype: str) -> Any:
    return as_tensor_variable(np.asarray(value, dtype))


def _uniform(words: Any, dtype: str) -> Any:
    """Return numbers from [0, 1)."""
    return rows.unit_f64(words) if dtype == "float64" else rows.unit_f32(words)


def _positive(words: Any, dtype: str) -> Any:
    """Return numbers from (0, 1]."""
    return rows.positive_unit_f64(words) if dtype == "float64" else rows.positive_unit_f32(words)


class PhiloxStreams(RandomStreamsBase):
    """Random variables whose elements are functions of a key, a stream and their index.

    The function is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw 2011). Elements do not depend on
    each other: they are computed in the loops that use them, and again where a gradient needs them,
    by any number of threads. The state of a random variable, ``rv.rng``, is a shared vector of two
    uint64: the key, which is the seed, and the number of a stream, which increases in each call.

    Parameters
    ----------
    seed
        An integer from 0 to 2**64 - 1; None for one that the operating system provides.

    Attributes
    ----------
    state_updates
        Pairs of the state of each random variable, and its update.
    default_instance_seed
        The seed.

    Raises
    ------
    ValueError
        If the seed is outside this range.

    Examples
    --------
    >>> from symtheano import function
    >>> srng = PhiloxStreams(seed=42)
    >>> x = srng.uniform((3,), dtype="float64")
    >>> function([], x)().tolist()
    [0.4685865183391049, 0.34086154938517876, 0.32706338120338474]
    >>> x.rng.get_value().tolist()
    [42, 1]
    """

    def __init__(self, seed: int | None = None) -> None:
        self.state_updates: list[tuple[Any, Any]] = []
        self.default_instance_seed = seed
        self._key = _key(seed)

    def updates(self) -> list[tuple[Any, Any]]:
        """Return the pairs of states and their updates."""
        return list(self.state_updates)

    def _state(self, number: int) -> np.ndarray[Any, Any]:
        """Return the first state of a random variable."""
        return np.array([self._key, number * CALLS], "uint64")

    def seed(self, seed: int | None = None) -> None:
        """Start all random variables anew, with another seed or with that of the instance."""
        self._key = _key(self.default_instance_seed if seed is None else seed)
        for k, (state, _) in enumerate(self.state_updates):
            state.set_value(self._state(k))

    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        """Return a random variable of a distribution."""
        state = shared(self._state(len(self.state_updates)), shape=(2,))
        state.tag.is_rng = True
        source = PhiloxSource(state[0], state[1])
        drawn = distribution(source, *args)
        state.default_update = stack([source.key, source.stream + _word(source.count)])
        drawn.rng, drawn.update = state, (state, state.default_update)
        self.state_updates.append(drawn.update)
        return drawn


def _key(seed: int | None) -> int:
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, "uint64")[0])
    if not 0 <= seed < 2**64:
        raise ValueError(f"PhiloxStreams: the seed {seed} is not from 0 to 2**64 - 1")
    return int(seed)
