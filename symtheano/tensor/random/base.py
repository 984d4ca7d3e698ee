"""The methods that all streams of random variables have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from symtheano.tensor.random import distributions


class RandomStreamsBase(ABC):
    """Random variables of common distributions.

    In all methods, ``size`` is a length, a list of lengths or a vector of them, and ``ndim`` their
    number, which is needed if it is not known otherwise. Without a size, the variable has the shape
    of the parameters, which are broadcast. ``dtype`` is floatX by default, or a wider one of the
    parameters.
    """

    @abstractmethod
    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        """Return a random variable of a distribution.

        Parameters
        ----------
        distribution
            Function of a source of random numbers, and ``args``.
        args
            Its other arguments.
        """

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

    def exponential(
        self, size: Any = None, scale: Any = 1.0, ndim: int | None = None, dtype: Any = None
    ) -> Any:
        """Return exponential numbers with mean ``scale``."""
        return self.draw(distributions.exponential, size, scale, ndim, dtype)

    def random_integers(
        self, size: Any = None, low: Any = 0, high: Any = 1, ndim: int | None = None,
        dtype: Any = "int64",
    ) -> Any:  # fmt: skip
        """Return integers from ``low`` to ``high``, which are both possible."""
        return self.draw(distributions.integers, size, low, high, ndim, dtype)
