"""Layers that normalize over batches, samples, channels, or groups of channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.images import (
    ImageLayer,
    check_format,
    take_channels_last,
    warn_of_last,
)
from symtheano.nn.layers.synchronized import moments, synchronizes
from symtheano.nn.values import Format, Shape, Value, shown
from symtheano.tensor.nnet.formats import DataFormat


class Scaled(Layer):
    """Base class of normalizations with a learned factor and a learned offset.

    Parameters
    ----------
    epsilon
        A small number that is added to the variance.
    center
        Whether the offset ``beta`` is learned and added.
    scale
        Whether the factor ``gamma`` is learned and applied.
    """

    center: bool
    scale: bool
    gamma: Any
    beta: Any

    def scaled(self, shape: tuple[int, ...]) -> None:
        """Create the factor and the offset, unless they are not learned."""
        self.gamma = self.parameter("gamma", shape, "ones") if self.scale else None
        self.beta = self.parameter("beta", shape, "zeros") if self.center else None


@dataclass(eq=False)
class BatchNorm(Scaled):
    """Batch normalization: each feature is normalized over the samples of a batch.

    In training, the mean of the batch is subtracted from each feature, and the result is divided by
    the standard deviation of the batch. It is then multiplied by a learned factor ``gamma``, and a
    learned offset ``beta`` is added. At test, and in training while the layer is frozen, running
    averages of the mean and the variance are used instead of those of the batch. See Ioffe and
    Szegedy, 2015, Batch Normalization.

    The running variance averages unbiased variances. A batch with one element for each feature has
    no unbiased variance, so it does not change the running variance.

    Parameters
    ----------
    axis
        The axis of the features, whose length must be known. Axis 1 is the first axis of a sample:
        the units of dense layers, or the channels of images. Use -1 if the channels are last. None,
        the default, is the axis of ``data_format``.
    momentum
        The weight of the old running average, between 0 and 1. The weight of a new batch is
        ``1 - momentum``.
    beta_initializer, gamma_initializer
        Initial values of the offset and of the factor: the name of an initializer, an
        :class:`Initializer`, a number, or an array.
    beta_regularizer, gamma_regularizer
        Penalties on the offset and on the factor, which are added to the loss: a name such as
        ``"l2"``, a :class:`Regularizer`, or None.
    data_format
        Another way to give ``axis``: ``"channels_first"`` is ``axis=1``, and ``"channels_last"`` is
        ``axis=-1``. None, without an axis, is the format of the layer before if that is known, else
        ``"channels_first"``, with a ``UserWarning`` if an input looks like an image with its
        channels last.

    Examples
    --------
    >>> y = nn.BatchNorm()(nn.Input((3, 8, 8)))
    >>> y.shape, len(y.parameters), len(y.updates)
    ((3, 8, 8), 2, 2)
    """

    axis: int | None = None
    momentum: float = 0.99
    epsilon: float = 1e-3
    center: bool = True
    scale: bool = True
    beta_initializer: Any = "zeros"
    gamma_initializer: Any = "ones"
    beta_regularizer: Any = None
    gamma_regularizer: Any = None
    data_format: DataFormat | None = field(default=None, kw_only=True)

    differs = True
    frozen_is_test = True

    keeps_steps = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_format(self, self.data_format)
        if self.data_format is not None and self.axis not in (None, self._given_axis):
            raise self.error(
                f"data_format={self.data_format!r} means axis={self._given_axis}, but axis is "
                f"{self.axis}: pass only one of them"
            )
        if not 0 <= self.momentum <= 1:
            raise self.error(f"momentum must be between 0 and 1, not {self.momentum}")

    def build(self, *shapes: Shape) -> None:
        axis = self._feature(len(shapes[0]) + 1)
        length = shapes[0][axis - 1]
        if length is None:
            raise self.error(f"the length of axis {axis} of {shown(shapes[0])} must be known")
        self._axis, n = axis, (length,)
        one: dict[str, Any] = {} if self.scale else {"initializer": "ones", "trainable": False}
        zero: dict[str, Any] = {} if self.center else {"initializer": "zeros", "trainable": False}
        self.gamma = self.described("gamma", n, **one)
        self.beta = self.described("beta", n, **zero)
        self.mean = self.parameter("moving_mean", n, "zeros", trainable=False)
        self.variance = self.parameter("moving_variance", n, "ones", trainable=False)

    def output_shape(self, *shapes: Shape) -> Shape:
        self._feature(len(shapes[0]) + 1)
        return shapes[0]

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        others = tuple(k for k in range(x.ndim) if k != self._axis)
        pattern = ["x" if k in others else 0 for k in range(x.ndim)]
        vectors = self.gamma, self.beta, self.mean, self.variance
        gamma, beta, mean, variance = (v.dimshuffle(*pattern) for v in vectors)
        if not training:
            return T.nnet.batch_normalization_test(
                x, gamma, beta, mean, variance, axes=others, epsilon=self.epsilon
            )
        if synchronizes():
            return self._over_ranks(x, others, gamma, beta, mean, variance)
        y, _, _, new_mean, new_variance = T.nnet.batch_normalization_train(
            x, gamma, beta, axes=others, epsilon=self.epsilon,
            running_average_factor=1 - self.momentum, running_mean=mean, running_var=variance,
        )  # fmt: skip
        self.update(self.mean, new_mean.dimshuffle(self._axis))
        self.update(self.variance, new_variance.dimshuffle(self._axis))
        return y

    def _over_ranks(self, x: Any, others: Any, gamma: Any, beta: Any, mean: Any, var: Any) -> Any:
        """Normalize by the statistics of the batches of all processes."""
        center, variance, count = moments(x, others)
        number = T.cast(count, variance.dtype)
        y = (x - center) * (gamma / T.sqrt(variance + self.epsilon)) + beta
        weight = np.float32(1 - self.momentum)
        unbiased = variance * (number / T.maximum(number - 1, 1))
        share = T.switch(number > 1, weight, np.float32(0))
        new_mean, new_variance = mean * (1 - weight) + center * weight, unbiased * share
        new_variance = new_variance + var * (1 - share)
        self.update(self.mean, T.cast(new_mean.dimshuffle(self._axis), self.mean.dtype))
        self.update(self.variance, T.cast(new_variance.dimshuffle(self._axis), self.variance.dtype))
        return T.cast(y, x.dtype)

    def normalizes_one(self, shape: Shape) -> bool:
        """Return whether mean and variance are those of one element for each sample."""
        return all(n == 1 for k, n in enumerate(shape, 1) if k != self._axis)

    def _feature(self, ndim: int) -> int:
        axis = self._given_axis if self._given_axis > 0 else self._given_axis + ndim
        if not 1 <= axis < ndim:
            raise self.error(
                f"axis {self._given_axis} is not an axis of samples with {ndim - 1} axes, which "
                "are numbered from 1; the layer takes no number of features"
            )
        return axis

    @property
    def _given_axis(self) -> int:
        own = 1 if self.axis is None else self.axis
        return {None: own, "channels_first": 1, "channels_last": -1}[self.data_format]

    def take_channels_last(self) -> None:
        if self.axis is None:
            take_channels_last(self)

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return super().output_format(self.data_format or data_format, shapes, shape)

    def check_channels(self, value: Value) -> None:
        if self.data_format is None and self.axis is None:
            warn_of_last(self, value, 0, "(n, channels, ...)")


@dataclass(eq=False)
class LayerNorm(Scaled):
    """Layer normalization: each sample is normalized over its features.

    The features get mean 0 and variance 1. They are then multiplied by a learned factor ``gamma``,
    and a learned offset ``beta`` is added. See Ba, Kiros and Hinton, 2016, Layer Normalization.

    Parameters
    ----------
    axis
        The axis of the features, or a tuple of axes, whose lengths must be known. Axis 1 is the
        first axis of a sample. Negative numbers count from the last axis, which is the default.

    Examples
    --------
    >>> nn.LayerNorm()(nn.Input((5, 8)))
    Value(float32, (n, 5, 8) of layer_norm)
    """

    axis: Any = -1
    epsilon: float = 1e-3
    center: bool = True
    scale: bool = True

    keeps_steps = True

    def build(self, *shapes: Shape) -> None:
        ndim = len(shapes[0]) + 1
        axis_numbers = (self.axis,) if isinstance(self.axis, int) else tuple(self.axis)
        axes = tuple(k if k >= 0 else k + ndim for k in axis_numbers)
        lengths = tuple(shapes[0][k - 1] for k in axes if 1 <= k < ndim)
        if len(lengths) != len(axis_numbers) or None in lengths:
            raise self.error(
                f"axes {axis_numbers} of {shown(shapes[0])} must exist and be of known length"
            )
        self._axes, n = axes, tuple(n for n in lengths if n is not None)
        self.scaled(n)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.layer_normalization(
            inputs[0], self.gamma, self.beta, axes=self._axes, epsilon=self.epsilon
        )


@dataclass(eq=False)
class RMSNorm(Layer):
    """Divides samples by the root of their mean square along the last axis.

    The result is multiplied by a learned factor ``gamma``. See Zhang and Sennrich, 2019, Root Mean
    Square Layer Normalization.

    Parameters
    ----------
    epsilon
        A small number that is added to the mean square.
    """

    epsilon: float = 1e-6

    keeps_steps = True

    def build(self, *shapes: Shape) -> None:
        if not shapes[0] or shapes[0][-1] is None:
            raise self.error(f"the length of the last axis of {shown(shapes[0])} must be known")
        self.gamma = self.parameter("gamma", (shapes[0][-1],), "ones")

    def apply(self, *inputs: Any, training: bool) -> Any:
        return T.nnet.rms_normalization(inputs[0], self.gamma, axes=-1, epsilon=self.epsilon)


@dataclass(eq=False)
class GroupNorm(Scaled, ImageLayer):
    """Group normalization: groups of channels of each sample are normalized.

    The elements of each group get mean 0 and variance 1. Each channel is then multiplied by a
    learned factor ``gamma``, and a learned offset ``beta`` is added. With one group for each
    channel, this is instance normalization. See Wu and He, 2018, Group Normalization.

    Parameters
    ----------
    groups
        The number of groups, which must divide the number of channels. None: each channel is a
        group. The default is 32.
    """

    groups: int | None = 32
    epsilon: float = 1e-3
    center: bool = True
    scale: bool = True

    counts = ("groups",)

    def build(self, *shapes: Shape) -> None:
        channels = self.first(shapes[0])[0] if shapes[0] else None
        if channels is None or channels % (self.groups or 1):
            raise self.error(
                f"groups={self.groups} must divide the number of channels, which must be known; "
                f"samples have shape {shown(shapes[0])}, whose axes are {self.named_axes}"
            )
        self._groups = self.groups or channels
        self.scaled((channels,))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.nnet.group_normalization(
            x, self._groups, self.gamma, self.beta, epsilon=self.epsilon
        )


@dataclass(eq=False)
class InstanceNorm(Scaled, ImageLayer):
    """Instance normalization: each channel of each sample is normalized.

    The elements of a channel get mean 0 and variance 1. Each channel is then multiplied by a
    learned factor ``gamma``, and a learned offset ``beta`` is added. See Ulyanov, Vedaldi and
    Lempitsky, 2016, Instance Normalization.

    Examples
    --------
    >>> nn.InstanceNorm()(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 8, 8) of instance_norm)
    """

    epsilon: float = 1e-5
    center: bool = True
    scale: bool = True

    def build(self, *shapes: Shape) -> None:
        channels = self.first(shapes[0])[0]
        assert channels is not None
        self.scaled((channels,))

    def shape_of_first(self, shape: Shape) -> Shape:
        if len(shape) < 2 or shape[0] is None:
            raise self.axes_error(shape)
        return shape

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.nnet.instance_normalization(x, self.gamma, self.beta, epsilon=self.epsilon)


@dataclass(eq=False)
class LocalResponseNorm(ImageLayer):
    """Local response normalization: ``x / (k + alpha * sum(x**2)) ** beta``.

    The sum is taken over adjacent channels at the same position. See Krizhevsky, Sutskever and
    Hinton, 2012, ImageNet Classification with Deep Convolutional Neural Networks.

    Parameters
    ----------
    channels
        The number of adjacent channels in the sum, an odd number. The default is 5.
    alpha
        The factor of the sum of squares. The default is 1e-4.
    beta
        The exponent. The default is 0.75.
    k
        The number that is added to the scaled sum. The default is 2.

    Examples
    --------
    >>> nn.LocalResponseNorm()(nn.Input((8, 5, 5)))
    Value(float32, (n, 8, 5, 5) of local_response_norm)
    """

    channels: int = 5
    alpha: float = 1e-4
    beta: float = 0.75
    k: float = 2.0

    def shape_of_first(self, shape: Shape) -> Shape:
        if not shape:
            raise self.axes_error(shape)
        return shape

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.nnet.local_response_normalization(
            x, alpha=self.alpha, k=self.k, beta=self.beta, n=self.channels
        )


@dataclass(eq=False)
class UnitNormalization(Layer):
    """Divides samples by their Euclidean norm along one or more axes.

    Parameters
    ----------
    axis
        The axis of the norm, or a tuple of axes. Axis 1 is the first axis of a sample. Negative
        numbers count from the last axis, which is the default.

    Examples
    --------
    >>> x = nn.Input((2,))
    >>> nn.UnitNormalization()(x).test.eval({x.test: np.array([[3, 4]], "float32")})
    array([[0.6, 0.8]], dtype=float32)
    """

    axis: Any = -1

    keeps_steps = True

    def build(self, *shapes: Shape) -> None:
        self._axes = self.axes_of(self.axis, shapes[0])

    def apply(self, *inputs: Any, training: bool) -> Any:
        x, axes = inputs[0], self._axes
        squares = T.sum(T.sqr(x), axis=axes, keepdims=True)
        return x / T.sqrt(T.maximum(squares, T.constant(1e-12, dtype=x.dtype)))
