"""Convolutions over one, two and three axes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.graph.origin import user_stacklevel
from symtheano.nn import activations
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.layers.windows import Pairs, check_window, moved, padding_pairs, per_axis
from symtheano.nn.values import Shape

CONVOLUTIONS: dict[int, Callable[..., Any]] = {
    1: T.nnet.conv1d,
    2: T.nnet.conv2d,
    3: T.nnet.conv3d,
}


ODD = (3, 5, 7, 9, 11)
"""Usual lengths of windows, which are unusual strides."""


class Windowed(ImageLayer):
    """Base class of layers that multiply all parts of a sample, as long as a window, by weights.

    Parameters
    ----------
    kernel_size
        The lengths of the window: one integer for all axes, or one for each axis.
    strides
        How far the window moves along an axis: one integer for all axes, or one for each axis. The
        default is 1.
    padding
        The zeros that are added around samples. ``"valid"``: no zeros. ``"same"``: as many zeros as
        the output needs to have ``ceil(length / stride)`` elements. ``"causal"``: all zeros before
        the first element. A number of zeros for all axes, one number for each axis, or a pair
        (before, after) for each axis.
    dilation_rate
        The distance between adjacent elements of the window: one integer for all axes, or one for
        each axis. The default is 1.
    activation
        The activation function of the output: a name such as ``"relu"``, a function of an
        expression, or None for no activation function.
    use_bias
        Whether a bias, one number for each filter, is added.
    activity_regularizer
        A penalty on the output. It is divided by the number of samples and added to the loss.
    """

    strides: Any
    dilation_rate: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self, "kernel_size", self.strides, self.dilation_rate)


@dataclass(eq=False)
class Convolution(Windowed):
    """Base class of convolutions over any number of axes.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``. With both formats, the kernel has shape
    (filters, channels / groups, *window). Keras stores kernels as
    (*window, channels / groups, filters); ``np.moveaxis(kernel, (-1, -2), (0, 1))`` converts them.
    As in Keras and torch, the window is not mirrored.

    Parameters
    ----------
    filters
        The number of filters, which is the number of channels of the output.
    groups
        The number of groups of channels. Each group is convolved separately with its part of the
        filters. It must divide the numbers of channels and of filters.
    kernel_initializer, bias_initializer
        Initial values of the kernel and of the bias: the name of an initializer, an
        :class:`Initializer`, a number, or an array.
    kernel_regularizer, bias_regularizer
        Penalties on the kernel and on the bias, which are added to the loss: a name such as
        ``"l2"``, a :class:`Regularizer`, or None.
    kernel_constraint, bias_constraint
        Conditions that the kernel and the bias satisfy after each update: a name such as
        ``"max_norm"``, a :class:`Constraint`, or None.
    data_format
        ``"channels_first"`` or ``"channels_last"``: the axis of the channels. See
        :class:`ImageLayer`.
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
        if order := self._order(channels):
            text = f"the window of {self.window} moves by {self.steps}{order}"
            warnings.warn(str(self.error(text)), stacklevel=user_stacklevel())
        self.kernel = self.described("kernel", self.kernel_shape(channels))
        if self.use_bias:
            self.bias = self.described("bias", (self.filters,))
        self._shape = shape

    def shape_of_first(self, shape: Shape) -> Shape:
        self._channels(shape)
        lengths = self.lengths(shape)
        if any(n is not None and n < 1 for n in lengths):
            raise self.fit_error(self.window, shape, self._order(shape[0]))
        return (self.filters, *lengths)

    def apply_to_first(self, x: Any, training: bool) -> Any:
        y = self.convolve(x)
        return y + self.bias.dimshuffle("x", 0, *"x" * self.axes) if self.use_bias else y

    def apply(self, *inputs: Any, training: bool) -> Any:
        # A softmax is always taken along the last axis of the output, whatever the data format is.
        y = activations.applied(self.activation, super().apply(*inputs, training=training))
        self.regularize(y, self.activity_regularizer)
        return y

    def kernel_shape(self, channels: int) -> tuple[int, ...]:
        """Return the shape of the kernel for a number of input channels."""
        return (self.filters, channels // self.groups, *self.window)

    def lengths(self, shape: Shape) -> Shape:
        """Return the lengths of the output's axes without the channels.

        ``shape`` is the shape of the input, with the channels first.
        """
        return tuple(map(moved, shape[1:], self.reach, self.steps, self._pairs(shape)))

    def convolve(self, x: Any) -> Any:
        """Return the convolution of an array that has its channels first."""
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
        return per_axis(self.kernel_size, self.axes, self.argument("kernel_size"))

    @property
    def steps(self) -> tuple[int, ...]:
        """The strides of the axes."""
        return per_axis(self.strides, self.axes, self.argument("strides"))

    @property
    def distances(self) -> tuple[int, ...]:
        """The distances between adjacent elements of the window."""
        return per_axis(self.dilation_rate, self.axes, self.argument("dilation_rate"))

    @property
    def reach(self) -> tuple[int, ...]:
        """The lengths that the window covers, including dilation."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.window, self.distances, strict=True))

    def _pairs(self, shape: Shape) -> Pairs:
        what = self.argument("padding")
        return padding_pairs(self.padding, shape[1:], self.reach, self.steps, what)

    def _order(self, channels: Any) -> str:
        """Return a hint if the arguments seem to begin with the channels of the input."""
        size, step = self.kernel_size, self.strides
        if self.filters != channels or not isinstance(size, int) or size < 6 or step not in ODD:
            return ""
        name = type(self).__name__
        return (
            f"; {name}({channels}, {size}, {step}) is in the order of torch, if these are the "
            f"channels of the input, the filters and the window: write {name}({size}, {step})"
        )

    def _channels(self, shape: Shape) -> int:
        """Return the number of channels of the input, or raise an error if it does not fit."""
        if len(shape) != self.axes + 1 or shape[0] is None:
            raise self.axes_error(shape)
        if shape[0] % self.groups or self.filters % self.groups:
            raise self.error(
                f"the numbers of channels, {shape[0]}, and of filters, {self.filters}, must be "
                f"multiples of groups={self.groups}"
            )
        return shape[0]


@dataclass(eq=False)
class Conv1D(Convolution):
    """1D convolution of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.Conv1D(4, 3, padding="causal")(nn.Input((2, 10)))
    Value(float32, (n, 4, 10) of conv1d)
    """

    axes = 1


@dataclass(eq=False)
class Conv2D(Convolution):
    """2D convolution of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Parameters
    ----------
    filters
        The number of filters, which is the number of channels of the output.
    kernel_size
        The numbers of rows and columns of the window: one integer for both, or one for each.
    strides
        How far the window moves: one integer for rows and columns, or one for each. The default
        is 1.

    Examples
    --------
    >>> nn.Conv2D(8, 3, padding="same", activation="relu")(nn.Input((1, 28, 28)))
    Value(float32, (n, 8, 28, 28) of conv2d)
    >>> nn.Conv2D(8, 3, data_format="channels_last")(nn.Input((28, 28, 1)))
    Value(float32, (n, 26, 26, 8) of conv2d)
    """

    axes = 2


@dataclass(eq=False)
class Conv3D(Convolution):
    """3D convolution of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.Conv3D(4, 3, strides=2)(nn.Input((1, 9, 9, 9)))
    Value(float32, (n, 4, 4, 4, 4) of conv3d)
    """

    axes = 3
