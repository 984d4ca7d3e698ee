"""PhiloxStreams: random numbers as a function of a key, a stream and an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.scalar import philox, table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.random.base import RandomStreamsBase, checked_spawn_key, spawned_words
from symtheano.tensor.random.philox_op import PhiloxNumbers
from symtheano.tensor.random.seeded import SeededSource
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.shape import as_dim
from symtheano.tensor.sharedvar import shared

CALLS = 2**40
"""The number of streams of a random variable, of which each call uses one."""


class PhiloxSource(SeededSource):
    """Streams of Philox 4x32-10 with a key.

    Each array has the first numbers of a stream (:mod:`symtheano.scalar.philox`), so they do not
    depend on its length.

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

    def _draw(self, kind: str, dtype: str, dims: Sequence[Any]) -> Any:
        """Return numbers of the next stream; a single one is computed where it is used."""
        if dims:
            return PhiloxNumbers(kind, dtype)(self.key, self._next(), *dims)
        return philox.BY_KIND[kind, dtype](self.key, self._next(), _word(0))

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers from [0, 1)."""
        return self._draw("random", dtype, dims)

    def standard_exponential(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return exponential numbers with mean 1."""
        return self._draw("exponential", dtype, dims)

    def standard_normal(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return normal numbers with mean 0 and variance 1."""
        return self._draw("normal", dtype, dims)

    def seeds(self, dims: Sequence[Any]) -> Any:
        """Return the words of a block for each element."""
        return self._draw("bits", "uint64", [*dims, as_dim(2)])

    def integers(self, dims: Sequence[Any], low: Any, high: Any) -> Any:
        """Return int64 numbers between two bounds, which are both possible.

        They are remainders of 64 bits, so the probabilities of ``n`` numbers differ by at most
        ``n / 2**64`` of their value.
        """
        words = self._draw("bits", "uint64", dims)
        count = cast(high, "uint64") - cast(low, "uint64") + _word(1)
        rest = scalar.mod(words, scalar.maximum(count, _word(1)))
        drawn = scalar.switch(scalar.eq(count, _word(0)), words, rest)
        return cast(cast(low, "uint64") + drawn, "int64")


def _word(value: int) -> Any:
    return as_tensor_variable(np.uint64(value))


class PhiloxStreams(RandomStreamsBase):
    """Random variables whose elements are functions of a key, a stream and an index.

    The function is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw 2011). Elements do not depend on
    each other. They are therefore the same for any number of threads, and a longer array begins
    with the elements of a shorter one. The state of a random variable, ``rv.rng``, is a shared
    vector of two uint64 numbers: the key, which is the seed, and the number of a stream, which
    increases in each call.

    Parameters
    ----------
    seed
        An integer from 0 to 2**64 - 1; None for a seed from the operating system.
    spawn_key
        Integers that distinguish processes or tasks with the same seed. If they are given, the key
        is the first word of ``numpy.random.SeedSequence(seed, spawn_key=spawn_key)``.

    Attributes
    ----------
    state_updates
        Pairs of the state of each random variable, and its update.
    default_instance_seed
        The seed.

    Raises
    ------
    TypeError, ValueError
        If the seed is outside this range, or the key not a sequence of non-negative integers.

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

    def __init__(self, seed: int | None = None, *, spawn_key: Sequence[int] = ()) -> None:
        self.state_updates: list[tuple[Any, Any]] = []
        self.default_instance_seed = seed
        self._spawn_key = checked_spawn_key(spawn_key, "PhiloxStreams")
        self._key = _key(seed, self._spawn_key)

    def __repr__(self) -> str:
        seed = self.default_instance_seed
        return f"{type(self).__name__}({'' if seed is None else seed})"

    def updates(self) -> list[tuple[Any, Any]]:
        return list(self.state_updates)

    def _state(self, number: int) -> np.ndarray[Any, Any]:
        """Return the first state of a random variable."""
        return np.array([self._key, number * CALLS], "uint64")

    def seed(self, seed: int | None = None, *, spawn_key: Sequence[int] | None = None) -> None:
        """Restart all random variables.

        Parameters
        ----------
        seed, spawn_key
            See the class; None for those of the instance.
        """
        key = self._spawn_key
        if spawn_key is not None:
            key = checked_spawn_key(spawn_key, "PhiloxStreams")
        self._key = _key(self.default_instance_seed if seed is None else seed, key)
        for k, (state, _) in enumerate(self.state_updates):
            state.set_value(self._state(k))

    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        state = shared(self._state(len(self.state_updates)), shape=(2,))
        state.tag.is_rng = True
        source = PhiloxSource(state[0], state[1])
        drawn = distribution(source, *args)
        state.default_update = stack([source.key, source.stream + _word(source.count)])
        drawn.rng, drawn.update = state, (state, state.default_update)
        self.state_updates.append(drawn.update)
        return drawn


def _key(seed: int | None, spawn_key: tuple[int, ...]) -> int:
    if seed is not None and not 0 <= seed < 2**64:
        raise ValueError(f"PhiloxStreams: the seed {seed} is not from 0 to 2**64 - 1")
    if seed is None or spawn_key:
        return int(spawned_words(seed, spawn_key, 1)[0])
    return int(seed)
