"""Depthwise and separable convolutions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.nn import activations
from symtheano.nn.layers.convolution import Conv1D, Conv2D, Convolution, Windowed
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.values import Shape

KINDS: dict[int, type[Convolution]] = {1: Conv1D, 2: Conv2D}


@dataclass(eq=False)
class Depthwise(Windowed):
    """Base class of convolutions that use separate filters for each channel.

    The output has ``channels * depth_multiplier`` channels. The filters of a channel are adjacent:
    filter ``k`` belongs to channel ``k // depth_multiplier``.

    Parameters
    ----------
    depth_multiplier
        The number of filters for each channel. The default is 1.
    depthwise_initializer, bias_initializer
        Initial values of the kernel and of the bias: the name of an initializer, an
        :class:`Initializer`, a number, or an array.
    depthwise_regularizer, bias_regularizer
        Penalties on the kernel and on the bias, which are added to the loss: a name such as
        ``"l2"``, a :class:`Regularizer`, or None.
    depthwise_constraint, bias_constraint
        Conditions that the kernel and the bias satisfy after each update: a name such as
        ``"max_norm"``, a :class:`Constraint`, or None.
    """

    kernel_size: Any
    strides: Any = 1
    padding: Any = "valid"
    depth_multiplier: int = 1
    dilation_rate: Any = 1
    activation: activations.Activation = None
    use_bias: bool = True
    depthwise_initializer: Any = "glorot_uniform"
    bias_initializer: Any = "zeros"
    depthwise_regularizer: Any = None
    bias_regularizer: Any = None
    depthwise_constraint: Any = None
    bias_constraint: Any = None
    activity_regularizer: Any = None

    counts = ("depth_multiplier",)

    def build(self, *shapes: Shape) -> None:
        self._part = self._convolution(shapes[0])
        self.build_part(self._part, "", *shapes)

    def output_shape(self, *shapes: Shape) -> Shape:
        return self._convolution(shapes[0]).output_shape(*shapes)

    def apply(self, *inputs: Any, training: bool) -> Any:
        return self.apply_part(self._part, *inputs, training=training)

    def _convolution(self, shape: Shape) -> Convolution:
        channels = checked_channels(self, shape)
        return KINDS[self.axes](
            channels * self.depth_multiplier,
            self.kernel_size,
            self.strides,
            self.padding,
            self.dilation_rate,
            channels,
            self.activation,
            self.use_bias,
            self.depthwise_initializer,
            self.bias_initializer,
            self.depthwise_regularizer,
            self.bias_regularizer,
            self.depthwise_constraint,
            self.bias_constraint,
            self.activity_regularizer,
            name=self.name,
            data_format=self.data_format,
        )


@dataclass(eq=False)
class DepthwiseConv1D(Depthwise):
    """1D depthwise convolution: each channel is convolved with its own filters.

    Samples have shape (channels, length), or (length, channels) with
    ``data_format="channels_last"``.

    Examples
    --------
    >>> nn.DepthwiseConv1D(3, padding="same")(nn.Input((4, 8)))
    Value(float32, (n, 4, 8) of depthwise_conv1d)
    """

    axes = 1


@dataclass(eq=False)
class DepthwiseConv2D(Depthwise):
    """2D depthwise convolution: each channel is convolved with its own filters.

    Images have shape (channels, rows, columns), or (rows, columns, channels) with
    ``data_format="channels_last"``. The filters of a channel are adjacent: filter ``k`` belongs to
    channel ``k // depth_multiplier``.

    Examples
    --------
    >>> nn.DepthwiseConv2D(3, depth_multiplier=2)(nn.Input((4, 8, 8)))
    Value(float32, (n, 8, 6, 6) of depthwise_conv2d)
    """

    axes = 2


@dataclass(eq=False)
class Separable(Windowed):
    """Base class of separable convolutions: a depthwise convolution, then a pointwise one.

    The depthwise convolution uses separate filters for each channel, and has no bias. The pointwise
    convolution combines all channels at each position. See Chollet, 2017, Xception: Deep Learning
    with Depthwise Separable Convolutions.

    Parameters
    ----------
    filters
        The number of filters of the pointwise convolution, which is the number of channels of the
        output.
    depth_multiplier
        The number of depthwise filters for each channel. The default is 1.
    use_bias
        Whether the pointwise convolution adds a bias, one number for each filter.
    depthwise_initializer, pointwise_initializer, bias_initializer
        Initial values of the depthwise kernel, the pointwise kernel and the bias: the name of an
        initializer, an :class:`Initializer`, a number, or an array.
    depthwise_regularizer, pointwise_regularizer, bias_regularizer
        Penalties on the depthwise kernel, the pointwise kernel and the bias, which are added to the
        loss: a name such as ``"l2"``, a :class:`Regularizer`, or None.
    """

    filters: int
    kernel_size: Any
    strides: Any = 1
    padding: Any = "valid"
    dilation_rate: Any = 1
    depth_multiplier: int = 1
    activation: activations.Activation = None
    use_bias: bool = True
    depthwise_initializer: Any = "glorot_uniform"
    pointwise_initializer: Any = "glorot_uniform"
    bias_initializer: Any = "zeros"
    depthwise_regularizer: Any = None
    pointwise_regularizer: Any = None
    bias_regularizer: Any = None
    activity_regularizer: Any = None

    counts = ("filters", "depth_multiplier")

    def build(self, *shapes: Shape) -> None:
        self._parts = self._convolutions(shapes[0])
        first, second = self._parts
        self.build_part(first, "depthwise_", *shapes)
        self.build_part(second, "pointwise_", first.output_shape(*shapes))

    def output_shape(self, *shapes: Shape) -> Shape:
        first, second = self._convolutions(shapes[0])
        return second.output_shape(first.output_shape(*shapes))

    def apply(self, *inputs: Any, training: bool) -> Any:
        first, second = self._parts
        x = self.apply_part(first, *inputs, training=training)
        return self.apply_part(second, x, training=training)

    def _convolutions(self, shape: Shape) -> tuple[Convolution, Convolution]:
        channels, kind = checked_channels(self, shape), KINDS[self.axes]
        first = kind(
            channels * self.depth_multiplier,
            self.kernel_size,
            self.strides,
            self.padding,
            self.dilation_rate,
            channels,
            use_bias=False,
            kernel_initializer=self.depthwise_initializer,
            kernel_regularizer=self.depthwise_regularizer,
            name=self.name,
            data_format=self.data_format,
        )
        second = kind(
            self.filters,
            1,
            activation=self.activation,
            use_bias=self.use_bias,
            kernel_initializer=self.pointwise_initializer,
            bias_initializer=self.bias_initializer,
            kernel_regularizer=self.pointwise_regularizer,
            bias_regularizer=self.bias_regularizer,
            activity_regularizer=self.activity_regularizer,
            name=self.name,
            data_format=self.data_format,
        )
        return first, second


@dataclass(eq=False)
class SeparableConv1D(Separable):
    """1D separable convolution: a depthwise convolution, then a pointwise one.

    Samples have shape (channels, length), or (length, channels) with
    ``data_format="channels_last"``.

    Examples
    --------
    >>> nn.SeparableConv1D(8, 3)(nn.Input((4, 8)))
    Value(float32, (n, 8, 6) of separable_conv1d)
    """

    axes = 1


@dataclass(eq=False)
class SeparableConv2D(Separable):
    """2D separable convolution: a depthwise convolution, then a pointwise one.

    Images have shape (channels, rows, columns), or (rows, columns, channels) with
    ``data_format="channels_last"``.

    Examples
    --------
    >>> y = nn.SeparableConv2D(8, 3)(nn.Input((4, 9, 9)))
    >>> y, [p.get_value().shape for p in y.parameters]
    (Value(float32, (n, 8, 7, 7) of separable_conv2d), [(4, 1, 3, 3), (8, 4, 1, 1), (8,)])
    """

    axes = 2


def checked_channels(layer: ImageLayer, shape: Shape) -> int:
    """Return the number of channels, or raise an error if it is unknown."""
    shape = layer.first(shape)
    if len(shape) != layer.axes + 1 or not shape[0]:
        raise layer.axes_error(shape)
    return shape[0]
