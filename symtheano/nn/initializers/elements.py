"""Initializers that treat all elements alike, and arrays of initial values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from symtheano.nn.initializers.base import Array, Initializer


@dataclass(frozen=True)
class Constant(Initializer):
    """Sets all elements to one number.

    Parameters
    ----------
    value
        The number. The default is 0.

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
    """Sets all elements to 0. Biases begin with it by default.

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
    """Sets all elements to 1. The scales of normalization layers begin with it by default.

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
    """Sets the elements to those of an array.

    Parameters
    ----------
    value
        The array. It must have the shape of the parameter.

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
                f"the initial value has shape {array.shape}, but the parameter has shape {shape}"
            )
        return array


@dataclass(frozen=True)
class Uniform(Initializer):
    """Draws uniformly distributed numbers.

    Parameters
    ----------
    low, high
        The smallest and the largest number. The defaults are -0.05 and 0.05.

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
    """Draws normally distributed numbers.

    Parameters
    ----------
    mean, std
        The mean and the standard deviation. The defaults are 0 and 0.05.

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
    """Draws normally distributed numbers within two standard deviations of the mean.

    Numbers outside of this range are drawn again. The standard deviation of the result is therefore
    ``0.8796 * std``.

    Parameters
    ----------
    mean, std
        The mean and the standard deviation of the normal distribution. The defaults are 0 and 0.05.

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
    """Return standard normal numbers between -2 and 2. Numbers outside are drawn again.

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
"""Standard deviation of the standard normal distribution truncated to the range from -2 to 2."""
