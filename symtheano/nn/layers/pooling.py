"""Pooling: maxima and means of windows, or over all positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

import symtheano.tensor as T
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.layers.windows import check_window, moved, padding_pairs, per_axis
from symtheano.nn.values import Shape
from symtheano.tensor.signal.pool import pool_2d, pool_3d

Mode = Literal["max", "sum", "average_exc_pad"]


@dataclass(eq=False)
class Pooling(ImageLayer):
    """Base class of pooling over any number of axes.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``.

    Parameters
    ----------
    pool_size
        The lengths of the window: one integer for all axes, or one for each axis. The default is 2.
    strides
        How far the window moves along an axis: one integer for all axes, or one for each axis.
        None: the lengths of the window.
    padding
        The elements that are added around samples. ``"valid"``: none. ``"same"``: as many as the
        output needs to have ``ceil(length / stride)`` elements. Or a number for all axes, one
        number for each axis, or a pair (before, after) for each axis. Added elements are ignored in
        maxima and means.
    """

    pool_size: Any = 2
    strides: Any = None
    padding: Any = "valid"

    mode: ClassVar[Mode] = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self, "pool_size", self.pool_size if self.strides is None else self.strides)

    def shape_of_first(self, shape: Shape) -> Shape:
        if len(shape) != self.axes + 1:
            raise self.axes_error(shape)
        pairs = self._pairs(shape)
        if any(max(pair) >= k for pair, k in zip(pairs, self._window, strict=True)):
            raise self.error(f"padding {pairs} must be less than pool_size, {self._window}")
        lengths = tuple(map(moved, shape[1:], self._window, self._strides, pairs))
        if any(n is not None and n < 1 for n in lengths):
            raise self.fit_error(self._window, shape)
        return (shape[0], *lengths)

    def build(self, *shapes: Shape) -> None:
        self._zeros = self._pairs(self.first(shapes[0]))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        pad = tuple(before for before, _ in self._zeros)
        if any(before != after for before, after in self._zeros):
            return self._padded(x)
        return self._pool(x, pad, self.mode)

    def _padded(self, x: Any) -> Any:
        """Return the result for padding that differs between the two sides of an axis."""
        pairs, none = ((0, 0), (0, 0), *self._zeros), (0,) * self.axes
        if self.mode == "max":
            return self._pool(T.pad(x, pairs, constant_values=-np.inf), none, "max")
        lengths = (x.shape[k] for k in range(2, x.ndim))
        ones = T.pad(T.ones((1, 1, *lengths), dtype=x.dtype), pairs)
        counts = self._pool(ones, none, "sum")
        sums = self._pool(T.pad(x, pairs), none, "sum")
        return sums / T.patternbroadcast(counts, [k < 2 for k in range(x.ndim)])

    def _pool(self, x: Any, pad: tuple[int, ...], mode: Mode) -> Any:
        window, strides = self._window, self._strides
        if self.axes == 1:
            x, window, strides, pad = (
                x.dimshuffle(0, 1, "x", 2),
                (1, *window),
                (1, *strides),
                (0, *pad),
            )
        pool = pool_3d if self.axes == 3 else pool_2d
        y = pool(x, ws=window, stride=strides, pad=pad, ignore_border=True, mode=mode)
        return y.dimshuffle(0, 1, 3) if self.axes == 1 else y

    @property
    def _window(self) -> tuple[int, ...]:
        return per_axis(self.pool_size, self.axes, self.argument("pool_size"))

    @property
    def _strides(self) -> tuple[int, ...]:
        strides = self.pool_size if self.strides is None else self.strides
        return per_axis(strides, self.axes, self.argument("strides"))

    def _pairs(self, shape: Shape) -> tuple[tuple[int, int], ...]:
        what = self.argument("padding")
        return padding_pairs(self.padding, shape[1:], self._window, self._strides, what)


@dataclass(eq=False)
class MaxPool1D(Pooling):
    """Max pooling of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.MaxPool1D(2)(nn.Input((3, 8)))
    Value(float32, (n, 3, 4) of max_pool1d)
    """

    axes = 1


@dataclass(eq=False)
class MaxPool2D(Pooling):
    """Max pooling of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Examples
    --------
    >>> nn.MaxPool2D(2)(nn.Input((3, 9, 8)))
    Value(float32, (n, 3, 4, 4) of max_pool2d)
    >>> nn.MaxPool2D(2, data_format="channels_last")(nn.Input((9, 8, 3)))
    Value(float32, (n, 4, 4, 3) of max_pool2d)
    """

    axes = 2


@dataclass(eq=False)
class MaxPool3D(Pooling):
    """Max pooling of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.MaxPool3D(2)(nn.Input((3, 4, 8, 8)))
    Value(float32, (n, 3, 2, 4, 4) of max_pool3d)
    """

    axes = 3


@dataclass(eq=False)
class AveragePool1D(Pooling):
    """Average pooling of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.AveragePool1D(3, 2, padding="same")(nn.Input((3, 8)))
    Value(float32, (n, 3, 4) of average_pool1d)
    """

    axes = 1
    mode = "average_exc_pad"


@dataclass(eq=False)
class AveragePool2D(Pooling):
    """Average pooling of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Examples
    --------
    >>> nn.AveragePool2D(2)(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 4, 4) of average_pool2d)
    """

    axes = 2
    mode = "average_exc_pad"


@dataclass(eq=False)
class AveragePool3D(Pooling):
    """Average pooling of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.AveragePool3D(2)(nn.Input((3, 4, 8, 8)))
    Value(float32, (n, 3, 2, 4, 4) of average_pool3d)
    """

    axes = 3
    mode = "average_exc_pad"


@dataclass(eq=False)
class GlobalAveragePool(ImageLayer):
    """The mean of each channel over all positions.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``. The output has shape (channels,).

    Examples
    --------
    >>> nn.GlobalAveragePool()(nn.Input((3, 9, 8)))
    Value(float32, (n, 3) of global_average_pool)
    """

    def shape_of_first(self, shape: Shape) -> Shape:
        if len(shape) < 2:
            raise self.axes_error(shape)
        return shape[:1]

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.mean(x, axis=tuple(range(2, x.ndim)))


@dataclass(eq=False)
class GlobalMaxPool(GlobalAveragePool):
    """The maximum of each channel over all positions.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``. The output has shape (channels,).
    """

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.max(x, axis=tuple(range(2, x.ndim)))
