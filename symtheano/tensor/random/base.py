"""The methods that all streams of random variables have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.errors import describe_value
from symtheano.tensor.random import discrete, distributions


def checked_spawn_key(value: Any, streams: str) -> tuple[int, ...]:
    """Return the key of a process or a task, as ``numpy.random.SeedSequence`` takes it.

    Raises
    ------
    TypeError, ValueError
        If it is not a sequence of non-negative integers.

    Examples
    --------
    >>> checked_spawn_key([3], "RandomStreams")
    (3,)
    """
    try:
        words = [word.__index__() for word in value]
    except (TypeError, AttributeError):
        raise TypeError(
            f"{streams}: the spawn_key must be a sequence of integers, such as (0,), "
            f"not {describe_value(value)}"
        ) from None
    if any(word < 0 for word in words):
        raise ValueError(f"{streams}: the spawn_key {tuple(words)} has a negative number")
    return tuple(words)


def spawned_words(seed: Any, spawn_key: tuple[int, ...], count: int) -> np.ndarray[Any, Any]:
    """Return words of 64 bits from a seed and a key, by NumPy's definition."""
    return np.random.SeedSequence(seed, spawn_key=spawn_key).generate_state(count, "uint64")


class RandomStreamsBase(ABC):
    """Random variables of common distributions.

    In all methods, ``size`` is a length, a list of lengths or a vector of lengths. ``ndim`` is the
    number of lengths; give it if ``size`` is a vector of unknown length. Without a size, the
    variable has the broadcast shape of the parameters. ``dtype`` is floatX by default, or the dtype
    of a parameter if that is wider.
    """

    @abstractmethod
    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        """Return a random variable of a distribution.

        Parameters
        ----------
        distribution
            Function of a source of random numbers and of ``args``.
        args
            Its other arguments.
        """

    @abstractmethod
    def updates(self) -> list[tuple[Any, Any]]:
        """Return the pairs of states and their updates."""

    def get_state(self) -> list[Any]:
        """Return copies of the states of all random variables, as arrays."""
        return [state.get_value(return_internal_type=True).copy() for state, _ in self.updates()]

    def set_state(self, states: Sequence[Any]) -> None:
        """Set the states of all random variables to those returned by :meth:`get_state`.

        Raises
        ------
        ValueError
            If the number of states is not the number of random variables.
        """
        variables = [state for state, _ in self.updates()]
        if len(states) != len(variables):
            raise ValueError(
                f"set_state: there are {len(variables)} random variables, and {len(states)} states"
            )
        for variable, state in zip(variables, states, strict=True):
            variable.set_value(state)

    def uniform(
        self, size: Any = None, low: Any = 0.0, high: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers from [low, high)."""
        return self.draw(distributions.uniform, size, low, high, ndim, dtype)

    def normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return normal numbers with mean ``avg`` and standard deviation ``std``."""
        return self.draw(distributions.normal, size, avg, std, ndim, dtype)

    def truncated_normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers of a truncated normal distribution with standard deviation ``std``."""
        return self.draw(distributions.truncated_normal, size, avg, std, ndim, dtype)

    def exponential(
        self, size: Any = None, scale: Any = 1.0, ndim: int | None = None, dtype: Any = None
    ) -> Any:
        """Return exponential numbers with mean ``scale``."""
        return self.draw(distributions.exponential, size, scale, ndim, dtype)

    def random_integers(
        self, size: Any = None, low: Any = 0, high: Any = 1, ndim: int | None = None,
        dtype: Any = "int64",
    ) -> Any:  # fmt: skip
        """Return integers from ``low`` to ``high``, both included."""
        return self.draw(discrete.integers, size, low, high, ndim, dtype)

    def gamma(
        self, size: Any = None, shape: Any = 1.0, scale: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers of gamma distributions, with mean ``shape * scale``."""
        return self.draw(distributions.gamma, size, shape, scale, ndim, dtype)

    def beta(
        self, size: Any = None, a: Any = 1.0, b: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers of beta distributions, with mean ``a / (a + b)``."""
        return self.draw(distributions.beta, size, a, b, ndim, dtype)

    def laplace(
        self, size: Any = None, loc: Any = 0.0, scale: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers of Laplace distributions, with mean ``loc``."""
        return self.draw(distributions.laplace, size, loc, scale, ndim, dtype)

    def binomial(
        self, size: Any = None, n: Any = 1, p: Any = 0.5, ndim: int | None = None,
        dtype: Any = "int64", *, prob: Any = None,
    ) -> Any:  # fmt: skip
        """Return numbers of successes in ``n`` trials of probability ``p`` (or ``prob``)."""
        return self.draw(discrete.binomial, size, n, p, ndim, dtype, prob)

    def poisson(
        self, size: Any = None, lam: Any = 1.0, ndim: int | None = None, dtype: Any = "int64"
    ) -> Any:
        """Return Poisson numbers with mean ``lam``."""
        return self.draw(discrete.poisson, size, lam, ndim, dtype)

    def multinomial(
        self, size: Any = None, n: Any = 1, pvals: Any = (0.5, 0.5), ndim: int | None = None,
        dtype: Any = "int64",
    ) -> Any:  # fmt: skip
        """Return counts of the outcomes of ``n`` trials, along an additional axis.

        ``pvals`` are the probabilities of the outcomes, along the last axis.
        """
        return self.draw(discrete.multinomial, size, n, pvals, ndim, dtype)

    def choice(
        self, size: Any = None, a: Any = 2, replace: bool = True, p: Any = None,
        ndim: int | None = None, dtype: Any = "int64",
    ) -> Any:  # fmt: skip
        """Return random items of the vector ``a``, or of the integers below ``a``.

        ``p`` are the probabilities of the items. ``replace``: whether an item may occur more than
        once.
        """
        return self.draw(discrete.choice, size, a, replace, p, ndim, dtype)

    def permutation(
        self, size: Any = None, n: Any = 1, ndim: int | None = None, dtype: Any = "int64"
    ) -> Any:
        """Return permutations of the integers below ``n``, along an additional last axis."""
        return self.draw(discrete.permutation, size, n, ndim, dtype)

    def shuffle_row_elements(self, input: Any) -> Any:
        """Return an array with the elements of each row in a random order."""
        return self.draw(discrete.shuffle_row_elements, input)
