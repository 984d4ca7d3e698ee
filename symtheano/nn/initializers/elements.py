"""Initial values where each element is drawn, or given, like all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from symtheano.nn.initializers.base import Array, Initializer


@dataclass(frozen=True)
class Constant(Initializer):
    """All elements are ``value``.

    Parameters
    ----------
    value
        The number.

    Examples
    --------
    >>> Constant(0.5)((2,), "float64")
    array([0.5, 0.5])
    """

    value: float = 0.0

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the number."""
        return self.value


@dataclass(frozen=True)
class Zeros(Initializer):
    """All elements are 0: what biases begin with.

    Examples
    --------
    >>> Zeros()((2,), "float64")
    array([0., 0.])
    """

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return 0."""
        return 0.0


@dataclass(frozen=True)
class Ones(Initializer):
    """All elements are 1: what the scales of normalizations begin with.

    Examples
    --------
    >>> Ones()((2,), "float64")
    array([1., 1.])
    """

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return 1."""
        return 1.0


@dataclass(frozen=True, eq=False)
class Given(Initializer):
    """The elements of an array that has the shape of the parameter.

    Parameters
    ----------
    value
        The array.

    Examples
    --------
    >>> Given(np.array([1.0, 2.0]))((2,), "float64")
    array([1., 2.])
    """

    value: Any

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the array, if its shape is that of the parameter."""
        array = np.asarray(self.value)
        if array.shape != shape:
            raise ValueError(
                f"the initial value has shape {array.shape}, and the parameter has shape {shape}"
            )
        return array


@dataclass(frozen=True)
class Uniform(Initializer):
    """Uniform between ``low`` and ``high``.

    Parameters
    ----------
    low, high
        The bounds.

    Examples
    --------
    >>> bool((abs(Uniform(-0.1, 0.1)((100,), "float64", 0)) < 0.1).all())
    True
    """

    low: float = -0.05
    high: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return rng.uniform(self.low, self.high, shape)


@dataclass(frozen=True)
class Normal(Initializer):
    """Normal with mean ``mean`` and standard deviation ``std``.

    Parameters
    ----------
    mean, std
        The mean and the standard deviation.

    Examples
    --------
    >>> float(Normal(std=2.0)((10_000,), "float64", 0).std().round(1))
    2.0
    """

    mean: float = 0.0
    std: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return rng.normal(self.mean, self.std, shape)


@dataclass(frozen=True)
class TruncatedNormal(Initializer):
    """Normal, where numbers more than two ``std`` from the mean are drawn again.

    The standard deviation of the result is smaller, by the factor 0.8796.

    Parameters
    ----------
    mean, std
        The mean and the standard deviation before numbers are drawn again.

    Examples
    --------
    >>> float(abs(TruncatedNormal(std=1.0)((10_000,), "float64", 0)).max().round(1))
    2.0
    """

    mean: float = 0.0
    std: float = 0.05

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        return self.mean + self.std * truncated_normal(shape, rng)


def truncated_normal(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return standard normal numbers, where those beyond -2 and 2 are drawn again.

    Examples
    --------
    >>> truncated_normal((3,), np.random.default_rng(0)).shape
    (3,)
    """
    drawn = rng.standard_normal(shape).reshape(-1)
    outside = np.flatnonzero(np.abs(drawn) > 2)
    while outside.size:
        drawn[outside] = rng.standard_normal(outside.size)
        outside = outside[np.abs(drawn[outside]) > 2]
    return drawn.reshape(shape)


TRUNCATED_STD = 0.8796256610342398
"""Standard deviation of the standard normal distribution between -2 and 2."""
