"""MRG_RandomStreams: random variables drawn from streams of MRG31k3p."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.config import config
from symtheano.graph.variable import Constant
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Require
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.random import discrete, distributions
from symtheano.tensor.random.base import RandomStreamsBase, checked_spawn_key, spawned_words
from symtheano.tensor.random.boxmuller import box_muller
from symtheano.tensor.random.mrg31k3p import M1, M2, jumped, spaced
from symtheano.tensor.random.mrg_op import MRGUniform
from symtheano.tensor.random.seeded import SeededSource, is_one, one_outcome
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.reshape import reshape
from symtheano.tensor.shapes.shape import as_dim, dims_product, static_dims
from symtheano.tensor.sharedvar import shared

MOST_STREAMS = 60 * 256
"""The number of streams of an array whose size is unknown."""


def guess_n_streams(size: Any, warn: bool = False) -> int:
    """Return the number of streams for an array: a sixth of its elements, but at most 60 * 256.

    Parameters
    ----------
    size
        The shape of the array. If it contains variables, the result is the largest number.
    warn
        Has no effect.

    Examples
    --------
    >>> guess_n_streams((30, 40)), guess_n_streams((3,)), guess_n_streams((1000, 1000))
    (200, 3, 15360)
    """
    if not isinstance(size, tuple | list) or not all(isinstance(n, int) for n in size):
        return MOST_STREAMS
    count = int(np.prod(size, dtype="int64"))
    return min(max(count // 6 if count > 6 else count, 1), MOST_STREAMS)


class MRGSource(SeededSource):
    """Streams of MRG31k3p, with which one random variable is drawn.

    Parameters
    ----------
    streams
        Where streams come from.
    nstreams
        Their number, or None to guess it for each array.
    """

    def __init__(self, streams: MRG_RandomStreams, nstreams: int | None) -> None:
        self.streams, self.nstreams = streams, nstreams
        self.updates: list[tuple[Any, Any]] = []

    def random(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return uniform numbers from (0, 1)."""
        return self._random(dims, dtype, self.streams.n_streams(static_dims(dims)))

    def _random(self, dims: Sequence[Any], dtype: str, guess: int = MOST_STREAMS) -> Any:
        """Return uniform numbers from ``guess`` streams if their number is not given."""
        size, count = static_dims(dims), self.nstreams or guess
        states = shared(self.streams.get_substream_rstates(count))
        states.tag.is_rng = True
        after, numbers = MRGUniform(dtype)(states, *dims)
        states.default_update = after
        self.streams.state_updates.append((states, after, size, self.nstreams))
        self.updates.append((states, after))
        return numbers

    def standard_normal(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return normal numbers, by the method of Box and Muller."""
        count = _count(dims)
        half = (count + 1) // 2
        uniform = self._random(_dims(2 * half), dtype)
        if isinstance(count, int) and count == 1:
            return reshape(box_muller(uniform[0], uniform[1])[0], dims, ndim=len(dims))
        pairs = box_muller(uniform[:half], uniform[half:])
        return reshape(join(0, *pairs)[:count], dims, ndim=len(dims))

    def binomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of successes; one trial compares a number of dtype floatX."""
        if not is_one(n):
            return super().binomial(dims, n, p)
        return cast(scalar.lt(self.random(dims, _float()), p), "int64")

    def multinomial(self, dims: Sequence[Any], n: Any, p: Any) -> Any:
        """Return int64 numbers of outcomes, along the last axis; see :meth:`binomial`."""
        if not is_one(n):
            return super().multinomial(dims, n, p)
        return one_outcome(self._random(dims[:-1], _float()), p)

    def standard_exponential(self, dims: Sequence[Any], dtype: str) -> Any:
        """Return exponential numbers with mean 1."""
        return -scalar.log(self.random(dims, dtype))

    def seeds(self, dims: Sequence[Any]) -> Any:
        """Return words of two numbers each, which have 31 bits."""
        numbers = cast(self.random([*dims, as_dim(2), as_dim(2)], "float64") * 2.0**31, "uint64")
        shifts = as_tensor_variable(np.array([33, 2], "uint64"))
        return scalar.left_shift(numbers, shifts).sum(-1)

    def integers(self, dims: Sequence[Any], low: Any, high: Any) -> Any:
        """Return int64 numbers between two bounds, which are both possible.

        There are at most 2**31 of them, since a number has 31 bits.
        """
        count = cast(high, "float64") - cast(low, "float64") + 1
        count = Require("random_integers: MRG31k3p draws from at most 2**31 integers")(
            count, scalar.le(count, 2.0**31)
        )
        return low + cast(scalar.floor(self.random(dims, "float64") * count), "int64")


def _float() -> str:
    """Return floatX, or float32 instead of float16, of which no numbers are drawn."""
    return "float64" if config.floatX == "float64" else "float32"


def _count(dims: Sequence[Any]) -> Any:
    """Return the number of elements, as an int if it is known."""
    lengths = [int(dim.data) if isinstance(dim, Constant) else dim for dim in dims]
    return dims_product(lengths)


def _dims(count: Any) -> list[Any]:
    return [cast(as_tensor_variable(count), "int64")]


class MRG_RandomStreams(RandomStreamsBase):
    """Random variables drawn from streams of MRG31k3p, the generator of Theano's class.

    The numbers are those of the published generator (L'Ecuyer and Touzin 2000). A random variable
    has a matrix of states, with one row for each of its streams. Its elements are drawn from the
    streams in turn. The matrix is a shared variable with a default update. Streams of one variable
    are 2**72 numbers apart, those of different variables 2**134.

    Uniform and normal numbers, binomial and multinomial ones of one trial are those of Theano. The
    argument ``target`` of the methods, the device of the states in Theano, has no effect.

    Parameters
    ----------
    seed
        An integer from 1 to 2**31 - 21070; or six integers, three for each recurrence that are not
        all 0.
    spawn_key
        Integers that distinguish processes or tasks with the same seed. If they are given,
        ``rstate`` consists of words of ``numpy.random.SeedSequence(seed, spawn_key=spawn_key)``.

    Attributes
    ----------
    rstate
        The state from which the streams of the next variable start.
    state_updates
        For each matrix of states: its variable, its update, the size of the random variable, and
        ``nstreams``.

    Raises
    ------
    TypeError, ValueError
        If the seed or the key is not as described.

    Examples
    --------
    >>> from symtheano import function
    >>> srng = MRG_RandomStreams(seed=12345)
    >>> f = function([], srng.uniform((2,), dtype="float64"))
    >>> [(f() * 2**31).astype(int).tolist() for _ in range(2)]
    [[1579097239, 555271803], [1319000434, 2037957747]]
    """

    def __init__(self, seed: Any = 12345, *, spawn_key: Sequence[int] = ()) -> None:
        self.state_updates: list[tuple[Any, Any, tuple[int | None, ...], int | None]] = []
        self.default_instance_seed = seed
        self._spawn_key = checked_spawn_key(spawn_key, "MRG_RandomStreams")
        self.rstate = np.zeros(6, "int32")
        self.set_rstate(seed, self._spawn_key)

    # -- states --------------------------------------------------------------------------------

    def set_rstate(self, seed: Any, spawn_key: Sequence[int] = ()) -> None:
        """Set the state from which the streams of the next variable start; see the class."""
        if isinstance(seed, int | np.integer):
            seed = [seed] * 6
        words = [int(word) for word in seed] if np.ndim(seed) == 1 else []
        if len(words) != 6:
            raise TypeError(
                f"MRG_RandomStreams: the seed must be one integer or six integers, not {seed!r}"
            )
        for part, modulus in ((words[:3], M1), (words[3:], M2)):
            if not all(0 <= word < modulus for word in part) or not any(part):
                raise ValueError(
                    f"MRG_RandomStreams: {part} can't be part of a seed: the numbers are below "
                    f"{modulus}, not negative, and not all 0"
                )
        key = checked_spawn_key(spawn_key, "MRG_RandomStreams")
        if key:
            moduli = np.array([M1 - 1] * 3 + [M2 - 1] * 3, "uint64")
            words = (1 + spawned_words(words, key, 6) % moduli).tolist()
        self.rstate = np.array(words, "int32")

    def inc_rstate(self) -> None:
        """Advance the state of the next streams by 2**134 numbers."""
        self.rstate = jumped(self.rstate[None], 2**134)[0]

    def get_substream_rstates(
        self, n_streams: int, dtype: Any = None, inc_rstate: bool = True
    ) -> np.ndarray[Any, Any]:
        """Return the states of streams, an int32 matrix with one row for each stream.

        Parameters
        ----------
        n_streams
            The number of streams, which are 2**72 numbers apart.
        dtype
            Has no effect.
        inc_rstate
            Whether to advance the state for the next streams.
        """
        states = spaced(self.rstate, n_streams, 2**72)
        if inc_rstate:
            self.inc_rstate()
        return states

    def n_streams(self, size: Any) -> int:
        """Return the number of streams for an array of a size."""
        return guess_n_streams(size)

    def seed(self, seed: Any = None, *, spawn_key: Sequence[int] | None = None) -> None:
        """Restart all random variables.

        Parameters
        ----------
        seed, spawn_key
            See the class; None for those of the instance.
        """
        key = self._spawn_key if spawn_key is None else spawn_key
        self.set_rstate(self.default_instance_seed if seed is None else seed, key)
        for states, _, _, _ in self.state_updates:
            states.set_value(self.get_substream_rstates(states.get_value(borrow=True).shape[0]))

    def updates(self) -> list[tuple[Any, Any]]:
        """Return pairs of states and their updates."""
        return [(states, after) for states, after, _, _ in self.state_updates]

    # -- random variables ------------------------------------------------------------------------

    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        return self._drawn(None, distribution, *args)

    def _drawn(self, nstreams: int | None, distribution: Callable[..., Any], *args: Any) -> Any:
        source = MRGSource(self, nstreams)
        drawn = distribution(source, *args)
        if len(source.updates) == 1:
            drawn.rstate, drawn.update = source.updates[0][0], source.updates[0]
        return drawn

    def uniform(
        self, size: Any = None, low: Any = 0.0, high: Any = 1.0, ndim: int | None = None,
        dtype: Any = None, nstreams: int | None = None, *, target: Any = None,
    ) -> Any:  # fmt: skip
        """Return uniform numbers between ``low`` and ``high``, drawn from ``nstreams`` streams."""
        return self._drawn(nstreams, distributions.uniform, size, low, high, ndim, dtype)

    def normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
        dtype: Any = None, nstreams: int | None = None, truncate: bool = False, *,
        target: Any = None,
    ) -> Any:  # fmt: skip
        """Return normal numbers, by the method of Box and Muller.

        With ``truncate``, they are at most ``2 * std`` from ``avg``.
        """
        if not truncate:
            return self._drawn(nstreams, distributions.normal, size, avg, std, ndim, dtype)
        return self._drawn(nstreams, distributions.truncated, size, avg, std, ndim, dtype)

    def truncated_normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
        dtype: Any = None, nstreams: int | None = None, *, target: Any = None,
    ) -> Any:  # fmt: skip
        return self._drawn(nstreams, distributions.truncated_normal, size, avg, std, ndim, dtype)

    def binomial(
        self, size: Any = None, n: Any = 1, p: Any = 0.5, ndim: int | None = None,
        dtype: Any = "int64", nstreams: int | None = None, *, prob: Any = None,
        target: Any = None,
    ) -> Any:  # fmt: skip
        return self._drawn(nstreams, discrete.binomial, size, n, p, ndim, dtype, prob)

    def multinomial(
        self, size: Any = None, n: Any = 1, pvals: Any = (0.5, 0.5), ndim: int | None = None,
        dtype: Any = "int64", nstreams: int | None = None, *, target: Any = None,
    ) -> Any:  # fmt: skip
        return self._drawn(nstreams, discrete.multinomial, size, n, pvals, ndim, dtype)

    def choice(
        self, size: Any = 1, a: Any = None, replace: bool = True, p: Any = None,
        ndim: int | None = None, dtype: Any = "int64", nstreams: int | None = None, *,
        target: Any = None,
    ) -> Any:  # fmt: skip
        """Return random items of the vector ``a``, or of the integers below ``a``.

        Parameters
        ----------
        size, ndim, dtype, nstreams
            Properties of the result. With a matrix of probabilities, ``size`` is the number of
            items that are drawn for each row.
        a
            The items, or their number; None for the number of probabilities.
        replace
            Whether an item may be drawn more than once. Ignored for a matrix of probabilities: the
            items of a row are always different.
        p
            Probabilities of the items: a vector, or a matrix with one distribution per row.
        """
        if p is not None and as_tensor_variable(p).ndim == 2:
            if a is not None:
                raise TypeError("choice: items of rows of probabilities are numbers; omit a")
            return self._drawn(nstreams, discrete.choice_in_rows, size, p, dtype)
        if a is None:
            if p is None:
                raise TypeError("choice: give the items, a, or their probabilities, p")
            a = as_tensor_variable(p).shape[0]
        return self._drawn(nstreams, discrete.choice, size, a, replace, p, ndim, dtype)

    def multinomial_wo_replacement(
        self, size: Any = None, n: Any = 1, pvals: Any = None, ndim: int | None = None,
        dtype: Any = "int64", nstreams: int | None = None, *, target: Any = None,
    ) -> Any:  # fmt: skip
        """Return ``n`` different items of each row of probabilities."""
        if size is not None:
            raise ValueError("multinomial_wo_replacement: size is that of pvals; omit it")
        return self.choice(n, None, False, pvals, ndim, dtype, nstreams)


MRG_RandomStream = MRG_RandomStreams
