"""What layers of images share: which axis of a sample is that of the channels.

Layers describe their shapes and write their expressions with the channels first. If these are last,
samples are transposed before and after. Rules drop transpositions between layers, so that a chain
of them has one at its beginning and one at its end.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Literal

import symtheano
from symtheano.nn.layers.base import Layer
from symtheano.nn.values import Shape, Value, shown

DataFormat = Literal["channels_first", "channels_last"]

FORMATS = ("channels_first", "channels_last")
LENGTHS = {1: ("length",), 2: ("rows", "columns"), 3: ("depth", "rows", "columns")}
# The numbers of channels of images as they are stored: gray, red-green-blue, and with opacity.
CHANNELS_OF_FILES = (1, 3, 4)


@dataclass(eq=False)
class ImageLayer(Layer):
    """A layer of samples with channels: sounds, images, volumes.

    Parameters
    ----------
    data_format
        Which axis of a sample is that of the channels. ``"channels_first"``: (channels, rows,
        columns). ``"channels_last"``: (rows, columns, channels), as in Keras by default; the output
        has its channels last, too. Parameters are the same in both. None is ``"channels_first"``,
        with a ``UserWarning`` for inputs that look like images with channels last.
    """

    data_format: DataFormat | None = field(default=None, kw_only=True)

    # The number of axes after the channels; 0: any number.
    axes: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_format(self, self.data_format)

    # What subclasses define.

    def shape_of_first(self, shape: Shape) -> Shape:
        """Return the shape of the output; both have their channels first."""
        return shape

    def apply_to_first(self, x: Any, training: bool) -> Any:
        """Return the output of an array; both have their channels first."""
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
        """Return a shape with the channels first as users see it."""
        return (*shape[1:], *shape[:1]) if self.channels_are_last else shape

    def axes_error(self, shape: Shape) -> ValueError:
        """Return an error for a shape with another number of axes, or an unknown one of channels.

        ``shape`` has its channels first.
        """
        taken = ", with a known number of channels" if shape and shape[0] is None else ""
        return self.error(
            f"takes samples of shape {self.named_axes}{taken}, not {shown(self.stored(shape))}"
            f"{self._remedy(shape)}"
        )

    def fit_error(self, window: Any, shape: Shape) -> ValueError:
        """Return an error for a window that is longer than the axes of a shape, channels first."""
        return self.error(
            f"a window of {window} does not fit into samples of shape {shown(self.stored(shape))}, "
            f"whose axes are {self.named_axes}{self._remedy(shape)}"
        )

    @property
    def named_axes(self) -> str:
        """The names of the axes, that of the samples first."""
        lengths = LENGTHS.get(self.axes, ("...",))
        names = (*lengths, "channels") if self.channels_are_last else ("channels", *lengths)
        return f"(n, {', '.join(names)})"

    def _remedy(self, shape: Shape) -> str:
        """Return what to do about a shape, channels first, that fits the other format better."""
        if self.channels_are_last or not seems_last(shape, (*CHANNELS_OF_FILES, 2)):
            return ""
        return '; if the last axis is that of the channels, give data_format="channels_last"'

    # What layers are.

    def output_shape(self, *shapes: Shape) -> Shape:
        return self.stored(self.shape_of_first(self.first(shapes[0])))

    def apply(self, *inputs: Any, training: bool) -> Any:
        x = inputs[0]
        if not self.channels_are_last:
            return self.apply_to_first(x, training)
        y = self.apply_to_first(x.dimshuffle(0, x.ndim - 1, *range(1, x.ndim - 1)), training)
        return y.dimshuffle(0, *range(2, y.ndim), 1) if y.ndim > 2 else y

    def __call__(self, *values: Value) -> Value:
        """Return the output for values; the first call warns of channels that look last."""
        first_call = getattr(self, "_built", None) is None
        y = super().__call__(*values)
        if first_call and self.data_format is None and is_of_user(y.inputs[0]):
            self._warn(y.inputs[0].shape)
        return y

    def _warn(self, shape: Shape) -> None:
        fits = len(shape) == self.axes + 1 if self.axes else len(shape) > 1
        if fits and seems_last(shape):
            warnings.warn(
                f"{type(self).__name__} '{self.name}': the axes of samples of shape {shown(shape)} "
                f"are {self.named_axes}, so these have {shape[0] or '?'} channels; if the last "
                f'axis is that of the {shape[-1]} channels, give data_format="channels_last", else '
                'data_format="channels_first", which does not warn',
                stacklevel=user_stacklevel(),
            )


def check_format(layer: Layer, data_format: Any) -> None:
    """Raise an error for what is no format."""
    if data_format is not None and data_format not in FORMATS:
        raise layer.error(
            f"data_format: 'channels_first' or 'channels_last' expected, not {data_format!r}"
        )


def seems_last(shape: Shape, channels: tuple[int, ...] = CHANNELS_OF_FILES) -> bool:
    """Return whether the last axis of a sample looks like that of its channels.

    It is as long as that of images in files, and all others are longer, or of unknown length.

    Examples
    --------
    >>> [seems_last(s) for s in ((32, 32, 3), (3, 32, 32), (None, None, 1), (64, 4, 4))]
    [True, False, True, False]
    """
    *others, last = shape or (None,)
    longer = all(n is None or (last is not None and n > max(last, 4)) for n in others)
    return bool(others) and last in channels and longer


def is_of_user(value: Value) -> bool:
    """Return whether the user has written a value's shape: an input's, or that of a reshape."""
    while value.layer is not None and len(value.inputs) == 1:
        if type(value.layer).__name__ == "Reshape" or value.inputs[0].shape != value.shape:
            break
        value = value.inputs[0]
    return value.layer is None or type(value.layer).__name__ == "Reshape"


def user_stacklevel() -> int:
    """Return the ``stacklevel`` for a warning of the caller to show the user's line."""
    package = str(Path(symtheano.__file__).parent)
    level, frame = 1, _caller()
    while frame is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level


def _caller() -> FrameType | None:
    return sys._getframe(2)
