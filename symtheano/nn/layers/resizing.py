"""Layers that upsample, pad with zeros, or crop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import symtheano.tensor as T
from symtheano.nn.floats import like
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.layers.windows import Pairs, padding_pairs, per_axis
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class UpSampling(ImageLayer):
    """Base class of upsampling over any number of axes.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``.

    Parameters
    ----------
    size
        The factor by which the lengths grow: one integer for all axes, or one for each axis. The
        default is 2.
    """

    size: Any = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._size

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        pairs = zip(lengths, self._size, strict=True)
        return (shape[0], *(None if n is None else n * k for n, k in pairs))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        for axis, times in enumerate(self._size):
            if times > 1:
                x = T.repeat(x, times, axis=axis + 2)
        return x

    @property
    def _size(self) -> tuple[int, ...]:
        return per_axis(self.size, self.axes, self.argument("size"))


@dataclass(eq=False)
class UpSampling1D(UpSampling):
    """Repeats the elements of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.UpSampling1D(3)(nn.Input((4, 5)))
    Value(float32, (n, 4, 15) of up_sampling1d)
    """

    axes = 1


@dataclass(eq=False)
class UpSampling2D(UpSampling):
    """Enlarges images of shape (channels, rows, columns) by repetition or interpolation.

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Parameters
    ----------
    size
        The factor by which the numbers of rows and columns grow: one integer for both, or one for
        each. The default is 2.
    interpolation
        ``"nearest"``, the default, repeats elements. ``"bilinear"`` computes weighted means of the
        four nearest elements, where elements beyond an edge have the value at the edge. This is the
        interpolation of Keras, and of torch with ``align_corners=False``.

    Examples
    --------
    >>> nn.UpSampling2D(2, interpolation="bilinear")(nn.Input((3, 4, 5)))
    Value(float32, (n, 3, 8, 10) of up_sampling2d)
    """

    interpolation: Literal["nearest", "bilinear"] = "nearest"

    axes = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.interpolation not in ("nearest", "bilinear"):
            raise self.error(
                f"interpolation must be 'nearest' or 'bilinear', not {self.interpolation!r}"
            )

    def apply_to_first(self, x: Any, training: bool) -> Any:
        if self.interpolation == "nearest":
            return super().apply_to_first(x, training)
        for axis, times in enumerate(self._size):
            x = interpolated(x, axis + 2, times)
        return x


def interpolated(x: Any, axis: int, times: int) -> Any:
    """Return an array with ``times`` elements for each element along an axis, by interpolation.

    The interpolation is linear, and both arrays have the same center. Element ``k`` of the result
    is at the position ``(k + 1 / 2) / times - 1 / 2`` of the array. Positions beyond an end are
    moved to it.

    Examples
    --------
    >>> interpolated(T.constant(np.array([0.0, 4.0])), 0, 2).eval()
    array([0., 1., 3., 4.])
    """
    if times == 1:
        return x
    before = T.concatenate([along(x, axis, 0, 1), along(x, axis, None, -1)], axis)
    after = T.concatenate([along(x, axis, 1, None), along(x, axis, -1, None)], axis)
    parts = []
    for k in range(times):
        place = (k + 0.5) / times - 0.5
        other = before if place < 0 else after
        parts.append(like(1 - abs(place), x) * x + like(abs(place), x) * other)
    lengths = [x.shape[k] * (times if k == axis else 1) for k in range(x.ndim)]
    return T.stack(parts, axis=axis + 1).reshape(lengths, ndim=x.ndim)


def along(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    """Return a part of an array along an axis."""
    return x[(*(slice(None),) * axis, slice(start, stop))]


@dataclass(eq=False)
class UpSampling3D(UpSampling):
    """Repeats the elements of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.UpSampling3D((1, 2, 2))(nn.Input((3, 2, 4, 4)))
    Value(float32, (n, 3, 2, 8, 8) of up_sampling3d)
    """

    axes = 3


@dataclass(eq=False)
class ZeroPadding(ImageLayer):
    """Base class of padding over any number of axes.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``. The axis of the channels is not padded.

    Parameters
    ----------
    padding
        The number of zeros to add before and after each axis: one number for all axes, one number
        for each axis, or a pair (before, after) for each axis. The default is 1. For a single axis,
        a pair of numbers means (before, after).
    """

    padding: Any = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._pairs

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        pairs = zip(lengths, self._pairs, strict=True)
        return (shape[0], *(None if n is None else n + sum(pair) for n, pair in pairs))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.pad(x, ((0, 0), (0, 0), *self._pairs))

    @property
    def _pairs(self) -> Pairs:
        return numbers(self.padding, self.axes, self.argument("padding"))


@dataclass(eq=False)
class ZeroPadding1D(ZeroPadding):
    """Adds zeros before and after samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.ZeroPadding1D((2, 1))(nn.Input((4, 5)))
    Value(float32, (n, 4, 8) of zero_padding1d)
    """

    axes = 1


@dataclass(eq=False)
class ZeroPadding2D(ZeroPadding):
    """Adds zeros around images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Examples
    --------
    >>> nn.ZeroPadding2D(((1, 0), (2, 2)))(nn.Input((3, 4, 4)))
    Value(float32, (n, 3, 5, 8) of zero_padding2d)
    """

    axes = 2


@dataclass(eq=False)
class ZeroPadding3D(ZeroPadding):
    """Adds zeros around volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.ZeroPadding3D(1)(nn.Input((3, 2, 4, 4)))
    Value(float32, (n, 3, 4, 6, 6) of zero_padding3d)
    """

    axes = 3


@dataclass(eq=False)
class Cropping(ImageLayer):
    """Base class of cropping over any number of axes.

    Samples have shape (channels, *lengths), or (*lengths, channels) with
    ``data_format="channels_last"``. The axis of the channels is not cropped.

    Parameters
    ----------
    cropping
        The number of elements to cut off at the beginning and at the end of each axis: one number
        for all axes, one number for each axis, or a pair (begin, end) for each axis. The default
        is 1. For a single axis, a pair of numbers means (begin, end).
    """

    cropping: Any = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._pairs

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        left: list[int | None] = []
        for n, pair in zip(lengths, self._pairs, strict=True):
            if n is not None and n < sum(pair):
                raise self.error(
                    f"cannot cut {pair[0]} and {pair[1]} elements off an axis of length {n} of "
                    f"samples of shape {shown(self.stored(shape))}"
                )
            left.append(None if n is None else n - sum(pair))
        return (shape[0], *left)

    def apply_to_first(self, x: Any, training: bool) -> Any:
        cuts = (slice(before, -after if after else None) for before, after in self._pairs)
        return x[(slice(None), slice(None), *cuts)]

    @property
    def _pairs(self) -> Pairs:
        return numbers(self.cropping, self.axes, self.argument("cropping"))


@dataclass(eq=False)
class Cropping1D(Cropping):
    """Cuts off both ends of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).

    Examples
    --------
    >>> nn.Cropping1D((2, 1))(nn.Input((4, 5)))
    Value(float32, (n, 4, 2) of cropping1d)
    """

    axes = 1


@dataclass(eq=False)
class Cropping2D(Cropping):
    """Cuts off the edges of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    Examples
    --------
    >>> nn.Cropping2D(((1, 0), (2, 2)))(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 7, 4) of cropping2d)
    """

    axes = 2


@dataclass(eq=False)
class Cropping3D(Cropping):
    """Cuts off the edges of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).

    Examples
    --------
    >>> nn.Cropping3D(1)(nn.Input((3, 4, 4, 4)))
    Value(float32, (n, 3, 2, 2, 2) of cropping3d)
    """

    axes = 3


def numbers(value: Any, axes: int, what: str = "padding") -> Pairs:
    """Return a pair (before, after) for each axis; for one axis, two numbers are its pair.

    Examples
    --------
    >>> numbers((2, 1), 1), numbers((2, 1), 2)
    (((2, 1),), ((2, 2), (1, 1)))
    """
    if axes == 1 and not isinstance(value, int | str):
        pair = tuple(value)
        value = pair if len(pair) == 1 else (pair,)
    if isinstance(value, str):
        raise ValueError(
            f"{what} takes a number, or one or a pair of numbers for each of "
            f"{axes} axes, not {value!r}"
        )
    return padding_pairs(value, (None,) * axes, (1,) * axes, (1,) * axes, what)


def after_channels(layer: ImageLayer, shape: Shape) -> Shape:
    """Return the lengths after the channels, or raise an error for a wrong number of axes."""
    if len(shape) != layer.axes + 1:
        raise layer.axes_error(shape)
    return shape[1:]
