"""Base class of layers for images: the axis of the channels.

Subclasses describe their shapes and write their expressions with the channels first. If the
channels are last, samples are transposed before the expression and back after it, as in
:mod:`symtheano.tensor.nnet.formats`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from symtheano.graph.origin import user_stacklevel
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Format, Shape, Value, shown
from symtheano.tensor.nnet.formats import FORMATS, DataFormat, first, stored

LENGTHS = {1: ("length",), 2: ("rows", "columns"), 3: ("depth", "rows", "columns")}
# The usual numbers of channels of image files: gray, red-green-blue, and red-green-blue-opacity.
CHANNELS_OF_FILES = (1, 3, 4)


@dataclass(eq=False)
class ImageLayer(Layer):
    """Base class of layers for samples with channels, such as sounds, images and volumes.

    Parameters
    ----------
    data_format
        The axis of the channels, in the input and in the output. ``"channels_first"``: samples have
        shape (channels, rows, columns). ``"channels_last"``: samples have shape (rows, columns,
        channels), the default of Keras. The parameters of the layer are the same with both. None
        is the format of the layer before, :attr:`Value.data_format`, if that is known, else
        ``"channels_first"``, with a ``UserWarning`` if an input looks like an image with its
        channels last.
    """

    data_format: DataFormat | None = field(default=None, kw_only=True)

    # The number of axes besides the channels; 0: any number.
    axes: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_format(self, self.data_format)

    # What subclasses define.

    def shape_of_first(self, shape: Shape) -> Shape:
        """Return the shape of a sample of the output, for the shape of a sample of the input.

        Both shapes have the channels first.
        """
        return shape

    def apply_to_first(self, x: Any, training: bool) -> Any:
        """Return the output for an array. Both have the channels after the batch axis."""
        raise NotImplementedError(f"{type(self).__name__} does not define apply_to_first")

    # What they call.

    @property
    def channels_are_last(self) -> bool:
        """Whether the channels are the last axis."""
        return self.data_format == "channels_last"

    def first(self, shape: Shape) -> Shape:
        """Return the shape of a sample with its channels first."""
        return (*shape[-1:], *shape[:-1]) if self.channels_are_last else shape

    def stored(self, shape: Shape) -> Shape:
        """Return a shape with the channels first in the data format of the layer."""
        return (*shape[1:], *shape[:1]) if self.channels_are_last else shape

    def axes_error(self, shape: Shape) -> ValueError:
        """Return the error for a wrong number of axes, or for an unknown number of channels.

        ``shape`` has its channels first.
        """
        taken = ", with a known number of channels" if shape and shape[0] is None else ""
        remedy = self._remedy(shape)
        if len(shape) == self.axes and None not in shape and not remedy:
            lengths = ", ".join(map(str, self.stored((1, *self.stored(shape)))))
            remedy = f"; nn.Reshape(({lengths})) before it adds the axis of one channel"
        return self.error(
            f"takes samples of shape {self.named_axes}{taken}, not {shown(self.stored(shape))}"
            f"{remedy}"
        )

    def fit_error(self, window: Any, shape: Shape, remark: str = "") -> ValueError:
        """Return the error for a window that is longer than the axes of a sample.

        ``shape`` has its channels first. The text ends with ``remark``.
        """
        return self.error(
            f"a window of {window} does not fit into samples of shape {shown(self.stored(shape))}, "
            f"whose axes are {self.named_axes}"
            f"{remark or self._remedy(shape)}"
        )

    @property
    def named_axes(self) -> str:
        """The names of the axes of a batch, as text: n, then the axes of a sample."""
        return named_axes(self.axes, self.channels_are_last)

    def take_channels_last(self) -> None:
        take_channels_last(self)

    def output_format(self, data_format: Format, shapes: Sequence[Shape], shape: Shape) -> Format:
        return self.data_format if len(shape) > 1 else None

    def _remedy(self, shape: Shape) -> str:
        """Return a hint if a shape, which has its channels first, fits the other format better."""
        if self.channels_are_last or not seems_last(shape, (*CHANNELS_OF_FILES, 2)):
            return ""
        return '; if the channels are the last axis, pass data_format="channels_last"'

    # What layers are.

    def output_shape(self, *shapes: Shape) -> Shape:
        return self.stored(self.shape_of_first(self.first(shapes[0])))

    def apply(self, *inputs: Any, training: bool) -> Any:
        data_format = self.data_format or "channels_first"
        y = self.apply_to_first(first(inputs[0], data_format), training)
        return stored(y, data_format)

    def check_channels(self, value: Value) -> None:
        if self.data_format is None:
            warn_of_last(self, value, self.axes, self.named_axes)


def named_axes(axes: int, channels_are_last: bool = False) -> str:
    """Return the names of the axes of a batch, for a number of axes besides the channels.

    Examples
    --------
    >>> named_axes(2), named_axes(1, True)
    ('(n, channels, rows, columns)', '(n, length, channels)')
    """
    lengths = LENGTHS.get(axes, ("...",))
    names = (*lengths, "channels") if channels_are_last else ("channels", *lengths)
    return f"(n, {', '.join(names)})"


def warn_of_last(layer: Layer, value: Value, axes: int, named_axes: str) -> None:
    """Warn of samples whose channels look last, for a layer that takes them as first.

    Parameters
    ----------
    layer
        The layer.
    value
        Its input.
    axes
        The number of axes after the channels; 0: any number.
    named_axes
        What the layer calls the axes.
    """
    shape = value.shape
    fits = len(shape) == axes + 1 if axes else len(shape) > 1
    if fits and seems_last(shape) and is_of_user(value):
        warnings.warn(
            f"{type(layer).__name__} '{layer.name}': the axes of samples of shape {shown(shape)} "
            f"are {named_axes}, so these have {shape[0] or '?'} channels; if the last "
            f'axis is that of the {shape[-1]} channels, pass data_format="channels_last", else '
            'pass data_format="channels_first" to silence this warning',
            stacklevel=user_stacklevel(),
        )


def take_channels_last(layer: Any) -> None:
    """Let a layer have its channels last, unless its argument ``data_format`` says something."""
    if layer.data_format is not None:
        return
    if not layer.built:
        layer.data_format = "channels_last"
        return
    warnings.warn(
        f"{type(layer).__name__} '{layer.name}': the layer was built with its channels first, and "
        'its input has its channels last; give the layer data_format="channels_last", or '
        '"channels_first", which does not warn',
        stacklevel=user_stacklevel(),
    )


def check_format(layer: Layer, data_format: Any) -> None:
    """Raise an error if an argument is not a data format."""
    if data_format is not None and data_format not in FORMATS:
        raise layer.error(
            f"data_format must be 'channels_first' or 'channels_last', not {data_format!r}"
        )


def seems_last(shape: Shape, channels: tuple[int, ...] = CHANNELS_OF_FILES) -> bool:
    """Return whether the last axis of a sample looks like the axis of the channels.

    That is so if it has the length that it has in image files, and all other axes are longer or
    have unknown lengths.

    Examples
    --------
    >>> [seems_last(s) for s in ((32, 32, 3), (3, 32, 32), (None, None, 1), (64, 4, 4))]
    [True, False, True, False]
    """
    *others, last = shape or (None,)
    longer = all(n is None or (last is not None and n > max(last, 4)) for n in others)
    return bool(others) and last in channels and longer


def is_of_user(value: Value) -> bool:
    """Return whether the user wrote the shape of a value, in an input or a reshape."""
    while value.layer is not None and len(value.inputs) == 1:
        if type(value.layer).__name__ == "Reshape" or value.inputs[0].shape != value.shape:
            break
        value = value.inputs[0]
    return value.layer is None or type(value.layer).__name__ == "Reshape"
