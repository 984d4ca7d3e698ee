"""Layers that change arrays at random while a network is trained, and not at test."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import like, setting
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.images import DataFormat, check_format
from symtheano.nn.randomness import drop

SELU_LIMIT = -1.7580993408473766
"""The limit of selu at minus infinity, minus its scale times its alpha."""


@dataclass(eq=False)
class Dropout(Layer):
    """Random elements become zero, the others are divided by the probability to stay.

    See Srivastava et al., 2014, Dropout: A Simple Way to Prevent Neural Networks from Overfitting.

    Parameters
    ----------
    rate
        The probability of zero, at least 0 and below 1.
    shared_axes
        Axes along which elements stay or go together; 0 is that of the samples. ``(2, 3)`` drops
        whole channels of images.

    Examples
    --------
    >>> from symtheano import nn
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
class SpatialDropout(Dropout):
    """What dropout of whole channels shares.

    Parameters
    ----------
    rate
        The probability of zero, at least 0 and below 1.
    shared_axes
        The axes after the channels, where these come first.
    data_format
        ``"channels_last"``: the channels are the last axis. None is ``"channels_first"``.
    """

    data_format: DataFormat | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_format(self, self.data_format)

    def apply(self, *inputs: Any, training: bool) -> Any:
        if not training or not self.rate:
            return inputs[0]
        before = 1 if self.data_format == "channels_last" else 0
        shared = tuple(axis - before for axis in self.shared_axes)
        return drop(inputs[0], self.streams, self.rate, shared_axes=shared)


@dataclass(eq=False)
class SpatialDropout1D(SpatialDropout):
    """Whole channels of samples (channels, length) become zero, the others are scaled.

    With ``data_format="channels_last"``, samples are (length, channels).

    See Tompson et al., 2015, Efficient Object Localization Using Convolutional Networks. For
    samples (steps, features), use ``data_format="channels_last"``.

    Parameters
    ----------
    rate
        The probability of zero, at least 0 and below 1.
    data_format
        ``"channels_first"`` or ``"channels_last"``; see :class:`ImageLayer`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.SpatialDropout1D(0.2)(nn.Input((4, 8)))
    Value(float32, (n, 4, 8) of spatial_dropout1d)
    """

    shared_axes: tuple[int, ...] = (2,)


@dataclass(eq=False)
class SpatialDropout2D(SpatialDropout):
    """Whole channels of images (channels, rows, columns) become zero; see SpatialDropout1D.

    With ``data_format="channels_last"``, samples are (rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.SpatialDropout2D(0.2)(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 8, 8) of spatial_dropout2d)
    """

    shared_axes: tuple[int, ...] = (2, 3)


@dataclass(eq=False)
class SpatialDropout3D(SpatialDropout):
    """Whole channels of volumes (channels, depth, rows, columns) become zero.

    With ``data_format="channels_last"``, samples are (depth, rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.SpatialDropout3D(0.2)(nn.Input((3, 4, 8, 8)))
    Value(float32, (n, 3, 4, 8, 8) of spatial_dropout3d)
    """

    shared_axes: tuple[int, ...] = (2, 3, 4)


@dataclass(eq=False)
class AlphaDropout(Dropout):
    """Random elements take the limit of the activation ``selu``; mean and variance stay.

    See Klambauer et al., 2017, Self-Normalizing Neural Networks.

    Parameters
    ----------
    rate
        The probability of the limit, at least 0 and below 1.
    shared_axes
        As in :class:`Dropout`.

    Examples
    --------
    >>> from symtheano import nn
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
    """Normal numbers are added.

    Parameters
    ----------
    stddev
        Their standard deviation.
    """

    stddev: float = 0.1

    differs = True
    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_number(self.stddev) or not self.stddev >= 0:
            raise self.error(f"stddev: a number of at least 0 expected, not {self.stddev!r}")

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        if not training:
            return x
        noise = self.streams.normal(x.shape, ndim=x.ndim, dtype=x.dtype)
        return x + setting("stddev", self.stddev, x.dtype) * noise


@dataclass(eq=False)
class GaussianDropout(Layer):
    """Elements are multiplied by normal numbers of mean 1 (Srivastava et al., 2014, section 10).

    Parameters
    ----------
    rate
        The rate of the dropout with the same variance, ``rate / (1 - rate)``.
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
    """A dense layer whose matrix loses random elements while it is trained.

    See Wan et al., 2013, Regularization of Neural Networks using DropConnect. One mask serves all
    samples of a batch.

    Parameters
    ----------
    rate
        The probability of zero.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.DropConnect(2, "relu", rate=0.3)(nn.Input((3,)))
    Value(float32, (n, 2) of drop_connect)
    """

    rate: float = 0.5

    differs = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rate(self, self.rate)

    def matrix(self, training: bool) -> Any:
        """Return the kernel, in training with random zeros."""
        if not training or not self.rate:
            return self.kernel
        return drop(self.kernel, self.streams, self.rate)


@dataclass(eq=False)
class ActivityRegularization(Layer):
    """Adds a term of its input to the loss, and returns the input.

    Parameters
    ----------
    regularizer
        The regularizer, by name or itself; the term is divided by the number of samples.
    """

    regularizer: Any = "l2"

    keeps_steps = True

    def apply(self, *inputs: Any, training: bool) -> Any:
        self.regularize(inputs[0], self.regularizer)
        return inputs[0]


def is_number(given: Any) -> bool:
    """Return whether something is a real number."""
    return isinstance(given, Real)


def check_rate(layer: Layer, rate: float) -> None:
    """Raise an error if a number is no rate of dropout."""
    if not is_number(rate) or not 0 <= rate < 1:
        raise layer.error(f"the rate must be at least 0 and below 1, not {rate!r}")
