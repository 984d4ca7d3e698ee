"""Convolutions over one, two and three axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn import activations
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.layers.windows import Pairs, moved, padding_pairs, per_axis
from symtheano.nn.values import Shape

CONVOLUTIONS: dict[int, Callable[..., Any]] = {
    1: T.nnet.conv1d,
    2: T.nnet.conv2d,
    3: T.nnet.conv3d,
}


@dataclass(eq=False)
class Convolution(ImageLayer):
    """What convolutions over any number of axes share.

    Samples are (channels, *lengths), or (*lengths, channels) for ``data_format="channels_last"``.
    The kernel is (filters, channels / groups, *window) for both: that of Keras, (*window, channels
    / groups, filters), is ``np.moveaxis(kernel, (-1, -2), (0, 1))`` here. As in most libraries for
    networks, the window is not mirrored.

    Parameters
    ----------
    filters
        The number of channels of the output.
    kernel_size
        The lengths of the window: a number for all axes, or one each.
    strides
        By how much the window moves.
    padding
        ``"valid"``: no zeros. ``"same"``: the output has ``ceil(length / stride)`` elements.
        ``"causal"``: all zeros before the first element. A number, one for each axis, or pairs.
    dilation_rate
        The distance of the elements of the window.
    groups
        The number of groups of channels that are convolved apart.
    activation, use_bias, kernel_initializer, bias_initializer
        As in :class:`Dense`; the bias is one number per filter.
    kernel_regularizer, bias_regularizer, kernel_constraint, bias_constraint, activity_regularizer
        As in :class:`Dense`.
    data_format
        ``"channels_first"`` or ``"channels_last"``; see :class:`ImageLayer`.
    """

    filters: int
    kernel_size: Any
    strides: Any = 1
    padding: Any = "valid"
    dilation_rate: Any = 1
    groups: int = 1
    activation: activations.Activation = None
    use_bias: bool = True
    kernel_initializer: Any = "glorot_uniform"
    bias_initializer: Any = "zeros"
    kernel_regularizer: Any = None
    bias_regularizer: Any = None
    kernel_constraint: Any = None
    bias_constraint: Any = None
    activity_regularizer: Any = None

    counts = ("filters", "groups")

    def build(self, *shapes: Shape) -> None:
        shape = self.first(shapes[0])
        channels = self._channels(shape)
        self.kernel = self.parameter(
            "kernel",
            self.kernel_shape(channels),
            self.kernel_initializer,
            regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )
        if self.use_bias:
            self.bias = self.parameter(
                "bias",
                (self.filters,),
                self.bias_initializer,
                regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )
        self._shape = shape

    def shape_of_first(self, shape: Shape) -> Shape:
        self._channels(shape)
        lengths = self.lengths(shape)
        if any(n is not None and n < 1 for n in lengths):
            raise self.fit_error(self.window, shape)
        return (self.filters, *lengths)

    def apply_to_first(self, x: Any, training: bool) -> Any:
        y = self.convolve(x)
        return y + self.bias.dimshuffle("x", 0, *"x" * self.axes) if self.use_bias else y

    def apply(self, *inputs: Any, training: bool) -> Any:
        # A softmax is one of the last axis, whichever this is.
        y = activations.applied(self.activation, super().apply(*inputs, training=training))
        self.regularize(y, self.activity_regularizer)
        return y

    def kernel_shape(self, channels: int) -> tuple[int, ...]:
        """Return the shape of the kernel for a number of input channels."""
        return (self.filters, channels // self.groups, *self.window)

    def lengths(self, shape: Shape) -> Shape:
        """Return the lengths of the output's axes after the channels, which come first here."""
        return tuple(map(moved, shape[1:], self.reach, self.steps, self._pairs(shape)))

    def convolve(self, x: Any) -> Any:
        """Return the convolution."""
        zeros: Any = self._pairs(self._shape)
        return CONVOLUTIONS[self.axes](
            x,
            self.kernel,
            border_mode=zeros,
            subsample=self.steps if self.axes > 1 else self.steps[0],
            filter_flip=False,
            filter_dilation=self.distances if self.axes > 1 else self.distances[0],
            num_groups=self.groups,
        )

    @property
    def window(self) -> tuple[int, ...]:
        """The lengths of the window."""
        return per_axis(self.kernel_size, self.axes, "kernel_size")

    @property
    def steps(self) -> tuple[int, ...]:
        """The strides of the axes."""
        return per_axis(self.strides, self.axes, "strides")

    @property
    def distances(self) -> tuple[int, ...]:
        """The distances of the window's elements."""
        return per_axis(self.dilation_rate, self.axes, "dilation_rate")

    @property
    def reach(self) -> tuple[int, ...]:
        """The lengths that the window covers."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.window, self.distances, strict=True))

    def _pairs(self, shape: Shape) -> Pairs:
        return padding_pairs(self.padding, shape[1:], self.reach, self.steps)

    def _channels(self, shape: Shape) -> int:
        """Return the number of the input's channels, checked."""
        if len(shape) != self.axes + 1 or shape[0] is None:
            raise self.axes_error(shape)
        if shape[0] % self.groups or self.filters % self.groups:
            raise self.error(
                f"{shape[0]} channels and {self.filters} filters are no multiples of the "
                f"{self.groups} groups"
            )
        return shape[0]


@dataclass(eq=False)
class Conv1D(Convolution):
    """A convolution of samples (channels, length).

    With ``data_format="channels_last"``, samples are (length, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Conv1D(4, 3, padding="causal")(nn.Input((2, 10)))
    Value(float32, (n, 4, 10) of conv1d)
    """

    axes = 1


@dataclass(eq=False)
class Conv2D(Convolution):
    """A convolution of images (channels, rows, columns).

    With ``data_format="channels_last"``, samples are (rows, columns, channels).

    Parameters
    ----------
    filters
        The number of channels of the output.
    kernel_size, strides, dilation_rate
        Lengths of the window, how far it moves, and the distance of its elements: a number for rows
        and columns, or one each.
    padding
        ``"valid"``, ``"same"``, ``"causal"``, a number, one for each axis, or pairs.
    data_format
        ``"channels_first"``, which None is as well, or ``"channels_last"``.

    Other arguments are those of :class:`symtheano.nn.layers.convolution.Convolution`.

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Conv2D(8, 3, padding="same", activation="relu")(nn.Input((1, 28, 28)))
    Value(float32, (n, 8, 28, 28) of conv2d)
    >>> nn.Conv2D(8, 3, data_format="channels_last")(nn.Input((28, 28, 1)))
    Value(float32, (n, 26, 26, 8) of conv2d)
    """

    axes = 2


@dataclass(eq=False)
class Conv3D(Convolution):
    """A convolution of volumes (channels, depth, rows, columns).

    With ``data_format="channels_last"``, samples are (depth, rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Conv3D(4, 3, strides=2)(nn.Input((1, 9, 9, 9)))
    Value(float32, (n, 4, 4, 4, 4) of conv3d)
    """

    axes = 3
