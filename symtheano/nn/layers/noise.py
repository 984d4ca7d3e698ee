"""Layers that change arrays at random in training, and return them unchanged at test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import like, setting
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.randomness import drop
from symtheano.nn.values import Format, Shape

SELU_LIMIT = -1.7580993408473766
"""The limit of selu at minus infinity: ``-scale * alpha``."""


@dataclass(eq=False)
class Dropout(Layer):
    """Dropout: sets random elements to zero in training.

    The other elements are divided by ``1 - rate``, so the mean does not change. At test, the input
    is returned unchanged. See Srivastava et al., 2014, Dropout: A Simple Way to Prevent Neural
    Networks from Overfitting.

    Parameters
    ----------
    rate
        The probability that an element is set to zero, at least 0 and below 1. The default is 0.5.
    shared_axes
        The axes along which all elements are kept or dropped together. Axis 0 is the batch. For
        example, ``(2, 3)`` drops whole channels of images of shape (channels, rows, columns).

    Examples
    --------
    >>> y = nn.Dropout(0.5)(nn.Input((3,), seed=0))
    >>> y.test is y.inputs[0].test, y.train is y.test
    (True, False)
    """

    rate: float = 0.5
    shared_axes: tuple[int, ...] = ()

    differs = True
    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.rate)

    def apply(self, *inputs: Any, training: bool) -> Any:
        if not training or not self.rate:
            return inputs[0]
        streams = self.streams
        return drop(inputs[0], streams, self.rate, shared_axes=self.shared_axes)


@dataclass(eq=False)
class SpatialDropout(Dropout, ImageLayer):
    """Base class of dropout layers that drop whole channels.

    Parameters
    ----------
    rate
        The probability that a channel is set to zero, at least 0 and below 1. The default is 0.5.
    shared_axes
        The axes along which all elements are kept or dropped together, numbered as if the channels
        were first: all axes after the channels. There is no need to set it.
    """

    def shape_of_first(self, shape: Shape) -> Shape:
        if len(shape) != self.axes + 1:
            raise self.axes_error(shape)
        return shape

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return Layer.output_format(self, self.data_format or data_format, shapes, shape)

    def apply(self, *inputs: Any, training: bool) -> Any:
        if not training or not self.rate:
            return inputs[0]
        before = 1 if self.channels_are_last else 0
        shared = tuple(axis - before for axis in self.shared_axes)
        return drop(inputs[0], self.streams, self.rate, shared_axes=shared)


@dataclass(eq=False)
class SpatialDropout1D(SpatialDropout):
    """Dropout of whole channels of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels). Use this format for
    sequences of shape (steps, features).

    Channels that are kept are divided by ``1 - rate``. At test, the input is returned unchanged.
    See Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks.

    Examples
    --------
    >>> nn.SpatialDropout1D(0.2)(nn.Input((4, 8)))
    Value(float32, (n, 4, 8) of spatial_dropout1d)
    """

    shared_axes: tuple[int, ...] = (2,)

    axes = 1


@dataclass(eq=False)
class SpatialDropout2D(SpatialDropout):
    """Dropout of whole channels of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels). Channels that
    are kept are divided by ``1 - rate``. At test, the input is returned unchanged.

    Examples
    --------
    >>> nn.SpatialDropout2D(0.2)(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 8, 8) of spatial_dropout2d)
    """

    shared_axes: tuple[int, ...] = (2, 3)

    axes = 2


@dataclass(eq=False)
class SpatialDropout3D(SpatialDropout):
    """Dropout of whole channels of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).
    Channels that are kept are divided by ``1 - rate``. At test, the input is returned unchanged.

    Examples
    --------
    >>> nn.SpatialDropout3D(0.2)(nn.Input((3, 4, 8, 8)))
    Value(float32, (n, 3, 4, 8, 8) of spatial_dropout3d)
    """

    shared_axes: tuple[int, ...] = (2, 3, 4)

    axes = 3


@dataclass(eq=False)
class AlphaDropout(Dropout):
    """Dropout for networks with the activation function ``selu``.

    In training, random elements are set to the limit of ``selu`` at minus infinity, about -1.758.
    All elements are then scaled and shifted, so that inputs with mean 0 and variance 1 keep this
    mean and variance. See Klambauer et al., 2017, Self-Normalizing Neural Networks.

    Parameters
    ----------
    rate
        The probability that an element is replaced, at least 0 and below 1. The default is 0.5.
    shared_axes
        The axes along which all elements are kept or replaced together. Axis 0 is the batch.

    Examples
    --------
    >>> nn.AlphaDropout(0.1)(nn.Input((3,)))
    Value(float32, (n, 3) of alpha_dropout)
    """

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        if not training or not self.rate:
            return x
        ones = T.ones_like(x)
        stays = drop(ones, self.streams, self.rate, shared_axes=self.shared_axes, rescale=False)
        keep = 1 - self.rate
        factor = (keep + SELU_LIMIT**2 * keep * self.rate) ** -0.5
        scale = setting("scale", factor, x.dtype)
        offset = setting("offset", -factor * SELU_LIMIT * self.rate, x.dtype)
        limit = like(SELU_LIMIT, x)
        return scale * (x * stays + limit * (ones - stays)) + offset


@dataclass(eq=False)
class GaussianNoise(Layer):
    """Adds normally distributed noise with mean 0 in training.

    At test, the input is returned unchanged.

    Parameters
    ----------
    stddev
        The standard deviation of the noise, at least 0. The default is 0.1.
    """

    stddev: float = 0.1

    differs = True
    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_number(self.stddev) or not self.stddev >= 0:
            raise self.error(f"stddev must be a number of at least 0, not {self.stddev!r}")

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        if not training:
            return x
        noise = self.streams.normal(x.shape, ndim=x.ndim, dtype=x.dtype)
        return x + setting("stddev", self.stddev, x.dtype) * noise


@dataclass(eq=False)
class GaussianDropout(Layer):
    """Multiplies elements by normally distributed noise with mean 1 in training.

    At test, the input is returned unchanged. See Srivastava et al., 2014, Dropout, section 10.

    Parameters
    ----------
    rate
        The noise has the variance ``rate / (1 - rate)``, as in :class:`Dropout` with this rate. At
        least 0 and below 1; the default is 0.5.
    """

    rate: float = 0.5

    differs = True
    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.rate)

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        if not training or not self.rate:
            return x
        deviation = setting("deviation", (self.rate / (1 - self.rate)) ** 0.5, x.dtype)
        noise = self.streams.normal(x.shape, ndim=x.ndim, dtype=x.dtype)
        return x * (deviation * noise + T.ones_like(noise))


@dataclass(eq=False)
class DropConnect(Dense):
    """Fully connected layer that sets random elements of its kernel to zero in training.

    The other elements are divided by ``1 - rate``. All samples of a batch have the same zeros. See
    Wan et al., 2013, Regularization of Neural Networks using DropConnect.

    Parameters
    ----------
    rate
        The probability that an element of the kernel is set to zero, at least 0 and below 1. The
        default is 0.5.

    Examples
    --------
    >>> nn.DropConnect(2, "relu", rate=0.3)(nn.Input((3,)))
    Value(float32, (n, 2) of drop_connect)
    """

    rate: float = 0.5

    differs = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.rate)

    def matrix(self, training: bool) -> Any:
        """Return the kernel, with random elements set to zero in training."""
        if not training or not self.rate:
            return self.kernel
        return drop(self.kernel, self.streams, self.rate)


@dataclass(eq=False)
class ActivityRegularization(Layer):
    """Adds a penalty on its input to the loss, and returns the input unchanged.

    Parameters
    ----------
    regularizer
        The penalty: a name such as ``"l2"``, the default, a :class:`Regularizer`, or None. It is
        divided by the number of samples.
    """

    regularizer: Any = "l2"

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        self.regularize(inputs[0], self.regularizer)
        return inputs[0]


def is_number(value: Any) -> bool:
    """Return whether something is a real number."""
    return isinstance(value, Real)


def check_rate(layer: Layer, rate: float) -> None:
    """Raise an error if a rate of dropout is not a number from 0 to below 1."""
    if not is_number(rate) or not 0 <= rate < 1:
        raise layer.error(f"the rate must be at least 0 and below 1, not {rate!r}")
