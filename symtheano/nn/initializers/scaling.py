"""Initializers whose variance depends on the numbers of inputs and outputs of a unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any, ClassVar

import numpy as np

from symtheano.nn.initializers.base import Initializer
from symtheano.nn.initializers.elements import TRUNCATED_STD, truncated_normal


def fans(shape: Sequence[int], axes: tuple[int, int] | None = None) -> tuple[int, int]:
    """Return fan-in and fan-out: the number of inputs of a unit, and the number of outputs.

    Parameters
    ----------
    shape
        The shape of the weights.
    axes
        The axis of the inputs and the axis of the outputs. By default, matrices have the shape
        (inputs, outputs), as in dense layers. Arrays with more axes have the shape (outputs,
        inputs, *window), as in convolutions. If a convolution has groups, the inputs are those of
        one group.

    Returns
    -------
    The two numbers. All other axes are part of the window, and both numbers are multiplied by its
    size. For a vector, both numbers are its length; for an array without axes, both are 1.

    Raises
    ------
    ValueError
        If an axis does not exist, or both axes are the same.

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
    """Base class of initializers that draw numbers with the variance ``gain**2 * scale / fan``.

    Parameters
    ----------
    gain
        The factor of all numbers. The default is 1.
    axes
        The axis of the inputs and the axis of the outputs. By default, matrices have the shape
        (inputs, outputs), and arrays with more axes have the shape (outputs, inputs, *window).

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
        """Convert a list of axes, which JSON has, to a tuple."""
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
    """Draws uniform numbers between ``±gain * sqrt(6 / (fan_in + fan_out))``.

    The fans are the numbers of inputs and outputs of a unit. The initializer is also called Xavier.
    See Glorot and Bengio, 2010, Understanding the difficulty of training deep feedforward neural
    networks.

    Examples
    --------
    >>> float(abs(GlorotUniform()((100, 50), "float64", 0)).max().round(2))
    0.2
    """


class GlorotNormal(VarianceScaling):
    """Draws normal numbers with the standard deviation ``gain * sqrt(2 / (fan_in + fan_out))``.

    The fans are the numbers of inputs and outputs of a unit. As in Keras, the distribution is
    truncated: numbers beyond two standard deviations are drawn again. The distribution is made
    wider before, so that the result has the standard deviation above. The initializer is also
    called Xavier. See Glorot and Bengio, 2010, Understanding the difficulty of training deep
    feedforward neural networks.

    Examples
    --------
    >>> float(GlorotNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    distribution = "normal"


class HeUniform(VarianceScaling):
    """Draws uniform numbers between ``±gain * sqrt(6 / fan_in)``, for layers with ``relu``.

    ``fan_in`` is the number of inputs of a unit. See He et al., 2015, Delving deep into rectifiers.

    Examples
    --------
    >>> float(abs(HeUniform()((150, 50), "float64", 0)).max().round(2))
    0.2
    """

    scale, fan = 2.0, "in"


class HeNormal(VarianceScaling):
    """Draws normal numbers with the standard deviation ``gain * sqrt(2 / fan_in)``.

    The initializer suits layers with ``relu``. ``fan_in`` is the number of inputs of a unit. The
    distribution is truncated as in :class:`GlorotNormal`. See He et al., 2015, Delving deep into
    rectifiers.

    Examples
    --------
    >>> float(HeNormal()((200, 100), "float64", 0).std().round(2))
    0.1
    """

    scale, fan, distribution = 2.0, "in", "normal"


class LeCunUniform(VarianceScaling):
    """Draws uniform numbers between ``±gain * sqrt(3 / fan_in)``.

    ``fan_in`` is the number of inputs of a unit. See LeCun et al., 1998, Efficient backprop.

    Examples
    --------
    >>> float(abs(LeCunUniform()((75, 50), "float64", 0)).max().round(2))
    0.2
    """

    fan = "in"


class LeCunNormal(VarianceScaling):
    """Draws normal numbers with the standard deviation ``gain * sqrt(1 / fan_in)``.

    The initializer suits layers with ``selu``. ``fan_in`` is the number of inputs of a unit. The
    distribution is truncated as in :class:`GlorotNormal`. See LeCun et al., 1998, Efficient
    backprop, and Klambauer et al., 2017, Self-normalizing neural networks.

    Examples
    --------
    >>> float(LeCunNormal()((100, 100), "float64", 0).std().round(2))
    0.1
    """

    fan, distribution = "in", "normal"
