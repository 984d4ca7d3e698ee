"""Random numbers whose variance depends on the numbers of inputs and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, ClassVar

import numpy as np

from symtheano.nn.initializers.base import Initializer
from symtheano.nn.initializers.elements import TRUNCATED_STD, truncated_normal


def fans(shape: Sequence[int], axes: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return how many inputs a unit has, and how many outputs an input has: fan-in and fan-out.

    Parameters
    ----------
    shape
        Shape of the weights.
    axes
        The axis of inputs and the axis of outputs. By default, those of a dense layer for matrices
        (inputs, outputs), and those of a convolution for more axes (outputs, inputs, *window).
        Where a convolution has groups, its inputs are those of one group.

    Returns
    -------
    The two numbers. Each axis that is neither of the two is part of the window, and multiplies
    both. A vector has as many inputs as outputs; an array without axes has one.

    Raises
    ------
    ValueError
        If there is no such axis, or both are one.

    Examples
    --------
    >>> fans((784, 100)), fans((16, 3, 5, 5)), fans((100, 784), axes=(1, 0))
    ((784, 100), (75, 400), (784, 100))
    """
    shape = tuple(shape)
    if len(shape) < 2:
        length = shape[0] if shape else 1
        return length, length
    inputs, outputs = axes if axes is not None else (0, 1) if len(shape) == 2 else (1, 0)
    n = len(shape)
    if not (-n <= inputs < n and -n <= outputs < n) or inputs % n == outputs % n:
        raise ValueError(
            f"axes ({inputs}, {outputs}) of inputs and outputs are not two axes of shape {shape}"
        )
    window = prod(size for axis, size in enumerate(shape) if axis not in (inputs % n, outputs % n))
    return shape[inputs] * window, shape[outputs] * window


@dataclass(frozen=True)
class VarianceScaling(Initializer):
    """Random numbers whose variance is ``scale / fan``: the base of Glorot, He and LeCun.

    Parameters
    ----------
    gain
        Factor of all numbers.
    axes
        Axes of inputs and outputs, see :func:`fans`.

    Examples
    --------
    >>> class Narrow(VarianceScaling):
    ...     scale, fan, distribution = 0.1, "in", "uniform"
    >>> float((12 * Narrow()((1000, 10), "float64", 0).std() ** 2 * 1000).round(1))
    1.2
    """

    gain: float = 1.0
    axes: tuple[int, int] | None = None

    scale: ClassVar[float] = 1.0
    fan: ClassVar[str] = "average"
    distribution: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        """Take a list of axes, as JSON has it."""
        if self.axes is not None:
            object.__setattr__(self, "axes", tuple(self.axes))

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Draw numbers."""
        inputs, outputs = fans(shape, self.axes)
        fan = {"in": inputs, "out": outputs, "average": (inputs + outputs) / 2}[self.fan]
        std = self.gain * sqrt(self.scale / max(fan, 1))
        if self.distribution == "uniform":
            return std * sqrt(3.0) * rng.uniform(-1.0, 1.0, shape)
        return std / TRUNCATED_STD * truncated_normal(shape, rng)


class GlorotUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(6 / (fan_in + fan_out))``.

    See Glorot and Bengio, 2010, Understanding the difficulty of training deep feedforward neural
    networks.

    Examples
    --------
    >>> float(abs(GlorotUniform()((100, 50), "float64", 0)).max().round(2))
    0.2
    """


class GlorotNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(2 / (fan_in + fan_out))``.

    See Glorot and Bengio, 2010. As in Keras, no number is larger than two standard deviations of
    the distribution before it is cut off, which is so wide that the result has the variance above.

    Examples
    --------
    >>> float(GlorotNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    distribution = "normal"


class HeUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(6 / fan_in)``: for layers with relu.

    See He et al., 2015, Delving deep into rectifiers.

    Examples
    --------
    >>> float(abs(HeUniform()((150, 50), "float64", 0)).max().round(2))
    0.2
    """

    scale, fan = 2.0, "in"


class HeNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(2 / fan_in)``: for layers with relu.

    See He et al., 2015; and :class:`GlorotNormal` about where it is cut off.

    Examples
    --------
    >>> float(HeNormal()((200, 100), "float64", 0).std().round(2))
    0.1
    """

    scale, fan, distribution = 2.0, "in", "normal"


class LeCunUniform(VarianceScaling):
    """Uniform within ``±gain * sqrt(3 / fan_in)``.

    See LeCun et al., 1998, Efficient backprop.

    Examples
    --------
    >>> float(abs(LeCunUniform()((75, 50), "float64", 0)).max().round(2))
    0.2
    """

    fan = "in"


class LeCunNormal(VarianceScaling):
    """Truncated normal with standard deviation ``gain * sqrt(1 / fan_in)``: for layers with selu.

    See LeCun et al., 1998, and Klambauer et al., 2017, Self-normalizing neural networks.

    Examples
    --------
    >>> float(LeCunNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    fan, distribution = "in", "normal"
